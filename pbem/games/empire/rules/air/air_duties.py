"""What aircraft owe before the roll-out (E4.8, E9.8)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.seat import Seat
from pbem.games.empire.rules.air.airways import CARRIER_AIR, nearest_base
from pbem.games.empire.rules.air.patrols import must_land
from pbem.games.empire.rules.world import World


def open_duties(w: World, player: Seat) -> Iterator[tuple[str, str]]:
    """Codes of refusals, and the units: patrols that have not landed, and what may not stay in the air."""
    for country in w.countries_of(player):
        for unit in w.units_of(country):
            if unit.state != "up" or not must_land(w, unit):
                continue
            if unit.kind not in CARRIER_AIR:
                yield "air.up", unit.id
            elif nearest_base(w, unit, w.tables.bta - unit.used) is not None:
                yield "air.cap_first", unit.id
