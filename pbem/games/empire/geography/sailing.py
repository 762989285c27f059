"""How far ships get on the map as it is."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.empire.geography.board import Map
from pbem.games.empire.geography.grid import distance, neighbours, square_of
from pbem.games.empire.geography.walking import walk

NEAR = 3  # squares from a place to the shores that serve it
OVER_LAND, OVER_WATER = 24, 12  # BTA, and squares


def sail(map: Map, parts: Iterable[str], limit: int) -> dict[str, int]:
    """The water parts within so many borders of these, with how many."""
    found = dict.fromkeys(parts, 0)
    edge = [*found]
    for borders in range(1, limit + 1):
        edge = [*dict.fromkeys(other for part in edge for other in map.water[part].links if other not in found)]
        found |= dict.fromkeys(edge, borders)
    return found


def waters_near(map: Map, place: str, within: int = NEAR) -> list[str]:
    """The water parts of its square and of those around."""
    return [part for square in squares_near(map, square_of(place), within) for part in map.squares[square].water]


def squares_near(map: Map, square: str, within: int) -> list[str]:
    """The squares so near, whatever lies between; the nearest first."""
    found, edge = {square: None}, [square]
    for _ in range(within):
        edge = [*dict.fromkeys(each for one in edge for each in neighbours(one) if each in map.squares)]
        edge = [each for each in edge if each not in found]
        found |= dict.fromkeys(edge)
    return [*found]


def in_reach(map: Map, start: str) -> set[str]:
    """Where what is developed helps a country that begins there: so far over land, or so far over water."""
    shores = [part for part in waters_near(map, start) if distance(part, start) <= NEAR]
    coasts = {square_of(part) for part in sail(map, shores, OVER_WATER)}
    over_water = {part for square in coasts for part in map.squares[square].land or (square,)}
    return over_water | {*walk(map, start, OVER_LAND)}


def kinds_in_reach(map: Map, start: str) -> dict[str, int]:
    """The marks there: by kind, the sum of their grades."""
    reached = in_reach(map, start)
    found: dict[str, int] = {}
    for place, marks in map.marks.items():
        if place in reached:
            for kind, grade in marks.items():
                found[kind] = found.get(kind, 0) + grade
    return found
