"""Rows and values: what was written from a value is read into one again.

What was read in a transaction is not read again in it, unless something was written to those tables meanwhile: nobody
else's writing can be seen there. What replaces something is one statement (`ON CONFLICT`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar, get_type_hints

from msgspec import Struct
from msgspec.structs import asdict

from pbem.adapters.store.connections import Transaction
from pbem.adapters.store.statements import Facts, Found, only_reads, tables_of
from pbem.host.ports import (
    Address,
    Claim,
    Dead,
    Entrant,
    FiledOrder,
    Game,
    League,
    Mailed,
    OutboxRow,
    Person,
    Press,
    Reserve,
    SeasonBook,
    SeasonImport,
    SeasonTable,
    Slot,
    Taken,
)

T = TypeVar("T", bound=Struct)

_MOST_READ, _MOST_ROWS = 1_000, 40  # answers that a transaction remembers, and rows of each

# Where the values of a kind are kept, and in which order they are read.
_KEPT: Mapping[type[Struct], tuple[str, str]] = {
    Game: ("games", "created, id"),
    Person: ("people", "id"),
    Address: ("addresses", "added, address"),
    Claim: ("claims", "at, address"),
    FiledOrder: ("papers", "seat, kind, key"),
    Press: ("press", "number"),
    Slot: ("slots", "opened, key"),
    OutboxRow: ("outbox", "number"),
    Mailed: ("outbox", "number"),
    Dead: ("outbox", "number"),
    League: ("leagues", "created, name"),
    SeasonBook: ("seasons", "league, number"),
    Entrant: ("entrants", "season, person"),
    Reserve: ("reserves", "since, person"),
    SeasonImport: ("imports", "season"),
    SeasonTable: ("season_tables", "season, number, game"),
}

# The primary keys of tables in which one row takes another's place.
KEYS: Mapping[str, tuple[str, ...]] = {
    "addresses": ("address",),
    "claims": ("person", "address"),
    "entrants": ("season", "person"),
    "marks": ("name",),
    "members": ("game", "seat"),
    "moderators": ("game", "person"),
    "papers": ("game", "seat", "kind", "key"),
    "raws": ("letter",),
    "reserves": ("league", "person"),
    "slots": ("game", "key"),
    "tallies": ("name",),
}

# Matters about which one transaction decides at a time: their row is written anew, as it is.
_REWRITTEN = {
    "games": "UPDATE games SET status = status WHERE id = :matter",
    "seasons": "UPDATE seasons SET due = due WHERE tag = :matter",
    "alembic_version": "UPDATE alembic_version SET version_num = version_num",  # its only row
}


class Rows:
    """Inside one transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._read: dict[tuple[str, tuple[Any, ...]], Found] = {}
        self._decided: set[tuple[str, str | None]] = set()

    def _run(self, text: str, **facts: Any) -> Found:
        if not only_reads(text):
            self._forget(text)
            return self._transaction.run(text, facts)
        key = text, tuple(map(_fixed, facts.values()))
        if (known := self._read.get(key)) is None:
            known = self._transaction.run(text, facts)
            self._remember(key, known)
        return known

    def _run_all(self, text: str, several: Sequence[Facts]) -> None:
        """Once for each; what it writes."""
        if several:
            self._forget(text)
            self._transaction.run_all(text, several)

    def _remember(self, key: tuple[str, tuple[Any, ...]], found: Found) -> None:
        """Not what is long: whoever goes through all games in one transaction shall not hold them all."""
        if len(self._read) >= _MOST_READ:
            self._read.clear()
        if len(found) <= _MOST_ROWS:
            self._read[key] = found

    def _forget(self, writes: str) -> None:
        """What was read of these tables may be so no longer."""
        stale = [key for key in self._read if not tables_of(writes).isdisjoint(tables_of(key[0]))]
        for key in stale:
            del self._read[key]

    def _decide(self, what: str, key: str | None = None) -> None:
        """What is written follows from what was read of this game, season, or table with one row.

        On PostgreSQL two transactions that read the same and write different rows would both hold (each sees a snapshot
        of its own). So each that decides about a matter writes its row anew, as it is: then one of the two is refused,
        and tried again. Only those meet that are about the same matter. On SQLite there is one writer at a time.
        """
        if self._transaction.kind == "postgresql" and (what, key) not in self._decided:
            self._decided.add((what, key))
            self._run(_REWRITTEN[what], **({} if key is None else {"matter": key}))

    def _find(self, kind: type[T], /, **like: object) -> list[T]:
        """All values of a kind with these in their columns."""
        return self._values(kind, every(kind, *like), **like)

    def _values(self, kind: type[T], text: str, /, **facts: object) -> list[T]:
        found = self._run(text, **facts)
        if kind not in found.made:
            found.made[kind] = [value(kind, row) for row in found]
        return [*found.made[kind]]

    def _add(self, table: str, *rows: Facts) -> None:
        """Raises `Taken` where there is a row of that key."""
        if rows:
            self._run_all(inserting(table, *rows[0]), rows)

    def _replace(self, table: str, *rows: Facts) -> None:
        """Keep these rows, each in the place of one of its key."""
        if rows:
            self._run_all(_replacing(table, *rows[0]), rows)

    def _change(self, table: str, was: Sequence[Facts], now: Sequence[Facts]) -> None:
        """Put rows in the place of others; what stays as it was is not written. Raises `Taken` where two have a key."""
        keys = KEYS[table]
        there = {tuple(row[name] for name in keys) for row in now}
        if len(there) < len(now):
            raise Taken(f"two of {table} have the same key")
        for row in was:
            key = {name: row[name] for name in keys}
            if tuple(key.values()) not in there:
                self._remove(table, **key)
        self._replace(table, *(row for row in now if row not in was))

    def _enter(self, new: Struct, **more: object) -> None:
        """Keep a value; `more` are columns that are not its fields. Raises `Taken` where there is one of its key."""
        self._add(_KEPT[type(new)][0], {**asdict(new), **more})

    def _put(self, new: Struct, **more: object) -> None:
        """Keep a value, in the place of one of its key."""
        self._replace(_KEPT[type(new)][0], {**asdict(new), **more})

    def _remove(self, table: str, **like: object) -> None:
        """Forget all rows with these in their columns."""
        self._run(f"DELETE FROM {table} WHERE {given(like, ' AND ')}", **like)

    def _instant(self, text: str, **facts: object) -> int | None:
        instant: int | None = self._run(text, **facts).scalar()
        return instant


def value(kind: type[T], row: Any, **more: object) -> T:
    """The value that is made of columns by the names of its fields, and of `more`."""
    return kind(**{name: read(row[at]) if read else row[at] for name, at, read in _fields(kind, row._fields)}, **more)


@cache
def _fields(kind: type[Struct], columns: tuple[str, ...]) -> Sequence[tuple[str, int, Any]]:
    """Where they stand in a row of these columns, and what is done to them: SQLite's truth is a number."""
    types = get_type_hints(kind)
    truths = {name: _truth for name in types if types[name] in (bool, bool | None)}
    return [(name, columns.index(name), truths.get(name)) for name in kind.__struct_fields__ if name in columns]


def _truth(number: int | None) -> bool | None:
    return None if number is None else bool(number)


def _fixed(fact: Any) -> Any:
    return tuple(fact) if type(fact) is list else fact


def given(names: Iterable[str], between: str) -> str:
    """These columns with the values of their names: in rows that are looked for (" AND "), or to be changed (", ")."""
    return between.join(f'"{name}" = :{name}' for name in names)


@cache
def every(kind: type[Struct], *names: str) -> str:
    """All of a kind, in their order, or those with the given values in these columns."""
    table, order = _KEPT[kind]
    where = f"WHERE {given(names, ' AND ')} " if names else ""
    return f"SELECT * FROM {table} {where}ORDER BY {order}"


@cache
def inserting(table: str, *columns: str) -> str:
    """A row with the given values in these columns."""
    named, values = ", ".join(f'"{name}"' for name in columns), ", ".join(f":{name}" for name in columns)
    return f"INSERT INTO {table} ({named}) VALUES ({values})"


@cache
def _replacing(table: str, *columns: str) -> str:
    others = ", ".join(f'"{name}" = excluded."{name}"' for name in columns if name not in KEYS[table])
    done = f"DO UPDATE SET {others}" if others else "DO NOTHING"
    return f"{inserting(table, *columns)} ON CONFLICT ({', '.join(KEYS[table])}) {done}"


def counting(table: str, number: str) -> str:
    """A row with 1 in that column, or one more in the row of its key; how many it is then."""
    done = f"DO UPDATE SET {number} = {table}.{number} + 1 RETURNING {number}"
    return f"{inserting(table, *KEYS[table], number)} ON CONFLICT ({', '.join(KEYS[table])}) {done}"
