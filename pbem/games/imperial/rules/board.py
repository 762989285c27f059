"""The board: nations, regions, ports and borders, as its file describes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Literal, NewType

from msgspec import Struct

Nation = NewType("Nation", str)
Region = NewType("Region", str)
Unit = Literal["army", "fleet"]

# Clockwise on the rondel; the order and the ids are the same in every rule book (games/imperial/RULINGS.md, B3).
SPACES = (
    "factory",
    "production_1",
    "maneuver_1",
    "investor",
    "import",
    "production_2",
    "maneuver_2",
    "taxation",
)


class Place(Struct, frozen=True, kw_only=True):
    """A region: a home province when it has a nation, else free land or sea."""

    id: Region
    kind: Literal["home", "land", "sea", "impassable"]
    nation: Nation | None = None
    makes: Unit | None = None  # what a factory here would produce
    port: Region | None = None  # the sea with the anchor
    works: bool = False  # a factory stands here at the start


class Board(Struct, frozen=True, kw_only=True, dict=True):
    """Everything about the map that never changes in a game."""

    id: str
    supply: Mapping[Nation, Mapping[Unit, int]]  # wooden pieces; the keys are the nations in turn order
    places: Mapping[Region, Place]  # home provinces, then land, then seas: the order of every list
    borders: tuple[tuple[Region, Region], ...]

    @cached_property
    def nations(self) -> tuple[Nation, ...]:
        return tuple(self.supply)

    @cached_property
    def rank(self) -> Mapping[Region, int]:
        return {region: place for place, region in enumerate(self.places)}

    @cached_property
    def homes(self) -> Mapping[Nation, tuple[Region, ...]]:
        return {nation: tuple(p.id for p in self.places.values() if p.nation == nation) for nation in self.nations}

    @cached_property
    def free_regions(self) -> tuple[Region, ...]:
        """Land and seas outside the nations, where flags are placed."""
        return tuple(p.id for p in self.places.values() if p.kind in ("land", "sea"))

    @cached_property
    def beside(self) -> Mapping[Region, tuple[Region, ...]]:
        """Neighbours of every region, in the board's order."""
        pairs = [*self.borders, *((b, a) for a, b in self.borders)]
        return {region: self.sorted(b for a, b in pairs if a == region) for region in self.places}

    @cached_property
    def seas_beside(self) -> Mapping[Region, tuple[Region, ...]]:
        return {r: tuple(n for n in near if self.is_sea(n)) for r, near in self.beside.items()}

    @cached_property
    def land_beside(self) -> Mapping[Region, tuple[Region, ...]]:
        return {r: tuple(n for n in near if not self.is_sea(n)) for r, near in self.beside.items()}

    @cached_property
    def rails(self) -> Mapping[Region, tuple[Region, ...]]:
        """Home provinces of the same nation beside each home province."""
        homes = {place.id: place.nation for place in self.places.values() if place.nation}
        return {r: tuple(n for n in self.land_beside[r] if homes.get(n) == homes[r]) for r in homes}

    def sorted(self, regions: Iterable[Region]) -> tuple[Region, ...]:
        return tuple(sorted(regions, key=self.rank.__getitem__))

    def is_sea(self, region: Region) -> bool:
        return self.places[region].kind == "sea"

    def is_foreign(self, region: Region, nation: Nation) -> bool:
        """Is the region a home province of another nation?"""
        home = self.places[region].nation
        return home is not None and home != nation
