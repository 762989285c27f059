"""What an offer hands over, and whether it can be (E5.5 to E5.7, E5.12)."""

from __future__ import annotations

from fractions import Fraction

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.rules.held import chosen
from pbem.games.empire.rules.people.owners import is_present, pass_crew, pass_goods, pass_unit
from pbem.games.empire.rules.pieces.carrying import PEOPLE, aboard, check_fits
from pbem.games.empire.rules.state import Offer, Unit
from pbem.games.empire.rules.world import World

COUNTRY = "country"


def told(offer: Offer) -> str:
    if offer.units:
        return ", ".join(offer.units)
    return offer.giver if offer.what == COUNTRY else f"{offer.count} {offer.what} {offer.at}"


def taking(w: World, offer: Offer) -> Seat | None:
    """The player who takes; of a whole country the taker is a seat."""
    return Seat(offer.taker) if offer.what == COUNTRY else w.player(offer.taker)


def check_free(w: World, offer: Offer) -> None:
    """Nothing is transferred while its governor is dead; nor to nobody. Raises `Illegal`."""
    giver = w.country(offer.giver)
    if giver.player is None or taking(w, offer) is None:
        raise Illegal("trade.barred", what=told(offer), why="gone")
    if giver.capture is not None:
        raise Illegal("trade.barred", what=told(offer), why="capture_rules")


def check(w: World, offer: Offer) -> None:
    """Raises `Illegal` where it can't be handed over now."""
    check_free(w, offer)
    for id_ in offer.units:
        if id_ not in w.units or w.units[id_].owner != offer.giver:
            raise Illegal("trade.barred", what=id_, why="gone")
    if not offer.what or offer.what == COUNTRY:
        return
    if offer.what == "governor":
        raise Illegal("trade.barred", what=offer.what, why="governor")
    has = amount(w, offer.giver, offer.at, offer.what)
    if has < offer.count or offer.count < 1:
        if offer.what in PEOPLE:
            raise Illegal("workers.short", square=offer.at, has=int(has), needs=offer.count)
        raise Illegal("goods.short", where=offer.at, has=str(has), good=offer.what, needs=str(offer.count))
    for side in (offer.giver, offer.taker):
        player = w.player(side)
        if player is None or not is_present(w, w.countries_of(player), offer.at):
            raise Illegal("trade.barred", what=offer.what, why="apart")
    if _pile(w, offer.giver, offer.at, offer.what) != offer.at and _hold(w, offer) is None:
        raise Illegal("trade.barred", what=offer.what, why="no_room")


def amount(w: World, country: str, part: str, what: str) -> Fraction:
    return _in(w, country, _pile(w, country, part, what), what)


def _in(w: World, country: str, place: str, what: str) -> Fraction:
    held = w.held(place, country)
    return Fraction(held.people(what)) if what in PEOPLE else held.amount(what)


def _pile(w: World, country: str, part: str, what: str) -> str:
    """On the ground; on water aboard the ship of its own that has most of it."""
    if part in w.map.land:
        return part
    ships = [u for u in w.at(part) if u.owner == country]
    return max(ships, key=lambda u: _in(w, country, u.id, what)).id if ships else part


def _hold(w: World, offer: Offer) -> Unit | None:
    """On water: the taker's first ship there that it fits aboard."""
    for unit in w.at(offer.at):
        if unit.owner == offer.taker and w.kind(unit).holds:
            try:
                check_fits(w, unit.kind, unit.id, aboard(w, unit), {offer.what: Fraction(offer.count)})
            except Illegal:
                continue
            return unit
    return None


def hand_over(w: World, offer: Offer) -> None:
    """It can be."""
    if w.player(offer.giver) != taking(w, offer):
        w.finality("taken")
    w.note("transferred", offer.giver, to=offer.taker, thing=told(offer), at=_where(w, offer))
    for id_ in offer.units:
        pass_unit(w, id_, offer.taker, with_load=False)
    if offer.what == COUNTRY:
        _pass_country(w, offer)
    elif offer.what:
        _pass_held(w, offer)


def _where(w: World, offer: Offer) -> str:
    return w.map.shown(w.units[offer.units[0]].at) if offer.units else offer.at


def _pass_held(w: World, offer: Offer) -> None:
    source = _pile(w, offer.giver, offer.at, offer.what)
    ship = _hold(w, offer) if source != offer.at else None
    if offer.what in PEOPLE:
        for crew in chosen(w.held(source, offer.giver), offer.count, offer.what):
            pass_crew(w, source, offer.giver, offer.taker, crew)
    else:
        pass_goods(w, source, offer.giver, offer.taker, offer.what, offer.count)
    if ship is not None:
        _carry_across(w, offer, source, ship.id)


def _carry_across(w: World, offer: Offer, source: str, goal: str) -> None:
    if offer.what in PEOPLE:
        for crew in chosen(w.held(source, offer.taker), offer.count, offer.what):
            w.leave(source, offer.taker, crew)
            w.join(goal, offer.taker, crew)
    else:
        w.put_lots(goal, offer.taker, offer.what, w.take_goods(source, offer.taker, offer.what, offer.count))


def _pass_country(w: World, offer: Offer) -> None:
    seat, old = Seat(offer.taker), w.player(offer.giver)
    rank = 1 + max((w.country(each).rank for each in w.countries_of(seat)), default=-1)
    friendly = {name: squares for name, squares in w.country(offer.giver).friendly.items() if name != seat}
    w.change_country(offer.giver, player=seat, giver=old, rank=rank, next_rank=None, turns_held=0, friendly=friendly)
