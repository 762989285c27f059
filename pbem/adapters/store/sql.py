"""The store in a database: a SQLite file, or PostgreSQL for several machines."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from pbem.adapters.store import VERSION
from pbem.adapters.store.connections import Connection, NoDriver, Transaction, connect
from pbem.adapters.store.locks import AdvisoryLocks
from pbem.adapters.store.repository import SqlBooks
from pbem.adapters.store.urls import file_of, without_password
from pbem.host.ports import Alone, Locks, StoreDown

__all__ = ["NewerDatabase", "NoDriver", "SqlBooks", "SqlStore", "Unusable"]

_TRACE = "secured"
_HAS_VERSION = {
    "sqlite": "SELECT name FROM sqlite_master WHERE name = 'alembic_version'",
    "postgresql": "SELECT to_regclass('alembic_version')",
}


class Unusable(Exception):
    """The database can't be opened."""


class NewerDatabase(Exception):
    """The database was written by a newer program."""

    def __init__(self, version: str) -> None:
        super().__init__(
            f"The database is at version {version} and this program knows only up to {VERSION}: "
            "please use the newer program, or an older copy of the database."
        )


class SqlStore:
    """The books in the database at `url`, which is made or brought up to date first."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._thread = threading.local()
        self._idle: list[Connection] = []
        self.locks: Locks = Alone() if file_of(url) else AdvisoryLocks(lambda: connect(url))
        try:
            self._bring_up()
        except StoreDown as problem:
            self.close()
            raise Unusable(f"The database {without_password(url)} can't be opened: {problem}") from None
        except BaseException:
            self.close()
            raise

    def _bring_up(self) -> None:
        """Whoever finds the tables as they should be needs nobody to make them."""
        with self.statements() as books:
            version = _version(books)
        if version is not None and version > VERSION:
            raise NewerDatabase(version)
        if version != VERSION:
            from pbem.adapters.store.migrations import bring_up  # noqa: PLC0415 - it takes long to import

            bring_up(self.url)

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[SqlBooks]:
        """The books, for as long as the block lasts: all of it happens, or nothing.

        Raises `Conflict`, `Taken` and `StoreDown`. The connection is kept open for the next.
        """
        with self._one_at_a_time(), self.statements(durable=durable) as transaction:
            yield SqlBooks(transaction)

    @contextmanager
    def statements(self, *, durable: bool = True) -> Iterator[Transaction]:
        """Statements in SQL instead of the books. Raises as `transaction`, and what the driver has against them."""
        connection = self._begun(durable)
        transaction = Transaction(connection)
        try:
            yield transaction
            connection.commit()
        except BaseException:
            connection.take_back()
            raise
        finally:
            transaction.end()
            if not connection.is_lost:
                self._idle.append(connection)

    def _begun(self, durable: bool) -> Connection:
        """A connection that was lost while nobody needed it is replaced by another."""
        while True:
            kept = self._kept()
            connection = connect(self.url) if kept is None else kept
            try:
                connection.begin(durable=durable)
            except StoreDown:
                if not connection.is_lost:
                    self._idle.append(connection)
                if kept is None or not connection.is_lost:
                    raise
            else:
                return connection

    def _kept(self) -> Connection | None:
        """One that nobody needs just now; another thread may be asking for it, too."""
        with suppress(IndexError):
            return self._idle.pop()
        return None

    def secure(self) -> None:
        """What has happened until now is durable: a write that is, and leaves no trace, takes it along."""
        with self.transaction() as books:
            books.set_mark(_TRACE, 0)
            books.set_mark(_TRACE, None)

    @property
    def fingerprint(self) -> str | None:
        """That of the key which the players' tokens are made with; None: of none, "": of one that nobody noted."""
        with self.statements() as books:
            found: str | None = books.run("SELECT fingerprint FROM keys").scalar()
        return found

    def note_key(self, fingerprint: str) -> None:
        """The players' tokens are made with the key of this fingerprint from now on."""
        with self.statements() as books:
            books.run("DELETE FROM keys")
            books.run("INSERT INTO keys (fingerprint) VALUES (:fingerprint)", {"fingerprint": fingerprint})

    def faults(self) -> list[str]:
        """What a database in a file finds wrong with itself. Raises `StoreDown`."""
        with self.statements() as books:
            if books.kind != "sqlite":
                return []
            return [line for line in books.run("PRAGMA integrity_check(10)").scalars() if line != "ok"]

    def size(self) -> int:
        """Bytes of the database as it lies on the disk. Raises `StoreDown`."""
        with self.statements() as books:
            if books.kind == "postgresql":
                return int(books.run("SELECT pg_database_size(current_database())").scalar())
            return int(books.run("PRAGMA page_count").scalar() * books.run("PRAGMA page_size").scalar())

    def close(self) -> None:
        """Let go of the database."""
        if isinstance(self.locks, AdvisoryLocks):
            self.locks.close()
        while (connection := self._kept()) is not None:
            connection.close()

    @contextmanager
    def _one_at_a_time(self) -> Iterator[None]:
        """A thread that opened a second transaction would wait for itself."""
        if getattr(self._thread, "busy", False):
            raise RuntimeError("this thread already has a transaction open")
        self._thread.busy = True
        try:
            yield
        finally:
            self._thread.busy = False


def _version(books: Transaction) -> str | None:
    """None where there are no tables yet."""
    if books.run(_HAS_VERSION[books.kind]).scalar() is None:
        return None
    found: str | None = books.run("SELECT version_num FROM alembic_version").scalar()
    return found
