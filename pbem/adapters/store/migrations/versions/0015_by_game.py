"""Mail and letters by their games: a yes asks what we had proposed, and a moderator what came in."""

from __future__ import annotations

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("letters_by_game", "letters", ["game", "arrived"])
    op.create_index("outbox_by_game", "outbox", ["game"])
