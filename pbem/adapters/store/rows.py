"""Rows and values: what was written from a value is read into one again.

Every statement is built once: SQLAlchemy then knows it again and does not compile.
What replaces something deletes and inserts, which both databases understand alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import (
    Column,
    Connection,
    CursorResult,
    Delete,
    Insert,
    Row,
    Select,
    Table,
    bindparam,
    delete,
    insert,
    select,
)
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
)

T = TypeVar("T", bound=Struct)

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

    def _run(self, statement: Executable, **facts: Any) -> CursorResult[Any]:
        return self._connection.execute(statement, facts)

    def _find(self, kind: type[T], /, **like: object) -> list[T]:
        """All values of a kind with these in their columns."""
        return self._values(kind, every(kind, *like), **like)

    def _values(self, kind: type[T], statement: Executable, /, **facts: object) -> list[T]:
        return [value(kind, row) for row in self._run(statement, **facts)]

    def _add(self, table: Table, *rows: Mapping[str, object]) -> None:
        """Raises `Taken` where there is a row of that key."""
        if rows:
            self._connection.execute(_insert(table), rows)

    def _enter(self, new: Struct, **more: object) -> None:
        """Keep a value; `more` are columns that are not its fields. Raises `Taken` where there is one of its key."""
        self._add(_KEPT[type(new)][0], {**asdict(new), **more})

    def _put(self, new: Struct, **more: object) -> None:
        """Keep a value, in the place of one of its key."""
        table, _ = _KEPT[type(new)]
        facts = {**asdict(new), **more}
        self._remove(table, **{key.name: facts[key.name] for key in table.primary_key})
        self._add(table, facts)

    def _remove(self, table: Table, **like: object) -> None:
        """Forget all rows with these in their columns."""
        self._run(_delete(table, *like), **like)

    def _instant(self, statement: Executable, **facts: object) -> int | None:
        instant: int | None = self._run(statement, **facts).scalar()
        return instant


def value(kind: type[T], row: Row[Any], **more: object) -> T:
    """The value that is made of columns by the names of its fields, and of `more`."""
    held = row._mapping
    return kind(**{name: held[name] for name in kind.__struct_fields__ if name in held}, **more)


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
def _delete(table: Table, *names: str) -> Delete:
    return delete(table).where(*like(table, *names))
