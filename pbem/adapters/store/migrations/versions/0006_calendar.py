"""People who want the deadlines of their turns as files for a calendar."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody has asked for them yet."""
    op.add_column("people", sa.Column("calendar", sa.Boolean, nullable=False, server_default=sa.false()))
