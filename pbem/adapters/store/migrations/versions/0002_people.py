"""People, who may have several addresses and sit in several games; what they write to each other and to us."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_WORDS = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_INSTANT = sa.BigInteger()


def upgrade() -> None:
    """One person for each address there has been; they keep what they chose last."""
    _make_people()
    _seat_people()
    _seat_moderators()
    _keep_press()
    _keep_letters()


def _make_people() -> None:
    op.create_table(
        "people",
        sa.Column("id", _NUMBER, primary_key=True),
        sa.Column("name", _WORDS, nullable=False),
        sa.Column("address", _WORDS, nullable=False),
        sa.Column("language", _WORDS, nullable=False),
        sa.Column("zone", _WORDS, nullable=False),
        sa.Column("keys", sa.Integer, nullable=False),
    )
    op.create_table(
        "addresses",
        sa.Column("address", _WORDS, primary_key=True),
        sa.Column("person", _NUMBER, sa.ForeignKey("people.id"), nullable=False),
        sa.Column("added", _INSTANT, nullable=False),
        sa.Column("verified", _INSTANT),
        sa.Column("failures", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("addresses_by_person", "addresses", ["person"])


def _seat_people() -> None:
    op.drop_index("members_by_address", "members")
    op.rename_table("members", "members_before")
    _make_members()
    op.execute(
        "INSERT INTO people (name, address, language, zone, keys) "
        "SELECT m.name, m.address, m.language, m.zone, 0 FROM members_before m JOIN games g ON g.id = m.game "
        "WHERE NOT EXISTS (SELECT 1 FROM members_before n JOIN games h ON h.id = n.game WHERE n.address = m.address "
        "AND (h.created > g.created OR (h.created = g.created AND h.id > g.id))) ORDER BY g.created, g.id, m.place"
    )
    op.execute(
        "INSERT INTO addresses (address, person, added, verified, failures) "
        "SELECT p.address, p.id, min(g.created), min(m.joined), 0 FROM people p "
        "JOIN members_before m ON m.address = p.address JOIN games g ON g.id = m.game GROUP BY p.address, p.id"
    )
    op.execute(
        "INSERT INTO members (game, seat, place, person, joined, reports, told) "
        "SELECT m.game, m.seat, m.place, p.id, m.joined, 'all', "
        "coalesce((SELECT max(e.seq) FROM entries e WHERE e.game = m.game), -1) "
        "FROM members_before m JOIN people p ON p.address = m.address"
    )
    op.drop_table("members_before")


def _make_members() -> None:
    op.create_table(
        "members",
        sa.Column("game", _WORDS, sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seat", _WORDS, primary_key=True),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("person", _NUMBER, sa.ForeignKey("people.id"), nullable=False),
        sa.Column("joined", _INSTANT),
        sa.Column("reports", _WORDS, nullable=False),
        sa.Column("told", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("members_by_person", "members", ["person"])


def _seat_moderators() -> None:
    op.create_table(
        "moderators",
        sa.Column("game", _WORDS, sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("person", _NUMBER, sa.ForeignKey("people.id"), primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_index("moderators_by_person", "moderators", ["person"])


def _keep_press() -> None:
    op.create_table(
        "press",
        sa.Column("game", _WORDS, sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", _INSTANT, nullable=False),
        sa.Column("seat", _WORDS, nullable=False),
        sa.Column("to", _WORDS, nullable=False),
        sa.Column("text", _WORDS, nullable=False),
        sa.Column("answer", _WORDS, nullable=False),
    )


def _keep_letters() -> None:
    op.create_table(
        "raws",
        sa.Column("letter", _WORDS, primary_key=True),
        sa.Column("raw", sa.LargeBinary, nullable=False),
        sa.Column("size", _INSTANT, nullable=False),
        sa.Column("cut", _INSTANT),
        sa.Column("again", sa.Integer, nullable=False),
        sa.Column("at", _INSTANT, nullable=False),
        sa.Column("kept", sa.Boolean, nullable=False),
    )
    op.create_index("raws_by_kept", "raws", ["kept", "at"])
    op.create_table(
        "tallies",
        sa.Column("name", _WORDS, primary_key=True),
        sa.Column("number", _INSTANT, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("letters_by_fate", "letters", ["fate", "arrived"])
    op.create_index("outbox_by_sent", "outbox", ["sent"])
