"""The tables of the first release.

A migration is a record: it spells everything out and is never changed when the schema moves on.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_WORDS = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_INSTANT = sa.BigInteger()


def upgrade() -> None:
    """Make all tables."""
    _make_games()
    _make_entries()
    _make_post()
    _make_clock()


def _of_game() -> sa.Column[str]:
    return sa.Column("game", _WORDS, sa.ForeignKey("games.id"), primary_key=True)


def _make_games() -> None:
    op.create_table(
        "games",
        sa.Column("id", _WORDS, primary_key=True),
        sa.Column("status", _WORDS, nullable=False),
        sa.Column("setup", sa.LargeBinary, nullable=False),
        sa.Column("secret", _WORDS, nullable=False),
        sa.Column("created", _INSTANT, nullable=False),
    )
    op.create_index("games_by_status", "games", ["status"])
    op.create_table(
        "members",
        _of_game(),
        sa.Column("seat", _WORDS, primary_key=True),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("address", _WORDS, nullable=False),
        sa.Column("name", _WORDS, nullable=False),
        sa.Column("joined", _INSTANT),
        sa.Column("language", _WORDS, nullable=False),
        sa.Column("zone", _WORDS, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("members_by_address", "members", ["address"])


def _make_entries() -> None:
    op.create_table(
        "entries",
        _of_game(),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("entry", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "papers",
        _of_game(),
        sa.Column("seat", _WORDS, primary_key=True),
        sa.Column("kind", _WORDS, primary_key=True),
        sa.Column("key", _WORDS, primary_key=True),
        sa.Column("text", _WORDS, nullable=False),
        sa.Column("at", _INSTANT, nullable=False),
        sqlite_with_rowid=False,
    )


def _make_post() -> None:
    op.create_table(
        "letters",
        sa.Column("id", _WORDS, primary_key=True),
        sa.Column("uidvalidity", _INSTANT, nullable=False),
        sa.Column("uid", _INSTANT, nullable=False),
        sa.Column("arrived", _INSTANT, nullable=False),
        sa.Column("sender", _WORDS, nullable=False),
        sa.Column("subject", _WORDS, nullable=False),
        sa.Column("game", _WORDS),
        sa.Column("fate", _WORDS, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "outbox",
        sa.Column("number", _NUMBER, primary_key=True),
        sa.Column("id", _WORDS, nullable=False),
        sa.Column("to", _WORDS, nullable=False),
        sa.Column("kind", _WORDS, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("game", _WORDS),
        sa.Column("seat", _WORDS),
        sa.Column("created", _INSTANT, nullable=False),
        sa.Column("due", _INSTANT, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("state", _WORDS, nullable=False),
        sa.Column("sent", _INSTANT),
        sa.Column("reason", _WORDS),
        sa.UniqueConstraint("id", name="outbox_id"),
    )
    op.create_index("outbox_by_state_and_due", "outbox", ["state", "due", "number"])


def _make_clock() -> None:
    op.create_table(
        "slots",
        _of_game(),
        sa.Column("key", _WORDS, primary_key=True),
        sa.Column("seat", _WORDS, nullable=False),
        sa.Column("opened", _INSTANT, nullable=False),
        sa.Column("started", _INSTANT),
        sa.Column("deadline", _INSTANT),
        sqlite_with_rowid=False,
    )
    op.create_index("slots_by_deadline", "slots", ["deadline"])
    op.create_table(
        "marks",
        sa.Column("name", _WORDS, primary_key=True),
        sa.Column("at", _INSTANT, nullable=False),
        sqlite_with_rowid=False,
    )
