"""When something has happened in a game: a seat changes hands in the books, then all is told.

Whoever sits down gets the whole history.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.core.seat import Seat
from pbem.host.clock.slots import note
from pbem.host.clock.timing import petition_key, slot_key
from pbem.host.governance.substitutes import hold, open_vacancy, take_seat
from pbem.host.lobby.offers import offer, people_of, person_of, petition_of
from pbem.host.messages import letters
from pbem.host.messages.rows import NoticeJob, SubstituteJob, content_job, post, to_member
from pbem.host.ports import Game, Member, Person, Slot
from pbem.host.reporting.alarms import alarms_of_empty_seats, tell_unheard, tell_unruled
from pbem.host.reporting.publish import publish
from pbem.host.session.actors import CLOCK, petition_number
from pbem.host.session.acts import Act, Decided, Ejected, Petitioned, Promoted, Rejected, Removed, Seated, Withdrawn
from pbem.host.session.petitions import name, open_petitions
from pbem.host.session.session import Session
from pbem.host.session.unit_of_work import UnitOfWork


def conclude(work: UnitOfWork, game: Game, now: int, letter: str = "") -> None:
    """Do what the last steps ask for, and queue what they have to tell, once. `letter`: the id of what made them."""
    publish(work, settle(work, game, now), now, letter)


def alarm_operator(work: UnitOfWork, before: Game, operator: str, now: int) -> None:
    """Queue what only they can see to; `before`: the game as it was before the last steps."""
    session = work.session(before)
    steps = session.steps
    tell_unheard(work.repository, before, steps, operator, now)
    tell_unruled(work.repository, work.game(before.id), session, operator, now)
    work.repository.post(alarms_of_empty_seats(work.game(before.id), steps, operator, now))


# -- who sits where ---


def settle(work: UnitOfWork, game: Game, now: int) -> Game:
    """Offer the seats that were asked for, seat whom a petition has brought; the game as it is then."""
    session = work.session(game)
    for step in [*session.steps]:
        act = step.act
        if isinstance(act, Petitioned) and act.kind == "replace" and act.seat:
            offer(work, game, petition_of(session, act.number), now)
        elif isinstance(act, Seated) and petition_number(act.by) is not None:
            game = sit_down(work, game, Seat(act.seat), person_of(work, act.person), step.entry.seq, now)
        elif isinstance(act, Removed):
            game = step_down(work, game, act.person, step.entry.seq, now)
        elif isinstance(act, Promoted):
            _drop_removals(work, game, now)
        else:
            _dismiss(work, game, act, now)
    return game


def sit_down(work: UnitOfWork, game: Game, seat: Seat, person: Person, seq: int, now: int) -> Game:
    """They have the whole history, and a fresh clock for what is awaited. `seq`: the entry that gave them the seat."""
    session = work.session(game)
    new = Member(person=person, seat=seat, joined=now, told=session.position.seq)
    tell_former(work, game, seat, seq, now)
    game = replace(game, members=_in_order(work, game, new))
    work.repository.save_game(game)
    work.repository.wait_no_more(person.id)
    job = SubstituteJob(seq=session.position.seq, starts=_open_slots(session, seat, now))
    work.repository.post([to_member(game, new, f"{session.position.count.number(seq)}.substitute", job, now)])
    return game


def substitute(work: UnitOfWork, game: Game, act: Seated, now: int) -> None:
    """Somebody has the seat at once; what was written there stays on file."""
    session = work.session(game)
    seq = session.position.seq + 1
    take_seat(session, act, now)
    sit_down(work, game, Seat(act.seat), person_of(work, act.person), seq, now)


def step_down(work: UnitOfWork, game: Game, person: int, seq: int, now: int) -> Game:
    """The others who moderate, or the operator alone, have the game. Who loses it is told as all the others are."""
    left = replace(game, moderators=tuple(one for one in game.moderators if one.person.id != person))
    staying = {reader.person.id for reader in left.readers}
    gone = [one for one in game.moderators if one.person.id not in staying]
    _tell_gone(work, game, gone, seq, now)
    work.repository.save_game(left)
    return left


def _drop_removals(work: UnitOfWork, game: Game, now: int) -> None:
    """Who has handed the game over need not be removed any more."""
    session, leads = work.session(game), {one.person.id for one in work.game(game.id).moderators}
    for petition in open_petitions(session.position.done):
        if petition.asked.moderator not in (None, *leads):
            note(session, now, Withdrawn(by=CLOCK, number=petition.number))
            session.record.close_slot(petition_key(petition.number))


def _open_slots(session: Session, seat: Seat, now: int) -> tuple[str, ...]:
    """Those of what is awaited there; what the others are asked by the same letter has letters of its own."""
    keys = tuple(slot_key(decision) for decision in session.pending() if decision.seat == seat)
    for key in keys:
        session.record.put_slot(Slot(key=key, seat=seat, opened=now))
    return keys


def vacate(work: UnitOfWork, game: Game, act: Ejected, now: int) -> None:
    """Nobody sits there any more: the seat is offered, and a bot may hold it. The game is to be loaded anew then."""
    session = work.session(game)
    note(session, now, act)
    tell_former(work, game, act.seat, session.position.seq, now)
    for slot in work.repository.slots(game.id):
        if slot.seat == act.seat:  # its time ends, and counts for nobody
            work.repository.close_slot(game.id, slot.key)
    work.repository.save_game(replace(game, members=tuple(each for each in game.members if each.seat != act.seat)))
    hold(session, act.seat, now)
    open_vacancy(session, act.seat, now)


def tell_former(work: UnitOfWork, game: Game, seat: str, seq: int, now: int) -> None:
    """Who loses the seat is told as all the others are."""
    former = [member for member in game.members if member.seat == seat]
    _tell_gone(work, game, former, seq, now)


def _tell_gone(work: UnitOfWork, game: Game, gone: Sequence[Member], seq: int, now: int) -> None:
    what = f"{work.session(game).position.count.number(seq)}.notice.former"
    work.repository.post(to_member(game, one, what, NoticeJob(seq=seq), now) for one in gone)


def _in_order(work: UnitOfWork, game: Game, new: Member) -> tuple[Member, ...]:
    """The members in the order of the loaded."""
    others = [member for member in game.members if member.seat != new.seat]
    seats = work.games.load(game).terms.setup.seats
    return tuple(sorted([*others, new], key=lambda member: seats.index(Seat(member.seat))))


def _dismiss(work: UnitOfWork, game: Game, act: Act | None, now: int) -> None:
    """Who would have sat down, and was not needed, hears so."""
    if isinstance(act, Withdrawn | Rejected) or (isinstance(act, Decided) and not act.passed):
        petition = petition_of(work.session(game), act.number)
        asked, person = petition.asked, petition.candidate
        for each in people_of(work, [person] if person is not None else []):
            told = letters.NotNeeded(game=game.id, name=name(asked.number), seat=asked.seat)
            what = f"{game.id}.notneeded.{asked.number}.{each.id}"
            work.repository.post([post(what, each.address, content_job(told), now=now, game=game.id)])
