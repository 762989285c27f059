"""Who would take a seat over in a league."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
WORDS = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "reserves",
        sa.Column("league", WORDS, sa.ForeignKey("leagues.name"), primary_key=True),
        sa.Column("person", NUMBER, sa.ForeignKey("people.id"), primary_key=True, autoincrement=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("most", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
