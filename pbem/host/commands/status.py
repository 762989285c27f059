"""`status`: who is awaited, and what is voted on; to whoever leads the game, all that is known about it."""

from __future__ import annotations

from pbem.host import messages as co
from pbem.host.commands.aside import Enquiry, Question, not_begun
from pbem.host.commands.board import board
from pbem.host.commands.overview import overview
from pbem.host.reporting.tallies import listed
from pbem.host.session.petitions import open_petitions


def _tell(enquiry: Enquiry) -> co.Section | None:
    """Who is awaited, and what is on file, is told by every answer."""
    if enquiry.leads or not enquiry.seat:
        return overview(enquiry.desk, enquiry.game, enquiry.now, enquiry.seat)
    if enquiry.game.status == "inviting":
        raise not_begun(enquiry.desk, enquiry.game)
    if enquiry.game.status == "finished":
        return board(enquiry)
    done = enquiry.desk.session(enquiry.game).position.done
    return listed(done) if open_petitions(done) else None


COMMAND = Question(name="status", words=("status", "Lage", "stato"), anytime=True, tell=_tell)
