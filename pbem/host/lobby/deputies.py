"""Deputies in the books: who they are, what they get, and the answers to what they write."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.seat import Seat
from pbem.host.ports import Game, OutboxRow, Person
from pbem.host.session.absences import stead_of
from pbem.host.session.actors import DEPUTY
from pbem.host.session.acts import Away
from pbem.host.session.identity import Ticket
from pbem.host.session.unit_of_work import UnitOfWork


def called(game: Game, person: Person) -> tuple[str, int | None]:
    """How the log calls somebody who writes for another, and the number of one who does not play."""
    seat = next((member.seat for member in game.members if member.person.id == person.id), None)
    return (DEPUTY, person.id) if seat is None else (seat, None)


def outsiders(work: UnitOfWork, game: Game) -> Sequence[Person]:
    """All who do not play and were ever named as deputies."""
    if game.status == "inviting":
        return ()
    acts = (each.act for each in work.session(game).position.done)
    numbers = sorted({act.person for act in acts if isinstance(act, Away) and act.person is not None})
    return [person for number in numbers if (person := work.repository.person(number)) is not None]


def stead_in(work: UnitOfWork, game: Game, person: Person, ticket: Ticket | None) -> str | None:
    """The seat for which a letter of this person is meant by its ticket, or by who they are; None: for their own."""
    if game.status == "inviting":
        return None
    if ticket is not None and ticket.stead is not None:
        seats = work.games.load(game).terms.setup.seats
        return seats[ticket.stead] if ticket.stead < len(seats) else None
    by, number = called(game, person)
    mine = stead_of(work.session(game).position.done, by, number)
    return next(iter(mine)) if by == DEPUTY and len(mine) == 1 else None


def stead_of_row(work: UnitOfWork, row: OutboxRow, reader: Person | None) -> int | None:
    """The place at the table for which an answer to this letter counts, where it is not the reader's own."""
    game = work.repository.game(row.game or "")
    if game is None or reader is None or row.seat is None or game.status == "inviting":
        return None
    is_his = any(member.seat == row.seat and member.person.id == reader.id for member in game.members)
    if is_his or row.seat not in stead_of(work.session(game).position.done, *called(game, reader)):
        return None
    return work.games.load(game).terms.setup.seats.index(Seat(row.seat))
