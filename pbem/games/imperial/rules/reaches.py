"""Where everything on the board could go next, told place by place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.games.imperial.rules.movers import waiting
from pbem.games.imperial.rules.places import Nation, Region, Unit
from pbem.games.imperial.rules.possible import near
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.routes import reach
from pbem.games.imperial.rules.stacks import at
from pbem.games.imperial.rules.state import Maneuver

Facts = dict[str, object]


def reaches(resolution: Resolution) -> Iterator[Facts]:
    """A row for the units of each nation in each place; where there is none, what lies beside the place."""
    rows = [row for nation in resolution.board.nations for row in reaches_of(resolution, Maneuver(nation=nation))]
    for region in resolution.board.places:
        here = [row for row in rows if row["at"] == region]
        yield from here or [_row(region, None, None, resolution.board.beside[region])]


def reaches_of(resolution: Resolution, task: Maneuver) -> Iterator[Facts]:
    """A row for the units in each place that have not moved, fleets first."""
    nation, fleets = task.nation, resolution.state.fleets
    seas = [r for r in fleets if resolution.board.is_sea(r) and at(fleets, r, nation) > task.carried.get(r, 0)]
    for unit, region in dict.fromkeys((unit, region) for unit, region, _, _ in waiting(resolution, task)):
        if unit == "fleet":
            yield _row(region, nation, unit, near(resolution, nation, unit, region))
        else:
            by_land = reach(resolution, nation, region)
            overseas = [end for end in reach(resolution, nation, region, seas) if end not in by_land]
            yield _row(region, nation, unit, by_land, overseas, resolution.board.sorted(seas) if overseas else ())


def _row(
    region: Region,
    nation: Nation | None,
    unit: Unit | None,
    ends: Iterable[Region],
    overseas: Iterable[Region] = (),
    seas: Iterable[Region] = (),
) -> Facts:
    return {
        "at": region,
        "nation": nation,
        "unit": unit,
        "ends": [*ends],
        "overseas": [*overseas],
        "seas": [*seas],
    }
