"""A person's absence in the books: it counts in all games they play, answers tell of it, and a deputy may write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pbem.core.seat import Seat
from pbem.host.clock.slots import note
from pbem.host.lobby.offers import people_of
from pbem.host.lobby.whereabouts import say_away
from pbem.host.messages import sections
from pbem.host.ports import Game, Member, OutboxRow, Person
from pbem.host.reporting.publish import publish
from pbem.host.session.absences import away_now, deputised_for
from pbem.host.session.actors import DEPUTY
from pbem.host.session.acts import Away, Back
from pbem.host.session.identity import Ticket
from pbem.host.session.unit_of_work import UnitOfWork


def spread(work: UnitOfWork, game: Game, member: Member, now: int) -> None:
    """What they have just said in one game is so in the others they play, too."""
    said = [step.act for step in work.session(game).steps]
    acts = [act for act in said if isinstance(act, Away | Back) and act.by == member.seat]
    if acts and isinstance(acts[-1], Back):
        say_away(work, member.person.id, None)
    for other, mine in _others(work, game, member.person.id) if acts else ():
        _note(work, other, _there(work, game, other, mine.seat, acts[-1]), now)
        publish(work, other, now)


def _others(work: UnitOfWork, game: Game, person: int) -> Iterator[tuple[Game, Member]]:
    """The other games that run in which they play, with their seats."""
    for each in work.repository.games_of(person):
        if each.status == "running" and each.id != game.id:
            yield from ((each, mine) for mine in each.members if mine.person.id == person)


def _there(work: UnitOfWork, game: Game, other: Game, seat: str, act: Away | Back) -> Away | Back:
    """The same in another game; their deputy sits elsewhere there, or not at all."""
    if isinstance(act, Back) or not act.deputy:
        return replace(act, by=seat)
    deputy, person = "", None
    if "no" == work.loaded(game).terms.anonymous == work.loaded(other).terms.anonymous:
        deputy, person = _deputy(game, other, act)
    return replace(act, by=seat, deputy=deputy, person=person)


def _deputy(game: Game, other: Game, act: Away) -> tuple[str, int | None]:
    """A fellow player writes where they play, too; somebody else wherever they do not lead the game."""
    sits = (member.person.id for member in game.members if member.seat == act.deputy)
    number = act.person if act.person is not None else next(sits, None)
    there = next((one.seat for one in other.readers if one.person.id == number), None)
    if there:
        return there, None
    return (DEPUTY, act.person) if there is None and act.person is not None else ("", None)


def _note(work: UnitOfWork, game: Game, act: Away | Back, now: int) -> None:
    session = work.session(game)
    if isinstance(act, Away) or away_now(session.position.done, act.by, now):
        note(session, now, act)


def on_leave(work: UnitOfWork, game: Game, seat: str, now: int) -> sections.Leave | None:
    """What there is of an absence that runs or is to come; None when there is none."""
    session = work.session(game)
    found = away_now(session.position.done, seat, now)
    if found is None:
        return None
    papers = [paper.text for paper in session.record.filed() if (paper.seat, paper.kind) == (seat, "standing")]
    return sections.Leave(
        start=found.start,
        end=found.end,
        days=session.terms.away_days,
        standing=tuple(papers),
        deputy=found.deputy,
        agreed=found.agreed,
        without=tuple(_without(work, game, seat, now)) if found.deputy else (),
    )


def _without(work: UnitOfWork, game: Game, seat: str, now: int) -> Iterator[str]:
    """The other games in which they are away, too, and nobody writes for them."""
    person = next(member.person.id for member in game.members if member.seat == seat)
    for other, mine in _others(work, game, person):
        found = away_now(work.session(other).position.done, mine.seat, now)
        if found is not None and not found.deputy:
            yield other.id


# -- deputies ---


def called(game: Game, person: Person) -> tuple[str, int | None]:
    """How the log calls somebody who writes for another, and the number of one who does not play."""
    seat = next((member.seat for member in game.members if member.person.id == person.id), None)
    return (DEPUTY, person.id) if seat is None else (seat, None)


def outsiders(work: UnitOfWork, game: Game) -> Sequence[Person]:
    """All who do not play and were ever named as deputies."""
    acts = (each.act for each in work.done(game))
    return people_of(work, sorted({act.person for act in acts if isinstance(act, Away) and act.person is not None}))


def stead_in(work: UnitOfWork, game: Game, person: Person, ticket: Ticket | None) -> str | None:
    """The seat for which a letter of this person is meant by its ticket, or by who they are; None: for their own."""
    if game.status == "inviting":
        return None
    if ticket is not None and ticket.stead is not None:
        seats = work.games.load(game).terms.setup.seats
        return seats[ticket.stead] if ticket.stead < len(seats) else None
    by, number = called(game, person)
    mine = deputised_for(work.session(game).position.done, by, number)
    return next(iter(mine)) if by == DEPUTY and len(mine) == 1 else None


def stead_of_row(work: UnitOfWork, row: OutboxRow, reader: Person | None) -> int | None:
    """The place at the table for which an answer to this letter counts, where it is not the reader's own."""
    game = work.repository.game(row.game or "")
    if game is None or reader is None or row.seat is None or game.status == "inviting":
        return None
    is_his = any(member.seat == row.seat and member.person.id == reader.id for member in game.members)
    if is_his or row.seat not in deputised_for(work.session(game).position.done, *called(game, reader)):
        return None
    return work.games.load(game).terms.setup.seats.index(Seat(row.seat))
