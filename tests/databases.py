"""New databases for the tests: SQLite files, and a PostgreSQL that is emptied each time."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from sqlalchemy import text

from pbem.adapters.store.migrations import engine_at
from pbem.adapters.store.schema import metadata, stamp
from pbem.adapters.store.sql import SqlStore
from tests.fakes import new_books

DATABASES = ("sqlite", "postgres")
_ROWS = [f"DELETE FROM {table.name};" for table in reversed(metadata.sorted_tables) if table is not stamp]
EMPTY = f"""
{" ".join(_ROWS)}
DO $$ DECLARE each text; BEGIN
  FOR each IN SELECT sequencename FROM pg_sequences WHERE schemaname = 'public' LOOP
    EXECUTE 'ALTER SEQUENCE ' || quote_ident(each) || ' RESTART';
  END LOOP;
END $$
"""
_made: set[str] = set()  # where tables are as a store makes them


def url_of(kind: str, request: pytest.FixtureRequest) -> str:
    """The url of an empty database of that kind, for one test."""
    if kind == "sqlite":
        return f"sqlite:///{request.getfixturevalue('tmp_path') / 'pbem.db'}"
    url: str = request.getfixturevalue("postgres")
    _made.discard(url)
    with engine_at(url).begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    return url


def books_of(kind: str, request: pytest.FixtureRequest) -> str:
    """The same with the tables of a store in it, which are copied or emptied faster than they are made."""
    if kind == "sqlite":
        url = url_of(kind, request)
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as file:
            new_books().backup(file)
        return url
    url = request.getfixturevalue("postgres")
    if url not in _made:
        SqlStore(url_of(kind, request)).close()
        _made.add(url)
    with engine_at(url).begin() as connection:
        connection.execute(text(EMPTY))
    return url
