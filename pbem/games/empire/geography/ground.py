"""What a map file's grid says, also where it is wrong: what the check of its lines stands on."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence

from pbem.games.empire.geography.board import NO_LAND, WATERS
from pbem.games.empire.geography.grid import border, direction_to, neighbours, square_name, square_of
from pbem.games.empire.geography.map_file import TERRAINS, MapFile

SQUARE = re.compile(r"[A-Z]{1,2}[1-9][0-9]?")
PART = re.compile(r"[A-Z]{1,2}[1-9][0-9]?[abc]?")


class Ground:
    """The squares, and what good lines have put there so far."""

    def __init__(self, file: MapFile) -> None:
        width, height = file.size
        self.names = {square_name(column, row) for row in range(1, height + 1) for column in range(1, width + 1)}
        self.terrains: Mapping[str, str] = {
            square_name(column, row): TERRAINS[sign]
            for row, (_, (_, *signs)) in enumerate(file.rows, 1)
            for column, sign in enumerate(signs, 1)
            if sign in TERRAINS and column <= width and row <= height
        }
        self.rivers: dict[str, tuple[str, Sequence[str]]] = {}
        self.split: dict[str, tuple[str, int]] = {}  # by what, and how many parts
        self.walls: set[str] = set()
        self.reefs: set[str] = set()
        self.marks: set[tuple[str, str]] = set()
        self.mountain_roads: set[str] = set()
        self.canals: set[str] = set()  # squares that one touches
        self.starts: set[str] = set()

    def has_square(self, name: str) -> bool:
        return bool(SQUARE.fullmatch(name)) and name in self.names

    def has_part(self, name: str) -> bool:
        """A land part by its full name, or a water square."""
        return bool(PART.fullmatch(name)) and square_of(name) in self.names and name in self.parts(square_of(name))

    def parts(self, square: str) -> tuple[str, ...]:
        if square in self.split:
            return tuple(square + letter for letter in "abc"[: self.split[square][1]])
        return (square,)

    def terrain(self, place: str) -> str:
        """Empty where the grid is wrong: then nothing more is said about it."""
        return self.terrains.get(square_of(place), "")

    def is_land(self, place: str) -> bool:
        return self.terrain(place) not in ("", *NO_LAND)

    def is_water(self, place: str) -> bool:
        return self.terrain(place) in WATERS

    def is_known(self, *places: str) -> bool:
        return all(self.terrain(place) for place in places)

    def rivers_in(self, square: str) -> int:
        return sum(square in chain for _, chain in self.rivers.values())

    def is_on_river(self, one: str, other: str) -> bool:
        """Is this border on the way of a river?"""
        steps = (pair for _, chain in self.rivers.values() for pair in itertools.pairwise(chain))
        return any({*pair} == {one, other} for pair in steps)

    def is_walled(self, one: str, other: str) -> bool:
        return "full_mountain" in (self.terrain(one), self.terrain(other)) or border(one, other) in self.walls

    def has_water(self, square: str) -> bool:
        """Is it a shore or river square?"""
        return self.is_land(square) and (
            any(self.is_water(each) for each in neighbours(square) if each) or self.rivers_in(square) > 0
        )

    def may_sail(self, one: str, other: str) -> bool:
        """Would ships cross this border, were there neither reef nor falls?"""
        if "reef" in (self.terrain(one), self.terrain(other)):
            return False
        if self.is_water(one) or self.is_water(other) or self.is_on_river(one, other):
            return True
        direction = direction_to(one, other)
        assert direction is not None, "they are neighbours"
        beside = (neighbours(one)[(direction + step) % 6] for step in (1, -1))
        return any(self.is_water(each) for each in beside if each)
