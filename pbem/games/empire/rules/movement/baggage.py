"""What movers take along from a part and put down at the end (`with 3 steel, 1 cmx`)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.ground.who import absent, check_has
from pbem.games.empire.rules.held import Crew, Lot, chosen
from pbem.games.empire.rules.orders import Item
from pbem.games.empire.rules.pieces.carrying import PEOPLE, Load, aboard, added, check_fits
from pbem.games.empire.rules.pieces.riding import shift
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


class Baggage(Struct, frozen=True, kw_only=True):
    country: str = ""
    goods: tuple[tuple[str, tuple[Lot, ...]], ...] = ()
    crews: tuple[Crew, ...] = ()
    units: tuple[str, ...] = ()
    bta: Fraction = Fraction(0)


def pack(
    w: World,
    country: str,
    place: str,
    items: Sequence[Item],
    kind: str,
    times: int,
    bta: Fraction,
    carrier: Unit | None = None,
) -> Baggage:
    """Take up what stands there, for so many carriers of a kind. Raises `Illegal`."""
    if not items:
        return Baggage()
    load = {} if carrier is None else aboard(w, carrier)
    check_fits(w, kind, carrier.id if carrier else kind, load, _amounts(w, country, place, items), times)
    goods: list[tuple[str, tuple[Lot, ...]]] = []
    crews: list[Crew] = []
    units: list[str] = []
    for item in items:
        if item.what in w.tables.goods:
            goods.append((item.what, tuple(take(w, country, place, item, bta))))
        elif item.what in PEOPLE:
            crews += _take_people(w, country, place, item, bta)
        else:
            units += _take_units(w, country, place, item, bta, carrier.id if carrier else None)
    return Baggage(country=country, goods=tuple(goods), crews=tuple(crews), units=tuple(units), bta=bta)


def shared(w: World, units: Sequence[Unit], items: Sequence[Item]) -> list[tuple[Item, ...]]:
    """What each of several carriers takes: as much as fits, the first ones first. Raises `Illegal`."""
    if len(units) < 2:
        return [tuple(items)] * len(units)
    shares: list[list[Item]] = [[] for _ in units]
    loads = [aboard(w, unit) for unit in units]
    for item in items:
        what = _kind(w, units[0].at, item)
        left = item.count if item.count is not None else int(_around(w, units[0], item.what))
        for place, unit in enumerate(units):
            takes = _fitting(w, unit, loads[place], what, left)
            if takes:
                shares[place].append(Item(item.what, takes))
                loads[place] = added(loads[place], [(what, Fraction(takes))])
            left -= takes
        if left:
            check_fits(w, units[-1].kind, units[-1].id, loads[-1], {what: Fraction(left)})
    return [tuple(share) for share in shares]


def _around(w: World, unit: Unit, what: str) -> Fraction:
    """All of it that lies in the square."""
    parts = w.map.squares[square_of(unit.at)].land
    return max((_all(w, unit.owner, part, what) for part in parts), default=Fraction(0))


def _fitting(w: World, unit: Unit, load: Load, what: str, most: int) -> int:
    """How many of them it can take."""
    for count in range(most):
        try:
            check_fits(w, unit.kind, unit.id, load, {what: Fraction(count + 1)})
        except Illegal:
            return count
    return most


def _amounts(w: World, country: str, place: str, items: Sequence[Item]) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for item in items:
        much = Fraction(item.count) if item.count is not None else _all(w, country, place, item.what)
        what = _kind(w, place, item)
        found[what] = found.get(what, Fraction(0)) + much
    return found


def _kind(w: World, place: str, item: Item) -> str:
    """The good or the kind of what is taken along. Raises `Illegal` for a unit that is not there."""
    what = w.units[item.what].kind if item.what in w.units else item.what
    if what not in w.tables.goods and what not in w.tables.kinds:
        absent(what, w.map.shown(place))
    return what


def _all(w: World, country: str, place: str, what: str) -> Fraction:
    if what in w.tables.goods:
        return w.held(place, country).amount(what)
    return Fraction(1)


def take(w: World, country: str, place: str, item: Item, bta: Fraction = Fraction(0)) -> list[Lot]:
    """Goods from a pile. Raises `Illegal` (`goods.short`, `bta.short`)."""
    has = w.held(place, country).amount(item.what)
    amount = has if item.count is None else Fraction(item.count)
    check_has(place, item.what, has, amount)
    lots = w.take_goods(place, country, item.what, amount)
    worst = lots[-1][0]
    if worst + bta > w.tables.bta:
        raise Illegal("bta.short", what=item.what, left=str(w.tables.bta - worst), square=place, needs=str(bta))
    return lots


def _take_people(w: World, country: str, place: str, item: Item, bta: Fraction) -> list[Crew]:
    crews = chosen(w.held(place, country), item.count or 1, item.what)
    there = sum(crew.count for crew in crews)
    if there < (item.count or 1):
        raise Illegal("workers.short", square=place, has=there, needs=item.count or 1)
    for crew in crews:
        if crew.used + bta > w.tables.bta:
            raise Illegal("bta.short", what=crew.kind, left=str(w.tables.bta - crew.used), square=place, needs=str(bta))
        w.leave(place, country, crew)
    return crews


def _take_units(w: World, country: str, place: str, item: Item, bta: Fraction, carrier: str | None) -> list[str]:
    """Vehicles and parked aircraft, empty: each is one object (E2.3). Raises `Illegal`."""
    there = [u for u in w.at(place) if u.owner == country and u.aboard is None and item.what in (u.id, u.kind)]
    there = sorted((u for u in there if u.id != carrier), key=lambda u: u.used)[: item.count or 1]
    if len(there) < (item.count or 1):
        absent(item.what, w.map.shown(place))
    for unit in there:
        if unit.made == w.now:
            raise Illegal("unit.fresh", unit=unit.id)
        if unit.holds or w.aboard(unit.id) or unit.state != "ground":
            raise Illegal("carry.barred", carrier=carrier or "worker", what=unit.id)
        if unit.used + bta > w.tables.bta:
            raise Illegal("bta.short", what=unit.id, left=str(w.tables.bta - unit.used), square=place, needs=str(bta))
        if carrier is not None:
            w.change(unit.id, aboard=carrier)
    return [unit.id for unit in there]


def put_down(w: World, bag: Baggage, place: str) -> None:
    """At the end of the way; aboard, where they keep it."""
    for id_ in bag.units:
        if w.units[id_].aboard is None:  # people have carried it
            shift(w, id_, place, bag.bta)
        elif place not in w.units:
            w.change(id_, aboard=None)
    for good, lots in bag.goods:
        w.put_lots(place, bag.country, good, [(used + bag.bta, amount) for used, amount in lots])
    for crew in bag.crews:
        w.join(place, bag.country, replace(crew, used=crew.used + bag.bta, tasks=(), stayed=False))
