"""Where an attack goes that names whom it is at, and no square (language.md, section 3)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.combat.helping import GUN
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.ground.who import absent, incomplete
from pbem.games.empire.rules.world import World


def place_of(w: World, player: Seat, targets: Sequence[str]) -> str:
    """That of the first one; the part in which it stands, or the square in which it floats. Raises `Illegal`."""
    first = targets[0]
    if first.startswith(GUN):
        return first.removeprefix(GUN)
    if first in w.tables.kinds or first == GUN.strip():
        incomplete(first, "SQUARE")
    unit = w.units.get(first)
    if unit is None or pirate.hides(w, unit, player):
        absent(first)
    return unit.at if unit.at in w.map.land else square_of(unit.at)
