"""Whoever has written to a game: which member he is, whether he has proved it, and who gets the answer."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.service.correspondence import Reply
from pbem.service.games import Desk
from pbem.service.identity import Identity, Ticket, ticket_of
from pbem.service.ports import Address, Books, Game, Letter, Member
from pbem.service.post import problem

SHOWN = 40  # lines of a letter that are told to its supposed writer


class Writer:
    """The sender of one letter about a game.

    A letter that does not prove whose it is changes nothing, and only the registered address hears of it.
    """

    def __init__(self, desk: Desk, identity: Identity, game: Game, letter: Letter) -> None:
        self._books = desk.books
        self.address = letter.sender  # who gets the answer
        self.problem: Reply | None = None
        self._known = _known(desk.books, letter)
        ticket = ticket_of(letter)
        self.member = _member(game, self._known) or _holder(identity, game, ticket)
        if self.member is not None:
            code = "identity.unknown_address"
            if self._known:
                code = identity.flaw(letter, self.member.person, ticket)
            self._doubt(code, game, self.member, letter)

    def _doubt(self, code: str, game: Game, member: Member, letter: Letter) -> None:
        if code:
            self.address = member.person.address
            self.problem = problem(code, game.id, member.seat, sender=letter.sender, lines=letter.lines[:SHOWN])

    def verify(self, now: int) -> None:
        """The address has proved to be his."""
        if self._known is not None and self._known.verified is None:
            self._books.save_address(replace(self._known, verified=now))


def _known(books: Books, letter: Letter) -> Address | None:
    """The address in the books; one that has not been confirmed is nobody's yet, unless our letters go there."""
    sender = letter.sender.lower()
    person = books.person_at(sender)
    if person is None:
        return None
    (known,) = (address for address in books.addresses(person.id) if address.address == sender)
    return known if known.verified is not None or person.address == sender else None


def _member(game: Game, address: Address | None) -> Member | None:
    return next((member for member in game.members if address and member.person.id == address.person), None)


def _holder(identity: Identity, game: Game, ticket: Ticket | None) -> Member | None:
    """Whose ticket it is, wherever the letter came from."""
    return next((member for member in game.members if ticket and identity.holds(ticket, member.person)), None)
