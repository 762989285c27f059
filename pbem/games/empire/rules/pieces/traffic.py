"""What airports and docks do in a slot: so many units take off, land, load or unload (E11.3, E11.4)."""

from __future__ import annotations

from fractions import Fraction

from pbem.core.refusal import Illegal
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.ground.terrain import stands
from pbem.games.empire.rules.pieces import space
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def take_off(w: World, unit: Unit) -> None:
    """Raises `Illegal` (`space.full`)."""
    if unit.state in ("ground", "stored") and unit.aboard is None and stands(w, unit.at, "airport"):
        _count(w, unit, unit.at, "out")


def land(w: World, unit: Unit, place: str) -> None:
    """Raises `Illegal` (`space.full`)."""
    if place in w.map.land and stands(w, place, "airport"):
        _count(w, unit, place, "in")


def berth(w: World, ship: Unit) -> None:
    """It loads or unloads at a dock, which does so much in a slot (E11.4). Raises `Illegal` (`space.full`)."""
    square = w.map.squares[square_of(ship.at)]
    place, key, begin = square.land[0], f"{w.now} dock {ship.id}", f"{w.now} dock "
    known = w.part(place).traffic
    done = sum((units for each, units in known.items() if each.startswith(begin) and each != key), Fraction(0))
    left = Fraction(space.docks(w, square.name) * int(w.tables.city["dock"]["movements"])) - done
    if left < w.kind(ship).units:
        raise Illegal("space.full", place=square.name, left=str(left), needs=str(w.kind(ship).units))
    kept = {each: count for each, count in known.items() if each.startswith(f"{w.now} ")}
    w.change_part(place, traffic={**kept, key: w.kind(ship).units})


def _count(w: World, unit: Unit, place: str, way: str) -> None:
    part = w.part(place)
    ports = part.items.count("airport") - part.hurt.count("airport")
    key = f"{w.now} {way}"
    done = part.traffic.get(key, Fraction(0))
    left = Fraction(ports * int(w.tables.city["airport"]["space"])) - done
    if left < w.kind(unit).units:
        raise Illegal("space.full", place=place, left=str(left), needs=str(w.kind(unit).units))
    kept = {each: count for each, count in part.traffic.items() if each.startswith(f"{w.now} ")}
    w.change_part(place, traffic={**kept, key: done + w.kind(unit).units})
