"""Ways of an army: by rail at home, one move over land or by convoy, and rail again (R14, R15)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, permutations

from pbem.core.refusal import Illegal
from pbem.games.imperial.rules.places import Nation, Region, Route
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.stacks import at

Carried = Mapping[Region, int]


def find_routes(
    resolution: Resolution,
    nation: Nation,
    origin: Region,
    target: Region,
    via: tuple[Region, ...] | None,
    carried: Carried,
    count: int,
) -> list[Route]:
    """Ways for all armies of one line: each takes the best that is left; where that strands the last, they share.

    Raises `Illegal` as `find_route` does.
    """
    routes: list[Route] = []
    used = dict(carried)
    try:
        while len(routes) < count:
            routes.append(find_route(resolution, nation, origin, target, via, used))
            used |= {sea: used.get(sea, 0) + 1 for sea in routes[-1].seas}
    except Illegal:
        shared = _together(resolution, nation, origin, target, carried, count) if routes and via is None else None
        if shared is None:
            raise
        return shared
    return routes


def find_route(
    resolution: Resolution,
    nation: Nation,
    origin: Region,
    target: Region,
    via: tuple[Region, ...] | None,
    carried: Carried,
) -> Route:
    """The way this army takes: land before sea, the fewest fleets, then the board's order of seas.

    Raises `Illegal` move.not_adjacent or move.no_convoy.
    """
    if origin == target or target not in resolution.board.lands:
        raise _not_adjacent(resolution, nation, origin, target)
    railway = resolution.railway(nation)
    if via is None:
        route = railway.route(origin, target)
        if route is not None:
            return route
    starts, ends = railway.net(origin), railway.net(target)
    seas = _seas(resolution, starts, ends, via, _free_fleets(resolution, nation, carried))
    if seas is None:
        raise _refusal(resolution, nation, origin, target, via)
    return _convoy(resolution, starts, seas, ends)


def _free_fleets(resolution: Resolution, nation: Nation, carried: Carried) -> Callable[[Region], bool]:
    fleets = resolution.state.fleets
    return lambda sea: at(fleets, sea, nation) > carried.get(sea, 0)


def _seas(
    resolution: Resolution,
    starts: tuple[Region, ...],
    ends: tuple[Region, ...],
    via: tuple[Region, ...] | None,
    usable: Callable[[Region], bool],
) -> tuple[Region, ...] | None:
    """The seas of a convoy in sailing order; None when there is none."""
    beside = resolution.board.seas_beside
    first = resolution.board.sorted({sea for start in starts for sea in beside[start]})
    last = {sea for end in ends for sea in beside[end]}
    if via is not None:
        return _exactly(resolution, via, first, last, usable)
    return _shortest(resolution, first, last, usable)


def _shortest(
    resolution: Resolution, first: Iterable[Region], last: set[Region], usable: Callable[[Region], bool]
) -> tuple[Region, ...] | None:
    """Breadth first, each layer in the board's order: the first arrival is the way we want."""
    paths: list[tuple[Region, ...]] = [(sea,) for sea in first if usable(sea)]
    reached = {path[0] for path in paths}
    for path in paths:
        if path[-1] in last:
            return path
        onward = [s for s in resolution.board.seas_beside[path[-1]] if s not in reached and usable(s)]
        reached.update(onward)
        paths += [(*path, sea) for sea in onward]
    return None


def _together(
    resolution: Resolution, nation: Nation, origin: Region, target: Region, carried: Carried, count: int
) -> list[Route] | None:
    """Convoys for so many armies at once, the shortest that fit together; None when there are none."""
    starts, ends = resolution.railway(nation).net(origin), resolution.railway(nation).net(target)
    fleets = resolution.state.fleets
    free = {sea: at(fleets, sea, nation) - carried.get(sea, 0) for sea in fleets if resolution.board.is_sea(sea)}
    ways = sorted(
        _all_seas(resolution, starts, ends, free), key=lambda seas: (len(seas), *map(_rank(resolution), seas))
    )
    chosen = _fitting(ways, free, count)
    if chosen is None:
        return None
    return [_convoy(resolution, starts, seas, ends) for seas in chosen]


def _rank(resolution: Resolution) -> Callable[[Region], int]:
    return resolution.board.rank.__getitem__


def _all_seas(
    resolution: Resolution, starts: tuple[Region, ...], ends: tuple[Region, ...], free: Mapping[Region, int]
) -> Iterator[tuple[Region, ...]]:
    """Every way over seas with a free fleet that enters none of them twice."""
    beside = resolution.board.seas_beside
    last = {sea for end in ends for sea in beside[end]}
    first = resolution.board.sorted({sea for start in starts for sea in beside[start]})
    paths: list[tuple[Region, ...]] = [(sea,) for sea in first if free.get(sea, 0) > 0]
    while paths:
        path = paths.pop()
        if path[-1] in last:
            yield path
        paths += [(*path, sea) for sea in beside[path[-1]] if sea not in path and free.get(sea, 0) > 0]


def _fitting(
    ways: Sequence[tuple[Region, ...]], free: Mapping[Region, int], count: int
) -> list[tuple[Region, ...]] | None:
    """The first so many ways, the same one several times if need be, for which there are fleets enough."""
    if not count:
        return []
    for place, seas in enumerate(ways):
        if all(free[sea] > 0 for sea in seas):
            left = {**free, **{sea: free[sea] - 1 for sea in seas}}
            rest = _fitting(ways[place:], left, count - 1)
            if rest is not None:
                return [seas, *rest]
    return None


def _exactly(
    resolution: Resolution,
    via: tuple[Region, ...],
    first: tuple[Region, ...],
    last: set[Region],
    usable: Callable[[Region], bool],
) -> tuple[Region, ...] | None:
    """The named seas, as written when that can be sailed, else in the first order that can."""
    if len(set(via)) < len(via) or not all(resolution.board.is_sea(sea) and usable(sea) for sea in via):
        return None
    orders = [via, *permutations(resolution.board.sorted(via))]
    return next((seas for seas in orders if _sails(resolution, seas, first, last)), None)


def _sails(resolution: Resolution, seas: tuple[Region, ...], first: tuple[Region, ...], last: set[Region]) -> bool:
    steps = pairwise(seas)
    linked = all(there in resolution.board.seas_beside[here] for here, there in steps)
    return linked and seas[0] in first and seas[-1] in last


def _convoy(
    resolution: Resolution, starts: tuple[Region, ...], seas: tuple[Region, ...], ends: tuple[Region, ...]
) -> Route:
    return Route(embarked=_coast(resolution, starts, seas[0]), seas=seas, landed=_coast(resolution, ends, seas[-1]))


def _coast(resolution: Resolution, places: tuple[Region, ...], sea: Region) -> Region:
    return next(place for place in places if sea in resolution.board.seas_beside[place])


def _refusal(
    resolution: Resolution, nation: Nation, origin: Region, target: Region, via: tuple[Region, ...] | None
) -> Illegal:
    """Would fleets help? Then they are missing; else the places are not beside each other."""
    starts, ends = resolution.railway(nation).net(origin), resolution.railway(nation).net(target)
    with_fleets = _seas(resolution, starts, ends, None, lambda _: True)
    if via is None and with_fleets is None:
        return _not_adjacent(resolution, nation, origin, target)
    at_sea = via is not None or any(
        resolution.board.is_sea(r) and nation in resolution.state.fleets[r] for r in resolution.state.fleets
    )
    facts = {"region": origin, "target": target, "via": via or with_fleets or (), "at_sea": at_sea}
    return Illegal("move.no_convoy", **facts, reaches=reach(resolution, nation, origin))


def _not_adjacent(resolution: Resolution, nation: Nation, origin: Region, target: Region) -> Illegal:
    reaches = reach(resolution, nation, origin)
    return Illegal("move.not_adjacent", unit="army", region=origin, target=target, reaches=reaches)


def convoys(
    resolution: Resolution, nation: Nation, origin: Region, seas: Collection[Region]
) -> dict[Region, list[tuple[Region, ...]]]:
    """The ways over any of these seas to each place that an army can't reach by land and rail.

    Each in sailing order, the shortest first; none that could do with a part of its seas.
    """
    beside, starts = resolution.board.seas_beside, resolution.railway(nation).net(origin)
    first = {sea for start in starts for sea in beside[start] if sea in seas}
    by_land, found = {origin, *reach(resolution, nation, origin)}, dict[Region, list[tuple[Region, ...]]]()
    ways: list[tuple[Region, ...]] = [(sea,) for sea in resolution.board.sorted(first)]
    for way in ways:
        before, last = way[:-1], way[-1]
        near = {sea for each in before for sea in (each, *beside[each])} | first
        ways += [(*way, sea) for sea in beside[last] if sea in seas and sea not in near]
        sooner = {end for sea in before for end in _landed(resolution, nation, sea)}
        for end in _landed(resolution, nation, last):
            if end not in by_land and end not in sooner:
                found.setdefault(end, []).append(way)
    return found


def _landed(resolution: Resolution, nation: Nation, sea: Region) -> tuple[Region, ...]:
    """Where an army comes that is carried to this sea last."""
    ends = {end for there in resolution.board.land_beside[sea] for end in resolution.railway(nation).net(there)}
    return resolution.board.sorted(end for end in ends if end in resolution.board.lands)


def reach(resolution: Resolution, nation: Nation, origin: Region, seas: Collection[Region] = ()) -> tuple[Region, ...]:
    """Where an army comes by land and rail, and by convoy over any of these seas, in the board's order."""
    board = resolution.board
    starts = resolution.railway(nation).net(origin)
    sailed = [sea for sea in seas if any(sea in board.seas_beside[start] for start in starts)]
    for here in sailed:
        sailed += [sea for sea in board.seas_beside[here] if sea in seas and sea not in sailed]
    landed = {there for here in (*starts, *sailed) for there in board.land_beside[here]}
    ends = {end for there in landed for end in resolution.railway(nation).net(there)}
    return board.sorted(r for r in {*starts, *ends} - {origin} if r in resolution.board.lands)
