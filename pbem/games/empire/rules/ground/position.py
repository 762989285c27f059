"""What the ground, rivers, landings, pillboxes and forts do for those who defend a part (E12.16)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from pbem.games.empire.geography.grid import DIRECTIONS, square_of
from pbem.games.empire.rules.ground.sides import is_hostile
from pbem.games.empire.rules.ground.terrain import are_joined, beside, cost, group
from pbem.games.empire.rules.state import Fort, Unit
from pbem.games.empire.rules.world import World

MOUNTAINS = ("mountains", "full_mountain")


class Crossing(NamedTuple):
    """How an attacker comes: out of a part of its square, over a border of another one, or over none."""

    start: str
    entered: str
    direction: int | None  # seen from where it starts
    bridged: bool  # between parts of one square that water splits


class Position(NamedTuple):
    times: int
    added: int = 0  # of manned forts


def crossing(w: World, unit: Unit, target: str) -> Crossing | None:
    """The way on which a unit attacks a part; None: it can't enter it from where it stands."""
    if are_joined(w, unit.at, target):
        return Crossing(unit.at, target, None, _is_bridged(w, unit.at, target))
    found: list[tuple[int, Crossing]] = []
    for own in group(w, unit.at):
        for direction, other in beside(w, own):
            if are_joined(w, other, target) and cost(w, unit.kind, own, other) is not None:
                bridged = _is_bridged(w, unit.at, own) or _is_bridged(w, other, target)
                far = (own != unit.at) + (other != target)
                found.append((far, Crossing(own, other, direction, bridged)))
    return min(found, key=lambda each: each[0])[1] if found else None


def _is_bridged(w: World, one: str, other: str) -> bool:
    return one != other and w.map.land[one].split_by != "mountain"


def position(w: World, attackers: Sequence[Unit], target: str) -> Position:
    """What multiplies the defenders' DF in a part against these attackers, who can all enter it."""
    on_mountains = w.map.land[target].terrain in MOUNTAINS
    times, added = 2 if on_mountains else 1, 0
    ways = [(unit, way) for unit in attackers if (way := crossing(w, unit, target)) is not None]
    if ways and all(_is_over_water(w, unit, way, target) for unit, way in ways):
        times = 2
    lines = [fort_on(w, way) for _, way in ways]
    kinds = {fort.kind for fort in lines if fort is not None} if None not in lines else set()
    if kinds:
        times = max(times, _by_line(w, kinds, on_mountains))
    if kinds == {"fort"}:
        added = sum(fort_factor(w, target) for _ in manned_borders(w, attackers, target))
    return Position(times, added)


def _by_line(w: World, kinds: set[str], on_mountains: bool) -> int:
    if kinds == {"fort"}:
        return int(w.tables.land["fort"])
    return int(w.tables.land["pillbox_on_mountains"]) if on_mountains else 2


def fort_factor(w: World, part: str) -> int:
    """Of a fort that is manned."""
    on_mountains = w.map.land[part].terrain in MOUNTAINS
    return int(w.tables.land["fort_factor_on_mountains" if on_mountains else "fort_factor"])


def _is_over_water(w: World, unit: Unit, way: Crossing, target: str) -> bool:
    """Out of a river square, over a bridge, or from a ship (not double rivers: nobody comes over them)."""
    landed = unit.landed is not None and are_joined(w, unit.landed, target)
    return landed or way.bridged or is_river(w, square_of(unit.at))


def is_river(w: World, square: str) -> bool:
    """Is there a single-line river, or a canal?"""
    found = w.map.squares[square]
    if any(w.map.water[part].kind == "single" for part in found.water):
        return True
    return w.options["canal_line"] == "single" and has_canal(w, square)


def has_canal(w: World, square: str) -> bool:
    found = w.map.squares[square]
    if any("canal" in w.part(part).items for part in {*found.land, *found.water, square}):
        return True
    return any("canal" in w.border(square, other).lines for other in w.map.around(square))


def fort_on(w: World, way: Crossing) -> Fort | None:
    """The fort or pillbox that the defenders have on the border crossed; those that face the other way do nothing."""
    if way.direction is None:
        return None
    fort = w.part(way.entered).forts.get(DIRECTIONS[(way.direction + 3) % 6])
    return None if fort is None or fort.damaged else fort


class Manned(NamedTuple):
    """A fort with a worker in it."""

    part: str
    direction: str
    country: str


def manned_borders(w: World, attackers: Sequence[Unit], target: str) -> list[Manned]:
    """The manned forts on the borders that they cross."""
    found: list[Manned] = []
    for unit in attackers:
        way = crossing(w, unit, target)
        if way is None or way.direction is None or (fort := fort_on(w, way)) is None or fort.kind != "fort":
            continue
        direction = DIRECTIONS[(way.direction + 3) % 6]
        by = manned_by(w, way.entered, direction)
        if by is not None and is_hostile(w, by, unit.owner, way.entered):
            found.append(Manned(way.entered, direction, by))
    return list(dict.fromkeys(found))


def manned_by(w: World, part: str, direction: str) -> str | None:
    """The country whose worker mans the fort there."""
    task = f"fort {direction}"
    for country, held in w.part(part).held.items():
        if any(task in crew.tasks for crew in held.crews):
            return country
    return None


def defended_by_fort(w: World, attackers: Sequence[Unit], target: str) -> Fraction:
    """DF of manned forts where nobody else defends: on every border crossed (E12.16)."""
    ways = [crossing(w, unit, target) for unit in attackers]
    borders = {(way.entered, way.direction) for way in ways if way is not None}
    manned = manned_borders(w, attackers, target)
    if not manned or len(manned) < len(borders):
        return Fraction(0)
    return Fraction(sum(fort_factor(w, each.part) for each in manned))


def mountains_between(w: World, unit: Unit, target: str) -> bool:
    """Do walls or full mountains lie on every shortest way of a shot from a unit's square to the target's (E12.17)?"""
    start, end = square_of(unit.at), square_of(target)
    if start == end:
        return w.map.land[target].split_by == "mountain" and not are_joined(w, unit.at, target)
    if end in w.map.around(start):
        return has_wall(w, start, end)
    middles = [each for each in w.map.around(start) if end in w.map.around(each)]
    return all(
        w.map.squares[each].terrain == "full_mountain" or has_wall(w, start, each) or has_wall(w, each, end)
        for each in middles
    )


def has_wall(w: World, square: str, other: str) -> bool:
    """Do mountains close the border, without a mountain road?"""
    if "mountain_road" in w.border(square, other).lines:
        return False
    walled = [across for part in w.map.squares[square].land for across in w.map.land[part].walled.values()]
    return any(square_of(part) == other for across in walled for part in across)
