"""Take-offs and landings: so many units each of an airport in a slot, scrambles not counted (E11.3)."""

from __future__ import annotations

from fractions import Fraction

from pbem.core.refusal import Illegal
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.terrain import stands
from pbem.games.empire.rules.world import World


def take_off(w: World, unit: Unit) -> None:
    """Raises `Illegal` (`space.full`)."""
    if unit.state == "ground" and unit.aboard is None and stands(w, unit.at, "airport"):
        _count(w, unit, unit.at, "out")


def land(w: World, unit: Unit, place: str) -> None:
    """Raises `Illegal` (`space.full`)."""
    if place in w.map.land and stands(w, place, "airport"):
        _count(w, unit, place, "in")


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
