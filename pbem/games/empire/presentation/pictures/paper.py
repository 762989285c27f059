"""The sheet of a hex board: which squares it shows, how large, and where each lies."""

from __future__ import annotations

from collections.abc import Collection
from math import cos, pi, sin, sqrt

from pbem.games.empire.geography.grid import column_name, place_of, square_name, square_of
from pbem.games.empire.geography.model import Map

Point = tuple[float, float]
NEAR = 2  # squares shown around those that are asked for, or one around many
MANY = 5  # columns or rows
LEAST = 5, 4  # columns and rows of an excerpt
LARGE, MIDDLE, TINY = 44.0, 30.0, 12.0  # px from a hex's middle to its corner: room for less and less
APOTHEM = sqrt(3) / 2


class Paper:
    """Hexes with flat tops; odd columns stand half a square higher."""

    def __init__(self, map: Map, around: Collection[str] | None, wide: int) -> None:
        self.map = map
        self.columns, self.rows = _window(map, around)
        count = len(self.columns)
        self.side = wide / (count * 1.5 + 0.5 + 1.3)  # of a hex; beside it is room for the numbers of rows
        self.high = self.side * APOTHEM * 2
        self.margin = max(self.side * 0.65, 13.0)
        self.side = (wide - 2 * self.margin) / (count * 1.5 + 0.5)
        self.high = self.side * APOTHEM * 2
        self.width = float(wide)
        self.height = self.high * (len(self.rows) + 0.5) + 2 * self.lines

    @property
    def lines(self) -> float:
        """Room above and below for the letters of columns."""
        return max(13.0, min(24.0, self.side * 0.5))

    @property
    def is_large(self) -> bool:
        return self.side >= LARGE

    @property
    def is_middling(self) -> bool:
        """There is no room for each unit, but for more than how many there are."""
        return MIDDLE <= self.side < LARGE

    @property
    def is_small(self) -> bool:
        return self.side < MIDDLE

    @property
    def is_tiny(self) -> bool:
        return self.side < TINY

    @property
    def squares(self) -> list[str]:
        return [square_name(column, row) for row in self.rows for column in self.columns]

    def has(self, place: str) -> bool:
        column, row, _ = place_of(place)
        return column in self.columns and row in self.rows

    def middle(self, place: str) -> Point:
        """Of a square; squares beyond the sheet have their places, too."""
        column, row, _ = place_of(square_of(place))
        x = self.margin + self.side * (1 + 1.5 * (column - self.columns.start))
        return x, self.lines + self.high * (row - self.rows.start + (0.5 if column % 2 else 1.0))

    def corner(self, place: str, number: int, inset: float = 0) -> Point:
        """Clockwise from the left end of the northern border."""
        x, y = self.middle(place)
        angle = pi / 3 * (number - 2)
        reach = self.side - inset / APOTHEM
        return x + reach * cos(angle), y + reach * sin(angle)

    def border(self, place: str, direction: int, share: float = 1) -> Point:
        """The middle of a border, or a share of the way to it."""
        x, y = self.middle(place)
        dx, dy = towards(direction)
        reach = self.side * APOTHEM * share
        return x + dx * reach, y + dy * reach

    def headings(self) -> list[tuple[str, float]]:
        """Columns with where they lie."""
        return [(column_name(column), self.middle(square_name(column, self.rows.start))[0]) for column in self.columns]


def towards(direction: int) -> Point:
    angle = pi / 3 * direction - pi / 2
    return cos(angle), sin(angle)


def _window(map: Map, around: Collection[str] | None) -> tuple[range, range]:
    width, height = map.size
    if not around:
        return range(1, width + 1), range(1, height + 1)
    places = [place_of(name) for name in around]
    columns = _wide_enough([column for column, *_ in places], LEAST[0], width)
    return columns, _wide_enough([row for _, row, _ in places], LEAST[1], height)


def _wide_enough(numbers: list[int], least: int, last: int) -> range:
    near = NEAR if max(numbers) - min(numbers) < MANY else 1
    low, high = max(1, min(numbers) - near), min(last, max(numbers) + near)
    while high - low + 1 < min(least, last):
        low, high = max(1, low - 1), min(last, high + 1)
    return range(low, high + 1)
