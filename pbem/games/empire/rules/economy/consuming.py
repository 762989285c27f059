"""Consumer goods give their EDU when they are consumed (E7.20)."""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.accounts.booking import book
from pbem.games.empire.rules.ground.who import (
    absent,
    any_part,
    check_has,
    country_for,
    said_place,
    unit_of,
    with_goods_at,
)
from pbem.games.empire.rules.orders import Consume
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def consume(w: World, player: Seat, order: Consume) -> None:
    what = order.item.what
    if what in w.tables.goods:
        _goods(w, player, order)
        return
    count = order.item.count or 1
    for unit in _units(w, player, order, count) if count > 1 else [unit_of(w, player, what, order.at)]:
        _unit(w, unit)


def _units(w: World, player: Seat, order: Consume, count: int) -> list[Unit]:
    """So many of a kind in a square."""
    square = square_of(order.at) if order.at else None
    there = [u for u in w.units.values() if u.kind == order.item.what and w.player(u.owner) == player]
    there = [u for u in there if not u.consumed and square in (None, square_of(u.at))]
    if len(there) < count:
        absent(order.item.what, order.at)
    return sorted(there, key=w.unit_order)[:count]


def _unit(w: World, unit: Unit) -> None:
    edu = w.kind(unit).consumer
    if edu is None or unit.consumed:
        raise Illegal("destroy.barred", who=unit.owner, what=unit.id)
    w.change(unit.id, consumed=True)
    book(w, unit.owner, edu=edu)
    w.note("consumed", unit.owner, what=unit.id, count=None, edu=edu)


def first_flight(w: World, unit: Unit) -> None:
    """A sailplane is consumed by it (E2.5)."""
    if w.kind(unit).must_be_towed and not unit.consumed:
        _unit(w, unit)


def _goods(w: World, player: Seat, order: Consume) -> None:
    what = order.item.what
    place = any_part(w, said_place(order.at, what))
    country = country_for(w, player, order, with_goods_at(w, place, what), place)
    edu = w.tables.goods[what].edu
    if edu is None:
        raise Illegal("destroy.barred", who=country, what=what)
    has = w.held(place, country).amount(what)
    count = 1 if order.item.count is None else order.item.count
    check_has(place, what, has, count)
    w.take_goods(place, country, what, count)
    book(w, country, edu=edu * count)
    w.note("consumed", country, what=what, count=count, edu=edu * count)
