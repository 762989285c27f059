"""Factory, Production, Import and Taxation (new edition, pp. 7, 8, 12; R18 to R20)."""

from __future__ import annotations

from collections import Counter

from pbem.core.refusal import Illegal
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.board import Board, Nation, Region, Unit
from pbem.games.imperial.rules.edition import Edition
from pbem.games.imperial.rules.orders import Build, Buy, Produce
from pbem.games.imperial.rules.resolution import Course
from pbem.games.imperial.rules.scoring import end_game

# -- Factory ---


def build(course: Course, nation: Nation, work: Build) -> None:
    if work.region is None:
        course.happen(ev.NothingDone(nation=nation, space="factory"))
        return
    _check_factory(course, nation, work.region)
    course.happen(ev.FactoryBuilt(nation=nation, region=work.region, paid=course.edition.factory_cost))


def _check_factory(course: Course, nation: Nation, region: Region) -> None:
    check_site(course, nation, region)
    _check_treasury(course, nation, course.edition.factory_cost)


def check_site(course: Course, nation: Nation, region: Region) -> None:
    """Could a factory be built there, if there is money? Raises factory.not_home, .exists or .occupied."""
    check_home(course.board, nation, region)
    if region in course.state.factories:
        raise Illegal("factory.exists", nation=nation, region=region)
    if course.occupied(region):
        raise Illegal("factory.occupied", nation=nation, region=region)


def check_home(board: Board, nation: Nation, region: Region) -> None:
    if board.places[region].nation != nation:
        raise Illegal("factory.not_home", nation=nation, region=region)


def _check_treasury(course: Course, nation: Nation, cost: int) -> None:
    treasury = course.state.treasury[nation]
    if treasury < cost:
        raise Illegal("treasury.short", nation=nation, needs=cost, has=treasury)


# -- Production ---


def produce(course: Course, nation: Nation, work: Produce | None) -> None:
    """Every able factory, or just the named ones, while the supply lasts (R18)."""
    if work is not None:
        _check_works(course, nation, work.works)
    for region in course.board.homes[nation]:
        if region in course.state.factories:
            _produce_at(course, nation, region, work)


def _produce_at(course: Course, nation: Nation, region: Region, work: Produce | None) -> None:
    unit = _made(course, region)
    if course.occupied(region):
        course.happen(ev.WorksIdle(nation=nation, region=region, why="occupied"))
    elif work is not None and region not in work.works:
        course.happen(ev.WorksIdle(nation=nation, region=region, why="choice"))
    elif course.supply(nation, unit) < 1:
        course.happen(ev.WorksIdle(nation=nation, region=region, why="supply"))
    else:
        course.happen(ev.UnitProduced(nation=nation, region=region, unit=unit))


def _check_works(course: Course, nation: Nation, works: tuple[Region, ...]) -> None:
    for region in works:
        check_home(course.board, nation, region)
        if region not in course.state.factories:
            raise Illegal("factory.absent", nation=nation, region=region)
        if course.occupied(region):
            raise Illegal("factory.occupied", nation=nation, region=region)
    _check_supply(course, nation, Counter(_made(course, region) for region in dict.fromkeys(works)))


def _made(course: Course, region: Region) -> Unit:
    unit = course.board.places[region].makes
    assert unit is not None, f"{region} has no city"
    return unit


def _check_supply(course: Course, nation: Nation, wanted: Counter[Unit]) -> None:
    for unit, count in sorted(wanted.items()):
        left = course.supply(nation, unit)
        if count > left:
            raise Illegal("units.short", nation=nation, unit=unit, needs=count, has=left)


# -- Import ---


def import_units(course: Course, nation: Nation, work: Buy) -> None:
    if not work.units:
        course.happen(ev.NothingDone(nation=nation, space="import"))
    _check_import(course, nation, work)
    for units in work.units:
        course.happen(
            ev.UnitsImported(
                nation=nation,
                region=units.region,
                unit=units.unit,
                count=units.count,
                paid=units.count * course.edition.import_price,
            )
        )


def _check_import(course: Course, nation: Nation, work: Buy) -> None:
    check_units(course.board, course.edition, nation, work)
    wanted: Counter[Unit] = Counter()
    for units in work.units:
        if course.occupied(units.region):
            raise Illegal("import.occupied", nation=nation, region=units.region)
        wanted[units.unit] += units.count
    _check_supply(course, nation, wanted)
    _check_treasury(course, nation, wanted.total() * course.edition.import_price)


def affordable_units(course: Course, nation: Nation) -> int:
    """How many units the treasury pays for at one import."""
    return min(course.edition.import_units, course.state.treasury[nation] // course.edition.import_price)


def check_units(board: Board, edition: Edition, nation: Nation, work: Buy) -> None:
    """What is wrong with an import in any position: the count, the places."""
    count = sum(units.count for units in work.units)
    for units in work.units:
        if units.count < 1:
            raise Illegal("units.none", unit=units.unit, region=units.region)
    if count > edition.import_units:
        raise Illegal("import.too_many", nation=nation, count=count, most=edition.import_units)
    for units in work.units:
        place = board.places[units.region]
        if place.nation != nation:
            raise Illegal("import.not_home", nation=nation, region=units.region)
        if units.unit == "fleet" and place.port is None:
            raise Illegal("import.no_port", nation=nation, region=units.region)


# -- Taxation ---


def tax(course: Course, nation: Nation) -> None:
    """Revenue and success bonus, then points and money in the edition's order (R20)."""
    revenue = _levy(course, nation)
    if course.edition.options.taxation == "money_first":
        _collect(course, nation, revenue)
        _score(course, nation)
    else:
        _score(course, nation)
        if not course.state.finished:
            _collect(course, nation, revenue)


def revenue_of(course: Course, nation: Nation) -> int:
    """What Taxation would bring now, before soldiers' pay."""
    factories = len(course.free_factories(nation))
    flags = course.state.flags_of(nation)
    return factories * course.edition.tax_per_factory + flags * course.edition.tax_per_flag


def _levy(course: Course, nation: Nation) -> int:
    edition, before = course.edition, course.state.tax[nation]
    revenue = revenue_of(course, nation)
    marker = min(max(revenue, edition.lowest_tax), edition.highest_tax)
    seat = course.state.government[nation]
    assert seat is not None, "a vacant nation does not tax"
    bonus = max(0, marker - before)
    cut = min(course.state.late, bonus)
    course.happen(
        ev.Taxed(
            nation=nation,
            seat=seat,
            factories=len(course.free_factories(nation)),
            flags=course.state.flags_of(nation),
            revenue=revenue,
            before=before,
            marker=marker,
            bonus=bonus - cut,
            cut=cut,
        )
    )
    return revenue


def _score(course: Course, nation: Nation) -> None:
    points = course.edition.points(course.state.tax[nation])
    power = min(course.state.power[nation] + points, course.edition.power_end)
    course.happen(ev.PowerGained(nation=nation, points=points, power=power))
    if power >= course.edition.power_end:
        end_game(course, nation)


def _collect(course: Course, nation: Nation, revenue: int) -> None:
    units = course.state.units(nation, "army") + course.state.units(nation, "fleet")
    amount = max(0, revenue - units * course.edition.pay_per_unit)
    course.happen(ev.TaxCollected(nation=nation, units=units, amount=amount))
