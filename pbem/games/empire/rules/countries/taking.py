"""Goods on the ground, or in a carrier that has been seized, are taken where one could seize (E5.10)."""

from __future__ import annotations

from fractions import Fraction

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.countries.seizing import WORKER, seize, why_not_taken
from pbem.games.empire.rules.ground.sides import is_land_unit
from pbem.games.empire.rules.ground.terrain import group
from pbem.games.empire.rules.ground.who import any_part, check_has, country_for, unit_of, with_workers_at
from pbem.games.empire.rules.orders import Item, Seize, Take
from pbem.games.empire.rules.people.owners import pass_goods
from pbem.games.empire.rules.pieces.carrying import PEOPLE
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def take(w: World, player: Seat, order: Take) -> None:
    """Raises `Illegal`."""
    part = any_part(w, order.at)
    by = None if order.by == WORKER else unit_of(w, player, order.by)
    country = _taker(w, player, order, part, by)
    for item in order.items:
        if item.what in PEOPLE:
            raise Illegal("seize.barred", unit=item.what, why="people")
        if item.what in w.tables.goods:
            _take(w, player, country, part, item)
        else:
            seize(w, player, Seize(country=order.country, target=item.what, at=order.at, by=order.by))


def _taker(w: World, player: Seat, order: Take, part: str, by: Unit | None) -> str:
    """For which country; it must be there and nobody against it. Raises `Illegal`."""
    what = order.items[0].what
    if by is None:
        country = country_for(w, player, order, with_workers_at(w, part), part)
        here = bool(w.held(part, country).workers)
    else:
        country = by.owner
        stands = is_land_unit(w, by) and by.aboard is None and by.state == "ground"
        here = stands and part in w.map.land and part in group(w, by.at)
    if not here:
        raise Illegal("seize.barred", unit=what, why="nobody")
    if (why := why_not_taken(w, country, part, by)) is not None:
        raise Illegal("seize.barred", unit=what, why=why)
    return country


def _piles(w: World, player: Seat, part: str) -> list[tuple[str, str]]:
    """Where others' goods lie that can be taken, and whose they are: on the ground, then in own carriers."""
    places = [part, *(u.id for u in w.in_square(square_of(part)) if w.player(u.owner) == player)]
    foreign = [each for each in w.countries if w.player(each) != player]
    return [(place, each) for place in places for each in foreign if w.held(place, each).goods]


def _take(w: World, player: Seat, country: str, part: str, item: Item) -> None:
    piles = [(place, each) for place, each in _piles(w, player, part) if w.held(place, each).amount(item.what)]
    has = sum((w.held(place, each).amount(item.what) for place, each in piles), Fraction(0))
    needs = has if item.count is None else Fraction(item.count)
    check_has(part, item.what, has, needs)
    w.finality("taken")
    for place, old in piles:
        much = min(needs, w.held(place, old).amount(item.what))
        needs -= much
        if much:
            pass_goods(w, place, old, country, item.what, much)
            w.note("goods_taken", old, to=country, thing=item.what, amount=str(much), at=w.map.shown(part))
