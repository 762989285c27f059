"""Flags at the end of a maneuver (new edition, Flags; R16, R17)."""

from __future__ import annotations

from collections import Counter

from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.board import Nation, Region
from pbem.games.imperial.rules.resolution import Course


def place_flags(course: Course, active: Nation) -> None:
    """Sole occupiers take others' flags away and place their own, as far as they have any."""
    alone = _sole_occupiers(course)
    before = {n: course.edition.options.flags - course.state.flags_of(n) for n in course.board.nations}
    taken = {r: course.state.flags[r] for r, n in alone.items() if course.state.flags.get(r, n) != n}
    freed = Counter(taken.values())
    used = _place_waiting(course, active, before[active] + freed[active])
    left = {**before, active: min(before[active], before[active] + freed[active] - used)}
    for region, nation in alone.items():
        waits_on = nation != active and region in _waiting(course, nation)  # for that nation's own next maneuver
        if course.state.flags.get(region) != nation and not waits_on:
            _place(course, nation, region, left, taken.get(region))
    course.happen(ev.ManeuverEnded(nation=active))


def _sole_occupiers(course: Course) -> dict[Region, Nation]:
    """Free regions with units of one nation only, in the board's order."""
    present = {region: course.state.present(region) for region in course.board.free_regions}
    return {region: next(iter(nations)) for region, nations in present.items() if len(nations) == 1}


def _waiting(course: Course, nation: Nation) -> list[Region]:
    """Regions that wait for a flag of this nation, oldest first, then in the board's order."""
    waiting = course.state.waiting.get(nation, ())
    ranked = sorted(waiting, key=lambda entry: (entry[0], course.board.rank[entry[1]]))
    return [region for _, region in ranked]


def _place_waiting(course: Course, nation: Nation, chips: int) -> int:
    """Free chips go to regions that wait, unless foreign units are there now; how many were used."""
    regions = [r for r in _waiting(course, nation) if course.state.present(r) <= {nation}]
    for region in regions[:chips]:
        course.happen(ev.FlagPlaced(nation=nation, region=region, replaced=None))
    return len(regions[:chips])


def _place(course: Course, nation: Nation, region: Region, left: dict[Nation, int], replaced: Nation | None) -> None:
    """A flag in place of another's; a nation without a flag to place still takes the other's away (R17)."""
    if left[nation] > 0:
        left[nation] -= 1
        course.happen(ev.FlagPlaced(nation=nation, region=region, replaced=replaced))
        return
    if replaced is not None:
        course.happen(ev.FlagRemoved(nation=replaced, region=region, by=nation))
    if region not in _waiting(course, nation):
        course.happen(ev.FlagAwaited(nation=nation, region=region))
