"""Seasons that were played elsewhere: what is known of them, and ratings by games that are none of this server's."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
WORDS = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
RATED = ("game", "kind", "end", "seats")
RATINGS = ("kind", "person", "end", "game", "mu", "sigma", "games")


def upgrade() -> None:
    op.create_table(
        "imports",
        sa.Column("season", WORDS, sa.ForeignKey("seasons.tag"), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("ratings", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    for index, table in (("rated_by_end", "rated"), ("ratings_by_end", "ratings"), ("ratings_by_game", "ratings")):
        op.drop_index(index, table)
    for table in ("rated", "ratings"):
        _set_aside(table)
    op.create_table(
        "rated",
        sa.Column("game", WORDS, primary_key=True),
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
        sa.Column("game", WORDS, primary_key=True),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Index("ratings_by_end", "kind", "end"),
        sa.Index("ratings_by_game", "game"),
        sqlite_with_rowid=False,
    )
    for table, names in (("rated", RATED), ("ratings", RATINGS)):
        old, new = (sa.table(name, *map(sa.column, names)) for name in (f"old_{table}", table))
        op.execute(new.insert().from_select(names, sa.select(*old.c)))
        op.drop_table(f"old_{table}")


def _set_aside(table: str) -> None:
    """PostgreSQL keeps the name of the key with the table it was made for."""
    op.rename_table(table, f"old_{table}")
    if op.get_bind().dialect.name == "postgresql":
        op.execute(f"ALTER TABLE old_{table} RENAME CONSTRAINT {table}_pkey TO old_{table}_pkey")
