"""Makes the tables, or brings those of an older program to the newest version of the schema.

SQLAlchemy takes a third of a second to import, and Alembic most of another one: the first is asked only where there is
something to make, and the second where there is a step to take. A fresh database is made from the tables at once (a
test holds the two ways equal).
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, insert, inspect, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from pbem.adapters.store import VERSION
from pbem.adapters.store.connections import connect
from pbem.adapters.store.schema import metadata, stamp
from pbem.adapters.store.urls import file_of
from pbem.host.ports import StoreDown

_LOCK = 1_886_545_261  # "pbem" in bytes: what two daemons starting on one PostgreSQL agree upon
_DIALECTS = {"sqlite": "sqlite://", "postgresql": "postgresql+psycopg://"}


def bring_up(url: str) -> None:
    """Make or migrate the tables: all of it, or nothing. Raises `StoreDown`."""
    engine = engine_at(url)
    try:
        with engine.begin() as connection:
            _bring_up(connection)
    except DBAPIError as problem:
        raise StoreDown(str(problem.orig)) from problem
    finally:
        engine.dispose()


def engine_at(url: str) -> Engine:
    """SQLAlchemy's way to a database, which begins transactions by itself; it keeps no connection open."""
    kind = "postgresql" if file_of(url) is None else "sqlite"
    engine = create_engine(_DIALECTS[kind], creator=lambda: _own(url), poolclass=NullPool)
    if kind == "sqlite":
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    return engine


def _own(url: str) -> Any:
    own = connect(url).own
    if not isinstance(own, sqlite3.Connection):
        own.autocommit = False
    return own


def _bring_up(connection: Connection) -> None:
    """Somebody else may have done it meanwhile."""
    _wait_for_other_daemons(connection)
    version = _version(connection)
    if version is None:
        _create(connection)
    elif version < VERSION:
        migrate(connection)


def migrate(connection: Connection, upto: str = "head") -> None:
    """Take every step that is not yet taken, one after the other, up to that one."""
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, upto)


def _wait_for_other_daemons(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":  # on SQLite the transaction itself is the lock
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table(stamp.name):
        return None
    return connection.execute(select(stamp.c.version_num)).scalar()


def _create(connection: Connection) -> None:
    """A table that is already there under one of our names is somebody else's, and an error."""
    metadata.create_all(connection, checkfirst=False)
    stamp.create(connection)
    connection.execute(insert(stamp), {"version_num": VERSION})
