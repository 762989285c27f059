"""`away`: somebody will be away for a while, and perhaps who writes for them meanwhile."""

from __future__ import annotations

from pbem.language.command import Command

COMMAND = Command(
    name="away",
    words=("away", "abwesend", "assente"),
    behind="_away*",
    low_priority=True,
    kept_from_deputies="own",
)
