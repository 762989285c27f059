"""The limits that a made map keeps (map.md, section 6), measured on the finished map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.games.empire.geography.generating.balance import is_even
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.geography.line_checks import LAND_MARKS
from pbem.games.empire.geography.map_file import MapFile
from pbem.games.empire.geography.model import Map
from pbem.games.empire.geography.sailing import OVER_LAND, kinds_in_reach, squares_near
from pbem.games.empire.geography.shores import shore_runs
from pbem.games.empire.geography.walking import FARMABLE, apart, walk

SHARES = {  # in hundredths of the land
    "open": 45,
    "partial_forest": 10,
    "forest": 15,
    "mountains": 8,
    "full_mountain": 4,
    "desert": 8,
    "swamp": 4,
    "lake": 6,
}
LATITUDE = 3
PATCH = range(3, 13)
SEA = ("sea", "reef")


def broken(file: MapFile, map: Map, players: int) -> list[str]:
    """What of section 6 it does not keep."""
    return [
        *_coasts(map),
        *_terrain(map),
        *_rivers(file, map),
        *_reefs(file, map),
        *_marks(map, players),
        *_starts(map, players),
    ]


def _land(map: Map) -> list[str]:
    return [name for name, square in map.squares.items() if square.terrain not in SEA]


def _patches(map: Map, names: Iterable[str]) -> list[list[str]]:
    left = dict.fromkeys(names)
    found = []
    while left:
        patch = [next(iter(left))]
        del left[patch[0]]
        for name in patch:
            for each in map.around(name):
                if each in left:
                    del left[each]
                    patch.append(each)
        found.append(patch)
    return found


def _coasts(map: Map) -> Iterator[str]:
    land, width, height = _land(map), *map.size
    if not 45 * width * height <= 100 * len(land) <= 60 * width * height:
        yield "the share of land"
    edge = [name for name in map.squares if len(map.around(name)) < 6]
    if 4 * sum(map.squares[name].terrain not in SEA for name in edge) > len(edge):
        yield "land at the edge"
    bodies = _patches(map, land)
    starts = {square_of(start) for start in map.starts}
    counts = [len(starts & {*body}) for body in bodies]
    continents = [body for body, count in zip(bodies, counts, strict=True) if count]
    if len(continents) not in range(2, 5) or max(counts) > 3:
        yield "the continents"
    if len(bodies) - len(continents) not in range(2, 7):
        yield "the islands"
    if not all(_is_broken(map, body) for body in continents):
        yield "a smooth coast"


def _is_broken(map: Map, body: list[str]) -> bool:
    """Has it an isthmus (water on two sides), or a bay (sea with land around most of it)?"""
    terrains = {name: square.terrain for name, square in map.squares.items()}
    inside = {*body}
    for name in body:
        if len(shore_runs(terrains, name)) > 1:
            return True
        for sea in map.around(name):
            if terrains[sea] == "sea" and sum(each in inside for each in map.around(sea)) >= 4:
                return True
    return False


def _terrain(map: Map) -> Iterator[str]:
    land = _land(map)
    kinds = [map.squares[name].terrain for name in land]
    for terrain, share in SHARES.items():
        count = kinds.count(terrain) + (kinds.count("oasis") if terrain == "desert" else 0)
        if abs(100 * count - share * len(land)) > LATITUDE * len(land):
            yield f"the share of {terrain}"
    for terrain in ("desert", "forest", "mountains"):
        also = "oasis" if terrain == "desert" else terrain
        for patch in _patches(map, [name for name in land if map.squares[name].terrain in (terrain, also)]):
            oases = sum(map.squares[name].terrain == "oasis" for name in patch)
            if len(patch) not in PATCH or (terrain == "desert" and oases != (len(patch) >= 6)):
                yield f"a patch of {terrain}"
    if any(len(chain) < 2 for chain in _patches(map, [n for n in land if map.squares[n].terrain == "full_mountain"])):
        yield "a mountain alone"


def _rivers(file: MapFile, map: Map) -> Iterator[str]:
    land = len(_land(map))
    kinds = [kind for kind, _ in map.rivers.values()]
    if kinds.count("single") != land // 60 or kinds.count("double") != land // 250:
        yield "the rivers"
    for _, chain in map.rivers.values():
        if map.squares[chain[0]].terrain not in ("mountains", "lake") or map.squares[chain[-1]].terrain != "sea":
            yield "where a river begins or ends"
    through = [name for _, chain in map.rivers.values() for name in chain if map.squares[name].is_land]
    if len(through) > len({*through}):
        yield "rivers that cross"
    borders = sum(len(chain) - 1 for kind, chain in map.rivers.values() if kind == "single")
    if len(file.of("falls")) != borders // 8:
        yield "the falls"


def _reefs(file: MapFile, map: Map) -> Iterator[str]:
    whole = sum(square.terrain == "reef" for square in map.squares.values())
    sea = whole + sum(square.terrain == "sea" for square in map.squares.values())
    if whole + len(file.of("reef")) != sea // 80:
        yield "the reefs"


def _marks(map: Map, players: int) -> Iterator[str]:
    all_ = [(kind, place, grade) for place, marks in map.marks.items() for kind, grade in marks.items()]
    for kind in LAND_MARKS:
        if sum(each == kind and place in map.land for each, place, _ in all_) < 2 * players:
            yield f"the marks of {kind}"
    if sum(kind == "oil" and place not in map.land for kind, place, _ in all_) != players:
        yield "oil off the shores"
    fish = [place for kind, place, _ in all_ if kind == "fish"]
    if len(fish) != 3 * players or not all(any(map.squares[n].is_land for n in map.around(place)) for place in fish):
        yield "the fish"
    grades = [grade for kind, _, grade in all_ if kind != "fish"]
    if grades.count(3) != len(grades) // 10 or grades.count(2) != len(grades) * 3 // 10:
        yield "the grades"
    for kind, place, _ in all_:
        is_high = kind != "power" or map.land[place].terrain == "mountains"
        if not is_high and not any(map.water[each].river for each in map.squares[square_of(place)].water):
            yield "power without a river"


def _starts(map: Map, players: int) -> Iterator[str]:
    if len(map.starts) != players + 2:
        yield "the number of starts"
    ocean = frozenset().union(*map.oceans)
    sums = []
    for start in map.starts:
        near, land = walk(map, start, 12), walk(map, start, OVER_LAND)
        if sum(map.land[part].terrain in FARMABLE for part, paid in near.items() if paid <= 6) < 10:
            yield "food near a start"
        if len({kind for part in near for kind in map.marks.get(part, ()) if kind in LAND_MARKS}) < 5:
            yield "marks near a start"
        if not {*LAND_MARKS} <= {*kinds_in_reach(map, start)}:
            yield "marks in reach of a start"
        if not any(square in ocean for square in squares_near(map, square_of(start), 3)):
            yield "a start without an ocean"
        sums.append(sum(grade for part in land for grade in map.marks.get(part, {}).values()))
    if not sums or not is_even(sums):
        yield "starts that are not even"
    pairs = ((one, other) for place, one in enumerate(map.starts) for other in map.starts[:place])
    if any(apart(map, one, other, 12) is not None for one, other in pairs):
        yield "starts too near"
