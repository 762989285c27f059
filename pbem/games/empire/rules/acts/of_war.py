"""The orders of war on land."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.core.seat import Seat
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.acts.battle_order import battle
from pbem.games.empire.rules.land.arming import arm
from pbem.games.empire.rules.land.disarming import disarm
from pbem.games.empire.rules.land.overrunning import overrun
from pbem.games.empire.rules.people.killing import kill_workers
from pbem.games.empire.rules.world import World

ACTS_OF_WAR: Mapping[type, Callable[[World, Seat, Any], None]] = {
    od.Arm: arm,
    od.Disarm: disarm,
    od.Overrun: overrun,
    od.Battle: battle,
    od.Kill: kill_workers,
}
