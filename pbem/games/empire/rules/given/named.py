"""What `given` lines name: countries, players, units, places."""

from __future__ import annotations

from fractions import Fraction
from typing import NoReturn

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.ground.who import any_part
from pbem.games.empire.rules.orders import Given
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def country_of(w: World, line: Given) -> str:
    """The country of that name; a seat that has none of its name means its first, as the Pirate's does."""
    if line.who in w.state.seats and line.who not in w.countries and w.countries_of(Seat(line.who)):
        return w.countries_of(Seat(line.who))[0]
    if line.who not in w.countries:
        raise Illegal("name.unknown", read=line.who, kind="country", candidates=[*w.countries])
    return str(line.who)


def player_of(w: World, name: str | None) -> Seat:
    if name not in w.state.seats:
        raise Illegal("name.unknown", read=name, kind="seat", candidates=[*w.state.seats])
    return Seat(str(name))


def number_of(line: Given, key: str = "") -> int:
    return whole(line.amounts[key])


def whole(amount: str) -> int:
    """Only debts, goods and BTA have fractions. Raises `Illegal`."""
    if Fraction(amount).denominator > 1:
        raise Illegal("order.unreadable", read=amount, candidates=(), expected=("NUMBER",))
    return int(Fraction(amount))


def good_of(w: World, what: str) -> str:
    """Raises `Illegal`: what is given by its id, or is no good, lies on no pile."""
    if what not in w.tables.goods:
        raise Illegal("name.unknown", read=what, candidates=(), expected=("GOOD",))
    return what


def named_unit(w: World, line: Given) -> Unit:
    if line.unit not in w.units:
        raise Illegal("unit.absent", unit=line.unit, at="")
    return w.units[str(line.unit)]


def refuse_water(w: World, what: str, name: str) -> NoReturn:
    square = square_of(name)
    raise Illegal("terrain.barred", what=what, terrain=w.map.squares[square].terrain, square=square)


def dry(w: World, what: str, name: str) -> str:
    """The land part of that name, where such a thing may lie. Raises `Illegal`."""
    part = any_part(w, name)
    if part not in w.map.land:
        refuse_water(w, what, name)
    return part
