"""The board: nations, regions, ports and borders, as its file describes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.games.imperial.rules.places import Nation, Place, Region, Route, Unit


class Board:
    """Everything about the map that never changes in a game: what its file says, and tables of what follows from it."""

    def __init__(
        self,
        *,
        id: str,
        supply: Mapping[Nation, Mapping[Unit, int]],
        places: Mapping[Region, Place],
        borders: tuple[tuple[Region, Region], ...],
    ) -> None:
        self.id = id
        self.supply = supply  # wooden pieces; the keys are the nations in turn order
        self.places = places  # home provinces, then land, then seas: the order of every list
        self.borders = borders
        every = places.values()

        self.nations = tuple(supply)
        self.rank = {region: place for place, region in enumerate(places)}
        self.home_of = {place.id: place.nation for place in every}  # whose home province each region is
        self.homes = {nation: tuple(p.id for p in every if p.nation == nation) for nation in supply}
        self.seas = frozenset(place.id for place in every if place.kind == "sea")
        self.lands = frozenset(p.id for p in every if p.kind in ("home", "land"))  # where armies may stand
        self.free_regions = tuple(p.id for p in every if p.kind in ("land", "sea"))  # where flags are placed

        pairs = [*borders, *((b, a) for a, b in borders)]
        self.beside = {region: self.sorted(b for a, b in pairs if a == region) for region in places}
        self.seas_beside = {r: tuple(n for n in near if n in self.seas) for r, near in self.beside.items()}
        self.land_beside = {r: tuple(n for n in near if n not in self.seas) for r, near in self.beside.items()}

        # Where an army goes from each region over land, without rails.
        self.marches = {r: tuple(n for n in near if n in self.lands) for r, near in self.land_beside.items()}
        # Where a fleet goes from each sea, and out of each harbour.
        ports = {place.id: (place.port,) if place.port else () for place in every if place.nation}
        self.sails = {region: ports.get(region, seas) for region, seas in self.seas_beside.items()}
        # Home provinces of the same nation beside each home province.
        self.rails = {r: self._of_the_same(r, home) for r, home in self.home_of.items() if home}

        # The armies of some position, and the home provinces of each nation that are occupied then: seen once.
        self.held: dict[Nation, tuple[object, frozenset[Region]]] = {}
        # The bonds and governments of some position in which each government stays who it is: counted once.
        self.settled: tuple[Mapping[Nation, object], Mapping[Nation, str | None]] = {}, {}
        self._railways: dict[tuple[Nation, frozenset[Region]], Railway] = {}

    def _of_the_same(self, region: Region, home: Nation) -> tuple[Region, ...]:
        return tuple(near for near in self.land_beside[region] if self.home_of[near] == home)

    def sorted(self, regions: Iterable[Region]) -> tuple[Region, ...]:
        return tuple(sorted(regions, key=self.rank.__getitem__))

    def is_sea(self, region: Region) -> bool:
        return region in self.seas

    def is_foreign(self, region: Region, nation: Nation) -> bool:
        """Is the region a home province of another nation?"""
        home = self.home_of[region]
        return home is not None and home != nation

    def railway(self, nation: Nation, occupied: frozenset[Region]) -> Railway:
        """The ways of a nation's armies while these of its home provinces are occupied: laid out once."""
        known = self._railways.get((nation, occupied))
        if known is None:
            known = self._railways[nation, occupied] = Railway(self, nation, occupied)
        return known


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
