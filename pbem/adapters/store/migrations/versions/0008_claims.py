"""Addresses that were asked for stand apart from those that people have, and old tickets get an end."""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
WORDS = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
addresses = sa.table("addresses", *map(sa.column, ("address", "person", "added", "verified")))
people = sa.table("people", sa.column("address"))
marks = sa.table("marks", *map(sa.column, ("name", "at")))
unanswered = sa.and_(addresses.c.verified.is_(None), addresses.c.address.not_in(sa.select(people.c.address)))


def upgrade() -> None:
    """An address that has not answered is nobody's yet, unless our letters go there."""
    claims = op.create_table(
        "claims",
        sa.Column("person", NUMBER, sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("address", WORDS, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    asked = sa.select(addresses.c.person, addresses.c.address, addresses.c.added).where(unanswered)
    op.execute(sa.insert(claims).from_select(["person", "address", "at"], asked))
    op.execute(sa.delete(addresses).where(unanswered))
    op.bulk_insert(marks, [{"name": "tickets", "at": int(time.time())}])
