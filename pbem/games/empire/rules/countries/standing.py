"""Standing orders, kept in the position (language.md, section 5)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.rules.ground import secrets
from pbem.games.empire.rules.ground.who import known_square, land_part, unit_of
from pbem.games.empire.rules.orders import Standing, StandingNone
from pbem.games.empire.rules.people.owners import country_named
from pbem.games.empire.rules.state import Kept
from pbem.games.empire.rules.world import World


def give(w: World, player: Seat, order: Standing) -> None:
    """The newest for the same thing counts. Raises `Illegal`."""
    _check(w, player, order)
    kept = {
        id_: each for id_, each in w.state.standing.items() if each.seat != player or _key(each.order) != _key(order)
    }
    number = 1 + max((each.number for each in w.state.standing.values() if each.seat == player), default=0)
    w.set(standing={**kept, f"{player} {number}": Kept(seat=player, number=number, order=order)})
    if order.what == "births":
        countries = w.countries_of(player) if order.country is None else [order.country]
        _births(w, countries, land_part(w, str(order.at)), on=order.says == "on")
    if order.what == "protect":
        w.note("protected", player=player, of=order.to, units=list(order.units), at=order.at, until=order.until)
        return
    w.only = (str(player),)
    w.note("standing_given", player=player, order=order.what)


def _key(order: Standing) -> tuple[object, ...]:
    """What it is about."""
    about = order.to if order.what in ("protect", "accept") else None
    return order.what, order.units, order.at, about


def _check(w: World, player: Seat, order: Standing) -> None:
    if order.at is not None:
        known_square(w, order.at)
    if order.what == "retreat" and order.to is not None:
        known_square(w, order.to)
    if order.what in ("protect", "accept") and order.to is not None and country_named(w, order.to) is None:
        raise Illegal("name.unknown", read=order.to, kind="seat", candidates=[*w.state.seats])
    for unit in order.units:
        if order.what == "protect":
            if unit not in w.units or not secrets.Sight(w, player).unit(w.units[unit]):
                raise Illegal("unit.absent", unit=unit, at="")
        else:
            unit_of(w, player, unit)


def withdraw(w: World, player: Seat, order: StandingNone) -> None:
    """All, or all of one kind."""
    mine = {id_: each for id_, each in w.state.standing.items() if each.seat == player}
    gone = {id_: each for id_, each in mine.items() if order.what in (None, each.order.what)}
    w.set(standing={id_: each for id_, each in w.state.standing.items() if id_ not in gone})
    for each in gone.values():
        if each.order.what == "births" and each.order.says == "off":
            countries = w.countries_of(player) if each.order.country is None else [each.order.country]
            _births(w, countries, land_part(w, str(each.order.at)), on=True)
    w.only = (str(player),)
    w.note("standing_withdrawn", player=player, order=order.what or "all", count=len(gone))


def _births(w: World, countries: Sequence[str], part: str, *, on: bool) -> None:
    for country in countries:
        off = tuple(each for each in w.country(country).births_off if each != part)
        w.change_country(country, births_off=off if on else (*off, part))
