"""`help`: what there is to write, or how something is written."""

from __future__ import annotations

from pbem.host import messages as co
from pbem.host.commands.aside import Query, QueryContext


def _tell(context: QueryContext) -> co.Help:
    return co.Help(topic=context.rest or None)


COMMAND = Query(name="help", words=("help", "Hilfe", "aiuto"), behind="[TOPIC]", anytime=True, tell=_tell)
