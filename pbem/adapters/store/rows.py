"""Rows and values: what was written from a value is read into one again.

Every statement is built once, and made ready once (`statements`). What was read in a transaction is not read again in
it, unless something was written to those tables meanwhile: nobody else's writing can be seen there.
What replaces something is one statement (`ON CONFLICT`), which both databases understand alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import (
    Column,
    Connection,
    Delete,
    Insert,
    Select,
    Table,
    Update,
    bindparam,
    delete,
    insert,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert as insert_or_else  # SQLite's compiler reads it, too; not vice versa
from sqlalchemy.sql import ColumnElement, Executable

from pbem.adapters.store.schema import (
    addresses,
    claims,
    entrants,
    games,
    imports,
    leagues,
    outbox,
    papers,
    people,
    press,
    reserves,
    season_tables,
    seasons,
    slots,
)
from pbem.adapters.store.statements import Driver, Found, Prepared, prepared
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
_KEPT: Mapping[type[Struct], tuple[Table, tuple[str, ...]]] = {
    Game: (games, ("created", "id")),
    Person: (people, ("id",)),
    Address: (addresses, ("added", "address")),
    Claim: (claims, ("at", "address")),
    FiledOrder: (papers, ("seat", "kind", "key")),
    Press: (press, ("number",)),
    Slot: (slots, ("opened", "key")),
    OutboxRow: (outbox, ("number",)),
    Mailed: (outbox, ("number",)),
    Dead: (outbox, ("number",)),
    League: (leagues, ("created", "name")),
    SeasonBook: (seasons, ("league", "number")),
    Entrant: (entrants, ("season", "person")),
    Reserve: (reserves, ("since", "person")),
    SeasonImport: (imports, ("season",)),
    SeasonTable: (season_tables, ("season", "number", "game")),
}


class Rows:
    """Inside one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._driver = Driver(connection)
        self._read: dict[tuple[Prepared, tuple[Any, ...]], Found] = {}
        self._decided: set[tuple[str, str | None]] = set()

    def _run(self, statement: Executable, **facts: Any) -> Found:
        ready = prepared(statement, self._driver.dialect, tuple(facts))
        if not ready.only_reads:
            self._forget(ready)
            return ready.run(self._driver, facts)
        key = ready, tuple(map(_fixed, facts.values()))
        if (known := self._read.get(key)) is None:
            known = ready.run(self._driver, facts)
            self._remember(key, known)
        return known

    def _run_all(self, statement: Executable, several: Sequence[Mapping[str, Any]]) -> None:
        """Once for each; what it writes."""
        if several:
            ready = prepared(statement, self._driver.dialect, tuple(several[0]))
            self._forget(ready)
            ready.run_all(self._driver, several)

    def _remember(self, key: tuple[Prepared, tuple[Any, ...]], found: Found) -> None:
        """Not what is long: whoever goes through all games in one transaction shall not hold them all."""
        if len(self._read) >= _MOST_READ:
            self._read.clear()
        if len(found) <= _MOST_ROWS:
            self._read[key] = found

    def _forget(self, writes: Prepared) -> None:
        """What was read of these tables may be so no longer."""
        stale = [key for key in self._read if not writes.tables.isdisjoint(key[0].tables)]
        for key in stale:
            del self._read[key]

    def _decide(self, what: Table, key: str | None = None) -> None:
        """What is written follows from what was read of this game, season, or table with one row.

        On PostgreSQL two transactions that read the same and write different rows would both hold (each sees a snapshot
        of its own). So each that decides about a matter writes its row anew, as it is: then one of the two is refused,
        and tried again. Only those meet that are about the same matter. On SQLite there is one writer at a time.
        """
        if self._driver.dialect.name == "postgresql" and (what.name, key) not in self._decided:
            self._decided.add((what.name, key))
            self._run(_rewrite(what), **({} if key is None else {"matter": key}))

    def _find(self, kind: type[T], /, **like: object) -> list[T]:
        """All values of a kind with these in their columns."""
        return self._values(kind, every(kind, *like), **like)

    def _values(self, kind: type[T], statement: Executable, /, **facts: object) -> list[T]:
        found = self._run(statement, **facts)
        if kind not in found.made:
            found.made[kind] = [value(kind, row) for row in found]
        return [*found.made[kind]]

    def _add(self, table: Table, *rows: Mapping[str, object]) -> None:
        """Raises `Taken` where there is a row of that key."""
        self._run_all(_insert(table), rows)

    def _replace(self, table: Table, *rows: Mapping[str, object]) -> None:
        """Keep these rows, each in the place of one of its key."""
        self._run_all(_replacement(table), rows)

    def _change(self, table: Table, was: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]) -> None:
        """Put rows in the place of others; what stays as it was is not written. Raises `Taken` where two have a key."""
        keys = [each.name for each in table.primary_key]
        there = {tuple(row[name] for name in keys) for row in now}
        if len(there) < len(now):
            raise Taken(f"two of {table.name} have the same key")
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

    def _remove(self, table: Table, **like: object) -> None:
        """Forget all rows with these in their columns."""
        self._run(_delete(table, *like), **like)

    def _instant(self, statement: Executable, **facts: object) -> int | None:
        instant: int | None = self._run(statement, **facts).scalar()
        return instant


def value(kind: type[T], row: Any, **more: object) -> T:
    """The value that is made of columns by the names of its fields, and of `more`."""
    return kind(**{name: row[at] for name, at in _fields(kind, row._fields)}, **more)


@cache
def _fields(kind: type[Struct], columns: tuple[str, ...]) -> Sequence[tuple[str, int]]:
    """Where they stand in a row of these columns."""
    return [(name, columns.index(name)) for name in kind.__struct_fields__ if name in columns]


def _fixed(fact: Any) -> Any:
    return tuple(fact) if isinstance(fact, list) else fact


def columns(kind: type[Struct], table: Table) -> list[Column[Any]]:
    """Of the table, those that are fields of such a value."""
    return [table.c[name] for name in kind.__struct_fields__ if name in table.c]


def like(table: Table, *names: str) -> list[ColumnElement[bool]]:
    """What holds of rows of the table with the given values in these columns."""
    return [table.c[name] == bindparam(name) for name in names]


@cache
def every(kind: type[Struct], *names: str) -> Select[Any]:
    """All of a kind, in their order, or those with the given values in these columns."""
    table, order = _KEPT[kind]
    return select(*columns(kind, table)).where(*like(table, *names)).order_by(*(table.c[name] for name in order))


@cache
def _insert(table: Table) -> Insert:
    return insert(table)


@cache
def _replacement(table: Table) -> Insert:
    made = insert_or_else(table)
    others = {each.name: made.excluded[each.name] for each in table.c if not each.primary_key}
    return made.on_conflict_do_update(index_elements=[*table.primary_key], set_=others)


def counting(table: Table, number: str) -> Executable:
    """A row with 1 in that column, or one more in the row of its key; how many it is then."""
    column = table.c[number]
    made = insert_or_else(table).on_conflict_do_update(index_elements=[*table.primary_key], set_={number: column + 1})
    return made.returning(column)


@cache
def _rewrite(table: Table) -> Update:
    """The row of that key, or the only one."""
    column = next(each for each in table.c if not each.primary_key or len(table.c) == 1)
    key = next(iter(table.primary_key))
    written = update(table).values({column.name: column})
    return written if column is key else written.where(key == bindparam("matter"))


@cache
def _delete(table: Table, *names: str) -> Delete:
    return delete(table).where(*like(table, *names))
