"""A seat of a game in the books changes hands: it is offered, somebody accepts, and gets the whole history."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host import messages as co
from pbem.host.clock.slots import note
from pbem.host.clock.timing import petition_key, slot_key
from pbem.host.governance.substitutes import answer, take_seat
from pbem.host.messages.rows import NoticeJob, SubstituteJob, content_job, mark, post, problem, to_member
from pbem.host.ports import Game, Letter, Member, OutboxRow, Person, Slot
from pbem.host.reporting.answers import plain
from pbem.host.session.actors import CLOCK, petition_number
from pbem.host.session.acts import (
    Act,
    Decided,
    Offered,
    Petitioned,
    Promoted,
    Rejected,
    Removed,
    Seated,
    Withdrawn,
    read_act,
)
from pbem.host.session.budget import refuse_mail
from pbem.host.session.identity import Ticket
from pbem.host.session.petitions import Petition, about_seat, name, open_petitions, petitions
from pbem.host.session.session import Session
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.substitutes import read_consent

MOST_ASKED = 10  # of those who wait, at a time

# -- what the last steps ask for ---


def settle(desk: UnitOfWork, game: Game, now: int) -> Game:
    """Offer the seats that were asked for, seat whom a petition has brought; the game as it is then."""
    session = desk.session(game)
    for step in [*session.steps]:
        act = read_act(step.entry.act) if step.entry.act else None
        if isinstance(act, Petitioned) and act.kind == "replace" and act.seat:
            offer(desk, game, _petition(session, act.number), now)
        elif isinstance(act, Seated) and petition_number(act.by) is not None:
            person = desk.books.person(act.person)
            assert person is not None, "whoever accepts is known"
            game = sit_down(desk, game, Seat(act.seat), person, step.entry.seq, now)
        elif isinstance(act, Removed):
            game = step_down(desk, game, act.person, step.entry.seq, now)
        elif isinstance(act, Promoted):
            _drop_removals(desk, game, now)
        else:
            _dismiss(desk, game, act, now)
    return game


def offer(desk: UnitOfWork, game: Game, petition: Petition, now: int, people: Iterable[Person] | None = None) -> int:
    """Ask who was named, else those who wait for a seat; how many are asked now."""
    session, named = desk.session(game), petition.asked.substitute
    if people is None and named is not None:
        return offer_named(desk, game, petition, now, _known(desk, [named]))
    people = desk.books.waiting() if people is None else people
    fresh = [p for p in people if not session.record.sits(p.id) and p.id not in petition.offered][:MOST_ASKED]
    _ask(desk, game, petition, fresh, now)
    return len(fresh)


def offer_named(desk: UnitOfWork, game: Game, petition: Petition, now: int, people: Sequence[Person]) -> int:
    """Ask those whose addresses somebody wrote; how many are asked now.

    In an anonymous game they get the letter even if they play there, and hear that alone when they accept.
    """
    if desk.table(game).terms.anonymous == "no":
        return offer(desk, game, petition, now, people)
    _ask(desk, game, petition, people, now)
    return len(people)


def _ask(desk: UnitOfWork, game: Game, petition: Petition, people: Sequence[Person], now: int) -> None:
    if people:
        asked = tuple(person.id for person in people)
        note(desk.session(game), now, Offered(by=CLOCK, number=petition.number, people=asked))
        rows = [_letter(desk, game, petition, person, now) for person in people]
        desk.books.post(row for row in rows if not desk.books.posted(row.id))


def sit_down(desk: UnitOfWork, game: Game, seat: Seat, person: Person, seq: int, now: int) -> Game:
    """He has the whole history, and a fresh clock for what is awaited. `seq` is the entry that gave him the seat."""
    session = desk.session(game)
    new = Member(person=person, seat=seat, joined=now, told=session.position.seq)
    tell_former(desk, game, seat, seq, now)
    game = replace(game, members=_in_order(desk, game, new))
    desk.books.save_game(game)
    desk.books.wait_no_more(person.id)
    job = SubstituteJob(seq=session.position.seq, starts=_open_slots(session, seat, now))
    desk.books.post([to_member(game, new, f"{seq}.substitute", job, now)])
    return game


def substitute(desk: UnitOfWork, game: Game, act: Seated, now: int) -> None:
    """Somebody has the seat at once; what was written there stays on file."""
    session, person = desk.session(game), desk.books.person(act.person)
    assert person is not None, "whoever sits down is known"
    seq = session.position.seq + 1
    take_seat(session, act, now)
    sit_down(desk, game, Seat(act.seat), person, seq, now)


def step_down(desk: UnitOfWork, game: Game, person: int, seq: int, now: int) -> Game:
    """The others who moderate, or the operator alone, have the game. Who loses it is told as all the others are."""
    left = replace(game, moderators=tuple(one for one in game.moderators if one.person.id != person))
    staying = {reader.person.id for reader in left.readers}
    gone = [one for one in game.moderators if one.person.id not in staying]
    desk.books.post(to_member(game, one, f"{seq}.notice.former", NoticeJob(seq=seq), now) for one in gone)
    desk.books.save_game(left)
    return left


def _drop_removals(desk: UnitOfWork, game: Game, now: int) -> None:
    """Who has handed the game over need not be removed any more."""
    session, leads = desk.session(game), {one.person.id for one in desk.game(game.id).moderators}
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


def tell_former(desk: UnitOfWork, game: Game, seat: str, seq: int, now: int) -> None:
    """Who loses the seat is told as all the others are."""
    former = [member for member in game.members if member.seat == seat]
    desk.books.post(to_member(game, member, f"{seq}.notice.former", NoticeJob(seq=seq), now) for member in former)


def _in_order(desk: UnitOfWork, game: Game, new: Member) -> tuple[Member, ...]:
    """The members in the order of the table."""
    others = [member for member in game.members if member.seat != new.seat]
    seats = desk.games.table(game).terms.setup.seats
    return tuple(sorted([*others, new], key=lambda member: seats.index(Seat(member.seat))))


def _dismiss(desk: UnitOfWork, game: Game, act: Act | None, now: int) -> None:
    """Who would have sat down, and was not needed, hears so."""
    if isinstance(act, Withdrawn | Rejected) or (isinstance(act, Decided) and not act.passed):
        petition = _petition(desk.session(game), act.number)
        asked, person = petition.asked, petition.candidate
        for each in _known(desk, [person] if person is not None else []):
            told = co.NotNeeded(game=game.id, name=name(asked.number), seat=asked.seat)
            what = f"{game.id}.notneeded.{asked.number}.{each.id}"
            desk.books.post([post(what, each.address, content_job(told), now=now, game=game.id)])


# -- those who are asked ---


def asked_to_play(desk: UnitOfWork, game: Game) -> Sequence[Person]:
    """Who does not play and was asked to, whatever came of it."""
    known = petitions(desk.session(game).position.done) if game.status != "inviting" else ()
    return _known(desk, sorted({person for petition in known for person in petition.offered}))


def asked_about(desk: UnitOfWork, game: Game, person: Person) -> str:
    """What the answer to somebody who does not play is about: the last petition that asks for them, or the game."""
    known = petitions(desk.session(game).position.done) if game.status != "inviting" else ()
    numbers = [petition.number for petition in known if person.id in petition.offered]
    return offered_about(game, numbers[-1]) if numbers else game.id


def offered_about(game: Game, number: int) -> str:
    """What the answer to an offer is about: its ticket is good for saying yes or no, whatever has been played since."""
    return f"{game.id}.p{number}"


def sits_already(game: Game, ticket: Ticket | None, letter: Letter) -> co.Reply | None:
    """The answer of somebody who plays to the offer of a seat: they hear it alone; None for any other letter."""
    if ticket is None or ticket.petition is None or read_consent(letter.lines) is None:
        return None
    return problem("accept.sits", game.id)


def says_whether(desk: UnitOfWork, game: Game, person: Person, letter: Letter, now: int) -> co.Reply | None:
    """The answer to somebody who was asked to take a seat; None when he writes of something else."""
    consent = read_consent(letter.lines)
    if consent is None or all(each.id != person.id for each in asked_to_play(desk, game)):
        return None
    if game.status == "finished":
        return problem("game.over", game.id)
    try:
        petition = answer(desk.session(game), person.id, consent, now)
    except Illegal as refusal:
        return replace(problem(refusal.code, game.id), facts=plain(refusal.facts))
    if not consent.yes:
        refuse_mail(desk.books, person, now)
    code = "declined" if not consent.yes else "seated" if petition.filled else "accepted"
    told = {"name": name(petition.number), "whose": petition.asked.seat, "open": petition.status == "open"}
    return replace(problem(f"accept.{code}", game.id), facts=told)


def put_on_list(desk: UnitOfWork, person: Person, now: int) -> int:
    """Enter him among those who would take a seat, and ask him where one is looked for; in how many games."""
    desk.books.wait(person.id, now)
    return offer_all(desk, person, now)


def offer_all(desk: UnitOfWork, person: Person, now: int) -> int:
    """Offer him the seats that are looked for now; how many games."""
    count = 0
    for game in desk.books.games("running"):
        free = [p for p in about_seat(desk.session(game).position.done) if not p.asked.substitute and not p.candidate]
        if any(member.person.id == person.id for member in game.members) or not free:
            continue
        count += 1
        for petition in free:
            offer(desk, game, petition, now, [person])
        desk.session(game).steps.clear()  # there is nothing in them to tell the players
    return count


def _letter(desk: UnitOfWork, game: Game, petition: Petition, person: Person, now: int) -> OutboxRow:
    table, session = desk.table(game), desk.session(game)
    told = co.Offer(
        game=game.id,
        name=name(petition.number),
        seat=petition.asked.seat,
        title=table.terms.setup.game,
        edition=table.terms.setup.edition,
        players=len(table.terms.setup.seats),
        slot_hours=table.terms.slot_hours,
        policy=table.terms.policy,
        grace_hours=table.terms.grace_hours,
        decided=petition.vacant,
        named=petition.asked.substitute is not None,
        anonymous=table.terms.anonymous,
        view=session.rules.view(session.state, None),
    )
    what = f"{game.id}.offer.{petition.number}.{mark(str(person.id))}"
    return post(
        what, person.address, content_job(told, about=offered_about(game, petition.number)), now=now, game=game.id
    )


def _petition(session: Session, number: int) -> Petition:
    return next(each for each in petitions(session.position.done) if each.number == number)


def _known(desk: UnitOfWork, people: Iterable[int]) -> list[Person]:
    found = (desk.books.person(person) for person in people)
    return [person for person in found if person is not None]
