"""`standing`: an order that answers questions the moment they arise; `standing none` withdraws them all."""

from __future__ import annotations

from pbem.language.command import Command

STANDING = Command(
    name="standing",
    words=("standing", "dauernd", "permanente"),
    behind="[standing]",
    kept_from_deputies="file",
)
NONE = Command(name="standing_none", part_of="standing", behind="K_NONE", kept_from_deputies="file")
