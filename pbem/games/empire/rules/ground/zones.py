"""Zones of control on land (E12.5): a unit's own part, and those across its borders that it could enter."""

from __future__ import annotations

from pbem.games.empire.geography.grid import DIRECTIONS
from pbem.games.empire.rules.ground.sides import is_hostile, is_land_unit, is_regular, stands_there
from pbem.games.empire.rules.ground.terrain import are_joined, by_terrain, cost, facing, group, is_open
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

ARMOR = "armor"


def has_zone(w: World, unit: Unit) -> bool:
    return is_land_unit(w, unit) and stands_there(unit)


def reaches(w: World, unit: Unit, part: str) -> bool:
    """Does the unit's zone cover that part?"""
    if are_joined(w, unit.at, part):
        return True
    if (direction := facing(unit.at, part)) is None:
        return False
    return any(_over_border(w, unit, each, direction, part) for each in group(w, unit.at))


def _over_border(w: World, unit: Unit, own: str, direction: int, part: str) -> bool:
    if not is_open(w, own, direction, part) or is_fortified(w, own, direction, part):
        return False
    if w.kind(unit).moves == ARMOR and w.map.land[part].terrain == "forest":
        return False
    return cost(w, unit.kind, own, part) is not None or by_terrain(w, unit.kind, w.map.land[part].terrain) is not None


def is_fortified(w: World, part: str, direction: int, other: str) -> bool:
    """Does a fort or a pillbox stand on the border, on either side?"""
    near = w.part(part).forts.get(DIRECTIONS[direction])
    far = w.part(other).forts.get(DIRECTIONS[(direction + 3) % 6])
    return any(fort is not None and not fort.damaged for fort in (near, far))


def over(w: World, part: str, country: str, *, regular: bool = False) -> list[Unit]:
    """The hostile land units whose zones cover a part; of regular army only, if so asked. In order of their squares."""
    if part not in w.map.land:
        return []
    found: list[Unit] = []
    for place in w.with_units(w.map.near[part]):
        for unit in w.at(place):
            if not has_zone(w, unit) or (regular and not is_regular(w, unit)):
                continue
            if is_hostile(w, unit.owner, country, part) and reaches(w, unit, part):
                found.append(unit)
    return found


def covers(w: World, unit: Unit) -> list[str]:
    """Every part that its zone covers."""
    return [part for part in w.map.near[unit.at] if reaches(w, unit, part)]
