"""New databases for the tests: SQLite files, and a PostgreSQL that is emptied each time."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.pool import NullPool

DATABASES = ("sqlite", "postgres")


def url_of(kind: str, request: pytest.FixtureRequest) -> str:
    """The url of an empty database of that kind, for one test."""
    if kind == "sqlite":
        return f"sqlite:///{request.getfixturevalue('tmp_path') / 'pbem.db'}"
    url: str = request.getfixturevalue("postgres")
    with engine(url).begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    return url


def engine(url: str) -> Engine:
    """An engine of the test's own, beside the store's; it keeps no connection open."""
    return create_engine(url, poolclass=NullPool)
