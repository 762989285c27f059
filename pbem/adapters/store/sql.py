"""The store in a database: a SQLite file, or PostgreSQL for several machines."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, delete, event, insert, make_url, select
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.exc import DBAPIError

from pbem.adapters.store.locks import AdvisoryLocks
from pbem.adapters.store.migrations import NewerDatabase, bring_up
from pbem.adapters.store.repository import SqlBooks
from pbem.adapters.store.schema import keys
from pbem.adapters.store.statements import Driver, in_our_words
from pbem.host.ports import Alone, Locks, StoreDown

__all__ = ["NewerDatabase", "NoDriver", "SqlBooks", "SqlStore", "Unusable"]

_PATIENCE = 30  # seconds that we wait for whoever else is at the file
_NAP = 0.01  # seconds between two tries

# fullfsync is on macOS what fsync is elsewhere, for there a plain fsync stops at the drive's cache.
_SQLITE = (
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
_TRACE = "secured"
_DURABLE = "durable"  # of a connection of the driver's, what it was told last

# On PostgreSQL what was read of a game must still hold at the end, as it does on SQLite with its one writer: see
# `Rows._decide`. SERIALIZABLE would see to it, too, but takes transactions about different games for conflicts where
# their rows share a page of an index, and all letters and all mail do: two workers did less than one.
_POSTGRES: dict[str, Any] = {"isolation_level": "REPEATABLE READ", "pool_pre_ping": True}


class NoDriver(Exception):
    """The library for this kind of database is not installed."""


class Unusable(Exception):
    """The database can't be opened."""


class SqlStore:
    """The books in the database at `url`, which is made or brought up to date first."""

    def __init__(self, url: str) -> None:
        self._thread = threading.local()
        self._engine = _engine(make_url(url), lambda: getattr(self._thread, "durable", True))
        is_server = self._engine.dialect.name == "postgresql"
        self.locks: Locks = AdvisoryLocks(self._engine) if is_server else Alone()
        try:
            self._bring_up()
        except (DBAPIError, StoreDown) as problem:
            self.close()
            where = self._engine.url.render_as_string(hide_password=True)
            why = problem.orig if isinstance(problem, DBAPIError) else problem
            raise Unusable(f"The database {where} can't be opened: {why}") from None
        except BaseException:
            self.close()
            raise

    def _bring_up(self) -> None:
        with self._engine.begin() as connection:
            bring_up(connection)

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[SqlBooks]:
        """The books, for as long as the block lasts: all of it happens, or nothing.

        Raises `Conflict`, `Taken` and `StoreDown`. The connection goes back to a pool and stays open.
        """
        with self._one_at_a_time(durable), self._engine.begin() as connection:
            yield SqlBooks(connection)

    def secure(self) -> None:
        """What has happened until now is durable: a write that is, and leaves no trace, takes it along."""
        with self.transaction() as books:
            books.set_mark(_TRACE, 0)
            books.set_mark(_TRACE, None)

    @property
    def fingerprint(self) -> str | None:
        """That of the key which the players' tokens are made with; None: of none, "": of one that nobody noted."""
        with self._engine.connect() as connection:
            found: str | None = connection.execute(select(keys.c.fingerprint)).scalar()
        return found

    def note_key(self, fingerprint: str) -> None:
        """The players' tokens are made with the key of this fingerprint from now on."""
        with self._engine.begin() as connection:
            connection.execute(delete(keys))
            connection.execute(insert(keys), {"fingerprint": fingerprint})

    def faults(self) -> list[str]:
        """What a database in a file finds wrong with itself. Raises `StoreDown`."""
        if self._engine.dialect.name != "sqlite":
            return []
        with self._engine.connect() as connection:
            found = connection.exec_driver_sql("PRAGMA integrity_check(10)").scalars().all()
        return [str(line) for line in found if line != "ok"]

    def size(self) -> int:
        """Bytes of the database as it lies on the disk. Raises `StoreDown`."""
        with self._engine.connect() as connection:
            if self._engine.dialect.name == "postgresql":
                return int(connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar_one())
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            return int(pages * connection.exec_driver_sql("PRAGMA page_size").scalar_one())

    def close(self) -> None:
        """Let go of the database."""
        if isinstance(self.locks, AdvisoryLocks):
            self.locks.close()
        self._engine.dispose()

    @contextmanager
    def _one_at_a_time(self, durable: bool) -> Iterator[None]:
        """A thread that opened a second transaction would wait for itself; of the one it has, is it durable?"""
        if getattr(self._thread, "busy", False):
            raise RuntimeError("this thread already has a transaction open")
        self._thread.busy, self._thread.durable = True, durable
        try:
            yield
        finally:
            self._thread.busy, self._thread.durable = False, True


def _engine(url: URL, is_durable: Callable[[], bool]) -> Engine:
    """With the begin of each transaction as the kind of database wants it."""
    if url.get_backend_name() == "sqlite":
        _keep_to_ourselves(url.database)
        engine = create_engine(url)
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", lambda connection: _begin_immediately(connection, is_durable()))
    else:
        engine = _postgres(url)
        event.listen(engine, "begin", lambda connection: None if is_durable() else _commit_at_once(connection))
    event.listen(engine, "handle_error", _in_our_words)
    return engine


def _keep_to_ourselves(file: str | None) -> None:
    """A new file is read by nobody else: sealed orders stand in it. SQLite gives its other files the same rights."""
    if file and file != ":memory:":
        with suppress(OSError):  # SQLite will say it better
            os.close(os.open(file, os.O_CREAT | os.O_EXCL, 0o600))


def _postgres(url: URL) -> Engine:
    try:
        return create_engine(url.set(drivername="postgresql+psycopg"), **_POSTGRES)
    except ModuleNotFoundError as missing:
        raise NoDriver("PostgreSQL needs psycopg: python3 -m pip install 'psycopg[binary]'") from missing


def _set_up_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # else Python begins transactions when it sees fit
    for pragma in _SQLITE:
        _patiently(connection, pragma)


def _patiently(connection: Any, pragma: str) -> None:
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


def _begin_immediately(connection: Connection, durable: bool) -> None:
    """Take the write lock before reading: two that read first and write then lose one of the changes."""
    driver = Driver(connection)
    if connection.info.get(_DURABLE) != durable:
        driver.run(_SYNCHRONOUS[durable])
        connection.info[_DURABLE] = durable
    driver.run("BEGIN IMMEDIATE")


def _commit_at_once(connection: Connection) -> None:
    """What is not durable at once is so within a second, or with the next that is (`synchronous_commit`)."""
    Driver(connection).run("SET LOCAL synchronous_commit TO OFF")


def _in_our_words(context: ExceptionContext) -> Exception | None:
    if context.is_pre_ping:  # the connection was lost while nobody needed it: another takes its place
        return None
    return in_our_words(context.original_exception, is_lost=context.is_disconnect)
