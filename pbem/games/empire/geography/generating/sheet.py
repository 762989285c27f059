"""The sheet on which a map is made: its squares, and what they have become so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pbem.games.empire.geography.grid import neighbours, square_name

WATER = (".", "r")


class Sheet:
    """Signs by square, in map order; sea where nothing else is."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        names = [square_name(column, row) for row in range(1, height + 1) for column in range(1, width + 1)]
        self.signs = dict.fromkeys(names, ".")
        self.beside = {name: tuple(each for each in neighbours(name) if each in self.signs) for name in names}
        self.edge = {name for name, beside in self.beside.items() if len(beside) < 6}
        self.inner = [name for name in names if name not in self.edge]
        self.bodies: list[dict[str, None]] = []  # continents, then islands
        self.continents = 0
        self.rivers: list[tuple[str, list[str]]] = []  # single or double, downstream
        self.falls: list[tuple[str, str]] = []
        self.walls: list[tuple[str, str]] = []
        self.reefs: list[tuple[str, str]] = []
        self.starts: list[str] = []
        self.marks: dict[tuple[str, str], int] = {}  # grade by kind and place

    @property
    def land(self) -> list[str]:
        """All that is no sea, in map order; lakes, too."""
        return [name for name, sign in self.signs.items() if sign not in WATER]

    @property
    def sea(self) -> list[str]:
        return [name for name, sign in self.signs.items() if sign in WATER]

    def is_coast(self, name: str) -> bool:
        return any(self.signs[each] in WATER for each in self.beside[name])

    def patches(self, names: Iterable[str]) -> list[list[str]]:
        """These squares, parted into those that hang together."""
        left = dict.fromkeys(names)
        found = []
        while left:
            first = next(iter(left))
            del left[first]
            patch = [first]
            for name in patch:
                for each in self.beside[name]:
                    if each in left:
                        del left[each]
                        patch.append(each)
            found.append(patch)
        return found

    def touches(self, name: str, which: Callable[[str], bool]) -> bool:
        return any(which(each) for each in self.beside[name])

    def around(self, sign: str, among: Iterable[str]) -> frozenset[str]:
        """All that touch one of these squares with that sign."""
        signs, beside = self.signs, self.beside
        return frozenset(each for name in among if signs[name] == sign for each in beside[name])
