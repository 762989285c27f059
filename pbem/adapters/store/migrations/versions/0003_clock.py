"""What the clock has to do with a slot next, which is not only to close it at its deadline."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """The slots there are have no grace: the clock closes them when their deadline is over."""
    for name in ("closes", "due", "overdue"):
        op.add_column("slots", sa.Column(name, sa.BigInteger()))
    op.add_column("slots", sa.Column("granted", sa.Integer, nullable=False, server_default="0"))
    op.execute("UPDATE slots SET closes = deadline + 1, due = deadline")
    op.drop_index("slots_by_deadline", "slots")
    op.create_index("slots_by_due", "slots", ["due"])
