"""Who moderates a game: how they come to it, and how its log calls them.

Somebody whom nobody knows here is asked before they lead a game or play in it: a typing error must do neither.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.host.clock.slots import note
from pbem.host.lobby.offers import people_of, person_of
from pbem.host.lobby.seats import substitute
from pbem.host.messages import letters, replies
from pbem.host.messages.rows import content_job, mark, post, problem
from pbem.host.ports import Game, Letter, Member, Person
from pbem.host.session.actors import NOMINEE, OPERATOR, moderator
from pbem.host.session.acts import Done, Nominated, Promoted, Seated, Unwilling
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.answers import SEAT


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


# -- whom nobody knows ---


def is_known(work: UnitOfWork, game: Game, person: Person) -> bool:
    """Do they play or lead here, or wait for a seat, or has a letter proved whose address it is?"""
    around = [reader.person.id for reader in game.readers] + [each.id for each in work.repository.waiting()]
    return person.id in around or any(each.verified is not None for each in work.repository.addresses(person.id))


def ask(work: UnitOfWork, game: Game, act: Nominated, now: int) -> None:
    """Raises `Illegal` for somebody who has not answered yet."""
    person, session = person_of(work, act.person), work.session(game)
    if person.id in {each.person for each in nominations(session.position.done)}:
        raise Illegal("promote.asked", read=person.address)
    note(session, now, act)
    told = letters.Nomination(game=game.id, by=act.by, why=act.why, alone=act.alone, seat=act.seat)
    what = f"{game.id}.nomination.{session.position.name}.{mark(str(person.id))}"
    work.repository.post([post(what, person.address, content_job(told, about=game.id), now=now, game=game.id)])


def nominations(done: Sequence[Done]) -> tuple[Nominated, ...]:
    """Those that nobody has answered yet; a seat that somebody else has taken is asked of nobody any more."""
    found: dict[int, Nominated] = {}
    for each in done:
        match each.act:
            case Nominated() as act:
                found[act.person] = act
            case Promoted(person=int(person)) | Unwilling(person=person):
                found.pop(person, None)
            case Seated(seat=seat):
                found = {person: act for person, act in found.items() if act.seat != seat}
            case _:
                pass
    return tuple(found.values())


def asked_to_lead(work: UnitOfWork, game: Game) -> Sequence[Person]:
    """Who was asked to moderate or to play, and has not answered."""
    return people_of(work, [each.person for each in _open(work, game)])


def _open(work: UnitOfWork, game: Game) -> Sequence[Nominated]:
    return nominations(work.done(game)) if game.status == "running" else ()


def says_whether_to_lead(
    work: UnitOfWork, game: Game, person: Person, letter: Letter, now: int
) -> replies.Reply | None:
    """The answer to somebody who was asked to moderate or to play; None when they write of something else."""
    consent = SEAT.answer(letter.lines)
    asked = next((each for each in _open(work, game) if each.person == person.id), None)
    if consent is None or consent.number is not None or asked is None:
        return None
    if not consent.yes:
        note(work.session(game), now, Unwilling(by=NOMINEE, person=person.id, seat=asked.seat))
        return problem("nominee.declined" if asked.seat else "promote.declined", game.id)
    if not asked.seat:
        appoint(work, game, person, now, asked.by, asked.why, asked.leads, alone=asked.alone)
        return problem("promote.accepted", game.id)
    substitute(work, game, Seated(by=asked.by, seat=asked.seat, person=person.id, why=asked.why), now)
    return problem("accept.seated", game.id, asked.seat, whose=asked.seat)
