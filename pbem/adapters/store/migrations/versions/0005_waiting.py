"""People who would take a seat that becomes free."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Nobody waits yet."""
    op.create_table(
        "waiting",
        sa.Column("person", NUMBER, sa.ForeignKey("people.id"), primary_key=True, autoincrement=False),
        sa.Column("since", sa.BigInteger, nullable=False),
    )
