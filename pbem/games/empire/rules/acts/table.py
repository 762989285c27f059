"""What each order does: a function of the world, the player and the order. It raises `Illegal` or changes the world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.core.seat import Seat
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.acts.of_economy import ACTS_OF_ECONOMY
from pbem.games.empire.rules.acts.of_people import ACTS_OF_PEOPLE
from pbem.games.empire.rules.acts.of_sea import ACTS_OF_SEA
from pbem.games.empire.rules.acts.of_war import ACTS_OF_WAR
from pbem.games.empire.rules.air import patrols
from pbem.games.empire.rules.movement import loading, moving, sailing, towing
from pbem.games.empire.rules.world import World

Act = Callable[[World, Seat, Any], None]
ACTS: Mapping[type, Act] = {
    od.Move: moving.move,
    od.Posture: sailing.posture,
    od.Load: loading.load,
    od.Unload: loading.unload,
    od.Tow: towing.tow,
    od.Release: towing.release,
    od.Patrol: patrols.patrol,
    **ACTS_OF_ECONOMY,
    **ACTS_OF_WAR,
    **ACTS_OF_SEA,
    **ACTS_OF_PEOPLE,
}
