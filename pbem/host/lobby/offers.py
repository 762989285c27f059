"""A seat is offered to people who do not play, and they say yes or no."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.core.languages import LANGUAGES
from pbem.core.refusal import Illegal
from pbem.host.calendar.zones import DAY
from pbem.host.clock.slots import note
from pbem.host.clock.time_sheet import sheet
from pbem.host.governance.substitutes import answer
from pbem.host.messages import letters, replies
from pbem.host.messages.rows import content_job, mark, post, post_once, problem
from pbem.host.ports import Game, Letter, OutboxRow, Person
from pbem.host.reporting.answers import refused
from pbem.host.reporting.rules_in_force import agreed
from pbem.host.season.hands import note_search, rivals, table_of
from pbem.host.season.reserves import reserves
from pbem.host.session.actors import CLOCK
from pbem.host.session.acts import Offered
from pbem.host.session.budget import refuse_mail
from pbem.host.session.identity import Ticket
from pbem.host.session.petitions import Petition, about_seat, name, petitions
from pbem.host.session.season import SeasonDesk
from pbem.host.session.session import Session
from pbem.host.session.terms import Terms
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.answers import SEAT
from pbem.league.due import end_of

MOST_ASKED = 10  # of those who wait, at a time

# -- who is asked ---


def offer(work: UnitOfWork, game: Game, petition: Petition, now: int, people: Iterable[Person] | None = None) -> int:
    """Ask who was named, else those who wait for a seat; how many are asked now."""
    session, named = work.session(game), petition.asked.substitute
    if people is None and named is not None:
        return offer_named(work, game, petition, now, people_of(work, [named]))
    if people is None:
        people = reserves(work, game, petition.asked.seat)
    known = {*petition.offered, *rivals(work, game)}
    fresh = [p for p in people if not session.record.sits(p.id) and p.id not in known][:MOST_ASKED]
    _ask(work, game, petition, fresh, now)
    return len(fresh)


def offer_named(work: UnitOfWork, game: Game, petition: Petition, now: int, people: Sequence[Person]) -> int:
    """Ask those whose addresses somebody wrote; how many are asked now.

    In an anonymous game they get the letter even if they play there, and hear that alone when they accept.
    """
    if work.loaded(game).terms.anonymous == "no":
        return offer(work, game, petition, now, people)
    asked = [each for each in people if each.id not in rivals(work, game)]
    _ask(work, game, petition, asked, now)
    return len(asked)


def _ask(work: UnitOfWork, game: Game, petition: Petition, people: Sequence[Person], now: int) -> None:
    if people:
        asked = tuple(person.id for person in people)
        note(work.session(game), now, Offered(by=CLOCK, number=petition.number, people=asked))
        post_once(work.repository, (_letter(work, game, petition, person, now) for person in people))


def check_rival(work: UnitOfWork, game: Game, person: Person) -> None:
    """Nobody takes a seat of somebody of their own group in a league. Raises `Illegal`."""
    if person.id in rivals(work, game):
        raise Illegal("league.rival", read=person.address)


def _letter(work: UnitOfWork, game: Game, petition: Petition, person: Person, now: int) -> OutboxRow:
    loaded, session = work.loaded(game), work.session(game)
    told = letters.Offer(
        game=game.id,
        name=name(petition.number),
        seat=petition.asked.seat,
        **agreed(loaded.terms),
        players=len(loaded.terms.setup.seats),
        slot_hours=loaded.terms.slot_hours,
        decided=petition.vacant,
        named=petition.asked.substitute is not None,
        by=_named_by(loaded.terms, petition),
        listed=any(each.id == person.id for each in work.repository.waiting()),
        anonymous=loaded.terms.anonymous,
        league=_in_league(work, game, petition.asked.seat, now),
        view=session.rules.view(session.state, None),
    )
    what = f"{game.id}.offer.{petition.number}.{mark(str(person.id))}"
    return post(
        what, person.address, content_job(told, about=offered_about(game, petition.number)), now=now, game=game.id
    )


def _in_league(work: UnitOfWork, game: Game, seat: str, now: int) -> letters.SeasonSeat | None:
    found = table_of(work, game)
    if found is None or found.table.begun is None:
        return None
    season, done = found.desk.season, work.session(game).position.done
    return letters.SeasonSeat(
        titles={language: season.settings.titled(language) for language in LANGUAGES},
        table=found.number,
        ends=end_of(season, found.table),
        asked=sum(row.seat == seat and not row.void for row in sheet(done)),
        days=max(1, (now - found.table.begun) // DAY),
        par=season.settings.reserves.par == "yes",
    )


def _named_by(terms: Terms, petition: Petition) -> str:
    """The seat that named somebody, where they may know; "" for a moderator."""
    by = petition.asked.by
    return by if terms.anonymous == "no" and by in terms.setup.seats else ""


# -- what they say ---


def asked_to_play(work: UnitOfWork, game: Game) -> Sequence[Person]:
    """Who does not play and was asked to, whatever came of it."""
    known = petitions(work.done(game))
    return people_of(work, sorted({person for petition in known for person in petition.offered}))


def asked_about(work: UnitOfWork, game: Game, person: Person) -> str:
    """What the answer to somebody who does not play is about: the last petition that asks for them, or the game."""
    numbers = [petition.number for petition in petitions(work.done(game)) if person.id in petition.offered]
    return offered_about(game, numbers[-1]) if numbers else game.id


def offered_about(game: Game, number: int) -> str:
    """What the answer to an offer is about: its ticket is good for saying yes or no, whatever has been played since."""
    return f"{game.id}.p{number}"


def sits_already(game: Game, ticket: Ticket | None, letter: Letter) -> replies.Reply | None:
    """The answer of somebody who plays to the offer of a seat: they hear it alone; None for any other letter."""
    if ticket is None or ticket.petition is None or SEAT.answer(letter.lines) is None:
        return None
    return problem("accept.sits", game.id)


def says_whether(work: UnitOfWork, game: Game, person: Person, letter: Letter, now: int) -> replies.Reply | None:
    """The answer to somebody who was asked to take a seat; None when they write of something else."""
    consent = SEAT.answer(letter.lines)
    if consent is None or all(each.id != person.id for each in asked_to_play(work, game)):
        return None
    if game.status == "finished":
        return problem("game.over", game.id)
    try:
        petition = answer(work.session(game), person.id, consent, now)
    except Illegal as refusal:
        return refused(refusal, game.id)
    if not consent.yes:
        refuse_mail(work.repository, person, now)
    code = "declined" if not consent.yes else "seated" if petition.filled else "accepted"
    whose, is_open = petition.asked.seat, petition.status == "open"
    seat = whose if petition.filled else None
    return problem(f"accept.{code}", game.id, seat, name=name(petition.number), whose=whose, open=is_open)


def put_on_list(work: UnitOfWork, person: Person, now: int) -> int:
    """Enter them among those who would take a seat, and ask them where one is looked for; in how many games."""
    work.repository.wait(person.id, now)
    return offer_all(work, person, now)


def offer_all(work: UnitOfWork, person: Person, now: int) -> int:
    """Offer them the seats that are looked for now; how many games."""
    count = 0
    for game in work.repository.games("running"):
        free = [p for p in about_seat(work.session(game).position.done) if not p.asked.substitute and not p.candidate]
        if any(member.person.id == person.id for member in game.members) or not free:
            continue
        count += 1
        for petition in free:
            offer(work, game, petition, now, [person])
        note_search(work, game, now)
        work.session(game).steps.clear()  # there is nothing in them to tell the players
    return count


def offer_in(work: UnitOfWork, desk: SeasonDesk, person: Person, now: int) -> int:
    """Offer them the seats that are looked for in a season, as far as they may take them; how many."""
    count = 0
    for table in desk.season.tables.values():
        if table.begun is not None and not table.is_over:
            game = work.game(table.game)
            for petition in about_seat(work.session(game).position.done):
                asked = (each.id for each in reserves(work, game, petition.asked.seat))
                if not petition.asked.substitute and person.id in asked:
                    count += offer(work, game, petition, now, [person])
            note_search(work, game, now)
            work.session(game).steps.clear()  # there is nothing in them to tell the players
    return count


# -- what both need ---


def petition_of(session: Session, number: int) -> Petition:
    return next(each for each in petitions(session.position.done) if each.number == number)


def person_of(work: UnitOfWork, number: int) -> Person:
    """Somebody of whom the log tells: they were entered before it did."""
    person = work.repository.person(number)
    assert person is not None, "who is in the log is known"
    return person


def people_of(work: UnitOfWork, people: Iterable[int]) -> list[Person]:
    found = (work.repository.person(person) for person in people)
    return [person for person in found if person is not None]
