"""People who want the page to order from with their letters, or never."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody has said."""
    op.add_column("people", sa.Column("page", sa.Boolean))
