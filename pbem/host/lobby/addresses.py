"""The addresses of a person: who may write from several, while our letters go to one.

A new one must answer a letter of ours before it counts, and the old one is told and can take the change back. What is
said to whoever asks is the same whether the address is somebody else's or nobody's: nobody finds out so who plays here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.host.calendar.zones import HOUR
from pbem.host.lobby.tickets import ASKED, CONFIRM, is_spent, lives, spend
from pbem.host.messages.letters import AddressChanged, AddressCheck
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import content_job, mark, post, problem
from pbem.host.messages.sections import Addresses
from pbem.host.ports import Address, Claim, Letter, Person
from pbem.host.session.budget import approach
from pbem.host.session.identity import ADDRESS, UNDO, Identity, Ticket
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language import answers
from pbem.language.tokens import fold

MOST = 5  # addresses of one person
REGRET = 48 * HOUR  # in which a change can be taken back
QUESTIONS = {CONFIRM: answers.CONFIRM, UNDO: answers.UNDO}
REMOVE = ("remove", "entferne", "rimuovi")

Done = Literal["shown", "set", "filed"]


def change(work: UnitOfWork, person: Person, written: str, now: int) -> tuple[Person, Done]:
    """What `address …` asks for, and the person as they are then. Raises `Illegal`; then nothing has changed."""
    word, _, rest = written.partition(" ")
    if not written:
        return person, "shown"
    if fold(word) in REMOVE:
        _remove(work, person, rest.strip(" <>").lower(), now)
        return person, "set"
    return _add(work, person, written.strip(" <>").lower(), now)


def listed(work: UnitOfWork, person: Person) -> Addresses:
    """All that they have, and those that have not answered yet."""
    mine = [each for each in work.repository.addresses(person.id) if each.address != person.address]
    return Addresses(
        main=person.address,
        others=tuple(each.address for each in mine),
        waiting=tuple(each.address for each in work.repository.claims(person.id)),
    )


def _add(work: UnitOfWork, person: Person, address: str, now: int) -> tuple[Person, Done]:
    if not ADDRESS.fullmatch(address):
        raise Illegal("address.unreadable", read=address)
    mine = {each.address: each for each in work.repository.addresses(person.id)}
    if address in mine:
        return _move(work, person, mine[address], now), "set"
    named = [*mine, *(each.address for each in work.repository.claims(person.id))]
    if address not in named and len(named) >= MOST:
        raise Illegal("address.too_many", most=MOST, addresses=named)
    approach(work.repository, person, address, now, blindly=True)
    work.repository.save_claim(Claim(person=person.id, address=address, at=now))
    job = content_job(AddressCheck(address=address), about=f"{CONFIRM}-{person.id}")
    work.repository.post([post(f"{CONFIRM}.{person.id}.{mark(address)}.{now}", address, job, now=now)])
    return person, "filed"


def _remove(work: UnitOfWork, person: Person, address: str, now: int) -> None:
    mine = {each.address: each for each in work.repository.addresses(person.id)}
    claimed = [each.address for each in work.repository.claims(person.id)]
    if address not in (*mine, *claimed):
        raise Illegal("address.not_yours", read=address, addresses=[*mine, *claimed])
    if address == person.address:
        raise Illegal("address.main", address=address)
    if address in mine and _may_regret(mine[address], list(mine.values()), now):
        raise Illegal("address.too_soon", address=address)
    if address in mine:
        work.repository.remove_address(address)
    work.repository.remove_claim(person.id, address)


def _may_regret(one: Address, mine: Sequence[Address], now: int) -> bool:
    """Has one that came later been confirmed so lately that this one may yet take the change back?"""
    newer = [each.verified for each in mine if each.verified is not None and each.address != one.address]
    return one.verified is not None and any(at >= one.verified and now < at + REGRET for at in newer)


def _move(work: UnitOfWork, person: Person, to: Address, now: int) -> Person:
    """Our letters go there from now on; the address they went to before is told.

    It can take back what is newer than itself: not a change to an address that was there before it.
    """
    if to.address == person.address:
        return person
    before = next((each for each in work.repository.addresses(person.id) if each.address == person.address), None)
    moved = replace(person, address=to.address)
    work.repository.save_address(replace(to, failures=0))
    work.repository.save_person(moved)
    is_older = before is not None and (before.verified or 0) <= (to.verified or 0)
    told = AddressChanged(address=to.address, until=now + REGRET if is_older else None)
    job = content_job(told, about=f"{UNDO}-{person.id}" if is_older else None)
    work.repository.post([post(f"{UNDO}.{person.id}.{mark(to.address)}.{now}", person.address, job, now=now)])
    return moved


# -- answers to these letters ---


def answer_about_address(work: UnitOfWork, identity: Identity, letter: Letter, now: int) -> Reply | None:
    """What is said to an answer to one of these letters; None for any other letter."""
    ticket, sender = identity.ticket_of(letter), letter.sender.lower()
    what, _, number = (ticket.about if ticket else "").partition("-")
    if ticket is None or what not in QUESTIONS:
        return None
    person = work.repository.person(int(number))
    if person is None or ticket.issued is None or not identity.holds(ticket, person, address=sender):
        return problem("address.stale")
    if QUESTIONS[what].answer(letter.lines) is None:
        return problem("address.confirm_unclear" if what == CONFIRM else "address.undo_unclear")
    return _ANSWERS[what](work, person, ticket, sender, now)


def _confirm(work: UnitOfWork, person: Person, ticket: Ticket, sender: str, now: int) -> Reply:
    """Once; who says it again is told what came of it."""
    owner = work.repository.person_at(sender)
    if owner is not None and owner.id == person.id:
        return problem("address.confirmed", address=sender, main=person.address)
    claimed = any(each.address == sender for each in work.repository.claims(person.id))
    if not claimed or is_spent(work.repository, ticket) or not lives(ticket, now, ASKED):
        return problem("address.stale")
    spend(work.repository, ticket, now)
    work.repository.remove_claim(person.id, sender)
    if owner is not None:
        return problem("address.taken", address=sender)
    added = Address(address=sender, person=person.id, added=now, verified=now)
    work.repository.save_address(added)
    _move(work, person, added, now)
    return problem("address.confirmed", address=sender, main=sender)


def _undo(work: UnitOfWork, person: Person, ticket: Ticket, sender: str, now: int) -> Reply:
    """What was confirmed since is gone, and what waits to be; all tokens are new: others may have seen the old ones."""
    mine = {each.address: each for each in work.repository.addresses(person.id)}
    if sender not in mine or mine[sender].verified is None or is_spent(work.repository, ticket):
        return problem("address.stale")
    if not lives(ticket, now, REGRET):
        return problem("address.too_late", address=person.address)
    spend(work.repository, ticket, now)
    newer = [each.address for each in mine.values() if _is_newer(each, ticket) and each.address != sender]
    for address in newer:
        work.repository.remove_address(address)
    for claim in work.repository.claims(person.id):
        work.repository.remove_claim(person.id, claim.address)
    is_older = (mine[sender].verified or 0) <= (mine[person.address].verified or 0)
    main = sender if person.address in newer or is_older else person.address
    work.repository.save_person(replace(person, address=main, keys=person.keys + 1))
    return problem("address.undone", address=main, gone=newer)


def _is_newer(address: Address, ticket: Ticket) -> bool:
    return address.verified is not None and ticket.issued is not None and address.verified >= ticket.issued


_ANSWERS: dict[str, Callable[[UnitOfWork, Person, Ticket, str, int], Reply]] = {CONFIRM: _confirm, UNDO: _undo}
