"""Who moderates a game: how they come to it, and how its log calls them."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.host.clock.slots import note
from pbem.host.ports import Game, Member, Person
from pbem.host.session.actors import OPERATOR, moderator
from pbem.host.session.acts import Promoted
from pbem.host.session.unit_of_work import UnitOfWork


def presides(game: Game, person: Person | None, operator: str) -> str | None:
    """How the log calls somebody who may preside over the game; None: they may not.

    Who plays has their seat's name: in an anonymous game the other would tell who sits there.
    """
    if person is not None and person.address == operator.lower():
        return OPERATOR
    if person is not None and person.id in {one.person.id for one in game.moderators}:
        seat = next((member.seat for member in game.members if member.person.id == person.id), None)
        return moderator(seat or person.name)
    return None


def appoint(
    work: UnitOfWork, game: Game, person: Person, now: int, by: str, why: str, instead_of: int | None, *, alone: bool
) -> None:
    """Enter a moderator, who is told what happens from now on; in the place of another one, where that one goes."""
    running = game.status == "running"
    others = tuple(one for one in game.moderators if one.person.id not in (instead_of, person.id))
    known = (one for one in game.moderators if one.person.id == person.id)
    told = work.session(game).position.seq if running else -1
    led = next(known, Member(person=person, seat="", told=told))
    work.repository.save_game(replace(game, moderators=(*others, led)))
    if running:
        act = Promoted(by=by, whom=called(game, person), alone=alone, why=why, person=person.id)
        note(work.session(game), now, act)


def called(game: Game, person: Person) -> str:
    """By the seat, or by the name; never by the address, since logs are published."""
    seats = [member.seat for member in game.members if member.person.id == person.id]
    return seats[0] if seats else person.name or f"no. {person.id}"
