"""Force that confronts a piece under capture rules, and the force against it (E7.15)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import NoReturn

from msgspec import Struct

from pbem.core.refusal import Illegal
from pbem.games.empire.geography.grid import distance, square_of
from pbem.games.empire.rules.ground.position import is_river
from pbem.games.empire.rules.ground.sides import is_land_unit, stands_there
from pbem.games.empire.rules.ground.zones import has_zone, reaches
from pbem.games.empire.rules.pieces.naval_table import defense, factor
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

BOMBS = ("bomb", "light_bomb")
ASHORE = ("docked", "beached")


class Prey(Struct, frozen=True, kw_only=True):
    """What is to be captured: a unit, or people or goods in a part."""

    name: str
    owner: str
    at: str
    unit: Unit | None = None
    bearer: Unit | None = None  # the unit, or what carries it

    @property
    def square(self) -> str:
        return square_of(self.at)


# -- against it ---


def against(w: World, prey: Prey, attackers: Sequence[Unit]) -> Fraction:
    """Its own force with that of the military of its country in its part, times what the ground gives."""
    guards = [u for u in w.in_square(prey.square) if u.owner == prey.owner and _shares(w, prey, u)]
    total = sum((_defends(w, unit) for unit in guards), Fraction(0))
    return total * _times(w, prey, attackers)


def _shares(w: World, prey: Prey, unit: Unit) -> bool:
    """In the same part; on a shore who lies there shares it with who stands there."""
    if prey.unit is not None and unit.id == prey.unit.id:
        return True
    if unit.at == prey.at:
        return True
    ashore = prey.bearer is not None and prey.bearer.state in ASHORE
    return ashore and unit.at in w.map.land and is_land_unit(w, unit)


def _defends(w: World, unit: Unit) -> Fraction:
    """Nothing in a warehouse, aboard, in a dock or on the ground."""
    class_ = w.kind(unit).class_
    if is_land_unit(w, unit):
        return Fraction(w.kind(unit).df) if stands_there(unit) else Fraction(0)
    if class_ == "ship":
        return defense(w, unit) if unit.state in ("sea", "dived") else Fraction(0)
    if class_ == "air" and unit.state == "up" and is_loaded(unit):
        return Fraction(w.tables.capture["strategic_bomber" if unit.kind == "strategic_bomber" else "tac"])
    return Fraction(0)


def _times(w: World, prey: Prey, attackers: Sequence[Unit]) -> int:
    land = [unit for unit in attackers if is_land_unit(w, unit)]
    if prey.at not in w.map.land:
        return 1
    terrain = w.map.land[prey.at].terrain
    if terrain in ("mountains", "full_mountain"):
        return 2
    if not land:
        return 2 if terrain == "forest" else 1
    return 2 if all(_is_hampered(w, unit, prey.at) for unit in land) else 1


def _is_hampered(w: World, unit: Unit, part: str) -> bool:
    """It stands in a river, or has just landed there (E12.16)."""
    if unit.landed is not None and square_of(unit.landed) == square_of(part):
        return True
    return is_river(w, square_of(unit.at))


# -- for it ---


def of(w: World, prey: Prey, attackers: Sequence[Unit]) -> Fraction:
    """Raises `Illegal` where one of them can't reach it."""
    with_land = any(is_land_unit(w, unit) for unit in attackers)
    land = sum((_of_land(w, prey, unit) for unit in attackers if is_land_unit(w, unit)), Fraction(0))
    ships = [unit for unit in attackers if w.kind(unit).class_ == "ship"]
    air = [unit for unit in attackers if w.kind(unit).class_ == "air"]
    _check_rest(w, prey, [unit for unit in attackers if unit not in ships and unit not in air])
    limit = int(w.tables.capture["air_limit"])
    if len(air) > limit:
        _out_of_reach(w, prey, air[limit])
    return land + _of_ships(w, prey, ships) + sum((_of_air(w, prey, unit, with_land) for unit in air), Fraction(0))


def _check_rest(w: World, prey: Prey, units: Sequence[Unit]) -> None:
    for unit in units:
        if not is_land_unit(w, unit):
            _out_of_reach(w, prey, unit)


def _out_of_reach(w: World, prey: Prey, unit: Unit) -> NoReturn:
    raise Illegal("battle.reach", unit=unit.id, target=prey.name, square=w.map.shown(unit.at))


def _of_land(w: World, prey: Prey, unit: Unit) -> Fraction:
    """AF within its zone; against ships at sea only what fires at ships, from their square (E17.4)."""
    if not has_zone(w, unit):
        _out_of_reach(w, prey, unit)
    places = (prey.at,) if prey.at in w.map.land else w.map.squares[prey.square].land
    if not any(reaches(w, unit, part) for part in places):
        _out_of_reach(w, prey, unit)
    if prey.bearer is not None and prey.bearer.state == "up":
        _out_of_reach(w, prey, unit)
    if prey.bearer is not None and w.kind(prey.bearer).class_ == "ship" and prey.bearer.state not in ASHORE:
        if square_of(unit.at) != prey.square or prey.bearer.state == "dived":
            _out_of_reach(w, prey, unit)
        return w.kind(unit).hau
    return Fraction(w.kind(unit).af)


def _of_ships(w: World, prey: Prey, ships: Sequence[Unit]) -> Fraction:
    """Naval BF against what floats; against what is on land a third of it, whole (E17.3)."""
    for ship in ships:
        afloat = ship.state == "sea" and square_of(ship.at) == prey.square
        same_water = prey.at in w.map.land or ship.at == prey.at
        can_hit = prey.bearer is None or (prey.bearer.state not in ("dived", "up")) or _hunts(prey.bearer, ship)
        if not (afloat and same_water and can_hit) or not factor(w, ship):
            _out_of_reach(w, prey, ship)
    total = sum((factor(w, ship) for ship in ships), Fraction(0))
    return Fraction(floor(total / 3)) if prey.at in w.map.land else total


def _hunts(bearer: Unit, ship: Unit) -> bool:
    """Dived submarines are for cruisers only (E14.17)."""
    return bearer.state == "dived" and ship.kind == "cruiser"


def is_loaded(unit: Unit) -> bool:
    return any(held.amount(bomb) for held in unit.holds.values() for bomb in BOMBS)


def _of_air(w: World, prey: Prey, unit: Unit, with_land: bool) -> Fraction:
    far = 2 * distance(square_of(unit.at), prey.square) * w.kind(unit).bta
    able = unit.kind in ("strategic_bomber", "tac") and is_loaded(unit) and unit.state == "ground"
    dived = prey.bearer is not None and prey.bearer.state == "dived"
    if not able or dived:
        _out_of_reach(w, prey, unit)
    if unit.used + far > w.tables.bta:
        left = w.tables.bta - unit.used
        raise Illegal("air.range", unit=unit.id, left=str(left), home=w.map.shown(unit.at), needs=str(far))
    if unit.kind == "strategic_bomber":
        return Fraction(w.tables.capture["strategic_bomber"])
    return Fraction(w.tables.capture["tac_with_land" if with_land else "tac"])
