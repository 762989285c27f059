"""Where a game under way is kept: its log, what is on file, and its slots, in the books or in memory."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec import Struct

from pbem.core.game import AnyEntry
from pbem.core.log import write
from pbem.core.refusal import Illegal
from pbem.host.ports import FiledOrder, Repository, Slot
from pbem.host.session.acts import Seated, read_act
from pbem.host.session.budget import approach
from pbem.host.session.identity import ADDRESS
from pbem.language.tokens import fold


class Moderator(Struct, frozen=True, kw_only=True):
    """Somebody who leads a game."""

    person: int
    seat: str  # "" of one who does not play
    name: str  # as the log calls them behind the word: the seat's, else their own

    @property
    def called(self) -> str:
        return self.name or f"no. {self.person}"

    def is_called(self, written: str) -> bool:
        """Nobody need be named where there is only one; a first name is enough."""
        word, own = fold(written).strip(), fold(self.called)
        return word in ("", own, own.partition(" ")[0])


class Notebook:
    """A record in memory: for play files and for trying things out."""

    def __init__(self) -> None:
        self.entries: list[AnyEntry] = []
        self._filed: dict[tuple[str, str, str], FiledOrder] = {}
        self._slots: dict[str, Slot] = {}
        self._people: dict[str, int] = {}

    def append(self, entry: AnyEntry) -> None:
        self.entries.append(entry)

    def filed(self) -> Sequence[FiledOrder]:
        return tuple(self._filed.values())

    def file(self, order: FiledOrder) -> None:
        self._filed[order.seat, order.kind, order.key] = order

    def discard(self, order: FiledOrder) -> None:
        self._filed.pop((order.seat, order.kind, order.key), None)

    def slots(self) -> Sequence[Slot]:
        return tuple(self._slots.values())

    def put_slot(self, slot: Slot) -> None:
        self._slots[slot.key] = slot

    def close_slot(self, key: str) -> None:
        self._slots.pop(key, None)

    def candidate(self, address: str, at: int, by: str = "", *, blindly: bool = False) -> int:
        """In a play file people are called as before the @ of their addresses."""
        name = address.partition("@")[0]
        return self._people.setdefault(name, len(self._people) + 1)

    def sits(self, person: int) -> bool:
        acts = [read_act(entry.act) for entry in self.entries if entry.act]
        return any(isinstance(act, Seated) and act.person == person for act in acts)

    def moderators(self) -> Sequence[Moderator]:
        """A play file has one, who has no name."""
        return (Moderator(person=0, seat="", name=""),)

    def place_of(self, address: str) -> str | None:
        return None


class BookRecord:
    """One game's part of the books."""

    def __init__(self, repository: Repository, game: str) -> None:
        self._books = repository
        self._game = game
        self.entries: list[AnyEntry] = []  # those appended in this transaction
        self.filed = partial(repository.filed, game)
        self.file = partial(repository.file, game)
        self.discard = partial(repository.discard, game)
        self.slots = partial(repository.slots, game)
        self.put_slot = partial(repository.put_slot, game)
        self.close_slot = partial(repository.close_slot, game)

    def append(self, entry: AnyEntry) -> None:
        self._books.append(self._game, entry.seq, write(entry))
        self.entries.append(entry)

    def candidate(self, address: str, at: int, by: str = "", *, blindly: bool = False) -> int:
        """The number of whoever has that address, entered if we have not met; `by` is the seat that names them.

        Raises `Illegal` for somebody who plays here, and when no letter may go there now. `blindly`: whoever asks
        must not find out whose address it is, so that somebody who plays here is as good as anybody.
        """
        if not ADDRESS.fullmatch(address):
            raise Illegal("address.unreadable", read=address)
        person = self._books.person_at(address)
        if person is not None and self.sits(person.id) and not blindly:
            raise Illegal("seat.sits_already", read=address)
        game = self._books.game(self._game)
        mine = (member.person for member in (game.members if game else ()) if member.seat == by)
        approach(self._books, next(mine, None), address, at, blindly=blindly)
        return person.id if person else self._books.add_person("", address, at).id

    def sits(self, person: int) -> bool:
        """Do they play in this game?"""
        game = self._books.game(self._game)
        return game is not None and any(member.person.id == person for member in game.members)

    def place_of(self, address: str) -> str | None:
        """The seat of whoever has that address, "" of a moderator without one; None of anybody else."""
        game, person = self._books.game(self._game), self._books.person_at(address)
        readers = game.readers if game else ()
        return next((one.seat for one in readers if person and one.person.id == person.id), None)

    def moderators(self) -> Sequence[Moderator]:
        """Who leads this game."""
        game = self._books.game(self._game)
        if game is None:
            return ()
        seats = {member.person.id: member.seat for member in game.members}
        people = [(one.person, seats.get(one.person.id, "")) for one in game.moderators]
        return tuple(Moderator(person=who.id, seat=seat, name=seat or who.name) for who, seat in people)


Record = Notebook | BookRecord
