"""`play`: the draft on file is played; with a seat behind it, the time of a player who is late ends."""

from __future__ import annotations

from pbem.language.command import Command

PLAY = Command(name="play", words=("play", "rollout", "done", "spiele", "fertig", "gioca", "fatto"))
ROLLOUT = Command(
    name="rollout",
    part_of="play",
    behind="SEAT [COMMA? K_WITNESS SEAT]",
    keywords={"K_WITNESS": ("witness", "Zeuge", "Zeugin", "testimone")},
    kept_from_deputies="own",
)
