"""What can be developed: something of everything in reach of each start, and as much for one as for another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbem.games.empire.geography.generating.drawing import Again, Draws
from pbem.games.empire.geography.generating.sheet import Sheet
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.geography.line_checks import LAND_MARKS
from pbem.games.empire.geography.model import Map
from pbem.games.empire.geography.sailing import OVER_LAND, in_reach, squares_near
from pbem.games.empire.geography.walking import walk

NEAR, NEAR_KINDS = 12, 5  # BTA, and the kinds within
LIKES: Mapping[str, frozenset[str]] = {  # the terrains in which a kind is found more often than not
    "iron": frozenset({"mountains", "open"}),
    "coal": frozenset({"mountains", "open", "forest"}),
    "oil": frozenset({"desert", "swamp", "open"}),
    "chemicals": frozenset({"desert", "swamp", "open"}),
    "copper": frozenset({"mountains", "desert"}),
    "bauxite": frozenset({"mountains", "open", "partial_forest"}),
    "rubber": frozenset({"forest", "swamp", "partial_forest"}),
    "wood": frozenset({"forest", "partial_forest"}),
}
BARE = frozenset({"full_mountain"})  # nobody is in it
CROWD = 2  # marks in a part
SPARSE = 150  # land squares for each mark of a kind, where that is more than the players need
OFFSHORE = 4  # squares from a start within which its fish and its oil lie


class Riches:
    """The marks of a sheet, placed with the map that has none yet."""

    def __init__(self, draws: Draws, sheet: Sheet, map: Map, players: int) -> None:
        self.draws, self.sheet, self.map, self.players = draws, sheet, map, players
        self.near = [walk(map, start, NEAR) for start in sheet.starts]
        self.land = [walk(map, start, OVER_LAND) for start in sheet.starts]
        self.reach = [in_reach(map, start) for start in sheet.starts]
        self.crowd: dict[str, int] = {}

    def lay(self) -> None:
        self.sheet.marks = {}
        for near in self.near:
            kinds = self.draws.shuffled("kinds", LAND_MARKS)
            for kind in kinds:
                if len(self.kinds(near)) >= NEAR_KINDS:
                    break
                if kind not in self.kinds(near):
                    self.put(kind, near, must=False)
            if len(self.kinds(near)) < NEAR_KINDS:
                raise Again("no room for marks near a start")
        for land, reach in zip(self.land, self.reach, strict=True):
            for kind in LAND_MARKS:
                if kind not in self.kinds(reach):
                    self.put(kind, land)
        self.spread()
        self.grade()
        self.offshore()

    def kinds(self, parts: Iterable[str]) -> set[str]:
        inside = parts if isinstance(parts, (set, dict)) else {*parts}
        return {kind for kind, part in self.sheet.marks if part in inside}

    def put(self, kind: str, parts: Iterable[str], *, must: bool = True) -> None:
        """One mark more on one of these parts, preferably where it is usually found."""
        free = [part for part in parts if self.is_free(kind, part)]
        liked = [part for part in free if kind == "power" or self.map.land[part].terrain in LIKES[kind]]
        if not free:
            if must:
                raise Again(f"no room for {kind}")
            return
        self.set(kind, self.draws.one("marks", liked or free))

    def set(self, kind: str, part: str) -> None:
        self.sheet.marks[kind, part] = 1
        self.crowd[part] = self.crowd.get(part, 0) + 1

    def is_free(self, kind: str, part: str) -> bool:
        land = self.map.land.get(part)
        if land is None or land.terrain in BARE or (kind, part) in self.sheet.marks or self.crowd.get(part, 0) >= CROWD:
            return False
        return kind != "power" or land.terrain == "mountains" or self.is_on_river(land.square)

    def is_on_river(self, square: str) -> bool:
        return any(self.map.water[part].river for part in self.map.squares[square].water)

    def spread(self) -> None:
        """Each kind as often as the players need, anywhere."""
        parts = list(self.map.land)
        least = max(2 * self.players, len(self.sheet.land) // SPARSE)
        for kind in LAND_MARKS:
            count = sum(each == kind for each, _ in self.sheet.marks)
            wanted = max(2 * self.players, count) if kind == "power" else least
            for _ in range(wanted - count):
                self.put(kind, parts)

    def grade(self) -> None:
        """Six single ones to three double and one triple, the oil off the shores included."""
        count = len(self.sheet.marks) + self.players
        grades = [3] * (count // 10) + [2] * (count * 3 // 10)
        grades += [1] * (count - len(grades))
        self.grades = self.draws.shuffled("grades", grades)
        for key, grade in zip(self.sheet.marks, self.grades, strict=False):
            self.sheet.marks[key] = grade
        self.left = self.grades[len(self.sheet.marks) :]

    def offshore(self) -> None:
        """Oil and fish, by turns before each start's coast."""
        sea = [self.before(start) for start in self.sheet.starts]
        for turn in range(self.players):
            self.wet("oil", sea, turn, self.left[turn])
        for turn in range(3 * self.players):
            self.wet("fish", sea, turn, 1)

    def before(self, start: str) -> list[str]:
        squares = self.map.squares
        near = squares_near(self.map, square_of(start), OFFSHORE)
        return [each for each in near if squares[each].terrain == "sea"]

    def wet(self, kind: str, sea: Sequence[Sequence[str]], turn: int, grade: int) -> None:
        def is_free(square: str) -> bool:
            shore = any(self.map.squares[each].is_land for each in self.map.around(square))
            return (kind, square) not in self.sheet.marks and (kind != "fish" or shore)

        mine = [square for square in sea[turn % len(sea)] if is_free(square)]
        free = mine or [name for name, square in self.map.squares.items() if square.terrain == "sea" and is_free(name)]
        if not free:
            raise Again(f"no sea for {kind}")
        self.sheet.marks[kind, self.draws.one("offshore", free)] = grade
