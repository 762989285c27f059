"""Statements that are made ready once: SQLAlchemy words them, the driver carries them out.

What SQLAlchemy does around each execution takes five times as long as SQLite takes for the statement itself, and one
letter needs dozens of them.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from sqlalchemy import Connection, Dialect, SelectBase, Table
from sqlalchemy.sql import Executable, visitors
from sqlalchemy.types import TypeEngine

from pbem.host.ports import Conflict, StoreDown, Taken, Unknown

Facts: TypeAlias = Mapping[str, Any]
Given: TypeAlias = Sequence[Any] | Mapping[str, Any]  # as the driver takes parameters

_MOST_WORDINGS = 100  # of one statement
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


class Driver:
    """The driver of a database in one transaction: what SQLAlchemy hands out passes everything on to it.

    What it raises is worded as the host knows it: `Conflict`, `Taken`, `Unknown` and `StoreDown`.
    """

    def __init__(self, connection: Connection) -> None:
        self.dialect = connection.dialect
        self._connection = connection

    def run(self, text: str, given: Given = ()) -> tuple[Sequence[Any], int]:
        """The rows that a statement finds, and how many it has changed."""
        cursor = self._cursor()
        try:
            cursor.execute(text, given)
            return cursor.fetchall() if cursor.description else (), cursor.rowcount
        except Exception as raised:
            raise _ours(self._connection, raised) from raised
        finally:
            cursor.close()  # SQLite keeps a file open, and what was written beside it, for as long as there is one

    def run_all(self, text: str, several: Sequence[Given]) -> None:
        """Once for each, and nothing is read."""
        cursor = self._cursor()
        try:
            cursor.executemany(text, several)
        except Exception as raised:
            raise _ours(self._connection, raised) from raised
        finally:
            cursor.close()

    def _cursor(self) -> Any:
        """Raises where the transaction is over."""
        own: Any = self._connection.connection.driver_connection
        return own.cursor()


class Wording(Struct, frozen=True):
    """A statement as the driver takes it, with so many values for each of the parameters that stand for several."""

    text: str
    order: Sequence[str] | None  # of the parameters; None: the driver takes them by name
    parts: Mapping[str, Sequence[str]]  # the names of the single values
    bound: Sequence[tuple[str, Callable[[Any], Any]]]  # what is done to values on their way

    def given(self, facts: Facts) -> Given:
        given = {**facts}
        for name, parts in self.parts.items():
            given.update(zip(parts, given.pop(name), strict=True))
        for name, bound in self.bound:
            given[name] = bound(given[name])
        return given if self.order is None else [given[name] for name in self.order]


class Prepared:
    """A statement for one kind of database, with parameters of these names."""

    def __init__(self, statement: Executable, dialect: Dialect, names: Sequence[str]) -> None:
        compiled: Any = statement.compile(dialect=dialect, column_keys=[*names])  # type: ignore[attr-defined]
        self._compiled = compiled
        self._dialect = dialect
        self._own: Facts = {name: fact for name, fact in compiled.params.items() if name not in names}
        self._several = [name for name in names if compiled.binds.get(name) in compiled.post_compile_params]
        self._wordings: dict[tuple[int, ...], Wording] = {}
        columns = {each.keyname: each.type for each in compiled._result_columns or ()}
        self._row: Any = namedtuple("Row", columns) if columns else None
        self._read = _processors(dict(enumerate(columns.values())), dialect, "result_processor", None)
        self.tables = frozenset(part.name for part in visitors.iterate(statement) if isinstance(part, Table))  # type: ignore[arg-type]
        self.only_reads = isinstance(statement, SelectBase) and getattr(statement, "_for_update_arg", None) is None

    def run(self, driver: Driver, facts: Facts) -> Found:
        """Raises what the driver does."""
        facts = {**self._own, **facts}
        wording = self._wording(facts)
        rows, count = driver.run(wording.text, wording.given(facts))
        return Found([*map(self._made, rows)] if self._row else (), count)

    def run_all(self, driver: Driver, several: Sequence[Facts]) -> None:
        """Once for each, and nothing is read; none has a parameter that stands for several values. Raises as `run`."""
        facts = [{**self._own, **each} for each in several]
        wording = self._wording(facts[0])
        driver.run_all(wording.text, [*map(wording.given, facts)])

    def _wording(self, facts: Facts) -> Wording:
        numbers = tuple([len(facts[name]) for name in self._several])
        if numbers not in self._wordings:
            if len(self._wordings) >= _MOST_WORDINGS:
                self._wordings.clear()
            self._wordings[numbers] = self._worded(facts)
        return self._wordings[numbers]

    def _worded(self, facts: Facts) -> Wording:
        worded = self._compiled.construct_expanded_state(facts)
        parts = worded.parameter_expansion
        names = self._compiled.bind_names.items()
        types = {part: bind.type for bind, name in names for part in parts.get(name, [name])}
        bound = _processors(types, self._dialect, "bind_processor")
        return Wording(worded.statement, worded.positiontup, parts, bound)

    def _made(self, row: Sequence[Any]) -> Any:
        if self._read:
            row = list(row)
            for at, read in self._read:
                row[at] = read(row[at])
        return self._row._make(row)


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
