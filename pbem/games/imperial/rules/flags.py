"""Flags at the end of a maneuver (new edition, Flags; R16, R17)."""

from __future__ import annotations

from collections import Counter

from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.board import Nation, Region
from pbem.games.imperial.rules.resolution import Resolution


def place_flags(resolution: Resolution, active: Nation) -> None:
    """Sole occupiers take others' flags away and place their own, as far as they have any."""
    alone = _sole_occupiers(resolution)
    before = {n: resolution.edition.options.flags - resolution.state.flags_of(n) for n in resolution.board.nations}
    taken = {r: resolution.state.flags[r] for r, n in alone.items() if resolution.state.flags.get(r, n) != n}
    freed = Counter(taken.values())
    used = _place_waiting(resolution, active, before[active] + freed[active])
    left = {**before, active: min(before[active], before[active] + freed[active] - used)}
    for region, nation in alone.items():
        waits_on = nation != active and region in _waiting(resolution, nation)  # for that nation's own next maneuver
        if resolution.state.flags.get(region) != nation and not waits_on:
            _place(resolution, nation, region, left, taken.get(region))
    resolution.emit(ev.ManeuverEnded(nation=active))


def _sole_occupiers(resolution: Resolution) -> dict[Region, Nation]:
    """Free regions with units of one nation only, in the board's order."""
    present = {region: resolution.state.present(region) for region in resolution.board.free_regions}
    return {region: next(iter(nations)) for region, nations in present.items() if len(nations) == 1}


def _waiting(resolution: Resolution, nation: Nation) -> list[Region]:
    """Regions that wait for a flag of this nation, oldest first, then in the board's order."""
    waiting = resolution.state.waiting.get(nation, ())
    ranked = sorted(waiting, key=lambda entry: (entry[0], resolution.board.rank[entry[1]]))
    return [region for _, region in ranked]


def _place_waiting(resolution: Resolution, nation: Nation, chips: int) -> int:
    """Free chips go to regions that wait, unless foreign units are there now; how many were used."""
    regions = [r for r in _waiting(resolution, nation) if resolution.state.present(r) <= {nation}]
    for region in regions[:chips]:
        resolution.emit(ev.FlagPlaced(nation=nation, region=region, replaced=None))
    return len(regions[:chips])


def _place(
    resolution: Resolution, nation: Nation, region: Region, left: dict[Nation, int], replaced: Nation | None
) -> None:
    """A flag in place of another's; a nation without a flag to place still takes the other's away (R17)."""
    if left[nation] > 0:
        left[nation] -= 1
        resolution.emit(ev.FlagPlaced(nation=nation, region=region, replaced=replaced))
        return
    if replaced is not None:
        resolution.emit(ev.FlagRemoved(nation=replaced, region=region, by=nation))
    if region not in _waiting(resolution, nation):
        resolution.emit(ev.FlagAwaited(nation=nation, region=region))
