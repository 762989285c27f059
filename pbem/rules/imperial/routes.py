"""Ways of an army: by rail at home, one move over land or by convoy, and rail again (R14, R15)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise, permutations

from msgspec import Struct

from pbem.rules.imperial.board import Nation, Region
from pbem.rules.imperial.course import Course
from pbem.rules.imperial.state import at
from pbem.table.refusal import Illegal

Carried = Mapping[Region, int]


class Route(Struct, frozen=True, kw_only=True):
    embarked: Region  # where the own move begins
    seas: tuple[Region, ...] = ()
    landed: Region  # where it ends
    rail: bool = False  # no own move at all


def find_route(
    course: Course,
    nation: Nation,
    origin: Region,
    target: Region,
    via: tuple[Region, ...] | None,
    carried: Carried,
) -> Route:
    """The way this army takes: land before sea, the fewest fleets, then the board's order of seas.

    Raises `Illegal` move.not_adjacent or move.no_convoy.
    """
    starts = rail_net(course, nation, origin)
    ends = rail_net(course, nation, target)
    if origin == target or not _is_land(course, target):
        raise Illegal("move.not_adjacent", unit="army", region=origin, target=target)
    if via is None:
        route = _by_land(course, starts, ends, target)
        if route:
            return route
    seas = _seas(course, starts, ends, via, _free_fleets(course, nation, carried))
    if seas is None:
        _refuse(course, origin, target, starts, ends, via)
    assert seas is not None, "refused above"
    return Route(embarked=_coast(course, starts, seas[0]), seas=seas, landed=_coast(course, ends, seas[-1]))


def rail_net(course: Course, nation: Nation, region: Region) -> tuple[Region, ...]:
    """All places that rail joins to this one, nearest first; the place alone where no rail runs."""
    if course.board.places[region].nation != nation or course.occupied(region):
        return (region,)
    net = [region]
    for here in net:
        net += [r for r in course.board.rails[here] if r not in net and not course.occupied(r)]
    return tuple(net)


def _is_land(course: Course, region: Region) -> bool:
    return course.board.places[region].kind in ("home", "land")


def _by_land(course: Course, starts: tuple[Region, ...], ends: tuple[Region, ...], target: Region) -> Route | None:
    if target in starts:
        return Route(embarked=target, landed=target, rail=True)
    steps = [
        (starts.index(start) + ends.index(end), start, end)
        for start in starts
        for end in ends
        if end in course.board.land_beside[start]
    ]
    if not steps:
        return None
    _, embarked, landed = min(steps, key=lambda step: step[0])
    return Route(embarked=embarked, landed=landed)


def _free_fleets(course: Course, nation: Nation, carried: Carried) -> Callable[[Region], bool]:
    fleets = course.state.fleets
    return lambda sea: at(fleets, sea, nation) > carried.get(sea, 0)


def _seas(
    course: Course,
    starts: tuple[Region, ...],
    ends: tuple[Region, ...],
    via: tuple[Region, ...] | None,
    usable: Callable[[Region], bool],
) -> tuple[Region, ...] | None:
    """The seas of a convoy in sailing order; None when there is none."""
    beside = course.board.seas_beside
    first = course.board.sorted({sea for start in starts for sea in beside[start]})
    last = {sea for end in ends for sea in beside[end]}
    if via is not None:
        return _exactly(course, via, first, last, usable)
    return _shortest(course, first, last, usable)


def _shortest(
    course: Course, first: Iterable[Region], last: set[Region], usable: Callable[[Region], bool]
) -> tuple[Region, ...] | None:
    """Breadth first, each layer in the board's order: the first arrival is the way we want."""
    paths: list[tuple[Region, ...]] = [(sea,) for sea in first if usable(sea)]
    reached = {path[0] for path in paths}
    for path in paths:
        if path[-1] in last:
            return path
        onward = [s for s in course.board.seas_beside[path[-1]] if s not in reached and usable(s)]
        reached.update(onward)
        paths += [(*path, sea) for sea in onward]
    return None


def _exactly(
    course: Course,
    via: tuple[Region, ...],
    first: tuple[Region, ...],
    last: set[Region],
    usable: Callable[[Region], bool],
) -> tuple[Region, ...] | None:
    """The named seas, as written when that can be sailed, else in the first order that can."""
    if len(set(via)) < len(via) or not all(course.board.is_sea(sea) and usable(sea) for sea in via):
        return None
    orders = [via, *permutations(course.board.sorted(via))]
    return next((seas for seas in orders if _sails(course, seas, first, last)), None)


def _sails(course: Course, seas: tuple[Region, ...], first: tuple[Region, ...], last: set[Region]) -> bool:
    steps = pairwise(seas)
    linked = all(there in course.board.seas_beside[here] for here, there in steps)
    return linked and seas[0] in first and seas[-1] in last


def _coast(course: Course, places: tuple[Region, ...], sea: Region) -> Region:
    return next(place for place in places if sea in course.board.seas_beside[place])


def _refuse(
    course: Course,
    origin: Region,
    target: Region,
    starts: tuple[Region, ...],
    ends: tuple[Region, ...],
    via: tuple[Region, ...] | None,
) -> None:
    """Would fleets help? Then they are missing; else the places are not beside each other."""
    with_fleets = _seas(course, starts, ends, None, lambda _: True)
    if via is None and with_fleets is None:
        raise Illegal("move.not_adjacent", unit="army", region=origin, target=target)
    raise Illegal("move.no_convoy", region=origin, target=target, via=via or with_fleets or ())
