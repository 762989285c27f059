"""Which country an order is meant for, which part a name, which unit a word (language.md, section 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import NoReturn

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.orders import Act
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def check_country(w: World, player: Seat, order: Act) -> None:
    """Is the country that it names one of the player's? Raises `Illegal` (`country.not_yours`)."""
    if order.country is not None and order.country not in w.countries_of(player):
        raise Illegal("country.not_yours", country=order.country)


def country_for(w: World, player: Seat, order: Act, has: Callable[[str], bool], at: str = "") -> str:
    """The named country, or the one own country of which `has` is true; the first one if none has.

    Raises `Illegal` (`country.not_yours`, `country.which`).
    """
    check_country(w, player, order)
    if order.country is not None:
        return order.country
    mine = w.countries_of(player)
    if not mine:
        raise Illegal("country.not_yours", country=str(player))
    able = [country for country in mine if has(country)]
    if len(able) > 1:
        raise Illegal("country.which", countries=able, square=at)
    return (able or mine)[0]


def with_workers_at(w: World, part: str) -> Callable[[str], bool]:
    """Has a country workers there?"""
    return lambda country: w.held(part, country).workers > 0


def with_goods_at(w: World, place: str, good: str) -> Callable[[str], bool]:
    return lambda country: w.held(place, country).amount(good) > 0


def land_part(w: World, name: str) -> str:
    """The land part of that name. Raises `Illegal` (`square.absent`, `square.part`)."""
    return _only_part(w, name, w.map.parts(name), "land")


def water_part(w: World, name: str) -> str:
    """The water part of that name. Raises `Illegal` (`square.absent`, `square.part`)."""
    return _only_part(w, name, w.map.waters(name), "water")


def _only_part(w: World, name: str, parts: Sequence[str], lacks: str) -> str:
    known_square(w, name)
    if not parts:
        raise Illegal("square.absent", square=name, **({"lacks": lacks} if name in w.map.squares else {}))
    if len(parts) > 1:
        raise Illegal("square.part", square=name, parts=list(parts))
    return parts[0]


def any_part(w: World, name: str) -> str:
    """A land part if the name means one, else a water part. Raises `Illegal`."""
    if square_of(name) in w.map.squares and not w.map.parts(name):
        return water_part(w, name)
    return land_part(w, name)


def known_square(w: World, name: str) -> str:
    """Its square. Raises `Illegal`."""
    square = square_of(name)
    if square not in w.map.squares:
        raise Illegal("square.absent", square=name)
    return square


def unit_of(w: World, player: Seat, name: str, at: str | None = None, *, of_any: bool = False) -> Unit:
    """A player's unit by its id, or by its kind where it stands alone; of the country that speaks, or of any.

    Raises `Illegal` (`unit.absent`, `unit.which`, `country.not_yours`).
    """
    speaks = None if of_any else w.speaks
    if name in w.tables.kinds:
        found = [u for u in _at(w, at) if u.kind == name and w.player(u.owner) == player]
        found = [u for u in found if speaks in (None, u.owner)]
        if len(found) > 1:
            raise Illegal("unit.which", square=at, units=[unit.id for unit in found])
        if not found:
            absent(name, at)
        return found[0]
    unit = w.units.get(name)
    if unit is None or w.player(unit.owner) != player or (at is not None and square_of(unit.at) != square_of(at)):
        absent(name, at)
    if speaks not in (None, unit.owner):
        raise Illegal("country.not_yours", country=speaks, unit=unit.id, owner=unit.owner)
    return unit


def units_of(w: World, player: Seat, names: Iterable[str], at: str | None = None) -> list[Unit]:
    return [unit_of(w, player, name, at) for name in dict.fromkeys(names)]


def check_has(where: str, good: str, has: Fraction, needs: Fraction | int) -> None:
    """Is so much of it there? None at all is never enough. Raises `Illegal` (`goods.short`)."""
    if has < needs or not needs:
        raise Illegal("goods.short", where=where, has=str(has), good=good, needs=str(needs or 1))


def absent(name: str, at: str | None = None) -> NoReturn:
    raise Illegal("unit.absent", unit=name, at=at or "")


def incomplete(read: str, *expected: str) -> NoReturn:
    """The order stops behind something; kinds of the grammar that should follow."""
    raise Illegal("order.incomplete", read=read, expected=expected)


def said_place(name: str | None, what: str) -> str:
    """The square that was named. Raises `Illegal` (`order.incomplete`)."""
    return incomplete(what, "SQUARE") if name is None else name


def _at(w: World, place: str | None) -> list[Unit]:
    if place is None:
        return list(w.units.values())
    return w.in_square(square_of(place)) if square_of(place) in w.map.squares else []
