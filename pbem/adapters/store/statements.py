"""Statements that are made ready once: SQLAlchemy words them, the driver carries them out.

What SQLAlchemy does around each execution takes five times as long as SQLite takes for the statement itself, and one
letter needs dozens of them.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from sqlalchemy import Connection, Dialect, SelectBase, Table
from sqlalchemy.sql import Executable, visitors
from sqlalchemy.types import TypeEngine

from pbem.host.ports import Conflict, StoreDown, Taken, Unknown

Facts: TypeAlias = Mapping[str, Any]

_CONFLICTS = {
    "40001",  # PostgreSQL: serialization_failure
    "40P01",  # deadlock_detected
}
_TAKEN = {"SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE", "23505"}  # unique_violation
# What passes without our doing: somebody holds the lock for longer than we wait, a disk is full, a server is gone.
_DOWN = (
    *("SQLITE_" + name for name in ("BUSY", "LOCKED", "FULL", "IOERR", "CANTOPEN", "READONLY", "PERM", "PROTOCOL")),
    *("SQLITE_CORRUPT", "SQLITE_NOTADB"),
    *("08", "25006", "53", "55P03", "57P", "58"),  # PostgreSQL's classes; 53100 is a full disk
)
_NO_SUCH_GAME = {"SQLITE_CONSTRAINT_FOREIGNKEY", "23503"}


class Found:
    """The rows that a statement found, with their columns by name, or how many it has changed."""

    def __init__(self, rows: Sequence[Any], rowcount: int) -> None:
        self._rows = rows
        self.rowcount = rowcount
        self.made: dict[Any, Any] = {}  # what was made of them

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def first(self) -> Any:
        """None where there is none."""
        return self._rows[0] if self._rows else None

    def scalars(self) -> list[Any]:
        """The first column."""
        return [row[0] for row in self._rows]

    def scalar(self) -> Any:
        """The first column of the first row; None where there is none."""
        return self._rows[0][0] if self._rows else None


class Prepared:
    """A statement for one kind of database, with parameters of these names."""

    def __init__(self, statement: Executable, dialect: Dialect, names: Sequence[str]) -> None:
        compiled: Any = statement.compile(dialect=dialect, column_keys=list(names))  # type: ignore[attr-defined]
        self._statement = statement
        self._is_ready = not compiled.post_compile_params  # else its text depends on how many values are given
        self._text: str = compiled.string
        self._order: Sequence[str] | None = compiled.positiontup  # None: the driver takes them by name
        self._own: Facts = compiled.params  # what stands in the statement itself
        self._bound = _processors(
            {name: bind.type for bind, name in compiled.bind_names.items()}, dialect, "bind_processor"
        )
        columns = {each.keyname: each.type for each in compiled._result_columns or ()}
        self._row: Any = namedtuple("Row", columns) if columns else None
        self._read = _processors(dict(enumerate(columns.values())), dialect, "result_processor", None)
        self.tables = frozenset(part.name for part in visitors.iterate(statement) if isinstance(part, Table))  # type: ignore[arg-type]
        self.only_reads = isinstance(statement, SelectBase) and getattr(statement, "_for_update_arg", None) is None

    def run(self, connection: Connection, facts: Facts) -> Found:
        """Raises `Conflict`, `Taken`, `Unknown` and `StoreDown`."""
        if not self._is_ready:
            return self._worded_anew(connection, facts)
        cursor = _cursor(connection)
        try:
            cursor.execute(self._text, self._given(facts))
            rows, count = cursor.fetchall() if self._row else (), cursor.rowcount
        except Exception as raised:
            raise _ours(connection, raised) from raised
        finally:
            cursor.close()
        return Found([*map(self._made, rows)], count)

    def run_all(self, connection: Connection, several: Sequence[Facts]) -> None:
        """Once for each, and nothing is read. Raises what `run` does."""
        cursor = _cursor(connection)
        try:
            cursor.executemany(self._text, [*map(self._given, several)])
        except Exception as raised:
            raise _ours(connection, raised) from raised
        finally:
            cursor.close()

    def _worded_anew(self, connection: Connection, facts: Facts) -> Found:
        found = connection.execute(self._statement, facts)
        return Found([self._row._make(row) for row in found] if self._row else (), found.rowcount)

    def _given(self, facts: Facts) -> Any:
        given = {**self._own, **facts}
        for name, bound in self._bound:
            given[name] = bound(given[name])
        return given if self._order is None else [given[name] for name in self._order]

    def _made(self, row: Sequence[Any]) -> Any:
        if self._read:
            row = list(row)
            for at, read in self._read:
                row[at] = read(row[at])
        return self._row._make(row)


def tell(connection: Connection, text: str) -> None:
    """A word to the database itself. Raises what `Prepared.run` does."""
    cursor = _cursor(connection)
    try:
        cursor.execute(text)
    except Exception as raised:
        raise _ours(connection, raised) from raised
    finally:
        cursor.close()


def _cursor(connection: Connection) -> Any:
    """The driver's own: what SQLAlchemy hands out passes everything on to it."""
    driver: Any = connection.connection.driver_connection
    return driver.cursor()


def _processors(
    types: Mapping[Any, TypeEngine[Any]], dialect: Dialect, which: str, *more: object
) -> list[tuple[Any, Callable[[Any], Any]]]:
    """What is done to values of these types on their way to the driver, or from it, where anything is."""
    found = ((key, getattr(type_.dialect_impl(dialect), which)(dialect, *more)) for key, type_ in types.items())
    return [(key, processor) for key, processor in found if processor]


_ready: dict[tuple[Executable, str, tuple[str, ...]], Prepared] = {}  # statements are few, and there for good


def prepared(statement: Executable, dialect: Dialect, names: tuple[str, ...]) -> Prepared:
    """The statement, made ready at the first call."""
    key = (statement, dialect.name, names)
    if key not in _ready:
        _ready[key] = Prepared(statement, dialect, names)
    return _ready[key]


def in_our_words(raised: BaseException | None, *, is_lost: bool) -> Exception | None:
    """What the driver raised, as the host knows it; None for a fault of ours. `is_lost`: the connection is."""
    code = getattr(raised, "sqlite_errorname", None) or getattr(raised, "sqlstate", None)
    if code in _CONFLICTS:
        return Conflict(str(raised))
    if code in _TAKEN:
        return Taken(str(raised))
    if code in _NO_SUCH_GAME:
        return Unknown("there is no such game")
    if is_lost or str(code).startswith(_DOWN) or (code is None and _is_operational(raised)):
        return StoreDown(str(raised))
    return None


def _ours(connection: Connection, raised: Exception) -> Exception:
    is_lost = connection.dialect.is_disconnect(raised, connection.connection, None)  # type: ignore[arg-type]
    if is_lost:
        connection.invalidate(raised)
    return in_our_words(raised, is_lost=is_lost) or raised


def _is_operational(raised: object) -> bool:
    """As where a PostgreSQL can't be reached at all; it gives no code then (PEP 249)."""
    return type(raised).__name__ == "OperationalError"
