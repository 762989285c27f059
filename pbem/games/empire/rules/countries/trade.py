"""Offers: what passes when its giver has said so and its taker has accepted (E5.5, E5.6)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.core.refusal import Illegal, Refusal
from pbem.core.seat import Seat
from pbem.games.empire.rules.countries import handing
from pbem.games.empire.rules.ground import own_slot
from pbem.games.empire.rules.ground.who import any_part, country_for, incomplete, unit_of
from pbem.games.empire.rules.orders import Accept, Give, Reject, Transfer
from pbem.games.empire.rules.people import governors
from pbem.games.empire.rules.people.owners import country_named, is_present
from pbem.games.empire.rules.pieces.carrying import PEOPLE
from pbem.games.empire.rules.state import Offer
from pbem.games.empire.rules.world import World


def transfer(w: World, player: Seat, order: Transfer) -> None:
    """A self-mobile piece, or a whole country. Raises `Illegal`."""
    if order.unit.lower() in w.countries_of(player):
        _give_country(w, player, order.unit.lower(), order.to)
        return
    unit = unit_of(w, player, order.unit)
    giver = unit.owner
    taker = _taker(w, order.to, giver, unit.id)
    _offer(w, player, Offer(giver=giver, taker=taker, units=(unit.id,), at=w.map.shown(unit.at)))


def give(w: World, player: Seat, order: Give) -> None:
    """Goods or people at a place. Raises `Illegal`."""
    own_slot.check_active(w, player)
    what = order.item.what
    part = any_part(w, order.at or _only_place(w, player, order))
    if what in w.units or (what in w.tables.kinds and what not in PEOPLE):
        transfer(w, player, Transfer(country=order.country, unit=_unit_there(w, player, what, order.at), to=order.to))
        return
    giver = country_for(w, player, order, lambda each: handing.amount(w, each, part, what) > 0, part)
    taker = _taker(w, order.to, giver, what)
    count = order.item.count
    if count is None:
        count = 1 if what in PEOPLE else int(handing.amount(w, giver, part, what)) or 1
    offer = Offer(giver=giver, taker=taker, what=what, count=count, at=part)
    handing.check(w, offer)
    _offer(w, player, offer)


def _only_place(w: World, player: Seat, order: Give) -> str:
    """Where enough of it is and both are, if that is one place. Raises `Illegal` (`order.incomplete`)."""
    item, taker = order.item, country_named(w, order.to)
    to = w.player(taker) if taker is not None else None
    mine = [each for each in w.countries_of(player) if order.country in (None, each)]
    there = {place for each in mine for place in w.places_of(each)
             if handing.amount(w, each, place, item.what) >= (item.count or 1)}  # fmt: skip
    both = [place for place in there if to is not None and is_present(w, w.countries_of(to), place)]
    return both[0] if len(both) == 1 else incomplete(item.what, "SQUARE")


def _unit_there(w: World, player: Seat, name: str, at: str) -> str:
    return unit_of(w, player, name, at).id


def _taker(w: World, name: str, giver: str, what: str) -> str:
    """Raises `Illegal` (`name.unknown`, `trade.barred`)."""
    taker = country_named(w, name)
    if taker is None:
        raise Illegal("name.unknown", read=name, kind="country", candidates=list(w.countries))
    if taker == giver:
        raise Illegal("trade.barred", what=what, why="own")
    return taker


def _give_country(w: World, player: Seat, country: str, to: str) -> None:
    """It passes when the game turn ends, to whoever then leads it."""
    seat = Seat(to) if to in w.state.seats else w.player(to)
    if seat is None:
        raise Illegal("name.unknown", read=to, kind="seat", candidates=[*w.state.seats])
    if seat == player:
        raise Illegal("trade.barred", what=country, why="own")
    _offer(w, player, Offer(giver=country, taker=str(seat), what=handing.COUNTRY))


def _offer(w: World, player: Seat, offer: Offer) -> None:
    """Made, and taken at once by one's own countries and by standing orders.

    A piece or a country that is offered once more to the same taker is the same offer.
    """
    handing.check_free(w, offer)
    id_ = next((id_ for id_, old in w.offers.items() if _is_the_same(old, offer)), "")
    if not id_:
        w.set(offered=w.state.offered + 1)
        id_ = f"T-{w.state.offered}"
    w.offers[id_] = replace(offer, until=_until(w, player))
    w.note("offered", offer.giver, offer=id_, to=offer.taker, thing=handing.told(offer))
    if _taken_by_itself(w, offer):
        _accept(w, id_)


def _is_the_same(old: Offer, offer: Offer) -> bool:
    alike = (old.giver, old.taker, old.units, old.what) == (offer.giver, offer.taker, offer.units, offer.what)
    return alike and not old.accepted and (bool(offer.units) or offer.what == handing.COUNTRY)


def _until(w: World, player: Seat) -> int:
    """The game turn of the giver's next slot."""
    order = w.state.order
    later = player in order and order.index(player) > w.state.place
    return w.state.turn if later else w.state.turn + 1


def _taken_by_itself(w: World, offer: Offer) -> bool:
    giver, taker = w.player(offer.giver), handing.taking(w, offer)
    if giver == taker:
        return True
    says: bool | None = None
    for order in w.standing(taker, "accept"):  # the newest first; who is named before all
        if order.to is not None and order.to in (giver, offer.giver):
            return True
        if says is None and order.says is not None:
            says = order.says == "all"
    return bool(says)


def accept(w: World, player: Seat, order: Accept) -> None:
    offer = w.offers.get(order.offer)
    if offer is None or handing.taking(w, offer) != player or order.country not in (None, offer.taker):
        raise Illegal("trade.unknown", offer=order.offer)
    handing.check_free(w, offer)
    _accept(w, order.offer)


def _accept(w: World, id_: str) -> None:
    """Done while it is the slot of one of them; else at the start of the next one of either."""
    offer = w.offers[id_]
    w.offers[id_] = replace(offer, accepted=True)
    w.note("accepted", offer.taker, offer=id_)
    if w.state.active in (w.player(offer.giver), handing.taking(w, offer)) and offer.what != handing.COUNTRY:
        _execute(w, id_)


def _execute(w: World, id_: str) -> None:
    handing.check(w, w.offers[id_])
    offer = w.offers.pop(id_)
    handing.hand_over(w, offer)
    for other, each in list(w.offers.items()):
        if set(each.units) & set(offer.units):  # it is no longer theirs
            del w.offers[other]
            w.note("offer_void", offer=other, why="trade.barred")


def reject(w: World, player: Seat, order: Reject) -> None:
    """By the taker; the giver takes it back."""
    offer = w.offers.get(order.offer)
    of = (None, offer.taker, offer.giver) if offer is not None else ()
    if offer is None or player not in (handing.taking(w, offer), w.player(offer.giver)) or order.country not in of:
        raise Illegal("trade.unknown", offer=order.offer)
    del w.offers[order.offer]
    w.note("rejected", offer.giver, offer=order.offer, by=player)


# -- what time does ---


def take_effect(w: World, player: Seat) -> None:
    """At the start of a slot of giver or taker: what is agreed passes, if it still can."""
    governors.take_rank(w, player)
    for id_, offer in list(w.offers.items()):
        if player not in (w.player(offer.giver), handing.taking(w, offer)) or offer.what == handing.COUNTRY:
            continue
        if offer.accepted or _taken_by_itself(w, offer):
            _try(w, id_)


def _try(w: World, id_: str) -> None:
    try:
        _execute(w, id_)
    except Refusal as refusal:
        w.offers.pop(id_, None)
        w.note("offer_void", offer=id_, why=refusal.code)


def lapse(w: World, player: Seat) -> None:
    """Offers that nobody accepted end with the giver's slot."""
    for id_, offer in list(w.offers.items()):
        if w.player(offer.giver) == player and offer.until <= w.state.turn and not offer.accepted:
            del w.offers[id_]
            w.note("offer_lapsed", offer.giver, offer=id_)


def pass_countries(w: World) -> None:
    """At the end of a game turn, so that nothing of them has two slots in it."""
    for id_, offer in list(w.offers.items()):
        if offer.what == handing.COUNTRY and offer.accepted:
            _try(w, id_)
