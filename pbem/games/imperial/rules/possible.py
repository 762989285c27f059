"""What is possible now: spaces, sites, places for units, ways without a fleet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import repeat

from pbem.core.refusal import Illegal
from pbem.games.imperial.rules.board import SPACES, Nation, Region, Unit
from pbem.games.imperial.rules.economy import check_site
from pbem.games.imperial.rules.maneuver import fresh, statuses
from pbem.games.imperial.rules.orders import Line, Status
from pbem.games.imperial.rules.resolution import Course
from pbem.games.imperial.rules.routes import rail_net
from pbem.games.imperial.rules.state import Maneuver, at
from pbem.games.imperial.rules.turn import check_space, distance


def legal(check: Callable[..., None], *facts: object) -> bool:
    """Does the check of the rules let this pass?"""
    try:
        check(*facts)
    except Illegal:
        return False
    return True


def legal_spaces(course: Course, nation: Nation) -> Iterator[str]:
    before, reach = course.state.rondel[nation], course.edition.reach
    near_enough = (space for space in SPACES if distance(before, space) <= reach)
    return (space for space in near_enough if legal(check_space, course, nation, space))


def sites(course: Course, nation: Nation) -> Iterator[Region]:
    """Where a factory could stand, whatever the treasury holds."""
    return (region for region in course.board.homes[nation] if legal(check_site, course, nation, region))


def building_sites(course: Course, nation: Nation) -> Iterator[Region]:
    """Where the nation can build now."""
    return sites(course, nation) if course.state.treasury[nation] >= course.edition.factory_cost else iter(())


def landings(course: Course, nation: Nation, unit: Unit) -> list[Region]:
    """Where the nation may import such a unit, whatever the treasury holds; nowhere when the box is empty."""
    homes = course.board.homes[nation] if course.supply(nation, unit) > 0 else ()
    return [r for r in homes if not course.occupied(r) and (unit == "army" or course.board.places[r].port)]


def units_of(course: Course, nation: Nation) -> Iterator[tuple[Unit, Region]]:
    """Each unit on the board, fleets first."""
    state = course.state
    for region in course.board.sorted(state.fleets):
        yield from repeat(("fleet", region), at(state.fleets, region, nation))
    for region in course.board.sorted({*state.armies, *state.friendly}):
        yield from repeat(("army", region), state.armies_at(region, nation))


def near(course: Course, nation: Nation, unit: Unit, region: Region) -> Iterator[Region]:
    """Where a unit can go without help of fleets."""
    board = course.board
    if unit == "fleet":
        port = board.places[region].port
        yield from board.seas_beside[region] if port is None else (port,)
        return
    starts = rail_net(course, nation, region)
    yield from dict.fromkeys(r for start in starts for r in (start, *board.land_beside[start]) if r != region)


def overseas(course: Course, nation: Nation, region: Region) -> Iterator[Region]:
    """Where one fleet beside the army would carry it."""
    for sea in course.board.seas_beside[region]:
        if at(course.state.fleets, sea, nation):
            yield from (r for r in course.board.land_beside[sea] if r != region)


def movable(course: Course, nation: Nation) -> Iterator[Line]:
    """A line for the units in each place that have not taken theirs, fleets first; all of them could be carried out."""
    task = course.state.agenda[0]
    maneuver = task if isinstance(task, Maneuver) else Maneuver(nation=nation)
    for unit, region in dict.fromkeys(units_of(course, nation)):
        targets = [r for r in near(course, nation, unit, region) if course.board.places[r].kind != "impassable"]
        target = min(targets, key=lambda r: _appeal(course, nation, r), default=None)
        if target is not None:
            status: Status | None = "friendly" if course.board.is_foreign(target, nation) else None
            for leaving, count in _waiting(course, maneuver, unit, region):
                yield Line(count=count, unit=unit, region=region, leaving=leaving, target=target, status=status)


def _waiting(course: Course, task: Maneuver, unit: Unit, region: Region) -> list[tuple[Status | None, int]]:
    """How many of them are still to move, parted by status where there are both."""
    ways = statuses(course, task.nation, region) if unit == "army" else (None,)
    counts = {status: fresh(course, task, unit, region, status) for status in ways}
    found = [(status, count) for status, count in counts.items() if count > 0]
    return found if len(found) > 1 else [(None, count) for _, count in found]


def _appeal(course: Course, nation: Nation, region: Region) -> int:
    """Places where a flag is to be had come first, other governments' homes last."""
    home = course.board.places[region].nation
    if home is not None:
        return 2 if home == nation else 3
    return 0 if course.state.flags.get(region) != nation else 1
