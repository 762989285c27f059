"""Leagues: their seasons, who is in them, and which games are tables of theirs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
WORDS = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """There are none yet."""
    op.create_table(
        "leagues",
        sa.Column("name", WORDS, primary_key=True),
        sa.Column("settings", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "seasons",
        sa.Column("tag", WORDS, primary_key=True),
        sa.Column("league", WORDS, sa.ForeignKey("leagues.name"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("seed", WORDS, nullable=False),
        sa.Column("terms", sa.LargeBinary, nullable=False),
        sa.Column("due", sa.BigInteger),
        sa.UniqueConstraint("league", "number", name="seasons_number"),
        sa.Index("seasons_by_due", "due"),
    )
    op.create_table(
        "season_entries",
        _of_season(),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("entry", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "entrants",
        _of_season(),
        sa.Column("person", NUMBER, sa.ForeignKey("people.id"), primary_key=True, autoincrement=False),
        *(sa.Column(name, WORDS, nullable=False) for name in ("luck", "apart", "salt", "reports")),
        sa.Column("told", sa.Integer, nullable=False),
        sa.Index("entrants_by_person", "person"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "season_tables",
        sa.Column("game", WORDS, sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("season", WORDS, sa.ForeignKey("seasons.tag"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Index("tables_by_season", "season", "number"),
        sqlite_with_rowid=False,
    )


def _of_season() -> sa.Column[str]:
    return sa.Column("season", WORDS, sa.ForeignKey("seasons.tag"), primary_key=True)
