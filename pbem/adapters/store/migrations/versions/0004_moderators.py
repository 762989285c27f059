"""Moderators without a seat get reports, as players do, and choose which."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_WORDS = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Those there are have been told nothing; what is over needs no report any more."""
    op.add_column("moderators", sa.Column("reports", _WORDS, nullable=False, server_default="all"))
    op.add_column("moderators", sa.Column("told", sa.Integer, nullable=False, server_default="-1"))
    last = "SELECT max(entries.seq) FROM entries WHERE entries.game = moderators.game"
    op.execute(f"UPDATE moderators SET told = coalesce(({last}), -1)")
