"""What games count for in ratings, and what they made of them; how people are called in leagues."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
WORDS = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """What was played before is counted by the program, game by game."""
    op.add_column("people", sa.Column("alias", WORDS))
    op.add_column("entrants", sa.Column("called", WORDS))
    op.create_table(
        "rated",
        _of_game(),
        sa.Column("kind", WORDS, nullable=False),
        sa.Column("end", sa.BigInteger, nullable=False),
        sa.Column("seats", sa.LargeBinary, nullable=False),
        sa.Index("rated_by_end", "kind", "end", "game"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "ratings",
        sa.Column("kind", WORDS, primary_key=True),
        sa.Column("person", NUMBER, sa.ForeignKey("people.id"), primary_key=True, autoincrement=False),
        sa.Column("end", sa.BigInteger, primary_key=True, autoincrement=False),
        _of_game(),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Index("ratings_by_end", "kind", "end"),
        sa.Index("ratings_by_game", "game"),
        sqlite_with_rowid=False,
    )


def _of_game() -> sa.Column[str]:
    return sa.Column("game", WORDS, sa.ForeignKey("games.id"), primary_key=True)
