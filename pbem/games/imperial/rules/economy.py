"""Factory, Production, Import and Taxation (new edition, pp. 7, 8, 12; R18 to R20)."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from pbem.core.refusal import Illegal
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.board import Board
from pbem.games.imperial.rules.edition import Edition
from pbem.games.imperial.rules.orders import Build, Buy, Produce
from pbem.games.imperial.rules.places import Nation, Region, Unit
from pbem.games.imperial.rules.position import flags_of, units_of
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.scoring import end_game

# -- Factory ---


def build(resolution: Resolution, nation: Nation, work: Build) -> None:
    if work.region is None:
        resolution.emit(ev.NothingDone(nation=nation, space="factory"))
        return
    _check_factory(resolution, nation, work.region)
    resolution.emit(ev.FactoryBuilt(nation=nation, region=work.region, paid=resolution.edition.factory_cost))


def _check_factory(resolution: Resolution, nation: Nation, region: Region) -> None:
    check_site(resolution, nation, region)
    _check_treasury(resolution, nation, resolution.edition.factory_cost)


def check_site(resolution: Resolution, nation: Nation, region: Region) -> None:
    """Could a factory be built there, if there is money? Raises factory.not_home, .exists or .occupied."""
    check_home(resolution.board, nation, region)
    if region in resolution.state.factories:
        raise Illegal("factory.exists", nation=nation, region=region)
    if region in resolution.occupied(nation):
        raise Illegal("factory.occupied", nation=nation, region=region)


def check_home(board: Board, nation: Nation, region: Region) -> None:
    if board.places[region].nation != nation:
        raise Illegal("factory.not_home", nation=nation, region=region)


def _check_treasury(resolution: Resolution, nation: Nation, cost: int) -> None:
    treasury = resolution.state.treasury[nation]
    if treasury < cost:
        raise Illegal("treasury.short", nation=nation, needs=cost, has=treasury)


# -- Production ---


def produce(resolution: Resolution, nation: Nation, work: Produce | None) -> None:
    """Every able factory, or just the named ones, while the supply lasts (R18)."""
    if work is not None:
        _check_works(resolution, nation, work.works)
    factories, occupied = resolution.state.factories, resolution.occupied(nation)
    left: dict[Unit, int] = {}
    for region in resolution.board.homes[nation]:
        if region in factories:
            unit = made_at(resolution, region)
            if unit not in left:
                left[unit] = resolution.supply(nation, unit)
            if region in occupied:
                _stand_idle(resolution, nation, region, "occupied")
            elif work is not None and region not in work.works:
                _stand_idle(resolution, nation, region, "choice")
            elif left[unit] < 1:
                _stand_idle(resolution, nation, region, "supply")
            else:
                left[unit] -= 1
                resolution.emit(ev.UnitProduced(nation=nation, region=region, unit=unit))


def _stand_idle(
    resolution: Resolution, nation: Nation, region: Region, why: Literal["occupied", "choice", "supply"]
) -> None:
    resolution.emit(ev.WorksIdle(nation=nation, region=region, why=why))


def _check_works(resolution: Resolution, nation: Nation, works: tuple[Region, ...]) -> None:
    for region in works:
        check_home(resolution.board, nation, region)
        if region not in resolution.state.factories:
            raise Illegal("factory.absent", nation=nation, region=region)
        if region in resolution.occupied(nation):
            raise Illegal("factory.occupied", nation=nation, region=region)
    _check_supply(resolution, nation, Counter(made_at(resolution, region) for region in dict.fromkeys(works)))


def short_works(resolution: Resolution, nation: Nation) -> tuple[Region, ...]:
    """The works to choose among, where there are not pieces enough for all of them."""
    left = {unit: resolution.supply(nation, unit) for unit in resolution.board.supply[nation]}
    able = tuple(region for region in resolution.free_factories(nation) if left[made_at(resolution, region)])
    wanted = Counter(made_at(resolution, region) for region in able)
    return able if any(count > left[unit] for unit, count in wanted.items()) else ()


def made_at(resolution: Resolution, region: Region) -> Unit:
    unit = resolution.board.places[region].makes
    assert unit is not None, f"{region} has no city"
    return unit


def _check_supply(resolution: Resolution, nation: Nation, wanted: Counter[Unit]) -> None:
    for unit, count in sorted(wanted.items()):
        left = resolution.supply(nation, unit)
        if count > left:
            raise Illegal("units.short", nation=nation, unit=unit, needs=count, has=left)


# -- Import ---


def import_units(resolution: Resolution, nation: Nation, work: Buy) -> None:
    if not work.units:
        resolution.emit(ev.NothingDone(nation=nation, space="import"))
    _check_import(resolution, nation, work)
    for units in work.units:
        resolution.emit(
            ev.UnitsImported(
                nation=nation,
                region=units.region,
                unit=units.unit,
                count=units.count,
                paid=units.count * resolution.edition.import_.price,
            )
        )


def _check_import(resolution: Resolution, nation: Nation, work: Buy) -> None:
    check_units(resolution.board, resolution.edition, nation, work)
    wanted: Counter[Unit] = Counter()
    for units in work.units:
        if units.region in resolution.occupied(nation):
            raise Illegal("import.occupied", nation=nation, region=units.region)
        wanted[units.unit] += units.count
    _check_supply(resolution, nation, wanted)
    _check_treasury(resolution, nation, wanted.total() * resolution.edition.import_.price)


def affordable_units(resolution: Resolution, nation: Nation) -> int:
    """How many units the treasury pays for at one import."""
    return min(resolution.edition.import_.units, resolution.state.treasury[nation] // resolution.edition.import_.price)


def check_units(board: Board, edition: Edition, nation: Nation, work: Buy) -> None:
    """What is wrong with an import in any position: the count, the places."""
    count = sum(units.count for units in work.units)
    for units in work.units:
        if units.count < 1:
            raise Illegal("units.none", unit=units.unit, region=units.region)
    if count > edition.import_.units:
        raise Illegal("import.too_many", nation=nation, count=count, most=edition.import_.units)
    for units in work.units:
        place = board.places[units.region]
        if place.nation != nation:
            raise Illegal("import.not_home", nation=nation, region=units.region)
        if units.unit == "fleet" and place.port is None:
            raise Illegal("import.no_port", nation=nation, region=units.region)


# -- Taxation ---


def tax(resolution: Resolution, nation: Nation) -> None:
    """Revenue and success bonus, then points and money in the edition's order (R20)."""
    revenue = _levy(resolution, nation)
    if resolution.edition.options.taxation == "money_first":
        _collect(resolution, nation, revenue)
        _score(resolution, nation)
    else:
        _score(resolution, nation)
        if not resolution.state.finished:
            _collect(resolution, nation, revenue)


def revenue_of(resolution: Resolution, nation: Nation) -> int:
    """What Taxation would bring now, before soldiers' pay."""
    return _revenue(resolution, len(resolution.free_factories(nation)), flags_of(resolution.state, nation))


def _revenue(resolution: Resolution, factories: int, flags: int) -> int:
    taxes = resolution.edition.taxes
    return factories * taxes.factory + flags * taxes.flag


def _levy(resolution: Resolution, nation: Nation) -> int:
    state, (lowest, highest) = resolution.state, resolution.edition.taxes.marker
    factories, flags = len(resolution.free_factories(nation)), flags_of(state, nation)
    revenue, before, seat = _revenue(resolution, factories, flags), state.tax[nation], state.government[nation]
    assert seat is not None, "a vacant nation does not tax"
    marker = min(max(revenue, lowest), highest)
    bonus = max(0, marker - before)
    cut = min(state.late, bonus)
    resolution.emit(
        ev.Taxed(
            nation=nation,
            seat=seat,
            factories=factories,
            flags=flags,
            revenue=revenue,
            before=before,
            marker=marker,
            bonus=bonus - cut,
            cut=cut,
        )
    )
    return revenue


def _score(resolution: Resolution, nation: Nation) -> None:
    points = resolution.edition.points(resolution.state.tax[nation])
    power = min(resolution.state.power[nation] + points, resolution.edition.power.end)
    resolution.emit(ev.PowerGained(nation=nation, points=points, power=power))
    if power >= resolution.edition.power.end:
        end_game(resolution, nation)


def _collect(resolution: Resolution, nation: Nation, revenue: int) -> None:
    units = units_of(resolution.state, nation, "army") + units_of(resolution.state, nation, "fleet")
    amount = max(0, revenue - units * resolution.edition.taxes.pay)
    resolution.emit(ev.TaxCollected(nation=nation, units=units, amount=amount))
