"""`board`: the position, as far as whoever asks may see it."""

from __future__ import annotations

from pbem.core.seat import Seat
from pbem.host import messages as co
from pbem.host.commands.aside import Query, QueryContext


def board(context: QueryContext) -> co.Board:
    session = context.work.session(context.game)
    return co.Board(view=session.rules.view(session.state, Seat(context.seat) if context.seat else None))


COMMAND = Query(name="board", words=("board", "Brett", "tabellone"), tell=board)
