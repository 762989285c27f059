"""People as whoever looks after the server deals with them: what is held of them, their tokens, the waiting list.

What was played stays, under the name of the seat: a game is its log, and others have played it, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import to_builtins
from msgspec.structs import replace

from pbem.host.lobby.offers import put_on_list
from pbem.host.ports import Address, Clock, Entrant, Game, Person, Reserve, Unknown
from pbem.host.session.budget import is_unwanted, welcome
from pbem.host.session.unit_of_work import Games, UnitOfWork
from pbem.league.acts import Act
from pbem.league.log import player
from pbem.league.powers import is_expected


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
            return _held(work, address)

    def export(self, address: str) -> Mapping[str, Any]:
        """All that the books hold about them, as plain values; instants in seconds UTC."""
        with self._games.work() as work:
            one = _held(work, address)
            letters = [letter for each in one.addresses for letter in work.repository.letters_from(each.address)]
            mail = [row for each in one.addresses for row in work.repository.mail_to(each.address)]
            return {
                "person": to_builtins(one.person),
                "addresses": to_builtins(one.addresses),
                "addresses_asked_for": to_builtins(work.repository.claims(one.person.id)),
                "leagues": [_season(work, said) for said in work.repository.seasons_of(one.person.id)],
                "ratings": {
                    kind: to_builtins(work.repository.steps_of(kind, one.person.id)) for kind in work.games.registry
                },
                "waits_for_a_seat_in_leagues": to_builtins(_reserves(work, one.person)),
                "waits_for_a_seat": any(each.id == one.person.id for each in work.repository.waiting()),
                "games": [_seat(work, game, one.person) for game in one.games],
                "letters_to_us": [{**to_builtins(each), "raw": _text(work, each.id)} for each in letters],
                "letters_to_him": [{**to_builtins(row), "data": row.data.decode()} for row in mail],
            }

    def erasable(self, address: str) -> Sequence[str]:
        """Their addresses. Raises `ValueError` while they are at a table."""
        with self._games.work() as work:
            return [each.address for each in _erasable(work, address).addresses]

    def erase(self, address: str) -> Sequence[str]:
        """Forget who they are, and their letters; the games they were in. Raises `ValueError` as `erasable` does."""
        with self._games.work() as work:
            one = _erasable(work, address)
            repository, person = work.repository, one.person
            for each in one.addresses:
                repository.erase_mail(each.address)
                repository.remove_address(each.address)
            for claim in repository.claims(person.id):
                repository.remove_claim(person.id, claim.address)
            repository.wait_no_more(person.id)
            for reserve in _reserves(work, person):
                repository.drop_reserve(reserve.league, person.id)
            for said in repository.seasons_of(person.id):  # their line stays, under a number
                repository.save_entrant(Entrant(season=said.season, person=person.id))
                repository.set_season_moved(said.season, work.season(said.season).course.last.seq)
            repository.save_person(
                Person(id=person.id, name="", address=f"erased-{person.id}@invalid", keys=person.keys + 1)
            )
            for game in one.games:  # its pages may have told their name
                repository.set_moved(game.id, len(repository.entries(game.id)) - 1)
            return [game.id for game in one.games]

    def renew_tokens(self, address: str) -> None:
        """No letter of ours that they have got proves anything any more; the next ones do."""
        with self._games.work() as work:
            one = _person(work, address)
            work.repository.save_person(replace(one, keys=one.keys + 1))

    def welcome(self, address: str) -> bool:
        """Let letters go there again; had somebody there said no to all of ours?"""
        with self._games.work() as work:
            was_unwanted = is_unwanted(work.repository, address.lower())
            welcome(work.repository, address.lower())
            return was_unwanted

    def waiting(self) -> Sequence[Person]:
        """Those who would take a seat, in the order in which they are asked."""
        with self._games.work() as work:
            return work.repository.waiting()

    def wait(self, address: str) -> int:
        """Enter them among those; in how many games they are asked at once."""
        with self._games.work() as work:
            return put_on_list(work, _person(work, address), self._clock.now())

    def wait_no_more(self, address: str) -> None:
        with self._games.work() as work:
            work.repository.wait_no_more(_person(work, address).id)


def _person(work: UnitOfWork, address: str) -> Person:
    person = work.repository.person_at(address.strip(" <>").lower())
    if person is None:
        raise Unknown(f"Nobody here has the address {address}.")
    return person


def _held(work: UnitOfWork, address: str) -> Held:
    one = _person(work, address)
    return Held(one, work.repository.addresses(one.id), work.repository.games_of(one.id))


def _erasable(work: UnitOfWork, address: str) -> Held:
    one = _held(work, address)
    busy = [game.id for game in one.games if game.status != "finished"]
    seasons = [work.season(each.season).season for each in work.repository.seasons_of(one.person.id)]
    waits = [each.tag for each in seasons if is_expected(each, one.person.id)]
    if waits:
        raise ValueError(
            f"{one.person.address} is in {', '.join(waits)}: “withdraw” takes them out while entries are open."
        )
    if busy:
        raise ValueError(f"{one.person.address} is in {', '.join(busy)}: a substitute must have the seat first.")
    return one


def _reserves(work: UnitOfWork, person: Person) -> list[Reserve]:
    """The leagues in which they would take seats over."""
    known = (each for league in work.repository.leagues() for each in work.repository.reserves(league.name))
    return [each for each in known if each.person == person.id]


def _season(work: UnitOfWork, said: Entrant) -> Mapping[str, Any]:
    """What they have said there, and every act of its log that is theirs or names them."""
    entries = work.season(said.season).entries
    acts = [to_builtins(each) for each in entries if each.by == player(said.person) or _names(each.act, said.person)]
    return {**to_builtins(said), "acts": acts}


def _names(act: Act, person: int) -> bool:
    keys = ("person", "leaves", "comes", "seat")
    return any(getattr(each, key, None) == person for each in (act, *getattr(act, "seats", ())) for key in keys)


def _seat(work: UnitOfWork, game: Game, person: Person) -> Mapping[str, Any]:
    seats = [member for member in game.members if member.person.id == person.id]
    names = {member.seat for member in seats}
    return {
        "game": game.id,
        "status": game.status,
        "seats": [{"seat": m.seat, "joined": m.joined, "reports": m.reports} for m in seats],
        "on_file": to_builtins([paper for paper in work.repository.filed(game.id) if paper.seat in names]),
        "press": to_builtins([press for press in work.repository.press(game.id) if press.seat in names]),
    }


def _text(work: UnitOfWork, letter: str) -> str | None:
    raw = work.repository.raw(letter)
    return None if raw is None else raw.raw.decode("latin-1")
