"""Nominations: somebody whom nobody knows here is asked before they lead a game or play in it.

A typing error must do neither.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.host.clock.slots import note
from pbem.host.lobby.moderators import appoint
from pbem.host.lobby.substitution import substitute
from pbem.host.messages import letters, replies
from pbem.host.messages.rows import content_job, mark, post, problem
from pbem.host.ports import Game, Letter, Person
from pbem.host.session.actors import NOMINEE
from pbem.host.session.acts import Done, Nominated, Promoted, Seated, Unwilling
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.answers import SEAT


def is_known(work: UnitOfWork, game: Game, person: Person) -> bool:
    """Do they play or lead here, or wait for a seat, or has a letter proved whose address it is?"""
    around = [reader.person.id for reader in game.readers] + [each.id for each in work.repository.waiting()]
    return person.id in around or any(each.verified is not None for each in work.repository.addresses(person.id))


def ask(work: UnitOfWork, game: Game, act: Nominated, now: int) -> None:
    """Raises `Illegal` for somebody who has not answered yet."""
    person, session = work.repository.person(act.person), work.session(game)
    assert person is not None, "who is asked has been entered"
    if person.id in {each.person for each in nominations(session.position.done)}:
        raise Illegal("promote.asked", read=person.address)
    note(session, now, act)
    told = letters.Nomination(game=game.id, by=act.by, why=act.why, alone=act.alone, seat=act.seat)
    what = f"{game.id}.nomination.{session.position.seq}.{mark(str(person.id))}"
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
    open_ = nominations(work.session(game).position.done) if game.status == "running" else ()
    found = (work.repository.person(each.person) for each in open_)
    return [person for person in found if person is not None]


def says_whether_to_lead(
    work: UnitOfWork, game: Game, person: Person, letter: Letter, now: int
) -> replies.Reply | None:
    """The answer to somebody who was asked to moderate or to play; None when they write of something else."""
    consent = SEAT.answer(letter.lines)
    open_ = nominations(work.session(game).position.done) if game.status == "running" else ()
    asked = next((each for each in open_ if each.person == person.id), None)
    if consent is None or consent.number is not None or asked is None:
        return None
    if not consent.yes:
        note(work.session(game), now, Unwilling(by=NOMINEE, person=person.id, seat=asked.seat))
        return problem("nominee.declined" if asked.seat else "promote.declined", game.id)
    if not asked.seat:
        appoint(work, game, person, now, asked.by, asked.why, asked.leads, alone=asked.alone)
        return problem("promote.accepted", game.id)
    substitute(work, game, Seated(by=asked.by, seat=asked.seat, person=person.id, why=asked.why), now)
    return replace(problem("accept.seated", game.id), facts={"whose": asked.seat})
