"""`reach`: where what stands at a place could go."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from pbem.core.refusal import Illegal
from pbem.host.commands.aside import Query, QueryContext
from pbem.host.messages.sections import Told
from pbem.host.session.session import Session


def _tell(context: QueryContext) -> Told:
    session = context.session
    rows = session.rules.reach(session.state, context.viewer)
    place = _place(session, context.rest, {str(row["at"]) for row in rows})
    return Told(command="reach", facts={"rows": [row for row in rows if row["at"] == place]})


def _place(session: Session, text: str, places: Collection[str]) -> str:
    """The place that a text names, whatever stands before it. Raises `Illegal`."""
    words = text.split()
    for rest in (" ".join(words[begin:]) for begin in range(len(words))):
        with suppress(Illegal):
            if (named := session.parser.one_of(rest, places)) in places:
                return named
    raise Illegal("reach.unknown", read=text)


REACH = Query(
    name="reach",
    words=("reach", "Reichweite", "portata|raggiunge"),
    behind="[COLON] _anything?",
    tell=_tell,
)
