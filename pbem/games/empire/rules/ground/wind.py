"""The wind of a slot, and the die for a direction (E9.5)."""

from __future__ import annotations

from pbem.games.empire.rules.world import World


def blow(w: World) -> None:
    """One die for the slot, before the first thing that sails with it moves."""
    if w.state.wind is None:
        w.set(wind=direction(w, "wind"))


def direction(w: World, purpose: str) -> str:
    """One die: 1 N, 2 E … It is told as `to_N`, since other results have letters, too."""
    named = {face: f"to_{side}" for face, side in w.tables.dice["wind"].items()}
    face = w.die(purpose, named)
    w.rolled(purpose, [face], named[str(face)])
    return str(w.tables.dice["wind"][str(face)])
