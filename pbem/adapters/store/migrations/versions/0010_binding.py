"""Drafts that are played at an instant of their own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

WORDS = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """What is on file binds nobody yet."""
    op.add_column("papers", sa.Column("binds", sa.BigInteger))
    op.add_column("papers", sa.Column("letter", WORDS, nullable=False, server_default=""))
    op.add_column("papers", sa.Column("deputy", WORDS, nullable=False, server_default=""))
