"""What follows from a map file: parts of squares, shores, banks, and which of them are joined (map.md, section 4).

Land parts are called as their square (`C3`) or with a letter a, b, c (`D8a`); water parts have a letter w, x, y
(shores) or r, t (rivers), and none in sea and lake squares.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from pbem.games.empire.geography.grid import (
    DIRECTIONS,
    border,
    direction_to,
    map_order,
    neighbours,
    square_name,
    square_of,
)
from pbem.games.empire.geography.map_file import TERRAINS, Line, MapFile
from pbem.games.empire.geography.model import NO_LAND, OCEAN, WATERS, LandPart, Link, Map, Square, WaterPart
from pbem.games.empire.geography.shores import banks, divided, shore_runs

__all__ = [
    "NO_LAND",
    "OCEAN",
    "WATERS",
    "LandPart",
    "Link",
    "Map",
    "Square",
    "WaterPart",
    "banks",
    "board",
    "divided",
    "shore_runs",
]


def board(file: MapFile) -> Map:
    """The map of a file that has no mistake."""
    return _Builder(file).built()


def chain(line: Line, skip: int = 0) -> tuple[str, ...]:
    """The squares of a line, behind so many words."""
    return line.names[skip:]


class _Builder:
    def __init__(self, file: MapFile) -> None:
        self.file = file
        width, height = file.size
        signs = {
            square_name(column, row): file.rows[row - 1][1][column]
            for row in range(1, height + 1)
            for column in range(1, width + 1)
        }
        self.terrains = {name: TERRAINS[sign] for name, sign in signs.items()}
        self.walls = {border(*line.names[:2]) for line in file.of("wall")}
        self.reefs = {border(*line.names[:2]) for line in file.of("reef")}
        self.falls = {border(*line.names[:2]) for line in file.of("falls")}
        self.rivers = {line.names[1]: (line.names[0], chain(line, 2)) for line in file.of("river")}
        self.splits: dict[str, tuple[str, tuple[tuple[int, ...], ...]]] = dict(self._split())
        self.shores: dict[str, dict[str, frozenset[int]]] = {}  # by square: runs by letter
        self.river_parts: dict[tuple[str, str], str] = {}  # by river and square
        self.kinds: dict[str, tuple[str, str]] = {}  # of water parts: kind and river
        self.links: dict[str, dict[str, Link]] = {}

    def built(self) -> Map:
        self._lay_water()
        self._join_water()
        water = {name: self._water(name) for name in sorted(self.kinds, key=map_order)}
        land = {part: self._land(part) for name in self.terrains for part in self._land_parts(name)}
        by_square: dict[str, list[str]] = {}
        for name in water:
            by_square.setdefault(square_of(name), []).append(name)
        squares = {
            name: Square(
                name=name,
                terrain=terrain,
                land=tuple(self._land_parts(name)),
                water=tuple(by_square.get(name, ())),
            )
            for name, terrain in self.terrains.items()
        }
        barriers = {"wall": self.walls, "reef": self.reefs, "falls": self.falls}
        return Map(
            id=self.file.id,
            title=self.file.title,
            size=self.file.size,
            squares=squares,
            land=land,
            water=water,
            marks=self._marks(squares),
            harbors=frozenset(name for line in self.file.of("harbor") for name in line.names),
            starts=tuple(name for line in self.file.of("start") for name in line.names),
            works=self._works(),
            names={line.names[0]: " ".join(line.rest.split()[1:]) for line in self.file.of("name")},
            oceans=tuple(self._oceans(water)),
            fresh=frozenset(part for part in land if self._is_fresh(part, by_square)),
            rivers=self.rivers,
            barriers={kind: tuple(sorted(which)) for kind, which in barriers.items()},
        )

    # -- land ---

    def _split(self) -> Iterator[tuple[str, tuple[str, tuple[tuple[int, ...], ...]]]]:
        for line in self.file.of("divide"):
            square, kind, *_ = line.names
            yield square, (kind, tuple(tuple(DIRECTIONS.index(each) for each in side) for side in divided(line)))
        for kind, squares in self.rivers.values():
            if kind == "double":
                for place in range(1, len(squares) - 1):
                    if self._is_land(squares[place]):
                        yield squares[place], ("river", banks(squares, place))

    def _is_land(self, square: str) -> bool:
        return self.terrains.get(square, "sea") not in NO_LAND

    def _land_parts(self, square: str) -> list[str]:
        if not self._is_land(square):
            return []
        if square in self.splits:
            return [square + letter for letter, _ in zip("abc", self.splits[square][1], strict=False)]
        return [square]

    def _at(self, square: str, direction: int) -> list[str]:
        """The parts that have this border."""
        parts = self._land_parts(square)
        if square not in self.splits:
            return parts
        return [part for part, side in zip(parts, self.splits[square][1], strict=True) if direction in side]

    def _land(self, part: str) -> LandPart:
        square = square_of(part)
        ways: dict[int, tuple[str, ...]] = {}
        walls: dict[int, tuple[str, ...]] = {}
        for direction, other in enumerate(neighbours(square)):
            across = list(self._across(part, square, direction, other)) if self._is_land(other) else []
            if across:
                full = "full_mountain" in (self.terrains[square], self.terrains[other])
                (walls if full or border(square, other) in self.walls else ways)[direction] = tuple(across)
        split = self.splits.get(square, ("", ()))[0]
        return LandPart(
            name=part, square=square, terrain=self.terrains[square], open=ways, walled=walls, split_by=split
        )

    def _across(self, part: str, square: str, direction: int, other: str) -> list[str]:
        """Along a double river banks stay with their side."""
        if part not in self._at(square, direction):
            return []
        across = self._at(other, (direction + 3) % 6)
        if len(across) > 1 and len(self._at(square, direction)) > 1 and self._is_along(square, other):
            return [each for each in across if each[-1] == part[-1]]
        return across

    def _is_along(self, square: str, other: str) -> bool:
        """Does a double river flow from one to the other?"""
        return any(
            kind == "double" and other in squares and square in squares and _are_next(squares, square, other)
            for kind, squares in self.rivers.values()
        )

    def _is_fresh(self, part: str, by_square: Mapping[str, Sequence[str]]) -> bool:
        square = square_of(part)
        rivers = any(self.kinds[each][1] for each in by_square.get(square, ()))
        lake = any(self.terrains.get(each) == "lake" for each in neighbours(square))
        return rivers or lake or self.terrains[square] == "oasis"

    # -- water ---

    def _lay_water(self) -> None:
        for square, terrain in self.terrains.items():
            if terrain in WATERS:
                self.kinds[square] = (terrain, "")
            elif self._is_land(square):
                runs = shore_runs(self.terrains, square)
                if self.splits.get(square, ("",))[0] == "sea":
                    runs = [frozenset().union(*runs)]
                self.shores[square] = dict(zip("wxy", runs, strict=False))
        for river, (kind, squares) in self.rivers.items():
            for place, square in enumerate(squares):
                if self._is_land(square):
                    self._lay_river(river, kind, squares, place)
        for square, runs_ in self.shores.items():
            for letter in runs_:
                self.kinds.setdefault(square + letter, ("shore", ""))

    def _lay_river(self, river: str, kind: str, squares: Sequence[str], place: int) -> None:
        square = squares[place]
        letter = "r" if square + "r" not in self.kinds else "t"
        ends = {direction_to(square, each) for each in squares[max(place - 1, 0) : place + 2] if each != square}
        if letter == "t" and self.shores[square].get("r", frozenset()) & ends:
            self.river_parts[river, square] = square + "r"  # both rivers have their mouth there
            return
        merged = [key for key, run in self.shores[square].items() if run & ends]
        run = frozenset().union(*(self.shores[square].pop(key) for key in merged))
        if run:
            self.shores[square][letter] = run
        self.kinds[square + letter] = (kind, river)
        self.river_parts[river, square] = square + letter

    def _join_water(self) -> None:
        for square, terrain in self.terrains.items():
            if terrain in WATERS:
                for other in neighbours(square):
                    if self.terrains.get(other) in WATERS:
                        self._join(square, other, "sea" if "sea" in (terrain, self.terrains[other]) else "lake")
        for square, runs in self.shores.items():
            for letter, run in runs.items():
                for direction in run:
                    water = neighbours(square)[direction]
                    self._join(square + letter, water, _link(self.terrains[water]))
                self._join_shores(square, letter, run)
        for river, (kind, squares) in self.rivers.items():
            for one, other in itertools.pairwise(squares):
                here, there = (self.river_parts.get((river, each), each) for each in (one, other))
                if self.terrains.get(one) not in WATERS and self.terrains.get(other) not in WATERS:
                    self._join(here, there, "double" if kind == "double" else "single")
            end = squares[-1]
            for other_river in self.rivers:
                if other_river != river and (other_river, end) in self.river_parts and self._is_land(end):
                    self._join(self.river_parts[river, end], self.river_parts[other_river, end], "single")

    def _join_shores(self, square: str, letter: str, run: frozenset[int]) -> None:
        for direction, other in enumerate(neighbours(square)):
            for beside in ((direction - 1) % 6, (direction + 1) % 6):
                water = neighbours(square)[beside]
                if beside in run and other in self.shores:
                    back = direction_to(other, water)
                    for their, theirs in self.shores[other].items():
                        if back in theirs:
                            self._join(square + letter, other + their, _link(self.terrains[water]))

    def _join(self, one: str, other: str, link: Link) -> None:
        """Reefs and falls close a border to ships."""
        if square_of(one) != square_of(other) and border(square_of(one), square_of(other)) in self.reefs | self.falls:
            return
        self.links.setdefault(one, {}).setdefault(other, link)
        self.links.setdefault(other, {}).setdefault(one, link)

    def _water(self, part: str) -> WaterPart:
        kind, river = self.kinds[part]
        square = square_of(part)
        run = self.shores.get(square, {}).get(part[len(square) :], frozenset())
        links = self.links.get(part, {})
        order = sorted(links, key=map_order)
        return WaterPart(
            name=part, square=square, kind=kind, river=river, toward=run, links={each: links[each] for each in order}
        )

    def _oceans(self, water: Mapping[str, WaterPart]) -> Iterator[frozenset[str]]:
        """Bodies of joined sea squares."""
        seen: set[str] = set()
        for square, terrain in self.terrains.items():
            if terrain != "sea" or square in seen:
                continue
            body, edge = {square}, [square]
            while edge:
                for other in water[edge.pop()].links:
                    if self.terrains[square_of(other)] == "sea" and other not in body:
                        body.add(other)
                        edge.append(other)
            seen |= body
            if len(body) >= OCEAN:
                yield frozenset(body)

    # -- what is on it ---

    def _marks(self, squares: Mapping[str, Square]) -> dict[str, dict[str, int]]:
        marks: dict[str, dict[str, int]] = {}
        for line in self.file.of("mark"):
            kind, *rest = line.names
            grade = int(rest.pop(0)) if rest and rest[0].isdigit() else 1
            for name in rest:
                land = squares[square_of(name)].land
                place = name if name in land or not land else land[0]
                marks.setdefault(place, {})[kind] = grade
        return {place: marks[place] for place in sorted(marks, key=map_order)}

    def _works(self) -> dict[str, tuple[str, ...]]:
        works: dict[str, tuple[str, ...]] = {}
        for word in ("road", "railroad", "power line", "pipeline"):
            for line in self.file.of(word):
                for one, other in zip(line.names, line.names[1:], strict=False):
                    key = border(one, other)
                    works[key] = (*works.get(key, ()), word.replace(" ", "_"))
        for word in ("bridge", "mountain road", "canal"):
            for line in self.file.of(word):
                key = line.names[0] if len(line.names) == 1 else border(*line.names[:2])
                works[key] = (*works.get(key, ()), word.replace(" ", "_"))
        return works


def _link(terrain: str) -> Link:
    return "lake" if terrain == "lake" else "sea"


def _are_next(squares: Sequence[str], one: str, other: str) -> bool:
    return abs(squares.index(one) - squares.index(other)) == 1
