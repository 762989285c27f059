"""Ships under way: courses, docking, beaching, casting off (E9.4 to E9.7, E7.17)."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.accounts import debts
from pbem.games.empire.rules.accounts.inflation import is_inflated
from pbem.games.empire.rules.combat.battle_context import check_rested
from pbem.games.empire.rules.ground import wind
from pbem.games.empire.rules.ground.sides import serves
from pbem.games.empire.rules.ground.who import unit_of
from pbem.games.empire.rules.movement.loading import load_items, unload_items
from pbem.games.empire.rules.orders import Move, Posture
from pbem.games.empire.rules.pieces import space
from pbem.games.empire.rules.pieces.riding import shift
from pbem.games.empire.rules.sea import canals, guns, sea_zones, submarines, waters
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

BERTHS = {"dock": "docked", "beach": "beached"}


def sail(w: World, ship: Unit, order: Move) -> None:
    _check_free(ship)
    kind = w.kind(ship)
    if (kind.nbf > 0 or ship.kind == "submarine") and is_inflated(w, ship.owner):
        raise Illegal("inflation.barred", country=ship.owner)
    check_rested(w, ship)
    goals = [_goal(w, ship, name) for name in order.way]
    if kind.bta_wind:
        _refuse_hopeless(w, ship, goals)
        wind.blow(w)
    if order.cargo:
        load_items(w, ship, order.cargo)
    legs = _course(w, w.units[ship.id], goals)
    if order.ending:
        check_berth(w, ship, legs[-1].part if legs else ship.at, order.ending)
    cover_oil(w, ship)
    _sail(w, w.units[ship.id], legs, order)


def _check_free(ship: Unit) -> None:
    """Raises `Illegal` (`water.barred`) for what is in tow, or aboard."""
    if ship.aboard is not None:
        raise Illegal("water.barred", ship=ship.id, why="towed" if ship.towed else "aboard")


def _goal(w: World, ship: Unit, name: str) -> str:
    """Where a square has several waters, the one that the ship can get to."""
    parts = w.map.waters(name)
    if len(parts) > 1 and square_of(name) == name:
        reached = [part for part in parts if waters.course(w, ship, ship.at, part, (), zones=False) is not None]
        if len(reached) == 1:
            return reached[0]
    if not parts and w.map.parts(name) and not waters.is_swamp_for(w, ship.kind, name):
        raise Illegal("water.barred", ship=ship.id, why="no_water")
    return waters.place_of(w, ship.kind, name)


def _refuse_hopeless(w: World, ship: Unit, goals: list[str]) -> None:
    """What no wind would let it do is refused before the die."""
    here = ship.at
    for goal in goals:
        waters.course_or_refusal(w, ship, here, goal)
        here = goal
    if ship.used >= w.tables.bta:
        raise Illegal("bta.short", what=ship.id, left="0", square=w.map.shown(goals[-1]), needs="1")


def _course(w: World, ship: Unit, goals: list[str]) -> list[waters.Leg]:
    legs: list[waters.Leg] = []
    here = ship.at
    for goal in goals:
        legs += waters.course_or_refusal(w, ship, here, goal)
        here = goal
    if legs:
        sea_zones.check_leaving(w, ship, legs[0].part)
    for leg, after in pairwise(legs):
        if sea_zones.stops(w, ship, leg.part) and not sea_zones.may_go_on(w, ship, leg.part, after.part):
            found = sea_zones.over(w, leg.part, ship.owner)
            raise Illegal("way.zoc", what=ship.id, unit=found[0].id, square=w.map.shown(leg.part))
    for leg in legs:
        sea_zones.check_entry(w, ship, leg.part)
    total = sum((leg.cost for leg in legs), Fraction(0))
    if ship.used + total > w.tables.bta:
        left = w.tables.bta - ship.used
        raise Illegal("bta.short", what=ship.id, left=str(left), square=w.map.shown(goals[-1]), needs=str(total))
    return legs


def cover_oil(w: World, ship: Unit) -> None:
    """What it will owe at the roll-out must be there when it puts to sea (E7.17)."""
    if ship.sailed:
        return
    due = sum((debts.rate(w, unit.kind) for unit in w.units_of(ship.owner) if unit.sailed), Fraction(0))
    debts.check(w, ship.owner, "oil", due + debts.rate(w, ship.kind) if debts.rate(w, ship.kind) else Fraction(0))


def _sail(w: World, ship: Unit, legs: list[waters.Leg], order: Move) -> None:
    start = ship.at
    w.change(ship.id, state="dived" if ship.state == "dived" else "sea", sailed=True, tasks=())
    for leg in legs:
        if ship.id not in w.units:
            break
        before = w.units[ship.id].steps
        canals.passed(w, w.units[ship.id], leg.part)
        shift(w, ship.id, leg.part, leg.cost)
        sea_zones.entered(w, w.units[ship.id], leg.part)
        if ship.id in w.units:
            guns.fire_at(w, w.units[ship.id], leg.part)
        if ship.id in w.units and w.units[ship.id].steps != before:
            w.finality("die_drawn")
    sea_zones.settled(w, ship, start, [leg.part for leg in legs])
    w.note("sailed", ship.owner, unit=ship.id, start=w.map.shown(start), way=[w.map.shown(leg.part) for leg in legs],
           bta=str(sum((leg.cost for leg in legs), Fraction(0))))  # fmt: skip
    if ship.id in w.units and order.ending:
        w.change(ship.id, state=BERTHS[order.ending])
        if order.cargo and not order.hold:
            unload_items(w, w.units[ship.id], order.cargo)


def posture(w: World, player: Seat, order: Posture) -> None:
    for name in order.units:
        ship = unit_of(w, player, name, order.at)
        if w.kind(ship).class_ != "ship":
            raise Illegal("water.barred", ship=ship.id, why="no_ship")
        _check_free(ship)
        match order.posture:
            case "dive":
                submarines.dive(w, ship)
            case "surface":
                submarines.surface(w, ship)
            case "sea":
                if ship.state == "dived":
                    raise Illegal("sub.state", unit=ship.id, state="dived")
                cover_oil(w, ship)
                w.change(ship.id, state="sea", sailed=True)
            case _:
                berth(w, ship, order.posture)
        w.note("lies", ship.owner, unit=ship.id, at=w.map.shown(ship.at), state=w.units[ship.id].state)


def berth(w: World, ship: Unit, how: str) -> None:
    """Dock or beach; costs nothing. Raises `Illegal`."""
    check_berth(w, ship, ship.at, how)
    w.change(ship.id, state=BERTHS[how])


def check_berth(w: World, ship: Unit, part: str, how: str) -> None:
    """Raises `Illegal` (`sub.state`, `load.place`, `space.full`), before anything is fired at it."""
    if ship.state == "dived":
        raise Illegal("sub.state", unit=ship.id, state="dived")
    square = w.map.squares[square_of(part)]
    if not square.is_land:
        raise Illegal("load.place", ship=ship.id, why="no_shore")
    if how == "beach":
        return
    if not any(serves(w, ship.owner, land) for land in square.land):
        raise Illegal("load.place", ship=ship.id, why="others")
    if not has_dock(w, square.name):
        raise Illegal("load.place", ship=ship.id, why="no_dock")
    room, needs = space.dock_room(w, part, ship.owner), w.kind(ship).units
    if (ship.state != "docked" or part != ship.at) and room < needs:
        raise Illegal("space.full", place=square.name, left=str(room), needs=str(needs))


def has_dock(w: World, square: str) -> bool:
    return square in w.map.harbors or w.has_item(square, "dock")
