"""What is still true of invitations that nobody had answered."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.host.builder.occasion import Addressed
from pbem.host.lobby.invitations import invitation
from pbem.host.messages import letters
from pbem.host.messages.rows import UnansweredJob


def invited_again(to: Addressed) -> letters.Message | None:
    """To somebody who has said nothing for long."""
    if to.game.status != "inviting" or to.member.joined is not None:
        return None
    return replace(invitation(to.game, to.work.games.load(to.game).terms, to.member), again=True)


def unanswered(to: Addressed, job: UnansweredJob) -> letters.Message | None:
    """To whoever can begin the game: who says nothing, and who is there."""
    game = to.game
    silent = tuple(each.seat for each in game.members if each.seat in job.seats and each.joined is None)
    here = tuple(each.seat for each in game.members if each.joined is not None)
    if game.status != "inviting" or not silent:
        return None
    return letters.Unanswered(game=game.id, seat=to.member.seat or None, silent=silent, here=here)
