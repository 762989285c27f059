"""What is possible now: spaces, sites, places for units, ways without a fleet."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.imperial.rules.investor import is_covered
from pbem.games.imperial.rules.movers import waiting
from pbem.games.imperial.rules.orders import Line, Status
from pbem.games.imperial.rules.places import Nation, Region, Unit
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.stacks import at
from pbem.games.imperial.rules.state import Maneuver
from pbem.games.imperial.rules.turn import NEAR, government, price_of


def legal_spaces(resolution: Resolution, nation: Nation) -> tuple[str, ...]:
    """The spaces that are near enough and whose way is paid for; Investor where the interest is covered."""
    state, rondel = resolution.state, resolution.edition.rondel
    seat, before = government(resolution, nation), state.rondel[nation]
    cash = state.cash[seat]
    most = min(rondel.reach, rondel.free + cash // rondel.price) if rondel.price else rondel.reach
    near = NEAR[before][most]
    if "investor" in near and not is_covered(resolution, nation, seat, cash - price_of(resolution, before, "investor")):
        return tuple([space for space in near if space != "investor"])
    return near


def sites(resolution: Resolution, nation: Nation) -> Iterator[Region]:
    """Where a factory could stand, whatever the treasury holds."""
    factories, occupied = resolution.state.factories, resolution.occupied(nation)
    return (r for r in resolution.board.homes[nation] if r not in factories and r not in occupied)


def building_sites(resolution: Resolution, nation: Nation) -> Iterator[Region]:
    """Where the nation can build now."""
    return (
        sites(resolution, nation) if resolution.state.treasury[nation] >= resolution.edition.factory_cost else iter(())
    )


def landings(resolution: Resolution, nation: Nation, unit: Unit) -> list[Region]:
    """Where the nation may import such a unit, whatever the treasury holds; nowhere when the box is empty."""
    board, occupied = resolution.board, resolution.occupied(nation)
    homes = board.homes[nation] if resolution.supply(nation, unit) > 0 else ()
    return [r for r in homes if r not in occupied and (unit == "army" or board.places[r].port)]


def near(resolution: Resolution, nation: Nation, unit: Unit, region: Region) -> tuple[Region, ...]:
    """Where a unit can go without help of fleets."""
    return resolution.board.sails[region] if unit == "fleet" else resolution.railway(nation).near(region)


def overseas(resolution: Resolution, nation: Nation, region: Region) -> Iterator[Region]:
    """Where one fleet beside the army would carry it."""
    for sea in resolution.board.seas_beside[region]:
        if at(resolution.state.fleets, sea, nation):
            yield from (r for r in resolution.board.land_beside[sea] if r != region)


def carrier(resolution: Resolution, nation: Nation, region: Region, target: Region) -> tuple[Region, ...] | None:
    """The sea on which one fleet would carry an army there; None where none would."""
    fleets, beside = resolution.state.fleets, resolution.board.seas_beside
    seas = (sea for sea in beside[region] if at(fleets, sea, nation) and sea in beside[target])
    return next(((sea,) for sea in seas), None)


def movable(resolution: Resolution, nation: Nation) -> Iterator[Line]:
    """A line for the units in each place that have not taken theirs, fleets first; all of them could be carried out."""
    task = resolution.state.agenda[0]
    maneuver = task if isinstance(task, Maneuver) else Maneuver(nation=nation)
    for unit, region, leaving, count in waiting(resolution, maneuver):
        targets = near(resolution, nation, unit, region)
        target = min(targets, key=lambda r: _appeal(resolution, nation, r), default=None)
        if target is not None:
            status: Status | None = "friendly" if resolution.board.is_foreign(target, nation) else None
            yield Line(count=count, unit=unit, region=region, leaving=leaving, target=target, status=status)


def _appeal(resolution: Resolution, nation: Nation, region: Region) -> int:
    """Places where a flag is to be had come first, other governments' homes last."""
    home = resolution.board.places[region].nation
    if home is not None:
        return 2 if home == nation else 3
    return 0 if resolution.state.flags.get(region) != nation else 1
