"""`board`: the position, as far as whoever asks may see it."""

from __future__ import annotations

from pbem.core.seat import Seat
from pbem.host.commands.aside import Query, QueryContext
from pbem.host.messages import sections


def board(context: QueryContext) -> sections.Board:
    session = context.work.session(context.game)
    return sections.Board(view=session.rules.view(session.state, Seat(context.seat) if context.seat else None))


COMMAND = Query(name="board", words=("board", "Brett", "tabellone"), tell=board)
