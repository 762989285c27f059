"""With what a slot can still be played, and what it still owes."""

from __future__ import annotations

from typing import Any

from pbem.core.seat import Seat
from pbem.games.empire.rules.course import owed
from pbem.games.empire.rules.economy import power
from pbem.games.empire.rules.views.documents import amount
from pbem.games.empire.rules.world import World


def leftover(w: World, player: Seat) -> dict[str, Any]:
    """Open duties, and what each country has left.

    That is free workers of each square with the most BTA that one of them has, power, and units with BTA left.
    """
    return {"duties": owed.told(w, player), "countries": [_of(w, country) for country in w.countries_of(player)]}


def _of(w: World, country: str) -> dict[str, Any]:
    whole = w.tables.bta
    free: dict[str, list[Any]] = {}
    for place in w.places_of(country):
        idle = [c for c in w.held(place, country).crews if c.kind == "worker" and not c.tasks and not c.job]
        if idle:
            most = max(whole - crew.used for crew in idle)
            free[w.map.shown(place)] = [sum(crew.count for crew in idle), amount(max(most, 0 * most))]
    grids = {w.map.shown(part): power.left(w, country, part) for part in w.country(country).power}
    units = {unit.id: amount(whole - unit.used) for unit in w.units_of(country) if unit.used < whole}
    return {
        "country": country,
        "free": free,
        "power": {part: much for part, much in grids.items() if much > 0},
        "units": {id_: units[id_] for id_ in sorted(units, key=lambda each: w.unit_order(w.units[each]))},
    }
