"""Moving over land: people, land units, beasts and vehicles, with what they take along (E9.1 to E9.3, E9.11, E9.12)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NoReturn

from msgspec.structs import replace

from pbem.core.refusal import DieNeeded, Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import border, square_of
from pbem.games.empire.rules.accounts import debts
from pbem.games.empire.rules.air import escorts
from pbem.games.empire.rules.combat import stopping
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.ground.sides import is_land_unit, is_regular
from pbem.games.empire.rules.ground.terrain import by_terrain, cost
from pbem.games.empire.rules.ground.ways import Step, Through, are_neighbours, steps_from, way
from pbem.games.empire.rules.ground.who import (
    absent,
    country_for,
    incomplete,
    known_square,
    land_part,
    said_place,
    unit_of,
    units_of,
)
from pbem.games.empire.rules.ground.zones import over
from pbem.games.empire.rules.held import Crew, chosen
from pbem.games.empire.rules.land import provisional
from pbem.games.empire.rules.movement import flying, sailing
from pbem.games.empire.rules.movement.baggage import Baggage, pack, put_down, shared
from pbem.games.empire.rules.orders import Move
from pbem.games.empire.rules.people import contact
from pbem.games.empire.rules.people import entering as people
from pbem.games.empire.rules.pieces import tasks
from pbem.games.empire.rules.pieces.carrying import PEOPLE
from pbem.games.empire.rules.pieces.riding import shift
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def move(w: World, player: Seat, order: Move) -> None:
    if order.kind in PEOPLE:
        _refuse_berth(order, order.kind)
        move_people(w, player, order)
        return
    units = units_of(w, player, order.units or _of_kind(w, player, order), order.start)
    with escorts.flying(w, player, order, units) as guard:
        _move_each(w, player, order, units, guard)


def _move_each(w: World, player: Seat, order: Move, units: Sequence[Unit], guard: escorts.Escorts | None) -> None:
    for unit, cargo in zip(units, shared(w, units, order.cargo), strict=True):
        before = w.saved()
        try:
            _move_one(w, player, replace(order, cargo=cargo), unit.id, guard)
        except Illegal as refusal:
            if not w.drawn or isinstance(refusal, DieNeeded):
                raise
            w.go_back(before)  # the wind is against it, or dice were thrown for those before it: they stand
            if unit.id in w.units:
                at = w.map.shown(w.units[unit.id].at)
                w.note("stays", unit.owner, unit=unit.id, at=at, code=refusal.code, because=refusal.facts)


def _move_one(w: World, player: Seat, order: Move, name: str, guard: escorts.Escorts | None) -> None:
    unit = unit_of(w, player, name, order.start)
    check_free(w, unit)
    if w.kind(unit).class_ != "ship":
        _refuse_berth(order, unit.id)
    match w.kind(unit).class_:
        case "ship":
            sailing.sail(w, unit, order)
        case "air":
            flying.fly(w, unit, order, guard)
        case "towed":
            raise Illegal("way.none", what=unit.id, square=w.map.shown(unit.at), to=order.way[-1], why="towed")
        case _:
            move_unit(w, unit, order)


def _refuse_berth(order: Move, what: str) -> None:
    """Only ships dock and beach. Raises `Illegal` (`water.barred`)."""
    if order.ending:
        raise Illegal("water.barred", ship=what, why="no_ship")


def _of_kind(w: World, player: Seat, order: Move) -> list[str]:
    """The one of that kind that stands there; so many, those with most BTA left."""
    assert order.kind is not None, "a move says what moves"
    mine = [u for u in w.units.values() if u.kind == order.kind and w.player(u.owner) == player]
    squares = {square_of(u.at) for u in mine}
    start = order.start or (squares.pop() if len(squares) == 1 else said_place(None, order.kind))
    if order.count is None and not order.every:
        return [unit_of(w, player, order.kind, start).id]
    free = [u for u in mine if square_of(u.at) == square_of(start) and u.aboard is None]
    free = [u for u in free if w.speaks in (None, u.owner)]
    if order.every and free:
        return [unit.id for unit in sorted(free, key=w.unit_order)]
    free = sorted(free, key=lambda u: (u.used, w.unit_order(u)))
    if len(free) < (order.count or 1):
        absent(order.kind, start)
    return [unit.id for unit in free[: order.count]]


def check_free(w: World, unit: Unit) -> None:
    """May it act at all in this slot? Raises `Illegal`."""
    if unit.made == w.now and w.options["made_moves"] == "no":
        raise Illegal("unit.fresh", unit=unit.id)
    if w.kind(unit).consumer is not None and not unit.consumed and not w.kind(unit).must_be_towed:
        raise Illegal("unit.inert", unit=unit.id)


# -- people ---


def move_people(w: World, player: Seat, order: Move) -> None:
    assert order.kind is not None, "people are of a kind"
    kind = order.kind
    start = land_part(w, order.start) if order.start is not None else _only_place(w, player, order, kind)
    country = country_for(w, player, order, lambda each: w.held(start, each).people(kind) > 0, start)
    count = w.held(start, country).people(kind) or 1 if order.every else order.count or 1
    crews = chosen(w.held(start, country), count, kind)
    there = sum(crew.count for crew in crews)
    if there < count:
        raise Illegal("workers.short", square=start, has=there, needs=count)
    steps = people_way(w, kind, country, start, order.way)
    total = sum((step.cost for step in steps), Fraction(0))
    worst = max(crew.used for crew in crews)
    _check_bta(w, kind, worst, steps)
    bag = pack(w, country, start, order.cargo, kind, count, total)
    moved: list[Crew] = []
    for crew in crews:
        w.leave(start, country, crew)
        tasks.ended(w, country, start, crew)
        moved.append(replace(crew, used=crew.used + total, tasks=(), stayed=False))
    keep_walked(w, country, start, [step.part for step in steps])
    for step in steps:
        pirate.looked_at(w, square_of(step.part), w.player(country))
    goal = steps[-1].part if steps else start
    for crew in moved:
        w.join(goal, country, crew)
    put_down(w, bag, goal)
    w.note("moved_people", country, kind=kind, count=count, start=start, way=[s.part for s in steps], bta=str(total))


def _only_place(w: World, player: Seat, order: Move, kind: str) -> str:
    """Where all of them are, if no square is named. Raises `Illegal` (`order.incomplete`)."""
    mine = [country for country in w.countries_of(player) if order.country in (None, country)]
    places = {place for each in mine for place in w.places_of(each) if w.held(place, each).people(kind)}
    return places.pop() if len(places) == 1 and places <= w.map.land.keys() else incomplete(kind, "SQUARE")


def people_way(w: World, kind: str, country: str, start: str, names: Sequence[str]) -> list[Step]:
    """Workers keep out of hostile zones (E13.4). Raises `Illegal`."""
    goals = _goals(w, kind, names)
    for goal in goals:
        people.may_enter(w, country, goal)
    return _legs(w, kind, kind, start, goals, lambda part: people.is_free(w, country, part))


def _goals(w: World, what: str, names: Sequence[str]) -> list[str]:
    """Raises `Illegal`: of squares without land, too."""
    for name in names:
        terrain = w.map.squares[known_square(w, name)].terrain
        if not w.map.squares[square_of(name)].land:
            raise Illegal("terrain.barred", what=what, terrain=terrain, square=name)
    return [land_part(w, name) for name in names]


def _legs(w: World, kind: str, what: str, start: str, goals: Sequence[str], through: Through) -> list[Step]:
    steps: list[Step] = []
    for goal in goals:
        steps += _leg(w, kind, what, start, goal, through)
        start = goal
    return steps


def _leg(w: World, kind: str, what: str, start: str, goal: str, through: Through) -> Sequence[Step]:
    """To a neighbour over the border between, if no other way is cheaper (E9.2)."""
    direct = cost(w, kind, start, goal) if are_neighbours(w, start, goal) and _touch(w, start, goal) else None
    found = way(w, kind, start, goal, through, most=direct)
    if found is None and direct is None:
        _no_way(w, kind, what, start, goal)
    if found is None or (direct is not None and sum(step.cost for step in found) == direct):
        return [Step(goal, direct or Fraction(0))]
    return found


def _touch(w: World, start: str, goal: str) -> bool:
    """Can one go straight from one to the other?"""
    return start == goal or any(other == goal for _, other, _ in steps_from(w, "worker", start))


def _no_way(w: World, kind: str, what: str, start: str, goal: str) -> NoReturn:
    terrain = w.map.land[goal].terrain
    if by_terrain(w, kind, terrain) is None and are_neighbours(w, start, goal):
        raise Illegal("terrain.barred", what=what, terrain=terrain, square=goal)
    raise Illegal("way.none", what=what, square=start, to=goal, why="no_way")


def _check_bta(w: World, what: str, used: Fraction, steps: Sequence[Step]) -> None:
    total = sum((step.cost for step in steps), Fraction(0))
    if used + total > w.tables.bta:
        left = w.tables.bta - used
        raise Illegal("bta.short", what=what, left=str(left), square=steps[-1].part, needs=str(total))


def keep_walked(w: World, country: str, start: str, parts: Sequence[str]) -> None:
    """On Turn 1 it is kept where workers walked: what was picked is laid there (E3.6)."""
    if w.state.turn != 1:
        return
    found = list(w.country(country).walked)
    for part in parts:
        if square_of(part) != square_of(start):
            key = border(square_of(start), square_of(part))
            found += [] if key in found else [key]
        start = part
    w.change_country(country, walked=tuple(found))


# -- units ---


def move_unit(w: World, unit: Unit, order: Move) -> None:
    if unit.aboard is not None:
        raise Illegal("way.none", what=unit.id, square=w.map.shown(unit.at), to=order.way[-1], why="aboard")
    stopping.check_free(w, unit)
    unit = w.change(unit.id, state="ground")  # out of a warehouse
    steps = unit_way(w, unit, order.way)
    _check_bta(w, unit.id, unit.used, steps)
    total = sum((step.cost for step in steps), Fraction(0))
    bag = pack(w, unit.owner, unit.at, order.cargo, unit.kind, 1, total, carrier=unit)
    if is_regular(w, unit):
        debts.owe(w, unit.owner, "oil", total * debts.rate(w, "transport_and_supply") / 3)
    go(w, unit, steps)
    if unit.id in w.units:
        _arrive(w, unit, bag, order)
    w.note("moved", unit.owner, unit=unit.id, start=unit.at, way=[step.part for step in steps], bta=str(total))


def _arrive(w: World, unit: Unit, bag: Baggage, order: Move) -> None:
    goal = w.units[unit.id].at
    stopping.store(w, w.units[unit.id])
    put_down(w, bag, unit.id if order.hold else goal)


def unit_way(w: World, unit: Unit, names: Sequence[str]) -> list[Step]:
    """Raises `Illegal`."""
    goals = _goals(w, unit.id, names)
    if not is_land_unit(w, unit):
        return _vehicle_way(w, unit, goals)
    free = lambda part: not over(w, part, unit.owner)  # noqa: E731
    steps = _legs(w, unit.kind, unit.id, unit.at, goals, free)
    here = unit.at
    for place, step in enumerate(steps):
        stopping.may_enter(w, unit, here, step.part, ends=place == len(steps) - 1)
        here = step.part
        zone = over(w, here, unit.owner)
        if zone and place < len(steps) - 1:
            raise Illegal("way.zoc", what=unit.id, unit=zone[0].id, square=here)
    return steps


def _vehicle_way(w: World, unit: Unit, goals: Sequence[str]) -> list[Step]:
    """Vehicles with workers aboard keep out of hostile zones as they do."""
    for goal in goals:
        if any(held.people() for held in unit.holds.values()):
            people.may_enter(w, unit.owner, goal)
    return _legs(w, unit.kind, unit.id, unit.at, goals, lambda part: people.is_free(w, unit.owner, part))


def go(w: World, unit: Unit, steps: Sequence[Step]) -> None:
    """Step by step: contact may kill on the way, and what stops stays."""
    for step in steps:
        start = w.units[unit.id].at
        shift(w, unit.id, step.part, step.cost)
        provisional.moved(w, w.units[unit.id], start)
        pirate.looked_at(w, square_of(step.part), w.player(unit.owner))
        w.change(unit.id, tasks=(), retreated=False)
        stopping.entered(w, w.units[unit.id])
        contact.met(w, w.units[unit.id])
