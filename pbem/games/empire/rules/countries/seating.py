"""Who has a slot, and which countries are still tested together (E5.2, E5.3, E5.15)."""

from __future__ import annotations

from pbem.core.seat import Seat
from pbem.games.empire.rules.countries import trade
from pbem.games.empire.rules.world import World

WHOLE_TURN = 1  # turns held when another one ends


def order(w: World) -> tuple[Seat, ...]:
    """At the end of a game turn: countries that were given away pass; who has none any more has no slot; whoever has
    one for the first time stands right behind the slot that it came from.
    """
    before = [seat for seat in w.state.order if w.countries_of(seat)]
    trade.pass_countries(w)
    _untie(w)
    found = [seat for seat in before if w.countries_of(seat)]
    for seat in w.state.seats:
        if seat not in found and w.countries_of(seat):
            found.insert(_behind(w, seat, found), seat)
    return tuple(found)


def _behind(w: World, seat: Seat, found: list[Seat]) -> int:
    """The place behind its giver's; if he has lost his own, where that was; the Pirate moves last."""
    countries = w.countries_of(seat)
    if w.state.pirate in countries:
        return len(found)
    last = len(found) - 1 if found and w.state.pirate in w.countries_of(found[-1]) else len(found)
    giver = w.country(countries[0]).giver
    if giver is None or giver not in w.state.order:
        return last
    before = w.state.order[: w.state.order.index(giver) + 1]
    return sum(each in before for each in found)


def _untie(w: World) -> None:
    """A founded country that has been another player's for a game turn is tested by itself (E5.2)."""
    for id_, country in list(w.countries.items()):
        if not country.tied or country.parent is None:
            continue
        if country.player != w.player(country.parent) and country.turns_held >= WHOLE_TURN:
            w.change_country(id_, tied=False)


def has_vote(w: World, seat: Seat) -> bool:
    """Who has a starting country, or a country for one whole game turn (A-2); never the Pirate (E18.1)."""
    mine = [w.country(each) for each in w.countries_of(seat) if each != w.state.pirate]
    return any(country.parent is None or country.turns_held > WHOLE_TURN for country in mine)
