"""Flights of unarmed aircraft, and ferries of military ones (E9.8, E9.9, E15.14, E15.15)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pbem.core.refusal import Illegal
from pbem.games.empire.geography.grid import direction_to, distance, square_of
from pbem.games.empire.rules.accounts import debts
from pbem.games.empire.rules.accounts.inflation import is_inflated
from pbem.games.empire.rules.air import ack_ack, airways, intercepting, scramble
from pbem.games.empire.rules.air.escorts import Escorts
from pbem.games.empire.rules.combat.battle_context import check_rested
from pbem.games.empire.rules.economy import consuming
from pbem.games.empire.rules.ground import pirate, wind
from pbem.games.empire.rules.movement import loading
from pbem.games.empire.rules.orders import Move
from pbem.games.empire.rules.pieces import space, traffic
from pbem.games.empire.rules.pieces.riding import shift
from pbem.games.empire.rules.sea.waters import by_wind
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

NEVER = 10**6  # what `by_wind` gives against the wind
MOUNTAINS = ("mountains", "full_mountain")


def fly(w: World, unit: Unit, order: Move, escorts: Escorts | None = None) -> None:
    if w.kind(unit).military and is_inflated(w, unit.owner):
        raise Illegal("inflation.barred", country=unit.owner)
    check_rested(w, unit)
    goal = [_goal(w, name) for name in order.way][-1]
    if unit.state == "stored" and goal == unit.at:
        if order.cargo:
            raise Illegal("carry.barred", carrier=unit.id, what=order.cargo[0].what)
        _out_of_warehouse(w, unit)
        return
    _check_start(w, unit, goal)
    if w.kind(unit).no_mountains:
        _check_mountains(w, unit, order)
    lands = _lands(w, unit, goal)
    if order.cargo:
        loading.load_items(w, unit, order.cargo)
    if w.kind(unit).bta_wind:
        wind.blow(w)
    price = _price(w, unit, order.way)
    if unit.used + price > w.tables.bta:
        left = w.tables.bta - unit.used
        raise Illegal("bta.short", what=unit.id, left=str(left), square=w.map.shown(goal), needs=str(price))
    traffic.take_off(w, unit)
    if lands:
        traffic.land(w, unit, goal)
    if w.kind(unit).military and unit.flew != w.now:
        debts.owe(w, unit.owner, "oil", debts.rate(w, "flight"))
    start = unit.at
    squares = airways.route(w, unit.owner, [start, *order.way])
    let_go(w, unit)
    _took_off(w, unit)
    consuming.first_flight(w, w.units[unit.id])
    for square in squares:
        pirate.looked_at(w, square, w.player(unit.owner))
    turned = _pass(w, unit, squares, square_of(goal) if lands else None, escorts)
    if unit.id not in w.units:
        return
    end = goal
    if turned is not None:
        end, price = start, price + w.kind(unit).bta * distance(square_of(start), turned)
    _arrive(w, unit, end, price, lands=lands or turned is not None)
    w.note("flew", unit.owner, unit=unit.id, start=w.map.shown(start), way=[w.map.shown(end)], bta=str(price))
    if order.cargo and lands and turned is None and end in w.map.land and not order.hold:
        loading.unload_items(w, w.units[unit.id], order.cargo)


def _out_of_warehouse(w: World, unit: Unit) -> None:
    """Onto the airport beside it, without a flight. Raises `Illegal`."""
    if not airways.is_base(w, unit, unit.at):
        raise Illegal("air.airport", unit=unit.id, square=unit.at)
    if (room := space.airport_room(w, unit.at)) < w.kind(unit).units:
        raise Illegal("space.full", place=unit.at, left=str(room), needs=str(w.kind(unit).units))
    w.change(unit.id, state="ground")
    w.note("lies", unit.owner, unit=unit.id, at=unit.at, state="ground")


def _took_off(w: World, unit: Unit) -> None:
    w.change(unit.id, aboard=None, towed=False)


def _arrive(w: World, unit: Unit, end: str, price: Fraction, *, lands: bool) -> None:
    patrolled = unit.state == "up" and unit.kind in airways.CARRIER_AIR
    place = end if lands and end in w.map.land else airways.over_square(w, end)
    shift(w, unit.id, place, price)
    w.change(unit.id, flew=w.now, base=None, state="up")
    if lands:
        airways.put_down(w, w.units[unit.id], end)
    if patrolled:
        w.change(unit.id, fought=w.state.turn, done="flown")


def _pass(w: World, unit: Unit, squares: Sequence[str], landing: str | None, escorts: Escorts | None) -> str | None:
    """What fires at it and what comes up against it on the way. Where it turns back, if it does."""
    if w.kind(unit).military:
        return ack_ack.pass_over(w, squares, unit.id)
    for flown, square in enumerate(squares, 1):
        ack_ack.fire(w, square, [unit.id], "non_combat")
        if escorts is not None and unit.id in w.units:
            escorts.fly_over(square)
        if unit.id in w.units:
            _met(w, unit, square, flown, escorts)
    if landing is not None:
        for other in w.map.around(landing):
            ack_ack.fire(w, other, [unit.id], "non_combat")
    return None


def _met(w: World, unit: Unit, square: str, flown: int, escorts: Escorts | None) -> None:
    """Patrols and scrambles of those who have given notice of the square; whom escorts leave is at the aircraft."""
    for seat in scramble.guards(w, square, unit.owner):
        guard = escorts.ready() if escorts is not None else []
        up = [id_ for id_ in scramble.patrols_over(w, square, unit.owner) if w.player(w.units[id_].owner) == seat]
        called, always = scramble.called(w, seat, square, flown, [unit.id, *guard])
        if unit.id in w.units:
            left = scramble.engage_escorts(w, square, [*up, *called], always, guard)
            if left:
                intercepting.shoot_down(w, square, left, unit.id)


def _goal(w: World, name: str) -> str:
    square = square_of(name)
    if square not in w.map.squares:
        raise Illegal("square.absent", square=name)
    parts = w.map.parts(name)
    if len(parts) > 1:
        raise Illegal("square.part", square=name, parts=list(parts))
    return parts[0] if parts else square


def _check_start(w: World, unit: Unit, goal: str) -> None:
    """It takes off from an airport, or a carrier, or flies already. Raises `Illegal`."""
    if unit.state == "up":
        return
    tug = w.units[unit.aboard] if unit.aboard is not None else None
    if w.kind(unit).must_be_towed:
        if tug is None or not unit.towed or not _is_up_from_airport(w, tug):
            raise Illegal("air.airport", unit=unit.id, square=w.map.shown(unit.at))
        return
    if tug is not None and (tug.kind != "carrier" or unit.kind not in airways.CARRIER_AIR):
        raise Illegal("way.none", what=unit.id, square=w.map.shown(unit.at), to=goal, why="aboard")
    if w.kind(unit).bta_wind or tug is not None:
        return
    if not airways.is_base(w, unit, unit.at):
        raise Illegal("air.airport", unit=unit.id, square=w.map.shown(unit.at))


def _is_up_from_airport(w: World, tug: Unit) -> bool:
    return tug.state == "up" or airways.is_base(w, tug, tug.at)


def let_go(w: World, unit: Unit) -> None:
    """A sailplane on the tow of what flies away is released over the airport (E9.9)."""
    for other in w.aboard(unit.id):
        if other.towed:
            w.change(other.id, aboard=None, towed=False, state="up", flew=w.now)
            w.note("released", unit.owner, unit=unit.id, tow=other.id)


def _check_mountains(w: World, unit: Unit, order: Move) -> None:
    for square in airways.route(w, unit.owner, [unit.at, *order.way]):
        found = w.map.squares[square]
        if found.land and all(w.map.land[land].terrain in MOUNTAINS for land in found.land):
            raise Illegal("way.none", what=unit.id, square=w.map.shown(unit.at), to=square, why="mountains")


def _lands(w: World, unit: Unit, goal: str) -> bool:
    """Does it land there? What may stay in the air does so where it can't. Raises `Illegal`."""
    if airways.is_base(w, unit, goal):
        if (unit.at, unit.state) != (goal, "ground"):
            airways.check_berth(w, unit, goal)
        return True
    if w.kind(unit).bta_wind and _is_open(w, goal):
        return True
    if w.kind(unit).stays_up or w.kind(unit).bta_wind:
        return False
    airways.check_berth(w, unit, goal)
    return True


def _is_open(w: World, goal: str) -> bool:
    """Balloons and sailplanes land anywhere but in cities, forest and mountains without airport."""
    if goal not in w.map.land or w.part(goal).city:
        return False
    return w.map.land[goal].terrain not in ("forest", *MOUNTAINS)


def _price(w: World, unit: Unit, way: Sequence[str]) -> Fraction:
    """Raises `Illegal` where the wind does not let it go."""
    kind = w.kind(unit)
    total, here = Fraction(0), square_of(unit.at)
    for square in airways.route(w, unit.owner, [unit.at, *way]):
        if kind.bta_wind:
            total += by_wind(w, kind.bta_wind, direction_to(here, square))
        else:
            total += kind.bta
        here = square
    if kind.bta_wind and total >= NEVER:
        raise Illegal("way.none", what=unit.id, square=w.map.shown(unit.at), to=way[-1], why="no_wind")
    return total
