"""`press to …:`: a text that is passed on to other players; the word alone shows the last press."""

from __future__ import annotations

from pbem.host.commands.aside import Query, QueryContext
from pbem.host.messages import sections
from pbem.host.reporting.press import last_press


def _tell(context: QueryContext) -> sections.PressRead:
    return last_press(context.work, context.game, context.seat)


COMMAND = Query(
    name="press",
    kind="aside",
    words=("press", "Presse", "stampa"),
    kept_from_deputies="press",
    anytime=True,
    tell=_tell,
)
