"""`help`: what there is to write, or how something is written."""

from __future__ import annotations

from pbem.host.commands.aside import Query, QueryContext
from pbem.host.messages import sections


def _tell(context: QueryContext) -> sections.Help:
    return sections.Help(topic=context.rest or None)


COMMAND = Query(name="help", words=("help", "Hilfe", "aiuto"), behind="[TOPIC]", anytime=True, tell=_tell)
