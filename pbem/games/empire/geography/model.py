"""What a map is once it is built: squares, their parts, and what is joined to what."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal, TypeAlias

from msgspec import Struct

from pbem.games.empire.geography.grid import neighbours, square_of

WATERS = ("sea", "lake")
NO_LAND = ("sea", "lake", "reef")
OCEAN = 20  # sea squares of a body that is an ocean
Link: TypeAlias = Literal["sea", "lake", "single", "double"]


class Square(Struct, frozen=True, kw_only=True):
    name: str
    terrain: str
    land: tuple[str, ...] = ()  # its parts
    water: tuple[str, ...] = ()

    @property
    def is_land(self) -> bool:
        return self.terrain not in NO_LAND

    @property
    def places(self) -> tuple[str, ...]:
        """Where something can be that is in the square, land first; of a full reef, over which aircraft are, itself."""
        return (*self.land, *self.water) or (self.name,)


class LandPart(Struct, frozen=True, kw_only=True):
    name: str
    square: str
    terrain: str
    open: Mapping[int, tuple[str, ...]]  # by direction: the parts across that border
    walled: Mapping[int, tuple[str, ...]]  # across walls: open where a mountain road is
    split_by: str = ""  # what splits its square: river mountain sea


class WaterPart(Struct, frozen=True, kw_only=True):
    name: str
    square: str
    kind: str  # sea lake shore single double
    links: Mapping[str, Link]  # by part: how a ship gets there
    toward: frozenset[int] = frozenset()  # of a shore: the borders with water
    river: str = ""


class Map(Struct, frozen=True, kw_only=True, dict=True):
    id: str
    title: str
    size: tuple[int, int]
    squares: Mapping[str, Square]  # in map order
    land: Mapping[str, LandPart]
    water: Mapping[str, WaterPart]
    marks: Mapping[str, Mapping[str, int]]  # by land part, or water square: grade by kind
    harbors: frozenset[str]  # squares
    starts: tuple[str, ...]
    works: Mapping[str, tuple[str, ...]]  # what stands at the start: `road` … by border; bridge canal … by place
    names: Mapping[str, str]
    oceans: tuple[frozenset[str], ...]  # squares
    fresh: frozenset[str]  # land parts with fresh water
    rivers: Mapping[str, tuple[str, tuple[str, ...]]]  # single or double, and the chain downstream
    barriers: Mapping[str, tuple[str, ...]] = {}  # borders with a wall, a reef, falls

    def parts(self, name: str) -> tuple[str, ...]:
        """The land parts that a name means: one, or those of a divided square."""
        found = self.squares.get(square_of(name))
        return () if found is None else (name,) if name in self.land else found.land if name == found.name else ()

    def waters(self, name: str) -> tuple[str, ...]:
        """The water parts that a name means."""
        found = self.squares.get(square_of(name))
        return () if found is None else (name,) if name in self.water else found.water if name == found.name else ()

    def around(self, square: str) -> tuple[str, ...]:
        """The neighbours that the map has, clockwise from N."""
        return self._around[square]

    @cached_property
    def _around(self) -> Mapping[str, tuple[str, ...]]:
        return {name: tuple(each for each in neighbours(name) if each in self.squares) for name in self.squares}

    @cached_property
    def near(self) -> Mapping[str, tuple[str, ...]]:
        """By land part: itself, the others of its square, and those of the squares around."""
        found = {}
        for name, part in self.land.items():
            own = [other for other in self.squares[part.square].land if other != name]
            around = [other for square in self.around(part.square) for other in self.squares[square].land]
            found[name] = (name, *own, *around)
        return found

    def shown(self, part: str) -> str:
        """A part as people write it: a square's only water part by the bare name."""
        square = self.squares[square_of(part)]
        return square.name if part in square.water and len(square.water) == 1 else part
