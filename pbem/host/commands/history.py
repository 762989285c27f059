"""`history`: the last turns again, or those from a round on."""

from __future__ import annotations

import sys

from pbem.core.seat import Seat
from pbem.host.commands.aside import Query, QueryContext
from pbem.host.messages import sections
from pbem.host.reporting.chapters import seen, turn, whole
from pbem.host.reporting.notices import deeds
from pbem.host.session.unit_of_work import read_entries

LAST, MOST = 6, 24  # turns that are told unasked, and at most


def _tell(context: QueryContext) -> sections.History:
    work, game = context.work, context.game
    first = int(context.rest) if context.rest else None
    loaded = work.games.load(game)
    _, *chapters = whole(loaded, read_entries(loaded.rules, work.repository, game.id)).over
    viewer = Seat(context.seat) if context.seat else None
    told = [(chapter.before.seq, turn(loaded, chapter.shown(loaded.rules, viewer))) for chapter in chapters]
    told = told[-LAST:] if first is None else [each for each in told if each[1].round >= first]
    begins = [before for before, _ in told]
    span = range(begins[0] if begins else 0, begins[MOST] if len(told) > MOST else sys.maxsize)
    position = work.session(game).position
    told_of = (seen(loaded.rules, position.state, each) for each in position.done if each.seq in span)
    return sections.History(
        turns=tuple(each for _, each in told[:MOST]),
        more=told[MOST][1].round if len(told) > MOST else None,
        deeds=deeds(told_of),
    )


COMMAND = Query(name="history", words=("history", "Verlauf", "cronaca"), behind="[NUMBER]", tell=_tell)
