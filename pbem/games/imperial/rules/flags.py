"""Flags at the end of a maneuver (new edition, Flags; R16, R17)."""

from __future__ import annotations

from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.places import Nation, Region
from pbem.games.imperial.rules.position import flags_of, present_at
from pbem.games.imperial.rules.resolution import Resolution


def place_flags(resolution: Resolution, active: Nation) -> None:
    """Sole occupiers take others' flags away and place their own, as far as they have any."""
    flags = resolution.state.flags
    takers = _takers(resolution)
    if takers or resolution.state.waiting.get(active):
        most, movers = resolution.edition.options.flags, (active, *takers.values())
        left = {nation: most - flags_of(resolution.state, nation) for nation in movers}
        freed = sum(1 for region in takers if flags.get(region) == active)
        used = _place_waiting(resolution, active, left[active] + freed)
        left[active] = min(left[active], left[active] + freed - used)
        for region, nation in takers.items():
            waits_on = nation != active and region in _waiting(resolution, nation)  # for its own next maneuver
            if resolution.state.flags.get(region) != nation and not waits_on:
                _place(resolution, nation, region, left, flags.get(region))
    resolution.emit(ev.ManeuverEnded(nation=active))


def _takers(resolution: Resolution) -> dict[Region, Nation]:
    """Free regions where units of one nation only stand, and no flag of it; in the board's order."""
    state, home_of = resolution.state, resolution.board.home_of
    flag_of, alone = state.flags.get, dict[Region, Nation]()
    for stacks in (state.armies, state.fleets):
        for region, stack in stacks.items():
            if flag_of(region) not in stack and home_of[region] is None and len(stack) == 1:
                (alone[region],) = stack
    return {region: alone[region] for region in resolution.board.sorted(alone)} if len(alone) > 1 else alone


def _waiting(resolution: Resolution, nation: Nation) -> list[Region]:
    """Regions that wait for a flag of this nation, oldest first, then in the board's order."""
    waiting = resolution.state.waiting.get(nation)
    if not waiting:
        return []
    ranked = sorted(waiting, key=lambda entry: (entry[0], resolution.board.rank[entry[1]]))
    return [region for _, region in ranked]


def _place_waiting(resolution: Resolution, nation: Nation, chips: int) -> int:
    """Free chips go to regions that wait, unless foreign units are there now; how many were used."""
    regions = [r for r in _waiting(resolution, nation) if present_at(resolution.state, r) <= {nation}]
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
