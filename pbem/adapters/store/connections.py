"""A connection to a database: it carries statements out, and words what goes wrong as the host knows it.

The statements begin and end transactions themselves, so that each is begun as this program needs it.
"""

from __future__ import annotations

import os
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, ClassVar

from pbem.adapters.store.statements import (
    UNLESS_TAKEN,
    Facts,
    Found,
    lengths_of,
    plain,
    row_of,
    with_lists,
    with_percents,
)
from pbem.adapters.store.urls import address_of, file_of
from pbem.host.ports import Conflict, StoreDown, Taken, Unknown

_PATIENCE = 30  # seconds that we wait for whoever else is at the file
_NAP = 0.01  # seconds between two tries
_KEPT_READY = 500  # statements of a connection

# fullfsync is on macOS what fsync is elsewhere, for there a plain fsync stops at the drive's cache.
_PRAGMAS = (
    f"PRAGMA busy_timeout = {_PATIENCE * 1000}",
    "PRAGMA journal_mode = WAL",
    "PRAGMA fullfsync = ON",
    "PRAGMA foreign_keys = ON",
)

# FULL, not NORMAL, for what is durable: with NORMAL a power cut may take back the last commits, and then a letter
# already moved out of the inbox is lost for good. It costs one fsync a transaction (0.6 to 4 ms where this was
# measured). Neither is lost when this process is killed, and a file is sound after a power cut in both; a commit with
# FULL takes those before it along, for they lie before it in the same journal (sqlite.org/wal.html).
_SYNCHRONOUS = {True: "PRAGMA synchronous = FULL", False: "PRAGMA synchronous = NORMAL"}

# On PostgreSQL what was read of a game must still hold at the end, as it does on SQLite with its one writer: see
# `Rows._decide`. SERIALIZABLE would see to it, too, but takes transactions about different games for conflicts where
# their rows share a page of an index, and all letters and all mail do: two workers did less than one.
_BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ"
# What is not durable at once is so within a second, or with the next that is (`synchronous_commit`).
_LATER_ON_DISK = "SET LOCAL synchronous_commit TO OFF"

_CONFLICTS = {
    "40001",  # PostgreSQL: serialization_failure
    "40P01",  # deadlock_detected
}
_TAKEN = {"SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE", "23505"}  # unique_violation
_NO_SUCH_GAME = {"SQLITE_CONSTRAINT_FOREIGNKEY", "23503"}
# What passes without our doing: somebody holds the lock for longer than we wait, a disk is full, a server is gone.
_DOWN = (
    *("SQLITE_" + name for name in ("BUSY", "LOCKED", "FULL", "IOERR", "CANTOPEN", "READONLY", "PERM", "PROTOCOL")),
    *("SQLITE_CORRUPT", "SQLITE_NOTADB"),
    *("08", "25006", "53", "55P03", "57P", "58"),  # PostgreSQL's classes; 53100 is a full disk
)


class NoDriver(Exception):
    """The library for this kind of database is not installed."""


class Connection(ABC):
    """To a database of either kind; a transaction is begun, and then committed or taken back.

    Raises `Conflict`, `Taken`, `Unknown` and `StoreDown`, and what the driver does where the fault is ours.
    """

    kind: ClassVar[str]  # as SQLAlchemy calls it

    def __init__(self, own: Any) -> None:
        self.own = own  # the driver's

    @abstractmethod
    def begin(self, *, durable: bool = True) -> None:
        """Raises `StoreDown` where the connection was lost while nobody needed it."""

    def commit(self) -> None:
        self.run("COMMIT")

    def take_back(self) -> None:
        """Nothing of the transaction has happened. Where that can't be said, the connection is closed."""
        try:
            if self._is_in_transaction:
                self.run("ROLLBACK")
        except Exception:  # noqa: BLE001 - with its connection every transaction ends
            self.close()

    def run(self, text: str, facts: Facts | None = None) -> Found:
        """Carry a statement out."""
        lengths = lengths_of(facts) if facts else ()
        cursor = self._cursor()
        try:
            if facts:
                cursor.execute(self._worded(with_lists(text, lengths)), plain(facts, lengths))
            else:
                cursor.execute(text)
            return _found(cursor)
        except Exception as raised:
            raise self._ours(raised) from raised
        finally:
            cursor.close()  # SQLite keeps a file open, and what was written beside it, for as long as there is one

    def run_all(self, text: str, several: Sequence[Facts]) -> None:
        """Once for each, and nothing is read; none has a list."""
        cursor = self._cursor()
        try:
            cursor.executemany(self._worded(text), [plain(facts, ()) for facts in several])
        except Exception as raised:
            raise self._ours(raised) from raised
        finally:
            cursor.close()

    def close(self) -> None:
        """However it stands."""
        with suppress(Exception):
            self.own.close()

    @property
    @abstractmethod
    def is_lost(self) -> bool:
        """Can nothing more be asked?"""

    @property
    @abstractmethod
    def _is_in_transaction(self) -> bool: ...

    @staticmethod
    @abstractmethod
    def _worded(text: str) -> str:
        """As this driver takes it."""

    def _cursor(self) -> Any:
        try:
            return self.own.cursor()
        except Exception as raised:
            raise self._ours(raised) from raised

    def _ours(self, raised: Exception) -> Exception:
        return in_our_words(raised, is_lost=self.is_lost) or raised


class Transaction:
    """What may be asked until the transaction ends."""

    def __init__(self, connection: Connection) -> None:
        self.kind = connection.kind
        self._connection: Connection | None = connection

    def run(self, text: str, facts: Facts | None = None) -> Found:
        """Raises as a connection does."""
        return self._open.run(text, facts)

    def run_all(self, text: str, several: Sequence[Facts]) -> None:
        self._open.run_all(text, several)

    def end(self) -> None:
        """The connection serves others from now on."""
        self._connection = None

    @property
    def _open(self) -> Connection:
        if self._connection is None:
            raise RuntimeError("this transaction is closed")
        return self._connection


class File(Connection):
    """To a SQLite file."""

    kind = "sqlite"

    def __init__(self, own: sqlite3.Connection) -> None:
        super().__init__(own)
        self._durable: bool | None = None  # what it was told last
        self._closed = False

    def begin(self, *, durable: bool = True) -> None:
        """Take the write lock before reading: two that read first and write then lose one of the changes."""
        if self._durable != durable:
            self.run(_SYNCHRONOUS[durable])
            self._durable = durable
        self.run("BEGIN IMMEDIATE")

    def close(self) -> None:
        self._closed = True
        super().close()

    @property
    def is_lost(self) -> bool:
        return self._closed

    @property
    def _is_in_transaction(self) -> bool:
        return bool(self.own.in_transaction)

    @staticmethod
    def _worded(text: str) -> str:
        return text.removesuffix(UNLESS_TAKEN)  # the whole transaction is the lock


class Session(Connection):
    """To a PostgreSQL server."""

    kind = "postgresql"

    def begin(self, *, durable: bool = True) -> None:
        """What is read stays as it was when it began."""
        self.run(_BEGIN)
        if not durable:
            self.run(_LATER_ON_DISK)

    @property
    def is_lost(self) -> bool:
        return bool(self.own.closed)

    @property
    def _is_in_transaction(self) -> bool:
        return bool(self.own.info.transaction_status)  # 0 is IDLE

    @staticmethod
    def _worded(text: str) -> str:
        return with_percents(text)


def connect(url: str) -> Connection:
    """To the database there; a file is made where there is none. Raises `NoDriver`, `StoreDown`."""
    file = file_of(url)
    return Session(_open_session(address_of(url))) if file is None else File(_open_file(file))


def _open_file(name: str) -> sqlite3.Connection:
    """With transactions left to us, for whichever thread needs it."""
    is_uri = name.startswith("file:")
    if not is_uri:
        _keep_to_ourselves(name)
    try:
        return _set_up(
            sqlite3.connect(
                name, uri=is_uri, isolation_level=None, check_same_thread=False, cached_statements=_KEPT_READY
            )
        )
    except sqlite3.Error as problem:
        raise StoreDown(str(problem)) from problem


def _set_up(own: sqlite3.Connection) -> sqlite3.Connection:
    for pragma in _PRAGMAS:
        _patiently(own, pragma)
    return own


def _open_session(address: str) -> Any:
    """A connection of psycopg's, with transactions left to us."""
    try:
        import psycopg  # noqa: PLC0415 - not everybody has it
    except ModuleNotFoundError as missing:
        raise NoDriver("PostgreSQL needs psycopg: python3 -m pip install 'psycopg[binary]'") from missing
    try:
        return psycopg.connect(address, autocommit=True)
    except psycopg.Error as problem:
        raise StoreDown(str(problem)) from problem


def _found(cursor: Any) -> Found:
    if cursor.description is None:
        return Found((), cursor.rowcount)
    row = row_of(tuple([column[0] for column in cursor.description]))
    return Found([*map(row._make, cursor.fetchall())], cursor.rowcount)


def _keep_to_ourselves(file: str) -> None:
    """A new file is read by nobody else: sealed orders stand in it. SQLite gives its other files the same rights."""
    with suppress(OSError):  # SQLite will say it better
        os.close(os.open(file, os.O_CREAT | os.O_EXCL, 0o600))


def _patiently(connection: sqlite3.Connection, pragma: str) -> None:
    """The change to WAL heeds no timeout (SQLite fears that two wait for each other), so we wait ourselves."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute(pragma)
            return
        except sqlite3.OperationalError as busy:
            if busy.sqlite_errorname != "SQLITE_BUSY" or time.monotonic() > end:
                raise
        time.sleep(_NAP)


def in_our_words(raised: BaseException | None, *, is_lost: bool) -> Exception | None:
    """What a driver raised, as the host knows it; None for a fault of ours. `is_lost`: the connection is."""
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


def _is_operational(raised: object) -> bool:
    """As where a PostgreSQL can't be reached at all; it gives no code then (PEP 249)."""
    return type(raised).__name__ == "OperationalError"
