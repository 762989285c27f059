"""The wind of a slot (E9.5)."""

from __future__ import annotations

from pbem.games.empire.rules.world import World


def blow(w: World) -> None:
    """One die for the slot, before the first thing that sails with it moves."""
    if w.state.wind is None:
        face = w.die("wind")
        wind = str(w.tables.dice["wind"][str(face)])
        w.set(wind=wind)
        w.rolled("wind", [face], wind)
