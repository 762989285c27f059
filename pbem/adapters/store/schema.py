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
    Double,
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
from sqlalchemy.schema import SchemaItem

Words = Text().with_variant(Text(collation="C"), "postgresql")  # sorts by code point everywhere

# SQLite counts rows by itself only in a column that is plainly INTEGER.
Number = BigInteger().with_variant(Integer, "sqlite")

metadata = MetaData()


def _table(name: str, *parts: SchemaItem, small: bool = False) -> Table:
    """Without the hidden row number a small row is kept once, in its key, and not twice."""
    return Table(name, metadata, *parts, sqlite_with_rowid=not small)


def _each(kind: Any, *names: str, nullable: bool = False, primary_key: bool = False) -> list[Column[Any]]:
    """Columns of one kind."""
    return [Column(name, kind, nullable=nullable, primary_key=primary_key) for name in names]


def _of_game() -> Column[str]:
    return Column("game", Words, ForeignKey("games.id"), primary_key=True)


def _of_season() -> Column[str]:
    return Column("season", Words, ForeignKey("seasons.tag"), primary_key=True)


games = _table(
    "games",
    Column("id", Words, primary_key=True),
    Column("status", Words, nullable=False),
    Column("setup", LargeBinary, nullable=False),
    Column("secret", Words, nullable=False),
    Column("created", BigInteger, nullable=False),
    Index("games_by_status", "status"),
)

people = _table(
    "people",
    Column("id", Number, primary_key=True),
    *_each(Words, "name", "address", "language", "zone"),
    Column("keys", Integer, nullable=False),
    Column("calendar", Boolean, nullable=False, server_default=false()),
    Column("page", Boolean),
    Column("alias", Words),
)

addresses = _table(
    "addresses",
    Column("address", Words, primary_key=True),
    Column("person", Number, ForeignKey("people.id"), nullable=False),
    Column("added", BigInteger, nullable=False),
    Column("verified", BigInteger),
    Column("failures", Integer, nullable=False),
    Index("addresses_by_person", "person"),
    small=True,
)

claims = _table(  # addresses that have not answered yet, and may be anybody's
    "claims",
    Column("person", Number, ForeignKey("people.id"), primary_key=True),
    Column("address", Words, primary_key=True),
    Column("at", BigInteger, nullable=False),
    small=True,
)

members = _table(
    "members",
    _of_game(),
    Column("seat", Words, primary_key=True),
    Column("place", Integer, nullable=False),  # the order in which they were named
    Column("person", Number, ForeignKey("people.id"), nullable=False),
    Column("joined", BigInteger),
    Column("reports", Words, nullable=False),
    Column("told", Integer, nullable=False),
    Index("members_by_person", "person"),
    small=True,
)

moderators = _table(
    "moderators",
    _of_game(),
    Column("person", Number, ForeignKey("people.id"), primary_key=True),
    Column("reports", Words, nullable=False, server_default="all"),
    Column("told", Integer, nullable=False, server_default="-1"),
    Index("moderators_by_person", "person"),
    small=True,
)

waiting = _table(  # who would take a seat that becomes free
    "waiting",
    Column("person", Number, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("since", BigInteger, nullable=False),
)

entries = _table(
    "entries",
    _of_game(),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("entry", LargeBinary, nullable=False),
)

papers = _table(
    "papers",
    _of_game(),
    *_each(Words, "seat", "kind", "key", primary_key=True),
    Column("text", Words, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("binds", BigInteger),
    *(Column(name, Words, nullable=False, server_default="") for name in ("letter", "deputy")),
    small=True,
)

press = _table(
    "press",
    _of_game(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("seat", Words, nullable=False),
    Column("to", Words, nullable=False),  # seats with commas between them, or "all"
    *_each(Words, "text", "answer"),
)

letters = _table(
    "letters",
    Column("id", Words, primary_key=True),
    Column("uidvalidity", BigInteger, nullable=False),  # with the uid, where it lay in the mailbox (RFC 3501 2.3.1.1)
    *_each(BigInteger, "uid", "arrived"),
    *_each(Words, "sender", "subject"),
    Column("game", Words),  # as the letter names it: it need not exist
    Column("fate", Words, nullable=False),
    Index("letters_by_fate", "fate", "arrived"),
    Index("letters_by_game", "game", "arrived"),
    small=True,
)

raws = _table(
    "raws",
    Column("letter", Words, primary_key=True),  # the id of one of `letters`
    Column("raw", LargeBinary, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("cut", BigInteger),
    Column("again", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),  # when it was put by
    Column("kept", Boolean, nullable=False),  # until a person drops it
    Index("raws_by_kept", "kept", "at"),
)

tallies = _table(
    "tallies",
    Column("name", Words, primary_key=True),  # answered ignored fault
    Column("number", BigInteger, nullable=False),
    small=True,
)

outbox = _table(
    "outbox",
    Column("number", Number, primary_key=True),  # what was posted first goes out first
    *_each(Words, "id", "to", "kind"),
    Column("data", LargeBinary, nullable=False),
    *_each(Words, "game", "seat", nullable=True),
    *_each(BigInteger, "created", "due"),
    Column("attempts", Integer, nullable=False),
    Column("state", Words, nullable=False),  # queued sent dead dropped
    Column("sent", BigInteger),
    Column("reason", Words),  # why it is dead
    UniqueConstraint("id", name="outbox_id"),
    Index("outbox_by_state_and_due", "state", "due", "number"),
    Index("outbox_by_sent", "sent"),
    Index("outbox_by_game", "game"),
)

slots = _table(
    "slots",
    _of_game(),
    Column("key", Words, primary_key=True),
    Column("seat", Words, nullable=False),
    Column("opened", BigInteger, nullable=False),
    *_each(BigInteger, "started", "deadline", "closes", "due", "overdue", nullable=True),
    Column("granted", Integer, nullable=False, server_default="0"),
    Index("slots_by_due", "due"),
    small=True,
)

marks = _table(
    "marks",
    Column("name", Words, primary_key=True),  # polled, "moved" and a game, "mailbox.down" and the like
    Column("at", BigInteger, nullable=False),
    small=True,
)

keys = _table(  # the one line tells which secret key the players' tokens are made with
    "keys",
    Column("fingerprint", Words, primary_key=True),  # "" where a release before 0.4 made it: any key is taken once
    small=True,
)

# -- leagues ---

leagues = _table(
    "leagues",
    Column("name", Words, primary_key=True),
    Column("settings", LargeBinary, nullable=False),
    Column("created", BigInteger, nullable=False),
)

seasons = _table(
    "seasons",
    Column("tag", Words, primary_key=True),
    Column("league", Words, ForeignKey("leagues.name"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("seed", Words, nullable=False),
    Column("terms", LargeBinary, nullable=False),
    Column("due", BigInteger),
    UniqueConstraint("league", "number", name="seasons_number"),
    Index("seasons_by_due", "due"),
)

season_entries = _table(
    "season_entries",
    _of_season(),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("entry", LargeBinary, nullable=False),
)

entrants = _table(
    "entrants",
    _of_season(),
    Column("person", Number, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    *_each(Words, "luck", "apart", "salt", "reports"),
    Column("told", Integer, nullable=False),
    Column("called", Words),
    Index("entrants_by_person", "person"),
    small=True,
)

season_tables = _table(
    "season_tables",
    Column("game", Words, ForeignKey("games.id"), primary_key=True),
    Column("season", Words, ForeignKey("seasons.tag"), nullable=False),
    Column("number", Integer, nullable=False),
    Index("tables_by_season", "season", "number"),
    small=True,
)

imports = _table(  # seasons that were played elsewhere
    "imports",
    _of_season(),
    Column("at", BigInteger, nullable=False),
    Column("ratings", LargeBinary, nullable=False),
    small=True,
)

reserves = _table(  # who would take a seat over in a league
    "reserves",
    Column("league", Words, ForeignKey("leagues.name"), primary_key=True),
    Column("person", Number, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("since", BigInteger, nullable=False),
    Column("most", Integer, nullable=False),
    small=True,
)

rated = _table(  # what every game that is over counts for in the ratings of what it is a game of
    "rated",
    Column("game", Words, primary_key=True),  # or how a table is called that was played elsewhere
    Column("kind", Words, nullable=False),
    Column("end", BigInteger, nullable=False),
    Column("seats", LargeBinary, nullable=False),
    Index("rated_by_end", "kind", "end", "game"),
    small=True,
)

ratings = _table(  # what each of them made of somebody's rating: it follows from `rated`, game by game
    "ratings",
    Column("kind", Words, primary_key=True),
    Column("person", Number, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    *_each(BigInteger, "end", primary_key=True),
    Column("game", Words, primary_key=True),
    *_each(Double, "mu", "sigma"),
    Column("games", Integer, nullable=False),
    Index("ratings_by_end", "kind", "end"),
    Index("ratings_by_game", "game"),
    small=True,
)

# Alembic's own table, as Alembic would make it; it stands apart so that comparisons leave it out.
stamp = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
