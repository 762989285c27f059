"""Ways through the air: the shortest, round hostile ack-ack where that is as short (E15.1, E15.2)."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from pbem.core.refusal import Illegal
from pbem.games.empire.geography.grid import distance, map_order, square_of
from pbem.games.empire.rules.air import ack_ack
from pbem.games.empire.rules.ground.sides import serves
from pbem.games.empire.rules.ground.terrain import stands
from pbem.games.empire.rules.pieces.space import airport_room, takes_in
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

CARRIER_AIR = ("fighter", "tac")


def path(w: World, country: str, start: str, goal: str) -> tuple[str, ...]:
    """The squares of a shortest way behind the first, over as few squares with hostile ack-ack as may be."""
    heap: list[tuple[int, int, tuple[int, ...], str, tuple[str, ...]]] = [(0, 0, (), square_of(start), ())]
    goal, done = square_of(goal), set()
    while heap:
        length, guns, directions, square, squares = heapq.heappop(heap)
        if square == goal:
            return squares
        if square in done:
            continue
        done.add(square)
        for direction, other in enumerate(w.map.around(square)):
            if other not in done and length + 1 + distance(other, goal) == distance(square_of(start), goal):
                more = 1 if ack_ack.hostile_guns(w, country, other) else 0
                heapq.heappush(heap, (length + 1, guns + more, (*directions, direction), other, (*squares, other)))
    return ()


def route(w: World, country: str, stops: Sequence[str]) -> tuple[str, ...]:
    """Through all these squares."""
    squares: list[str] = []
    for one, other in itertools.pairwise(stops):
        squares += path(w, country, one, other)
    return tuple(squares)


def length(stops: Sequence[str]) -> int:
    return sum(distance(square_of(one), square_of(other)) for one, other in itertools.pairwise(stops))


def check_range(w: World, unit: Unit, borders: int, home: str) -> None:
    """Raises `Illegal` (`air.range`)."""
    needs = w.kind(unit).bta * borders
    if unit.used + needs > w.tables.bta:
        left = w.tables.bta - unit.used
        raise Illegal("air.range", unit=unit.id, left=str(left), home=w.map.shown(home), needs=str(needs))


def carrier_for(w: World, unit: Unit, square: str) -> Unit | None:
    """An own carrier in a square with room for it."""
    needs = w.kind(unit).units
    return next((ship for ship in _carriers(w, unit, square) if _room_aboard(w, unit, ship) >= needs), None)


def _carriers(w: World, unit: Unit, square: str) -> list[Unit]:
    ships = w.in_square(square_of(square)) if unit.kind in CARRIER_AIR else ()
    return [ship for ship in ships if ship.kind == "carrier" and ship.owner == unit.owner]


def _room_aboard(w: World, unit: Unit, ship: Unit) -> Fraction:
    """Air units for which there is room beside it."""
    used = sum((w.kind(other).units for other in w.aboard(ship.id) if other.id != unit.id), Fraction(0))
    return int(w.kind(ship).holds["air_units"]) - used


def check_berth(w: World, unit: Unit, place: str, taken: Fraction = Fraction(0)) -> None:
    """Is there an airport, or an own carrier, that takes it beside so many other air units?

    Raises `Illegal` (`air.airport`, `space.full`).
    """
    rooms = {ship.id: _room_aboard(w, unit, ship) for ship in _carriers(w, unit, place)}
    if is_base(w, unit, place):
        if stands(w, place, "warehouse"):  # it holds what the airport can't take (E11.5)
            return
        rooms[place] = airport_room(w, place)
    if not rooms:
        raise Illegal("air.airport", unit=unit.id, square=w.map.shown(place))
    most = max(rooms, key=lambda each: rooms[each])
    left = min(rooms[most], sum(rooms.values(), Fraction(0)) - taken)
    if left < w.kind(unit).units:
        raise Illegal("space.full", place=most, left=str(left), needs=str(w.kind(unit).units))


def is_base(w: World, unit: Unit, part: str) -> bool:
    """May it take off and land there: an airport that serves it?"""
    return part in w.map.land and stands(w, part, "airport") and serves(w, unit.owner, part)


def base_of(w: World, unit: Unit) -> str:
    """Where it takes off: its part, or the carrier that it stands on. Raises `Illegal`."""
    if unit.aboard is not None and w.units[unit.aboard].kind == "carrier" and unit.kind in CARRIER_AIR:
        return unit.at
    if unit.state in ("ground", "stored") and unit.aboard is None and is_base(w, unit, unit.at):
        return unit.at
    raise Illegal("air.airport", unit=unit.id, square=w.map.shown(unit.at))


def own_base(w: World, unit: Unit) -> str | None:
    """Where it came from, if it can still land there."""
    if unit.base is None or (unit.base not in w.units and unit.base not in w.map.land):  # its carrier is gone
        return None
    place = w.units[unit.base].at if unit.base in w.units else unit.base
    far = w.kind(unit).bta * distance(square_of(unit.at), square_of(place))
    return place if takes(w, unit, place) and unit.used + far <= w.tables.bta else None


def takes(w: World, unit: Unit, place: str) -> bool:
    """Is there an airport with room for it, a warehouse beside it, or an own carrier?"""
    return _has_port(w, unit, place) or carrier_for(w, unit, place) is not None


def _has_port(w: World, unit: Unit, place: str) -> bool:
    return is_base(w, unit, place) and takes_in(w, unit.kind, place)


def nearest_base(w: World, unit: Unit, left: Fraction, start: str | None = None) -> str | None:
    """The nearest airport, or square of an own carrier, in reach with room; ties in map order."""
    here = square_of(start or unit.at)
    ships = [u for u in w.units_of(unit.owner) if u.kind == "carrier" and carrier_for(w, unit, u.at) is not None]
    found = [(distance(here, square_of(ship.at)), map_order(ship.at), ship.at) for ship in ships]
    for part in w.parts:
        if _has_port(w, unit, part):
            found.append((distance(here, square_of(part)), map_order(part), part))
    near = [each for each in found if w.kind(unit).bta * each[0] <= left]
    return min(near)[2] if near else None


def parked(w: World, unit: Unit, place: str) -> str:
    """How it stands where it lands: in a warehouse if the airport has filled meanwhile."""
    stays = unit.at == place and unit.state != "up"
    at_airport = place in w.map.land and stands(w, place, "airport")
    is_full = at_airport and not stays and airport_room(w, place) < w.kind(unit).units
    return "stored" if is_full and stands(w, place, "warehouse") else "ground"


def put_down(w: World, unit: Unit, place: str, **fields: Any) -> Unit:
    """It has landed: at an airport, on an own carrier, or in the open."""
    fits = is_base(w, unit, place) and airport_room(w, place) >= w.kind(unit).units
    ship = None if fits else carrier_for(w, unit, place)
    at, aboard = (place, None) if ship is None else (ship.at, ship.id)
    state = parked(w, unit, at) if ship is None else "ground"
    return w.change(unit.id, at=at, aboard=aboard, state=state, base=None, **fields)


def over_square(w: World, square: str) -> str:
    """The part where what is in the air over a square is counted."""
    found = w.map.squares[square_of(square)]
    return found.places[0]
