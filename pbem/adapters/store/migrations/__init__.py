"""Brings a database to the newest version of the schema.

Alembic takes most of a second to import, so it is asked only when there is a step to take: a fresh
database is made from the tables at once (a test holds the two ways equal), a current one is left alone.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, insert, inspect, select, text

from pbem.adapters.store import VERSION
from pbem.adapters.store.schema import metadata, stamp

_LOCK = 1_886_545_261  # "pbem" in bytes: what two daemons starting on one PostgreSQL agree upon


class NewerDatabase(Exception):
    """The database was written by a newer program."""

    def __init__(self, version: str) -> None:
        super().__init__(
            f"The database is at version {version} and this program knows only up to {VERSION}: "
            "please use the newer program, or an older copy of the database."
        )


def bring_up(connection: Connection) -> None:
    """Make or migrate the tables, inside the transaction that the connection is in."""
    _wait_for_other_daemons(connection)
    version = _version(connection)
    if version is None:
        _create(connection)
    elif version > VERSION:
        raise NewerDatabase(version)
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
        # Who has waited must see what the other daemon made, and not what was there when they began.
        connection.execute(text("SET TRANSACTION ISOLATION LEVEL READ COMMITTED"))
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
