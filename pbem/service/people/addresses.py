"""The addresses of a person: he may write from several, our letters go to one.

A new one must answer a letter of ours before it counts, and the old one is told and can take the change back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from msgspec.structs import replace

from pbem.language.signs import fold
from pbem.service.clock.counting import HOUR
from pbem.service.letters.budget import approach
from pbem.service.letters.correspondence import AddressChanged, AddressCheck, Addresses, Reply
from pbem.service.letters.post import content_job, mark, post, problem
from pbem.service.people.identity import ADDRESS, Identity, ticket_of
from pbem.service.play.games import Desk
from pbem.service.ports import Address, Letter, Person
from pbem.table.refusal import Illegal

MOST = 5  # addresses of one person
REGRET = 48 * HOUR  # in which a change can be taken back
CONFIRM, UNDO = "confirm", "undo"  # what tickets of such letters are about, with the person's number behind
WORDS = {  # English, German, Italian
    CONFIRM: ("confirm", "yes", "bestätigen", "bestätigt", "ja", "confermo", "conferma", "sì"),
    UNDO: ("undo", "rückgängig", "zurück", "annulla", "ripristina"),
}
REMOVE = ("remove", "entferne", "rimuovi")

Done = Literal["shown", "set", "filed"]


def change(desk: Desk, person: Person, written: str, now: int) -> tuple[Person, Done]:
    """What `address …` asks for, and the person as he is then. Raises `Illegal`; then nothing has changed."""
    word, _, rest = written.partition(" ")
    if not written:
        return person, "shown"
    if fold(word) in REMOVE:
        _remove(desk, person, rest.strip(" <>").lower(), now)
        return person, "set"
    return _add(desk, person, written.strip(" <>").lower(), now)


def listed(desk: Desk, person: Person) -> Addresses:
    """All that he has."""
    mine = [each for each in desk.books.addresses(person.id) if each.address != person.address]
    return Addresses(
        main=person.address,
        others=tuple(each.address for each in mine if each.verified is not None),
        waiting=tuple(each.address for each in mine if each.verified is None),
    )


def _add(desk: Desk, person: Person, address: str, now: int) -> tuple[Person, Done]:
    if not ADDRESS.fullmatch(address):
        raise Illegal("address.unreadable", read=address)
    owner = desk.books.person_at(address)
    mine = desk.books.addresses(person.id)
    if owner is not None and owner.id != person.id:
        raise Illegal("address.taken", address=address)
    if owner is None and len(mine) >= MOST:
        raise Illegal("address.too_many", most=MOST, addresses=[each.address for each in mine])
    known = next((each for each in mine if each.address == address), None)
    if known is not None and known.verified is not None:
        return _move(desk, person, known, now), "set"
    approach(desk.books, person, address, now)
    desk.books.save_address(known or Address(address=address, person=person.id, added=now))
    job = content_job(AddressCheck(name=person.name, address=address), about=f"{CONFIRM}-{person.id}")
    desk.books.post([post(f"{CONFIRM}.{person.id}.{mark(address)}.{now}", address, job, now=now)])
    return person, "filed"


def _remove(desk: Desk, person: Person, address: str, now: int) -> None:
    mine = {each.address: each for each in desk.books.addresses(person.id)}
    if address not in mine:
        raise Illegal("address.not_yours", read=address, addresses=[*mine])
    if address == person.address:
        raise Illegal("address.main", address=address)
    if now < (mine[person.address].verified or 0) + REGRET and mine[address].verified is not None:
        raise Illegal("address.too_soon", address=address)
    desk.books.remove_address(address)


def _move(desk: Desk, person: Person, to: Address, now: int) -> Person:
    """Our letters go there from now on; the address they went to before is told."""
    if to.address == person.address:
        return person
    moved = replace(person, address=to.address)
    desk.books.save_address(replace(to, verified=now, failures=0))
    desk.books.save_person(moved)
    job = content_job(
        AddressChanged(name=person.name, address=to.address, until=now + REGRET), about=f"{UNDO}-{person.id}"
    )
    desk.books.post([post(f"{UNDO}.{person.id}.{mark(to.address)}.{now}", person.address, job, now=now)])
    return moved


# -- answers to these letters ---


def answer_about_address(desk: Desk, identity: Identity, letter: Letter, now: int) -> Reply | None:
    """What is said to an answer to one of these letters; None for any other letter."""
    ticket = ticket_of(letter)
    what, _, number = (ticket.about if ticket else "").partition("-")
    if ticket is None or what not in WORDS:
        return None
    person = desk.books.person(int(number))
    if person is None or not identity.holds(ticket, person):
        return problem("address.stale")
    if not _says(letter.lines, WORDS[what]):
        return problem("address.confirm_unclear" if what == CONFIRM else "address.undo_unclear")
    return _ANSWERS[what](desk, person, letter.sender.lower(), now)


def _confirm(desk: Desk, person: Person, sender: str, now: int) -> Reply:
    known = next((each for each in desk.books.addresses(person.id) if each.address == sender), None)
    if known is None:
        return problem("address.elsewhere")
    if known.verified is None:
        _move(desk, person, known, now)
    return problem("address.confirmed", address=sender)


def _undo(desk: Desk, person: Person, sender: str, now: int) -> Reply:
    """All tokens are new after it: whoever changed the address may have seen the old ones."""
    mine = {each.address: each for each in desk.books.addresses(person.id)}
    if sender not in mine or mine[sender].verified is None:
        return problem("address.elsewhere")
    if sender == person.address:
        return problem("address.undone", address=sender)
    if now > (mine[person.address].verified or 0) + REGRET:
        return problem("address.too_late", address=person.address)
    desk.books.remove_address(person.address)
    desk.books.save_person(replace(person, address=sender, keys=person.keys + 1))
    return problem("address.undone", address=sender)


_ANSWERS: dict[str, Callable[[Desk, Person, str, int], Reply]] = {CONFIRM: _confirm, UNDO: _undo}


def _says(lines: Sequence[str], words: Sequence[str]) -> bool:
    """Is one of the lines just one of these words?"""
    meant = {fold(word) for word in words}
    return any(fold(line).strip(" !,;:") in meant for line in lines)
