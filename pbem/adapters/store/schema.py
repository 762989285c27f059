"""The tables of the books.

One schema for SQLite and PostgreSQL. Instants are whole seconds UTC, in 64 bits: PostgreSQL's plain
integer ends in 2038.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

VERSION = "0008"  # the newest file in migrations/versions; the numbers sort as text


class Words(TypeDecorator[str]):
    """Text that sorts by code point everywhere and can always be stored.

    A hostile letter's subject may hold what no database takes: a lone surrogate, or NUL.
    """

    impl = Text().with_variant(Text(collation="C"), "postgresql")
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None or (value.isascii() and "\0" not in value):
            return value
        return value.encode("utf-8", "replace").decode().replace("\0", "?")


class Seats(TypeDecorator[tuple[str, ...]]):
    """Seats with commas between them, or "all"."""

    impl = Words
    cache_ok = True

    def process_bind_param(self, value: tuple[str, ...] | None, dialect: Dialect) -> str | None:
        return None if value is None else ",".join(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[str, ...] | None:
        return None if value is None else tuple(value.split(","))


# SQLite counts rows by itself only in a column that is plainly INTEGER.
Number = BigInteger().with_variant(Integer, "sqlite")

# Without the hidden row number a small row is kept once, in its key, and not twice.
_SMALL: dict[str, Any] = {"sqlite_with_rowid": False}

metadata = MetaData()


def _of_game() -> Column[str]:
    return Column("game", Words, ForeignKey("games.id"), primary_key=True)


games = Table(
    "games",
    metadata,
    Column("id", Words, primary_key=True),
    Column("status", Words, nullable=False),
    Column("setup", LargeBinary, nullable=False),
    Column("secret", Words, nullable=False),
    Column("created", BigInteger, nullable=False),
    Index("games_by_status", "status"),
)

people = Table(
    "people",
    metadata,
    Column("id", Number, primary_key=True),
    Column("name", Words, nullable=False),
    Column("address", Words, nullable=False),
    Column("language", Words, nullable=False),
    Column("zone", Words, nullable=False),
    Column("keys", Integer, nullable=False),
    Column("calendar", Boolean, nullable=False, server_default=false()),
)

addresses = Table(
    "addresses",
    metadata,
    Column("address", Words, primary_key=True),
    Column("person", Number, ForeignKey("people.id"), nullable=False),
    Column("added", BigInteger, nullable=False),
    Column("verified", BigInteger),
    Column("failures", Integer, nullable=False),
    Index("addresses_by_person", "person"),
    **_SMALL,
)

claims = Table(  # addresses that have not answered yet, and may be anybody's
    "claims",
    metadata,
    Column("person", Number, ForeignKey("people.id"), primary_key=True),
    Column("address", Words, primary_key=True),
    Column("at", BigInteger, nullable=False),
    **_SMALL,
)

members = Table(
    "members",
    metadata,
    _of_game(),
    Column("seat", Words, primary_key=True),
    Column("place", Integer, nullable=False),  # the order in which they were named
    Column("person", Number, ForeignKey("people.id"), nullable=False),
    Column("joined", BigInteger),
    Column("reports", Words, nullable=False),
    Column("told", Integer, nullable=False),
    Index("members_by_person", "person"),
    **_SMALL,
)

moderators = Table(
    "moderators",
    metadata,
    _of_game(),
    Column("person", Number, ForeignKey("people.id"), primary_key=True),
    Column("reports", Words, nullable=False, server_default="all"),
    Column("told", Integer, nullable=False, server_default="-1"),
    Index("moderators_by_person", "person"),
    **_SMALL,
)

waiting = Table(  # who would take a seat that becomes free
    "waiting",
    metadata,
    Column("person", Number, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("since", BigInteger, nullable=False),
)

entries = Table(
    "entries",
    metadata,
    _of_game(),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("entry", LargeBinary, nullable=False),
)

papers = Table(
    "papers",
    metadata,
    _of_game(),
    Column("seat", Words, primary_key=True),
    Column("kind", Words, primary_key=True),
    Column("key", Words, primary_key=True),
    Column("text", Words, nullable=False),
    Column("at", BigInteger, nullable=False),
    **_SMALL,
)

press = Table(
    "press",
    metadata,
    _of_game(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("seat", Words, nullable=False),
    Column("to", Seats, nullable=False),
    Column("text", Words, nullable=False),
    Column("answer", Words, nullable=False),
)

letters = Table(
    "letters",
    metadata,
    Column("id", Words, primary_key=True),
    Column("uidvalidity", BigInteger, nullable=False),  # with the uid, where it lay in the mailbox (RFC 3501 2.3.1.1)
    Column("uid", BigInteger, nullable=False),
    Column("arrived", BigInteger, nullable=False),
    Column("sender", Words, nullable=False),
    Column("subject", Words, nullable=False),
    Column("game", Words),  # as the letter names it: it need not exist
    Column("fate", Words, nullable=False),
    Index("letters_by_fate", "fate", "arrived"),
    **_SMALL,
)

raws = Table(
    "raws",
    metadata,
    Column("letter", Words, primary_key=True),  # the id of one of `letters`
    Column("raw", LargeBinary, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("cut", BigInteger),
    Column("again", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),  # when it was put by
    Column("kept", Boolean, nullable=False),  # until a person drops it
    Index("raws_by_kept", "kept", "at"),
)

tallies = Table(
    "tallies",
    metadata,
    Column("name", Words, primary_key=True),  # answered ignored fault
    Column("number", BigInteger, nullable=False),
    **_SMALL,
)

outbox = Table(
    "outbox",
    metadata,
    Column("number", Number, primary_key=True),  # what was posted first goes out first
    Column("id", Words, nullable=False),
    Column("to", Words, nullable=False),
    Column("kind", Words, nullable=False),
    Column("data", LargeBinary, nullable=False),
    Column("game", Words),
    Column("seat", Words),
    Column("created", BigInteger, nullable=False),
    Column("due", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("state", Words, nullable=False),  # queued sent dead dropped
    Column("sent", BigInteger),
    Column("reason", Words),  # why it is dead
    UniqueConstraint("id", name="outbox_id"),
    Index("outbox_by_state_and_due", "state", "due", "number"),
    Index("outbox_by_sent", "sent"),
)

slots = Table(
    "slots",
    metadata,
    _of_game(),
    Column("key", Words, primary_key=True),
    Column("seat", Words, nullable=False),
    Column("opened", BigInteger, nullable=False),
    Column("started", BigInteger),
    Column("deadline", BigInteger),
    Column("closes", BigInteger),
    Column("due", BigInteger),
    Column("overdue", BigInteger),
    Column("granted", Integer, nullable=False, server_default="0"),
    Index("slots_by_due", "due"),
    **_SMALL,
)

marks = Table(
    "marks",
    metadata,
    Column("name", Words, primary_key=True),  # polled, "moved" and a game, "mailbox.down" and the like
    Column("at", BigInteger, nullable=False),
    **_SMALL,
)

keys = Table(  # the one line tells which secret key the players' tokens are made with
    "keys",
    metadata,
    Column("fingerprint", Words, primary_key=True),  # "" where a release before 0.4 made it: any key is taken once
    **_SMALL,
)

# Alembic's own table, as Alembic would make it; it stands apart so that comparisons leave it out.
stamp = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
