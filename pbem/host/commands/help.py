"""`help`: what there is to write, or how something is written."""

from __future__ import annotations

from pbem.host import messages as co
from pbem.host.commands.aside import Enquiry, Question


def _tell(enquiry: Enquiry) -> co.Help:
    return co.Help(topic=enquiry.rest or None)


COMMAND = Question(name="help", words=("help", "Hilfe", "aiuto"), behind="[TOPIC]", anytime=True, tell=_tell)
