"""What has run out in a game of the books: it is answered, or all are told that somebody is late."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.service.clock.slots import run_out
from pbem.service.clock.timing import slot_key
from pbem.service.letters.answers import in_slot
from pbem.service.letters.correspondence import Overdue
from pbem.service.letters.post import content_job, to_member
from pbem.service.play.games import Desk
from pbem.service.play.referee import Referee
from pbem.service.ports import Game, Post, Slot


def lapse_due(desk: Desk, game: Game, until: int) -> None:
    """Do all that the clock has to do in the game before an instant."""
    referee = desk.referee(game)
    for slot in run_out(referee, until):
        desk.books.post(_notices(game, referee, slot, until))


def _notices(game: Game, referee: Referee, slot: Slot, now: int) -> Iterator[Post]:
    decision = next(d for d in referee.pending() if slot_key(d) == slot.key)
    for member in game.readers:
        told = Overdue(
            game=game.id,
            seat=member.seat,
            awaited=in_slot(decision, slot),
            policy=referee.terms.policy,
            closes=slot.closes,
            grace=referee.timing.may_be_ended(slot) if referee.terms.grace_hours else None,
        )
        what = f"{slot.key.replace(' ', '.')}.overdue.{slot.deadline}"
        yield to_member(game, member, what, content_job(told), now)
