"""Which parts lie beside one another by land as things stand, and what it costs to enter one (E1.7, E1.8, E9.1)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pbem.games.empire.geography.grid import direction_to, square_of
from pbem.games.empire.rules.tables import Movement
from pbem.games.empire.rules.world import World

_ROWS = {"partial_forest": "open", "mountains": "open", "full_mountain": "open", "oasis": "desert"}


def are_joined(w: World, one: str, other: str) -> bool:
    """Are two land parts of one square one again, by a bridge or a mountain road (E1.7)?"""
    if one == other:
        return True
    if square_of(one) != square_of(other):
        return False
    land = w.map.land
    if one not in land or other not in land:
        return False
    needs = "mountain_road" if land[one].split_by == "mountain" else "bridge"
    return any(stands(w, part, needs) for part in w.map.squares[square_of(one)].land)


def group(w: World, part: str) -> tuple[str, ...]:
    """The part with those that are joined to it, in map order."""
    land = w.map.squares[square_of(part)].land
    return land if land == (part,) else tuple(each for each in land if are_joined(w, part, each))


def stands(w: World, part: str, item: str) -> bool:
    """Is there an item of that kind that can be used?"""
    found = w.part(part)
    return found.items.count(item) > found.hurt.count(item)


def is_open(w: World, part: str, direction: int, other: str) -> bool:
    """May land things cross the border to that part: no water, and no wall without a mountain road?"""
    land = w.map.land[part]
    if other in land.open.get(direction, ()):
        return True
    return other in land.walled.get(direction, ()) and "mountain_road" in w.border(part, other).lines


def beside(w: World, part: str) -> Iterator[tuple[int, str]]:
    """Parts across its borders that can be entered, clockwise from N."""
    land = w.map.land[part]
    for direction in range(6):
        for other in land.open.get(direction, ()):
            yield direction, other
        if "mountain_road" in w.border(part, _across(w, part, direction)).lines if direction in land.walled else False:
            yield from ((direction, other) for other in land.walled[direction])


def _across(w: World, part: str, direction: int) -> str:
    return square_of(w.map.land[part].walled[direction][0])


def row(w: World, kind: str) -> Movement:
    return w.tables.land_movement[w.tables.kinds[kind].moves]


def cost(w: World, kind: str, part: str, other: str) -> Fraction | None:
    """BTA for a thing of that kind to go to a part that is joined to its own or lies beside it; None: it may not."""
    if square_of(part) == square_of(other):
        return w.tables.joined_parts if are_joined(w, part, other) else None
    table = row(w, kind)
    lines = w.border(part, other).lines
    found = [] if w.tables.kinds[kind].moves == "train" else [_terrain(w, kind, part, other)]
    if "road" in lines or w.part(other).city:
        found.append(table.road)
    if "railroad" in lines or w.part(other).city:
        found.append(table.rail)
    open_to = [each for each in found if each is not None]
    return min(open_to) if open_to else None


def _terrain(w: World, kind: str, part: str, other: str) -> Fraction | None:
    entered = by_terrain(w, kind, w.map.land[other].terrain)
    if entered is None or w.options["bta_border"] == "entered":
        return entered
    left = by_terrain(w, kind, w.map.land[part].terrain)
    return entered if left is None else max(entered, left)


def by_terrain(w: World, kind: str, terrain: str) -> Fraction | None:
    """BTA to enter such land off the road."""
    name = _ROWS.get(terrain, terrain)
    table = row(w, kind)
    if name == "swamp":
        if w.tables.kinds[kind].moves == "cattle" and w.options["swamp_cattle"] != "9":
            return Fraction(w.options["swamp_cattle"])
        if table.swamp is None and w.options["swamp_motor"] == "yes" and table.open is not None:
            return 3 * table.open
    value: Fraction | None = getattr(table, name)
    return value


def facing(part: str, other: str) -> int | None:
    """The direction from one part to another square."""
    return direction_to(square_of(part), square_of(other))
