"""The books: games, their clocks and instants, in SQL."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from typing import Any

from msgspec.structs import asdict, replace
from sqlalchemy import (
    BindParameter,
    CompoundSelect,
    Table,
    bindparam,
    func,
    literal,
    null,
    select,
    union,
    union_all,
    update,
)
from sqlalchemy.sql import ColumnElement, Executable

from pbem.adapters.store.leagues import SqlLeagues
from pbem.adapters.store.letters import SqlKeeping
from pbem.adapters.store.outbox import SqlOutbox
from pbem.adapters.store.people import SqlPeople
from pbem.adapters.store.ratings import SqlRatings
from pbem.adapters.store.rows import columns, counting, every, like, value
from pbem.adapters.store.schema import (
    entries,
    games,
    letters,
    marks,
    members,
    moderators,
    papers,
    people,
    slots,
)
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

_FATE = select(letters.c.fate).where(*like(letters, "id"))

_GAMES_OF = every(Game).where(games.c.id.in_(select(members.c.game).where(*like(members, "person"))))
_GAME_IDS = select(games.c.id).where(games.c.id.startswith(bindparam("head")))
_CHANGE_GAME = update(games).where(games.c.id == bindparam("game"))

_LEADS = -1  # in the place of a place: of moderators, who sit behind the table


def _table(of: Callable[[Table], ColumnElement[bool]]) -> CompoundSelect[Any]:
    """Members and moderators of some games."""
    return union_all(
        *(
            select(*columns(Person, people), table.c.game, table.c.reports, table.c.told, *seat)
            .join(table, table.c.person == people.c.id)
            .where(of(table))
            for table, seat in (
                (members, (members.c.seat, members.c.joined, members.c.place)),
                (moderators, (literal("").label("seat"), null().label("joined"), literal(_LEADS).label("place"))),
            )
        )
    ).order_by("place", "id")


_AT_THE_TABLE = _table(lambda table: table.c.game == bindparam("game"))
_AT_THE_TABLES = _table(lambda table: table.c.game.in_(bindparam("games", expanding=True)))

_ENTRIES = (
    select(entries.c.entry).where(*like(entries, "game"), entries.c.seq > bindparam("after")).order_by(entries.c.seq)
)

_DUE_SLOTS = select(slots).where(slots.c.due < bindparam("before")).order_by(slots.c.due, slots.c.game, slots.c.key)
_NEXT_DUE = select(func.min(slots.c.due))

_COUNT = counting(marks, "at")
_MOVED, _SEASON_MOVED = "moved ", "moved.season "
_MOVES = select(marks).where(marks.c.name.startswith(bindparam("what"))).order_by(marks.c.name)


_RUNNING = games.c.status == "running"
_LAST = (
    select(func.max(entries.c.seq)).where(entries.c.game == games.c.id).correlate(games).scalar_subquery()
)  # entries are in order
_LAST_ENTRIES = select(entries.c.game, entries.c.entry).join(games).where(_RUNNING, entries.c.seq == _LAST)
_THEN: BindParameter[int] = bindparam("then")
_LATER = union(
    select(slots.c.game).join(games).where(_RUNNING, func.coalesce(slots.c.started, slots.c.opened) > _THEN),
    select(papers.c.game).join(games).where(_RUNNING, papers.c.binds.is_not(None), papers.c.at > _THEN),
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
        with self._connection.begin_nested() as savepoint:
            try:
                yield SqlBooks(self._connection)
            finally:
                savepoint.rollback()

    def fate(self, letter: str) -> str | None:
        fate: str | None = self._run(_FATE, id=letter).scalar()
        return fate

    def note(self, letter: str, raw: RawLetter, *, sender: str, subject: str, game: str | None, fate: str) -> None:
        where = {"uidvalidity": raw.uidvalidity, "uid": raw.uid, "arrived": raw.arrived}
        self._add(letters, {"id": letter, "sender": sender, "subject": subject, "game": game, "fate": fate, **where})

    # -- games ---

    def add_game(self, game: Game) -> None:
        facts = asdict(game)
        del facts["members"], facts["moderators"]
        self._add(games, facts)
        self._add(members, *_seats(game))
        self._add(moderators, *_leaders(game))

    def game(self, game: str) -> Game | None:
        return next(iter(self._games(every(Game, "id"), id=game)), None)

    def games(self, status: str | None = None) -> Sequence[Game]:
        of = {} if status is None else {"status": status}
        return self._games(every(Game, *of), **of)

    def later_than(self, then: int) -> Sequence[str]:
        found = {row.game for row in self._run(_LAST_ENTRIES) if entered_at(row.entry) > then}
        return sorted(found | set(self._run(_LATER, then=then).scalars()))

    def last_game(self, tag: str) -> int:
        found = self._run(_GAME_IDS, head=f"{tag}-").scalars()
        return max((int(game.rpartition("-")[2]) for game in found), default=0)

    def save_game(self, game: Game) -> None:
        was = self.game(game.id)
        if was is None:
            raise Unknown(f"there is no game {game.id}")
        self._decide(games, game.id)
        if (was.status, was.setup) != (game.status, game.setup):
            self._run(_CHANGE_GAME, game=game.id, status=game.status, setup=game.setup)
        self._change(members, _seats(was), _seats(game))
        self._change(moderators, _leaders(was), _leaders(game))

    def games_of(self, person: int) -> Sequence[Game]:
        return self._games(_GAMES_OF, person=person)

    def _games(self, statement: Executable, **facts: object) -> list[Game]:
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
        self._decide(games, game)
        self._add(entries, {"game": game, "seq": seq, "entry": entry})

    def filed(self, game: str) -> Sequence[FiledOrder]:
        return self._find(FiledOrder, game=game)

    def file(self, game: str, order: FiledOrder) -> None:
        self._decide(games, game)
        self._put(order, game=game)

    def discard(self, game: str, order: FiledOrder) -> None:
        self._decide(games, game)
        self._remove(papers, game=game, seat=order.seat, kind=order.kind, key=order.key)

    def press(self, game: str) -> Sequence[Press]:
        return [replace(each, to=tuple(str(each.to).split(","))) for each in self._find(Press, game=game)]

    def add_press(self, game: str, press: Press) -> None:
        self._decide(games, game)
        self._enter(press, game=game, to=",".join(press.to))

    # -- the clock ---

    def slots(self, game: str) -> Sequence[Slot]:
        return self._find(Slot, game=game)

    def put_slot(self, game: str, slot: Slot) -> None:
        self._decide(games, game)
        self._put(slot, game=game)

    def close_slot(self, game: str, key: str) -> None:
        self._decide(games, game)
        self._remove(slots, game=game, key=key)

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
        self._remove(marks, name=_MOVED + game, at=seq)

    def moved_seasons(self) -> Mapping[str, int]:
        return self._marked(_SEASON_MOVED)

    def set_season_moved(self, season: str, seq: int) -> None:
        self.set_mark(_SEASON_MOVED + season, seq)

    def settle_season(self, season: str, seq: int) -> None:
        self._remove(marks, name=_SEASON_MOVED + season, at=seq)

    def _marked(self, what: str) -> Mapping[str, int]:
        return {row.name.removeprefix(what): row.at for row in self._run(_MOVES, what=what)}

    def set_mark(self, name: str, at: int | None) -> None:
        if at is None:
            self._remove(marks, name=name)
        else:
            self._replace(marks, {"name": name, "at": at})

    def count(self, name: str) -> int:
        times: int = self._run(_COUNT, name=name, at=1).scalar()
        return times
