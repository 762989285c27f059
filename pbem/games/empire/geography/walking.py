"""How far a worker walks on the map as it is before anybody builds (E3.2, E9.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.games.empire.geography.board import Map
from pbem.games.empire.geography.grid import border, square_of
from pbem.games.empire.geography.nearest import nearest_first

ENTERING: Mapping[str, int] = {  # BTA by terrain of the part entered
    "open": 2,
    "partial_forest": 2,
    "mountains": 2,
    "full_mountain": 2,
    "forest": 4,
    "desert": 4,
    "oasis": 4,
    "swamp": 6,
}
ON_ROAD = 1
FARMABLE = frozenset({"open", "partial_forest", "mountains", "oasis"})  # E7.4
CAPITALS = frozenset({"open", "partial_forest", "mountains"})  # E3.2


def walk(map: Map, start: str, limit: int) -> dict[str, int]:
    """The parts that a worker reaches within so many BTA, with what the cheapest way costs; the nearest first."""
    return dict(nearest_first([start], 0, lambda part: _steps(map, part), limit))


def apart(map: Map, one: str, other: str, limit: int) -> int | None:
    """BTA between two parts, the cheaper of both directions; None: more than the limit."""
    ways = (walk(map, one, limit).get(other), walk(map, other, limit).get(one))
    return min((way for way in ways if way is not None), default=None)


def farmable(map: Map, start: str, limit: int) -> list[str]:
    """The parts around on which a farm may stand, the start itself among them."""
    return [part for part in walk(map, start, limit) if map.land[part].terrain in FARMABLE]


def _steps(map: Map, part: str) -> Iterator[tuple[str, int]]:
    land = map.land[part]
    for others in land.open.values():
        for other in others:
            lines = map.works.get(border(land.square, square_of(other)), ()) if map.works else ()
            yield other, ON_ROAD if "road" in lines or "railroad" in lines else ENTERING[map.land[other].terrain]
    for others in land.walled.values() if map.works else ():
        for other in others:
            lines = map.works.get(border(land.square, square_of(other)), ())
            if "mountain_road" in lines:
                is_road = "road" in lines or "railroad" in lines
                yield other, ON_ROAD if is_road else ENTERING[map.land[other].terrain]
    if land.split_by and {"bridge", "mountain_road"} & {*map.works.get(land.square, ())}:
        yield from ((other, 0) for other in map.squares[land.square].land if other != part)
