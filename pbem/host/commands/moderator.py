"""`moderator`: from this line on a letter says what its writer does as a moderator."""

from __future__ import annotations

from pbem.language.command import Command

COMMAND = Command(
    name="moderator",
    words=("moderator|moderation", "Moderator|Moderation", "moderatore"),
    behind=None,
    kept_from_deputies="own",
)
