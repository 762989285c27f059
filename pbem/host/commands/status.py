"""`status`: who is awaited, and what is voted on; to whoever leads the game, all that is known about it."""

from __future__ import annotations

from pbem.host.commands.aside import Query, QueryContext, not_begun
from pbem.host.commands.board import board
from pbem.host.commands.overview import overview
from pbem.host.messages import sections
from pbem.host.reporting.tallies import listed
from pbem.host.session.petitions import open_petitions


def _tell(context: QueryContext) -> sections.Section | None:
    """Who is awaited, and what is on file, is told by every answer."""
    if context.leads or not context.seat:
        return overview(context.work, context.game, context.now, context.seat)
    if context.game.status == "inviting":
        raise not_begun(context.work, context.game)
    if context.game.status == "finished":
        return board(context)
    done = context.work.session(context.game).position.done
    return listed(done) if open_petitions(done) else None


COMMAND = Query(name="status", words=("status", "Lage", "stato"), anytime=True, tell=_tell)
