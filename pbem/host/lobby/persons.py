"""What the server holds about a person: told to them in full, forgotten when they ask, and their tokens made new.

What was played stays, under the name of the seat: a game is its log, and others have played it, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from pbem.host.ports import Game, Person, Unknown
from pbem.host.session.unit_of_work import UnitOfWork


def found(desk: UnitOfWork, address: str) -> Person:
    """Whose address it is. Raises `Unknown`."""
    person = desk.books.person_at(address.strip(" <>").lower())
    if person is None:
        raise Unknown(f"Nobody here has the address {address}.")
    return person


def held(desk: UnitOfWork, person: Person) -> Mapping[str, Any]:
    """All that the books hold about them, as plain values; instants in seconds UTC."""
    addresses = desk.books.addresses(person.id)
    games = desk.books.games_of(person.id)
    letters = [letter for each in addresses for letter in desk.books.letters_from(each.address)]
    mail = [row for each in addresses for row in desk.books.mail_to(each.address)]
    return {
        "person": to_builtins(person),
        "addresses": to_builtins(addresses),
        "addresses_asked_for": to_builtins(desk.books.claims(person.id)),
        "waits_for_a_seat": any(each.id == person.id for each in desk.books.waiting()),
        "games": [_seat(desk, game, person) for game in games],
        "letters_to_us": [{**to_builtins(each), "raw": _text(desk, each.id)} for each in letters],
        "letters_to_him": [{**to_builtins(row), "data": row.data.decode()} for row in mail],
    }


def _seat(desk: UnitOfWork, game: Game, person: Person) -> Mapping[str, Any]:
    seats = [member for member in game.members if member.person.id == person.id]
    names = {member.seat for member in seats}
    return {
        "game": game.id,
        "status": game.status,
        "seats": [{"seat": m.seat, "joined": m.joined, "reports": m.reports} for m in seats],
        "on_file": to_builtins([paper for paper in desk.books.filed(game.id) if paper.seat in names]),
        "press": to_builtins([press for press in desk.books.press(game.id) if press.seat in names]),
    }


def _text(desk: UnitOfWork, letter: str) -> str | None:
    raw = desk.books.raw(letter)
    return None if raw is None else raw.raw.decode("latin-1")


def rotate(desk: UnitOfWork, person: Person) -> None:
    """No letter of ours that they have got proves anything any more; the next ones do."""
    desk.books.save_person(replace(person, keys=person.keys + 1))


def check_erasable(desk: UnitOfWork, person: Person) -> None:
    """Raises `ValueError` while they are at a table."""
    busy = [game.id for game in desk.books.games_of(person.id) if game.status != "finished"]
    if busy:
        raise ValueError(f"{person.address} is in {', '.join(busy)}: a substitute must have the seat first.")


def erase(desk: UnitOfWork, person: Person) -> Sequence[str]:
    """Forget who they are, and their letters; the games they were in. Raises `ValueError` as `check_erasable` does."""
    check_erasable(desk, person)
    games = desk.books.games_of(person.id)
    for each in desk.books.addresses(person.id):
        desk.books.erase_mail(each.address)
        desk.books.remove_address(each.address)
    for claim in desk.books.claims(person.id):
        desk.books.remove_claim(person.id, claim.address)
    desk.books.wait_no_more(person.id)
    nobody = Person(id=person.id, name="", address=f"erased-{person.id}@invalid", keys=person.keys + 1)
    desk.books.save_person(nobody)
    for game in games:
        desk.books.set_moved(game.id, len(desk.books.entries(game.id)) - 1)  # its pages may have told their name
    return [game.id for game in games]
