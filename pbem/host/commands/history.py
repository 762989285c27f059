"""`history`: the last turns again, or those from a round on."""

from __future__ import annotations

import sys

from pbem.host.commands.aside import Query, QueryContext
from pbem.host.messages.sections import History
from pbem.host.reporting.chapters import seen, turn
from pbem.host.reporting.notices import deeds

LAST, MOST = 6, 24  # turns that are told unasked, and at most


def _tell(context: QueryContext) -> History:
    first = int(context.rest) if context.rest else None
    loaded, position = context.work.games.load(context.game), context.session.position
    _, *chapters = context.over
    told = [
        (each.before.seq, turn(loaded, each.shown(loaded.rules, position.state, context.viewer))) for each in chapters
    ]
    told = told[-LAST:] if first is None else [each for each in told if each[1].round >= first]
    begins = [before for before, _ in told]
    span = range(begins[0] if begins else 0, begins[MOST] if len(told) > MOST else sys.maxsize)
    told_of = (seen(loaded.rules, position.state, each) for each in position.done if each.seq in span)
    return History(
        turns=tuple(each for _, each in told[:MOST]),
        more=told[MOST][1].round if len(told) > MOST else None,
        deeds=deeds(told_of),
    )


HISTORY = Query(name="history", words=("history", "Verlauf", "cronaca"), behind="[NUMBER]", tell=_tell)
