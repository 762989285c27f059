"""The orders of war at sea."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.core.seat import Seat
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.sea.raids import raid, shoot
from pbem.games.empire.rules.world import World

ACTS_OF_SEA: Mapping[type, Callable[[World, Seat, Any], None]] = {od.Raid: raid, od.Shoot: shoot}
