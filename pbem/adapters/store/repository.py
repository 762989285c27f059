"""The books: games, their clocks and instants, in SQL."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy

from msgspec.structs import asdict, replace

from pbem.adapters.store.leagues import SqlLeagues
from pbem.adapters.store.letters import SqlKeeping
from pbem.adapters.store.outbox import SqlOutbox
from pbem.adapters.store.people import SqlPeople
from pbem.adapters.store.ratings import SqlRatings
from pbem.adapters.store.rows import counting, every, value
from pbem.adapters.store.statements import Found
from pbem.core.log import entered_at
from pbem.host.ports import (
    FiledOrder,
    Game,
    Member,
    Person,
    Press,
    RawLetter,
    Slot,
    Unknown,
)

_FATE = "SELECT fate FROM letters WHERE id = :id"

_GAMES_OF = "SELECT * FROM games WHERE id IN (SELECT game FROM members WHERE person = :person) ORDER BY created, id"
_GAME_IDS = "SELECT id FROM games WHERE id LIKE :like"
_CHANGE_GAME = "UPDATE games SET status = :status, setup = :setup WHERE id = :game"

_LEADS = -1  # in the place of a place: of moderators, who sit behind the table


def _table(of: str) -> str:
    """Members and moderators of some games."""
    person = "people.*, game, reports, told"
    return (
        f"SELECT {person}, seat, joined, place FROM people JOIN members ON members.person = people.id WHERE game {of} "
        f"UNION ALL SELECT {person}, '' AS seat, NULL AS joined, {_LEADS} AS place "
        f"FROM people JOIN moderators ON moderators.person = people.id WHERE game {of} ORDER BY place, id"
    )


_AT_THE_TABLE = _table("= :game")
_AT_THE_TABLES = _table("IN :games")

_ENTRIES = "SELECT entry FROM entries WHERE game = :game AND seq > :after ORDER BY seq"

_DUE_SLOTS = "SELECT * FROM slots WHERE due < :before ORDER BY due, game, key"
_NEXT_DUE = "SELECT min(due) FROM slots"

_COUNT = counting("marks", "at")
_MOVED, _SEASON_MOVED = "moved ", "moved.season "
_MOVES = "SELECT name, at FROM marks WHERE name LIKE :like ORDER BY name"

_LAST_ENTRIES = (
    "SELECT game, entry FROM entries JOIN games ON games.id = game WHERE status = 'running' "
    "AND seq = (SELECT max(seq) FROM entries AS last WHERE last.game = games.id)"  # entries are in order
)
_LATER = (
    "SELECT game FROM slots JOIN games ON games.id = game "
    "WHERE status = 'running' AND coalesce(started, opened) > :then "
    "UNION SELECT game FROM papers JOIN games ON games.id = game "
    "WHERE status = 'running' AND binds IS NOT NULL AND at > :then"
)


def _seated(there: Found) -> tuple[Mapping[str, list[Member]], Mapping[str, list[Member]]]:
    """Members and moderators, by their games."""
    seated, leading = defaultdict[str, list[Member]](list), defaultdict[str, list[Member]](list)
    for row in there:
        at = leading if row.place == _LEADS else seated
        at[row.game].append(value(Member, row, person=value(Person, row)))
    return seated, leading


def _seats(game: Game) -> list[dict[str, object]]:
    """The rows of its members."""
    return [
        {**asdict(member), "game": game.id, "place": place, "person": member.person.id}
        for place, member in enumerate(game.members)
    ]


def _leaders(game: Game) -> list[dict[str, object]]:
    """The rows of its moderators."""
    return [
        {"game": game.id, "person": one.person.id, "reports": one.reports, "told": one.told} for one in game.moderators
    ]


class SqlBooks(SqlOutbox, SqlPeople, SqlKeeping, SqlLeagues, SqlRatings):
    """The books inside one transaction; `ports.Repository` tells what each question means."""

    def anew(self) -> SqlBooks:
        """What was read is known to both, and so is what was written."""
        made = copy(self)
        made.fresh = []
        return made

    @contextmanager
    def trial(self) -> Iterator[SqlBooks]:
        """A savepoint, and back to it."""
        self._transaction.run("SAVEPOINT trial")
        try:
            yield SqlBooks(self._transaction)
        finally:
            self._transaction.run("ROLLBACK TO SAVEPOINT trial")
            self._transaction.run("RELEASE SAVEPOINT trial")

    def fate(self, letter: str) -> str | None:
        fate: str | None = self._run(_FATE, id=letter).scalar()
        return fate

    def note(self, letter: str, raw: RawLetter, *, sender: str, subject: str, game: str | None, fate: str) -> None:
        where = {"uidvalidity": raw.uidvalidity, "uid": raw.uid, "arrived": raw.arrived}
        self._add("letters", {"id": letter, "sender": sender, "subject": subject, "game": game, "fate": fate, **where})

    # -- games ---

    def add_game(self, game: Game) -> None:
        facts = asdict(game)
        del facts["members"], facts["moderators"]
        self._add("games", facts)
        self._add("members", *_seats(game))
        self._add("moderators", *_leaders(game))

    def game(self, game: str) -> Game | None:
        return next(iter(self._games(every(Game, "id"), id=game)), None)

    def games(self, status: str | None = None) -> Sequence[Game]:
        of = {} if status is None else {"status": status}
        return self._games(every(Game, *of), **of)

    def later_than(self, then: int) -> Sequence[str]:
        found = {row.game for row in self._run(_LAST_ENTRIES) if entered_at(row.entry) > then}
        return sorted(found | set(self._run(_LATER, then=then).scalars()))

    def last_game(self, tag: str) -> int:
        found = self._run(_GAME_IDS, like=f"{tag}-%").scalars()
        return max((int(game.rpartition("-")[2]) for game in found), default=0)

    def save_game(self, game: Game) -> None:
        was = self.game(game.id)
        if was is None:
            raise Unknown(f"there is no game {game.id}")
        self._decide("games", game.id)
        if (was.status, was.setup) != (game.status, game.setup):
            self._run(_CHANGE_GAME, game=game.id, status=game.status, setup=game.setup)
        self._change("members", _seats(was), _seats(game))
        self._change("moderators", _leaders(was), _leaders(game))

    def games_of(self, person: int) -> Sequence[Game]:
        return self._games(_GAMES_OF, person=person)

    def _games(self, statement: str, **facts: object) -> list[Game]:
        found = self._run(statement, **facts)
        if not found:
            return []
        of = found.scalars()  # a game's id is its first column
        there = self._run(_AT_THE_TABLE, game=of[0]) if len(of) == 1 else self._run(_AT_THE_TABLES, games=of)
        if found not in there.made:
            seated, leading = _seated(there)
            there.made[found] = [
                value(Game, row, members=tuple(seated[row.id]), moderators=tuple(leading[row.id])) for row in found
            ]
        return [*there.made[found]]

    def entries(self, game: str, after: int = -1) -> Sequence[bytes]:
        return self._run(_ENTRIES, game=game, after=after).scalars()

    def append(self, game: str, seq: int, entry: bytes) -> None:
        self._decide("games", game)
        self._add("entries", {"game": game, "seq": seq, "entry": entry})

    def filed(self, game: str) -> Sequence[FiledOrder]:
        return self._find(FiledOrder, game=game)

    def file(self, game: str, order: FiledOrder) -> None:
        self._decide("games", game)
        self._put(order, game=game)

    def discard(self, game: str, order: FiledOrder) -> None:
        self._decide("games", game)
        self._remove("papers", game=game, seat=order.seat, kind=order.kind, key=order.key)

    def press(self, game: str) -> Sequence[Press]:
        return [replace(each, to=tuple(str(each.to).split(","))) for each in self._find(Press, game=game)]

    def add_press(self, game: str, press: Press) -> None:
        self._decide("games", game)
        self._enter(press, game=game, to=",".join(press.to))

    # -- the clock ---

    def slots(self, game: str) -> Sequence[Slot]:
        return self._find(Slot, game=game)

    def put_slot(self, game: str, slot: Slot) -> None:
        self._decide("games", game)
        self._put(slot, game=game)

    def close_slot(self, game: str, key: str) -> None:
        self._decide("games", game)
        self._remove("slots", game=game, key=key)

    def due_slots(self, before: int) -> Sequence[tuple[str, Slot]]:
        return [(row.game, value(Slot, row)) for row in self._run(_DUE_SLOTS, before=before)]

    def next_due(self) -> int | None:
        return self._instant(_NEXT_DUE)

    # -- instants ---

    def polled(self) -> int | None:
        return self.mark("polled")

    def set_polled(self, at: int) -> None:
        self.set_mark("polled", at)

    def moved(self) -> Mapping[str, int]:
        return self._marked(_MOVED)

    def set_moved(self, game: str, seq: int) -> None:
        self.set_mark(_MOVED + game, seq)

    def settle_move(self, game: str, seq: int) -> None:
        self._remove("marks", name=_MOVED + game, at=seq)

    def moved_seasons(self) -> Mapping[str, int]:
        return self._marked(_SEASON_MOVED)

    def set_season_moved(self, season: str, seq: int) -> None:
        self.set_mark(_SEASON_MOVED + season, seq)

    def settle_season(self, season: str, seq: int) -> None:
        self._remove("marks", name=_SEASON_MOVED + season, at=seq)

    def _marked(self, what: str) -> Mapping[str, int]:
        return {row.name.removeprefix(what): row.at for row in self._run(_MOVES, like=f"{what}%")}

    def set_mark(self, name: str, at: int | None) -> None:
        if at is None:
            self._remove("marks", name=name)
        else:
            self._replace("marks", {"name": name, "at": at})

    def count(self, name: str) -> int:
        times: int = self._run(_COUNT, name=name, at=1).scalar()
        return times
