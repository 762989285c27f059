"""Whoever has written to a game: which member they are, whether they have proved it, and who gets the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pbem.host.app.received import Speaker
from pbem.host.lobby.deputies import outsiders, stead_in
from pbem.host.lobby.moderators import presides
from pbem.host.lobby.nominations import asked_to_lead
from pbem.host.lobby.offers import asked_to_play
from pbem.host.lobby.tickets import LATE, flaw, is_of, turn_of
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import problem
from pbem.host.ports import Address, Game, Letter, Member, Person, Repository
from pbem.host.session.budget import welcome
from pbem.host.session.identity import Identity, Ticket
from pbem.host.session.unit_of_work import UnitOfWork

SHOWN, WIDTH = 40, 200  # lines of a letter that are told to its supposed writer, and characters of each


class Writer:
    """The sender of one letter about a game.

    A letter that does not prove whose it is changes nothing, and only the registered address hears of it.
    """

    def __init__(
        self, work: UnitOfWork, identity: Identity, game: Game, letter: Letter, now: int, operator: str
    ) -> None:
        self._books = work.repository
        self._game = game
        self.address = letter.sender  # who gets the answer
        self.problem: Reply | None = None
        self.is_late = False  # is it theirs for certain, in answer to one of ours that proves nothing any more?
        self._known = _known(work.repository, letter.sender.lower())
        ticket = identity.ticket_of(letter)
        if letter.sender.lower() == operator.lower() and self._known is None:
            self._known = _operator(work.repository, operator.lower(), now)
        people = _people(work.repository, game, operator)
        self.person = _owner(people, self._known) or _holder(work.repository, identity, people, ticket)
        if self.person is None:
            people = [*asked_to_play(work, game), *asked_to_lead(work, game), *outsiders(work, game)]
            self.person = _owner(people, self._known) or _holder(work.repository, identity, people, ticket)
        self.member = next((m for m in game.members if self.person and m.person.id == self.person.id), None)
        self.stead = stead_in(work, game, self.person, ticket) if self.person else None
        self.presides = presides(game, self.person, operator)
        if self.person is not None:
            code = "identity.unknown_address"
            if self._known:
                code = flaw(work, identity, letter, self.person, game, now)
            self.is_late = code == LATE
            self._doubt(code, game, self.person, letter, **(_turns(work, game, ticket) if self.is_late else {}))

    @property
    def is_asked(self) -> bool:
        """Do they not play, and were asked to?"""
        return self.person is not None and self.member is None and self.presides is None

    def _doubt(self, code: str, game: Game, person: Person, letter: Letter, **turns: int | None) -> None:
        if code:
            self.address = person.address
            seat = self.member.seat if self.member else None
            self.problem = problem(code, game.id, seat, sender=letter.sender, lines=_beginning(letter.lines), **turns)

    def speaker(self, person: Person) -> Speaker:
        """Who they are, for the application."""
        leader = None
        if self.member is None and self.presides is not None:
            mine = (one for one in self._game.moderators if one.person.id == person.id)
            leader = next(mine, Member(person=person, seat=""))
        return Speaker(person=person, member=self.member, stead=self.stead, presides=self.presides, leader=leader)

    def verify(self, now: int) -> None:
        """The address has proved to be theirs, and they to be there."""
        known = self._known
        if known is not None:
            welcome(self._books, known.address)
        if known is not None and (known.verified is None or known.failures):
            self._books.save_address(replace(known, verified=known.verified or now, failures=0))


def _turns(work: UnitOfWork, game: Game, ticket: Ticket | None) -> Mapping[str, int | None]:
    """Which turn the letter told of that is answered, and which it is now; none where those are the same."""
    then = now = None
    if game.status == "running" and ticket is not None and ticket.seq is not None:
        then, now = turn_of(work, game, ticket.seq), work.session(game).position.turn
    return {"then": then, "now": now} if then != now else {"then": None, "now": None}


def _beginning(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(line if len(line) <= WIDTH else f"{line[:WIDTH]} …" for line in lines[:SHOWN])


def _people(repository: Repository, game: Game, operator: str) -> list[Person]:
    """All who have something to say in a game."""
    over_all = repository.person_at(operator.lower())
    readers = [member.person for member in (*game.members, *game.moderators)]
    return [*readers, *([over_all] if over_all else [])]


def _operator(repository: Repository, address: str, now: int) -> Address | None:
    """They need not have been in a game: they are entered when they first write, and prove themselves as all do."""
    return _known(repository, address) if repository.person_at(address) else _added(repository, address, now)


def _added(repository: Repository, address: str, now: int) -> Address:
    (added,) = repository.addresses(repository.add_person("", address, now).id)
    return added


def _known(repository: Repository, sender: str) -> Address | None:
    """The address in the books; one that has not been confirmed is nobody's yet, unless our letters go there."""
    person = repository.person_at(sender)
    if person is None:
        return None
    (known,) = (address for address in repository.addresses(person.id) if address.address == sender)
    return known if known.verified is not None or person.address == sender else None


def _owner(people: Sequence[Person], address: Address | None) -> Person | None:
    return next((person for person in people if address and person.id == address.person), None)


def _holder(
    repository: Repository, identity: Identity, people: Sequence[Person], ticket: Ticket | None
) -> Person | None:
    """Whose ticket it is, wherever the letter came from."""
    return next((person for person in people if is_of(repository, identity, ticket, person)), None)
