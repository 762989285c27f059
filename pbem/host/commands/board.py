"""`board`: the position, as far as whoever asks may see it."""

from __future__ import annotations

from pbem.core.seat import Seat
from pbem.host import messages as co
from pbem.host.commands.aside import Enquiry, Question


def board(enquiry: Enquiry) -> co.Board:
    session = enquiry.desk.session(enquiry.game)
    return co.Board(view=session.rules.view(session.state, Seat(enquiry.seat) if enquiry.seat else None))


COMMAND = Question(name="board", words=("board", "Brett", "tabellone"), tell=board)
