"""Arming: parts that stand together become land units, or a cargo ship a pirate ship (E12.1, E12.2, E14.14)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.accounts.booking import book
from pbem.games.empire.rules.accounts.inflation import is_inflated
from pbem.games.empire.rules.combat.stopping import no_road_through, room
from pbem.games.empire.rules.ground.sides import why_not_in_control
from pbem.games.empire.rules.ground.who import absent, country_for, land_part, said_place, unit_of
from pbem.games.empire.rules.held import chosen
from pbem.games.empire.rules.orders import Arm
from pbem.games.empire.rules.pieces import tasks
from pbem.games.empire.rules.pieces.becoming import become, enlist
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.tables import Arming
from pbem.games.empire.rules.world import World

PIRATE = "pirate_ship"
SHIPS = ("cargo_ship", "super_cargo_ship")  # aboard which arms are taken up


class Site(NamedTuple):
    """Where it happens: a part, or the ship aboard which."""

    country: str
    place: str  # where goods and people are
    ship: Unit | None


class Spent(NamedTuple):
    """BTA of a part of an arming: before it armed in this slot, and what that took."""

    before: Fraction
    armed: Fraction


def arm(w: World, player: Seat, order: Arm) -> None:
    if order.kind == PIRATE:
        _arm_pirate(w, player, order)
        return
    recipe = w.tables.arming.get(order.kind)
    if recipe is None:
        raise Illegal("name.unknown", read=order.kind, kind="kind", candidates=list(w.tables.arming))
    site = _site(w, player, order, recipe)
    _check_place(w, site, order.kind)
    count = order.count or len(order.units) or recipe.makes
    needs = {what: Fraction(each * count, recipe.makes) for what, each in recipe.inputs.items()}
    units = _units(w, site, order, recipe, count)
    _check_goods(w, site, order.kind, needs)
    spent = [_tired(w, unit, recipe) for unit in units]
    spent += _take(w, site, recipe, needs)
    _check_room(w, site, order.kind, count if not units else 0)
    last = max(spent, key=lambda each: (each.before + each.armed, each.armed))
    made = [_made(w, site, order.kind, old, last) for old in _in_turn(units, count)]
    book(w, site.country, cost=recipe.cost * count, edu=recipe.edu * count)
    place = site.ship.id if site.ship else site.place
    w.note("armed", site.country, kind=order.kind, units=made, at=place, parts=[unit.id for unit in units])


# -- where ---


def _site(w: World, player: Seat, order: Arm, recipe: Arming) -> Site:
    """Raises `Illegal`."""
    if order.aboard is not None or (order.units and order.at is None):
        first = _first(w, player, order)
        ship = first if order.aboard is not None else _carrier(w, first)
        if ship is not None:
            if ship.kind not in SHIPS:
                raise Illegal("arm.barred", square=w.map.shown(ship.at), why="wrong_ship")
            return Site(order.country or first.owner, ship.id, ship)
        return Site(first.owner, first.at, None)
    place = land_part(w, said_place(order.at, order.kind))
    kinds = [what for what in recipe.inputs if what in w.tables.kinds and what != "worker"]
    if order.units:
        return Site(unit_of(w, player, order.units[0], place).owner, place, None)

    def has(country: str) -> bool:
        there = any(unit.owner == country and unit.kind in kinds for unit in w.at(place))
        return there if kinds else w.held(place, country).workers > 0

    return Site(country_for(w, player, order, has, w.map.shown(place)), place, None)


def _carrier(w: World, unit: Unit) -> Unit | None:
    return w.units[unit.aboard] if unit.aboard is not None else None


def _first(w: World, player: Seat, order: Arm) -> Unit:
    """The ship, of whichever own country; else the first that goes into it."""
    if order.aboard is not None:
        return unit_of(w, player, order.aboard, order.at, of_any=True)
    return unit_of(w, player, order.units[0])


def _check_place(w: World, site: Site, kind: str) -> None:
    if is_inflated(w, site.country):
        raise Illegal("inflation.barred", country=site.country)
    if site.ship is not None:
        return
    square = w.map.shown(site.place)
    why = why_not_in_control(w, site.country, site.place)
    if why is not None and why not in ("nobody", "officials_only"):
        raise Illegal("arm.barred", square=square, why=why)
    if w.kind(kind).moves == "armor" and no_road_through(w, site.place):
        raise Illegal("arm.barred", square=square, why="forest")


def _check_room(w: World, site: Site, kind: str, count: int) -> None:
    """Workers that become SACs need room in the stack. Raises `Illegal` (`stack.over`)."""
    if (
        count
        and site.ship is None
        and room(w, Unit(id="", kind=kind, owner=site.country, at=site.place), site.place) < count
    ):
        raise Illegal("stack.over", square=w.map.shown(site.place))


# -- of what ---


def _units(w: World, site: Site, order: Arm, recipe: Arming, count: int) -> list[Unit]:
    """The land units that go into it: those named, else those with most BTA left. Raises `Illegal`."""
    kinds = [what for what in recipe.inputs if what in w.tables.kinds and what != "worker"]
    if not kinds:
        return []
    kind, needs = kinds[0], Fraction(recipe.inputs[kinds[0]] * count, recipe.makes)
    at = site.ship.at if site.ship else site.place
    aboard = site.ship.id if site.ship else None
    there = [u for u in w.at(at) if u.kind == kind and u.owner == site.country and u.aboard == aboard]
    if order.units:
        found = []
        for name in dict.fromkeys(order.units):
            if name not in [unit.id for unit in there] and (name != kind or len(there) != 1):
                absent(name, w.map.shown(at))
            found.append(next(unit for unit in there if name in (unit.id, unit.kind)))
    else:
        found = sorted(there, key=lambda unit: (unit.used - unit.armed, unit.used, w.unit_order(unit)))[: int(needs)]
    if len(found) != needs:
        _short(
            w, site, order.kind, {what: Fraction(each * count, recipe.makes) for what, each in recipe.inputs.items()}
        )
    return found


def _short(w: World, site: Site, kind: str, needs: dict[str, Fraction]) -> None:
    square = w.map.shown(site.ship.at if site.ship else site.place)
    raise Illegal("arm.short", kind=kind, square=square, needs={what: str(much) for what, much in needs.items()})


def _check_goods(w: World, site: Site, kind: str, needs: dict[str, Fraction]) -> None:
    """Nothing whole is split: thirds come only from disarming (E12.3)."""
    held = w.held(site.place, site.country)
    for what, much in needs.items():
        if what == "worker":
            if held.workers < much:
                _short(w, site, kind, needs)
        elif what in w.tables.goods:
            has = held.amount(what)
            if has < much or much % 1 > has % 1:
                _short(w, site, kind, needs)


def _tired(w: World, unit: Unit, recipe: Arming) -> Spent:
    """Raises `Illegal` (`arm.bta`)."""
    before = unit.used - unit.armed
    armed = max(unit.armed, Fraction(recipe.bta))
    if before + armed > w.tables.bta:
        left = w.tables.bta - before if not unit.armed else w.tables.bta - unit.used
        raise Illegal("arm.bta", unit=unit.id, left=str(left), needs=str(recipe.bta))
    return Spent(before, armed)


def _take(w: World, site: Site, recipe: Arming, needs: dict[str, Fraction]) -> list[Spent]:
    """Workers and goods, of which each needs the BTA. Raises `Illegal`."""
    spent = []
    for what, much in needs.items():
        if what == "worker":
            for crew in chosen(w.held(site.place, site.country), int(much), "worker"):
                _check_bta(w, what, crew.used, recipe)
                w.leave(site.place, site.country, crew)
                tasks.ended(w, site.country, site.place, crew)
                spent.append(Spent(crew.used, Fraction(recipe.bta)))
        elif what in w.tables.goods:
            for used, _ in w.take_goods(site.place, site.country, what, much):
                _check_bta(w, what, used, recipe)
                spent.append(Spent(used, Fraction(recipe.bta)))
    return spent


def _check_bta(w: World, what: str, used: Fraction, recipe: Arming) -> None:
    if used + recipe.bta > w.tables.bta:
        raise Illegal("arm.bta", unit=what, left=str(w.tables.bta - used), needs=str(recipe.bta))


# -- what it becomes ---


def _in_turn(units: Sequence[Unit], count: int) -> list[Unit | None]:
    """Each new unit is one of the old ones that has taken up more arms; SACs come from workers."""
    return list(units) if units else [None] * count


def _made(w: World, site: Site, kind: str, old: Unit | None, spent: Spent) -> str:
    used = spent.before + spent.armed
    if old is None:
        at = site.ship.at if site.ship else site.place
        aboard = site.ship.id if site.ship else None
        new = w.new_unit(kind, site.country, at, aboard=aboard, used=used, armed=spent.armed).id
        enlist(w, site.country, [], [new])
        return new
    return become(w, old, kind, used=used, armed=spent.armed)


# -- pirate ships ---


def _arm_pirate(w: World, player: Seat, order: Arm) -> None:
    """From as many cargo ships as are named."""
    named = dict.fromkeys((*order.units, *([order.aboard] if order.aboard else ())))
    ships = [unit_of(w, player, name, order.at) for name in named or ("cargo_ship",)]
    if order.count not in (None, len(ships)):
        raise Illegal("arm.short", kind=PIRATE, square=w.map.shown(ships[0].at), needs={"cargo_ship": str(order.count)})
    for ship in ships:
        _arm_ship(w, ship)


def _arm_ship(w: World, ship: Unit) -> None:
    """With a small arms unit aboard it, or in the square where it lies."""
    recipe = w.tables.arming[PIRATE]
    if ship.kind != "cargo_ship":
        raise Illegal("arm.short", kind=PIRATE, square=w.map.shown(ship.at), needs={"cargo_ship": "1"})
    if is_inflated(w, ship.owner):
        raise Illegal("inflation.barred", country=ship.owner)
    places = (
        ship.id,
        *(part for part in w.map.squares[square_of(ship.at)].land if ship.state in ("docked", "beached")),
    )
    place = next((each for each in places if w.held(each, ship.owner).amount("small_arms_unit") >= 1), None)
    if place is None:
        needs = {what: str(much) for what, much in recipe.inputs.items()}
        raise Illegal("arm.short", kind=PIRATE, square=w.map.shown(ship.at), needs=needs)
    spent = _tired(w, ship, recipe)
    lots = w.take_goods(place, ship.owner, "small_arms_unit", 1)
    _check_bta(w, "small_arms_unit", lots[-1][0], recipe)
    used = max(spent.before, lots[-1][0]) + spent.armed
    id_ = _refit(w, w.units[ship.id], used, spent.armed)
    book(w, ship.owner, cost=recipe.cost, edu=recipe.edu)
    w.note("armed", ship.owner, kind=PIRATE, units=[id_], at=w.map.shown(ship.at), parts=[ship.id])


def _refit(w: World, ship: Unit, used: Fraction, armed: Fraction) -> str:
    """The same ship under another number, with all aboard; what it towed is let go."""
    riders = w.aboard(ship.id)
    new = w.new_unit(
        PIRATE, ship.owner, ship.at, state=ship.state, used=used, armed=armed, holds=ship.holds, steps=ship.steps,
        came=ship.came, loaded=ship.loaded, unloaded=ship.unloaded,
        dock_loaded=ship.dock_loaded, dock_unloaded=ship.dock_unloaded, sailed=ship.sailed, attacked=ship.attacked,
    )  # fmt: skip
    for unit in riders:
        w.change(unit.id, aboard=None if unit.towed else new.id, towed=False)
    w.remove(ship.id)
    return new.id
