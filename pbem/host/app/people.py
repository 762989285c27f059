"""People as whoever looks after the server deals with them: what is held of them, their tokens, the waiting list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pbem.host.lobby import persons
from pbem.host.lobby.offers import put_on_list
from pbem.host.ports import Address, Clock, Game, Person
from pbem.host.session.budget import is_unwanted, welcome
from pbem.host.session.unit_of_work import Games


class Held(NamedTuple):
    """A person, with their addresses and games."""

    person: Person
    addresses: Sequence[Address]
    games: Sequence[Game]


class People:
    """Each is named by one of their addresses. One transaction each; raises `Unknown` for an address of nobody."""

    def __init__(self, games: Games, clock: Clock) -> None:
        self._games = games
        self._clock = clock

    def show(self, address: str) -> Held:
        with self._games.work() as work:
            one = persons.found(work, address)
            return Held(one, work.books.addresses(one.id), work.books.games_of(one.id))

    def export(self, address: str) -> Mapping[str, Any]:
        """All that the books hold about them, as plain values."""
        with self._games.work() as work:
            return persons.held(work, persons.found(work, address))

    def erasable(self, address: str) -> Sequence[str]:
        """Their addresses. Raises `ValueError` while they are at a table."""
        with self._games.work() as work:
            one = persons.found(work, address)
            persons.check_erasable(work, one)
            return [each.address for each in work.books.addresses(one.id)]

    def erase(self, address: str) -> Sequence[str]:
        """Forget who they are, and their letters; the games they were in. Raises `ValueError` as `erasable` does."""
        with self._games.work() as work:
            return persons.erase(work, persons.found(work, address))

    def renew_tokens(self, address: str) -> None:
        """No letter of ours that they have got proves anything any more."""
        with self._games.work() as work:
            persons.rotate(work, persons.found(work, address))

    def welcome(self, address: str) -> bool:
        """Let letters go there again; had somebody there said no to all of ours?"""
        with self._games.work() as work:
            was_unwanted = is_unwanted(work.books, address.lower())
            welcome(work.books, address.lower())
            return was_unwanted

    def waiting(self) -> Sequence[Person]:
        """Those who would take a seat, in the order in which they are asked."""
        with self._games.work() as work:
            return work.books.waiting()

    def wait(self, address: str) -> int:
        """Enter them among those; in how many games they are asked at once."""
        with self._games.work() as work:
            return put_on_list(work, persons.found(work, address), self._clock.now())

    def wait_no_more(self, address: str) -> None:
        with self._games.work() as work:
            work.books.wait_no_more(persons.found(work, address).id)
