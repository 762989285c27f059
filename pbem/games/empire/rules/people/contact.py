"""The army kills hostile workers and officials on contact (E13.3 to E13.5)."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.empire.geography.grid import map_order
from pbem.games.empire.rules.ground.sides import guards, is_regular
from pbem.games.empire.rules.ground.zones import covers, has_zone, over
from pbem.games.empire.rules.pieces.enmity import provoked
from pbem.games.empire.rules.pieces.losing import kill
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def met(w: World, unit: Unit) -> None:
    """After each step of a moving land unit."""
    if unit.id in w.units and _kills(w, w.units[unit.id]):
        _clear(w, covers(w, w.units[unit.id]))


def settle(w: World) -> None:
    """After every order: whoever is then in reach dies."""
    army = [unit for unit in list(w.units.values()) if _kills(w, unit)]
    _clear(w, {part for unit in army for part in covers(w, unit)})


def _kills(w: World, unit: Unit) -> bool:
    return is_regular(w, unit) and has_zone(w, unit)


def _clear(w: World, parts: Iterable[str]) -> None:
    for part in sorted(parts, key=map_order):
        for country, held in list(w.part(part).held.items()):
            if held.people() and not guards(w, country, part):
                _kill(w, part, country)


def _kill(w: World, part: str, country: str) -> None:
    army = over(w, part, country, regular=True)
    if army:
        kill(w, part, country, w.held(part, country).crews, "contact")
        for owner in dict.fromkeys(unit.owner for unit in army):
            provoked(w, owner, country)
