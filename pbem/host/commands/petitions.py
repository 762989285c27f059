"""`petitions`: which are open, and how the last ones ended."""

from __future__ import annotations

from pbem.host import messages as co
from pbem.host.commands.aside import Enquiry, Question
from pbem.host.reporting.tallies import listed


def _tell(enquiry: Enquiry) -> co.Petitions:
    done = enquiry.desk.session(enquiry.game).position.done
    return listed(done, ended=enquiry.game.status == "finished")


COMMAND = Question(name="petitions", words=("petitions", "Anträge", "petizioni"), tell=_tell)
