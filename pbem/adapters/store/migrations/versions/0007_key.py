"""Books that know the key which their players' tokens are made with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

WORDS = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Where there are people, there is a key as well: a lost one must not be replaced in silence."""
    keys = op.create_table("keys", sa.Column("fingerprint", WORDS, primary_key=True), sqlite_with_rowid=False)
    if op.get_bind().execute(sa.text("SELECT 1 FROM people LIMIT 1")).first():
        op.bulk_insert(keys, [{"fingerprint": ""}])
