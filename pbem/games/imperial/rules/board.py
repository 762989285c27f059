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
        return {r: tuple(n for n in near if n in self.seas) for r, near in self.beside.items()}

    @cached_property
    def land_beside(self) -> Mapping[Region, tuple[Region, ...]]:
        return {r: tuple(n for n in near if n not in self.seas) for r, near in self.beside.items()}

    @cached_property
    def home_of(self) -> Mapping[Region, Nation | None]:
        """Whose home province each region is."""
        return {place.id: place.nation for place in self.places.values()}

    @cached_property
    def seas(self) -> frozenset[Region]:
        return frozenset(place.id for place in self.places.values() if place.kind == "sea")

    @cached_property
    def lands(self) -> frozenset[Region]:
        """Where armies may stand."""
        return frozenset(place.id for place in self.places.values() if place.kind in ("home", "land"))

    @cached_property
    def marches(self) -> Mapping[Region, tuple[Region, ...]]:
        """Where an army goes from each region over land, without rails."""
        return {r: tuple(n for n in near if n in self.lands) for r, near in self.land_beside.items()}

    @cached_property
    def sails(self) -> Mapping[Region, tuple[Region, ...]]:
        """Where a fleet goes from each sea, and out of each harbour."""
        ports = {place.id: (place.port,) if place.port else () for place in self.places.values() if place.nation}
        return {region: ports.get(region, seas) for region, seas in self.seas_beside.items()}

    @cached_property
    def rails(self) -> Mapping[Region, tuple[Region, ...]]:
        """Home provinces of the same nation beside each home province."""
        homes = self.home_of
        return {r: tuple(n for n in self.land_beside[r] if homes[n] == home) for r, home in homes.items() if home}

    def sorted(self, regions: Iterable[Region]) -> tuple[Region, ...]:
        return tuple(sorted(regions, key=self.rank.__getitem__))

    def is_sea(self, region: Region) -> bool:
        return region in self.seas

    def is_foreign(self, region: Region, nation: Nation) -> bool:
        """Is the region a home province of another nation?"""
        home = self.home_of[region]
        return home is not None and home != nation

    @cached_property
    def held(self) -> dict[Nation, tuple[object, frozenset[Region]]]:
        """The armies of some position, and the home provinces of each nation that are occupied then: seen once."""
        return {}

    @cached_property
    def settled(self) -> dict[Nation, tuple[object, str | None]]:
        """The bonds of each nation, of some position, with which its government stays who it is: counted once."""
        return {}

    @cached_property
    def _railways(self) -> dict[tuple[Nation, frozenset[Region]], Railway]:
        return {}

    def railway(self, nation: Nation, occupied: frozenset[Region]) -> Railway:
        """The ways of a nation's armies while these of its home provinces are occupied: laid out once."""
        known = self._railways.get((nation, occupied))
        if known is None:
            known = self._railways[nation, occupied] = Railway(self, nation, occupied)
        return known


class Route(Struct, frozen=True, kw_only=True, gc=False):
    """A way of one army: by rail, one move over land or over seas, and by rail again."""

    embarked: Region  # where the own move begins
    seas: tuple[Region, ...] = ()
    landed: Region  # where it ends
    rail: bool = False  # no own move at all


class Railway:
    """Where the armies of one nation come by rail and over land while some of its home provinces are occupied.

    Kept is what has to do with its rails: all else is as the board has it.
    """

    def __init__(self, board: Board, nation: Nation, occupied: frozenset[Region]) -> None:
        self._board = board
        self._nets = {home: self._net(home, occupied) for home in board.homes[nation] if home not in occupied}
        self._near = {home: self._around(home, net) for home, net in self._nets.items()}
        self._routes: dict[tuple[Region, Region], Route | None] = {}

    def _net(self, region: Region, occupied: frozenset[Region]) -> tuple[Region, ...]:
        net = [region]
        for here in net:
            net += [r for r in self._board.rails[here] if r not in net and r not in occupied]
        return tuple(net)

    def _around(self, region: Region, net: tuple[Region, ...]) -> tuple[Region, ...]:
        ends = dict.fromkeys(end for start in net for end in (start, *self._board.marches[start]))
        return tuple(end for end in ends if end != region)

    def net(self, region: Region) -> tuple[Region, ...]:
        """All places that rail joins to this one, nearest first; the place alone where no rail runs."""
        return self._nets.get(region) or (region,)

    def near(self, region: Region) -> tuple[Region, ...]:
        """Where an army can go without help of fleets and of rails at its end, the places by rail among them."""
        near = self._near.get(region)
        return self._board.marches[region] if near is None else near

    def route(self, origin: Region, target: Region) -> Route | None:
        """The way by land that takes the fewest steps by rail; None also to the place itself."""
        if origin not in self._nets and target not in self._nets:
            return Route(embarked=origin, landed=target) if target in self._board.marches[origin] else None
        try:
            return self._routes[origin, target]
        except KeyError:
            route = self._routes[origin, target] = self._shortest(self.net(origin), self.net(target), target)
            return route

    def _shortest(self, starts: tuple[Region, ...], ends: tuple[Region, ...], target: Region) -> Route | None:
        if target == starts[0]:
            return None
        if target in starts:
            return Route(embarked=target, landed=target, rail=True)
        steps = [
            (here + there, start, end)
            for here, start in enumerate(starts)
            for there, end in enumerate(ends)
            if end in self._board.marches[start]
        ]
        if not steps:
            return None
        _, embarked, landed = min(steps, key=lambda step: step[0])
        return Route(embarked=embarked, landed=landed)
