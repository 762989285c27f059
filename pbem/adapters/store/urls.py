"""Where a database is, as the settings say it: `sqlite:///` and a file, or the address of a PostgreSQL server."""

from __future__ import annotations

import re

_FILE = "sqlite:///"


def file_of(url: str) -> str | None:
    """The file that a database is in; None where a server has it."""
    return url.removeprefix(_FILE) if url.startswith(_FILE) else None


def address_of(url: str) -> str:
    """The address of a server as PostgreSQL's own programs take it.

    https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS
    """
    return url.replace("+psycopg://", "://", 1)


def without_password(url: str) -> str:
    """As anybody may read it."""
    return re.sub(r"(?<=password=)[^&]*", "***", re.sub(r"(?<=://)([^/@]*?):[^/@]*(?=@)", r"\1:***", url))
