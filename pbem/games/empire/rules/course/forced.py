"""What a slot that others end still settles: nothing is made up (E4.5)."""

from __future__ import annotations

from pbem.core.seat import Seat
from pbem.games.empire.rules.air import patrols
from pbem.games.empire.rules.sea import submarines
from pbem.games.empire.rules.world import World


def settle(w: World, player: Seat) -> None:
    """Patrols of an earlier slot land (E15.20), submarines that must surface do so (E14.20)."""
    patrols.land_all(w, player)
    for country in w.countries_of(player):
        for unit in list(w.units_of(country)):
            if unit.state == "dived" and unit.dived != w.now:
                submarines.surface_by_itself(w, unit)
