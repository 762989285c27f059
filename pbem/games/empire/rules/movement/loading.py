"""Loading and unloading, towing and letting go (section 10)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import floor

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.combat import stopping
from pbem.games.empire.rules.ground.sides import hostile_land_units, is_land_unit, serves
from pbem.games.empire.rules.ground.terrain import stands
from pbem.games.empire.rules.ground.who import absent, check_has, land_part, unit_of
from pbem.games.empire.rules.held import chosen
from pbem.games.empire.rules.land import landing
from pbem.games.empire.rules.movement import hoisting
from pbem.games.empire.rules.movement.baggage import take
from pbem.games.empire.rules.orders import Item, Load, Unload
from pbem.games.empire.rules.pieces import traffic
from pbem.games.empire.rules.pieces.carrying import PEOPLE, aboard, check_fits, loading_units, share
from pbem.games.empire.rules.pieces.riding import shift
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def load(w: World, player: Seat, order: Load) -> None:
    carrier = unit_of(w, player, order.carrier)
    if order.source is not None:
        _from_ship(w, carrier, unit_of(w, player, order.source), order.items)
    else:
        load_items(w, carrier, order.items)
    w.note("loaded", carrier.owner, unit=carrier.id, items=told(order.items), at=w.map.shown(carrier.at))


def told(items: Iterable[Item]) -> list[list[object]]:
    return [[item.what, item.count] for item in items]


def load_items(w: World, carrier: Unit, items: Sequence[Item]) -> None:
    """What stands in its square comes aboard. Raises `Illegal`."""
    for item in items:
        _load_one(w, w.units[carrier.id], item)


def _load_one(w: World, carrier: Unit, item: Item) -> None:
    if item.what in w.units or w.tables.codes.get(item.what[:3]):
        _board(w, carrier, item.what)
        return
    if item.what in w.tables.kinds and item.what not in PEOPLE:
        place = square_of(carrier.at)
        found = [u for u in w.in_square(place) if u.kind == item.what and u.owner == carrier.owner and u.aboard is None]
        if len(found) < (item.count or 1) or (item.count is None and len(found) > 1):
            _which(item.what, place, found)
        for unit in found[: item.count or 1]:
            _board(w, w.units[carrier.id], unit.id)
        return
    place = _pile(w, carrier, item.what)
    _check_no_enemy(w, carrier, place)
    amount = Fraction(item.count) if item.count is not None else _there(w, carrier, place, item.what)
    check_fits(w, carrier.kind, carrier.id, aboard(w, carrier), {item.what: amount})
    if item.what in PEOPLE:
        _people_aboard(w, carrier, place, item)
        return
    _use_berth(w, carrier, "load", item.what, amount)
    lots = take(w, carrier.owner, place, item)
    w.put_lots(carrier.id, carrier.owner, item.what, lots)


def _which(kind: str, place: str, found: Sequence[Unit]) -> None:
    if not found:
        absent(kind, place)
    raise Illegal("unit.which", square=place, units=[unit.id for unit in found])


def _there(w: World, carrier: Unit, place: str, what: str) -> Fraction:
    return Fraction(1) if what in PEOPLE else w.held(place, carrier.owner).amount(what)


def lands(w: World, carrier: Unit) -> tuple[str, ...]:
    """The land parts to which it can load."""
    return (carrier.at,) if carrier.at in w.map.land else w.map.squares[square_of(carrier.at)].land


def _pile(w: World, carrier: Unit, what: str) -> str:
    """The part of its square where there is most of it."""
    places = lands(w, carrier)
    if not places:
        raise Illegal("load.place", ship=carrier.id, why="no_shore")

    def much(part: str) -> Fraction:
        held = w.held(part, carrier.owner)
        return Fraction(held.people(what)) if what in PEOPLE else held.amount(what)

    return max(places, key=much)


def _check_no_enemy(w: World, carrier: Unit, place: str) -> None:
    if hostile_land_units(w, carrier.owner, place):
        raise Illegal("load.place", ship=carrier.id, why="hostile_land")
    if w.kind(carrier).airport_only and not stands(w, place, "airport"):
        raise Illegal("air.airport", unit=carrier.id, square=place)


def _people_aboard(w: World, carrier: Unit, place: str, item: Item) -> None:
    _check_dock_only(w, carrier)
    crews = chosen(w.held(place, carrier.owner), item.count or 1, item.what)
    there = sum(crew.count for crew in crews)
    if there < (item.count or 1):
        raise Illegal("workers.short", square=place, has=there, needs=item.count or 1)
    for crew in crews:
        w.leave(place, carrier.owner, crew)
        w.join(carrier.id, carrier.owner, replace(crew, tasks=(), stayed=False))
    _come_in(w, carrier)


def _board(w: World, carrier: Unit, id_: str) -> None:
    unit = w.units.get(id_)
    if (
        unit is None
        or unit.owner != carrier.owner
        or square_of(unit.at) != square_of(carrier.at)
        or unit.id == carrier.id
    ):
        absent(id_, w.map.shown(carrier.at))
    if unit.aboard is not None:
        raise Illegal("carry.barred", carrier=carrier.id, what=id_)
    stopping.check_free(w, unit)
    if unit.at in w.map.land:
        _check_no_enemy(w, carrier, unit.at)
    check_fits(w, carrier.kind, carrier.id, aboard(w, carrier), {unit.kind: Fraction(1)})
    if unit.at in w.map.water and w.kind(carrier).class_ == "ship":
        hoisting.hoist(w, carrier, unit)
        return
    if not is_land_unit(w, unit):
        _use_berth(w, carrier, "load", unit.kind, Fraction(1))
    else:
        _come_in(w, carrier)
    shift(w, unit.id, carrier.at, Fraction(0))
    w.change(unit.id, aboard=carrier.id, tasks=(), state="ground" if unit.state == "stored" else unit.state)


def _check_dock_only(w: World, carrier: Unit) -> None:
    only = (*w.tables.loading["dock_only"]["kinds"], "raft")
    if carrier.kind in only and carrier.state != "docked" and not _beside_cargo_ship(w, carrier):
        raise Illegal("load.place", ship=carrier.id, why="dock_only")


def _beside_cargo_ship(w: World, carrier: Unit) -> bool:
    return carrier.kind == "raft" and any(u.kind == "cargo_ship" and u.owner == carrier.owner for u in w.at(carrier.at))


def _use_berth(w: World, carrier: Unit, verb: str, what: str, amount: Fraction) -> None:
    """Docked the whole ship, beached two units in a turn (E10.1). Raises `Illegal`."""
    pulling = w.units[carrier.aboard] if carrier.towed and carrier.aboard else carrier
    if w.kind(pulling).class_ != "ship":
        return
    _check_dock_only(w, pulling)
    if pulling.state == "docked":
        _use_dock(w, carrier, verb, what, amount)
        return
    units = loading_units(w, what, amount)
    done = carrier.loaded if verb == "load" else carrier.unloaded
    most = int(w.tables.loading["beach"][verb])
    if done + units > most:
        raise Illegal("load.limit", ship=carrier.id, verb=verb, left=most - done)
    w.change(carrier.id, **{f"{verb}ed": done + units})
    _come_in(w, w.units[pulling.id])


def _use_dock(w: World, carrier: Unit, verb: str, what: str, amount: Fraction) -> None:
    """Its whole capacity in a turn; each ship takes its room of what the dock does in a slot (E10.1, E11.4)."""
    if not any(serves(w, carrier.owner, land) for land in lands(w, carrier)):
        raise Illegal("load.place", ship=carrier.id, why="others")
    done = carrier.dock_loaded if verb == "load" else carrier.dock_unloaded
    more = share(w, carrier.kind, what, amount)
    if more and done + more > 1:
        left = floor((1 - done) / share(w, carrier.kind, what, Fraction(1)))
        raise Illegal("load.limit", ship=carrier.id, verb=verb, left=left)
    traffic.berth(w, carrier)
    w.change(carrier.id, **{f"dock_{verb}ed": done + more})


def _come_in(w: World, carrier: Unit) -> None:
    """Loading at a shore beaches the ship."""
    if w.kind(carrier).class_ == "ship" and carrier.state in ("sea", "dived"):
        if carrier.state == "dived":
            raise Illegal("sub.state", unit=carrier.id, state="dived")
        w.change(carrier.id, state="beached")


def _from_ship(w: World, carrier: Unit, source: Unit, items: Sequence[Item]) -> None:
    if source.at != carrier.at:
        raise Illegal("load.place", ship=carrier.id, why="other_water")
    for ship in (carrier, source):
        _check_dock_only(w, ship)
    for item in items:
        if item.what not in w.tables.goods and item.what not in PEOPLE:
            _cross(w, carrier, source, item)
            continue
        held = w.held(source.id, carrier.owner)
        has = Fraction(held.people(item.what)) if item.what in PEOPLE else held.amount(item.what)
        amount = has if item.count is None else Fraction(item.count)
        check_fits(w, carrier.kind, carrier.id, aboard(w, w.units[carrier.id]), {item.what: amount})
        _move_between(w, carrier.owner, source.id, carrier.id, item, amount, has)


def _cross(w: World, carrier: Unit, source: Unit, item: Item) -> None:
    """A unit goes from one ship to the other, or so many of a kind."""
    riders = [unit for unit in w.aboard(source.id) if not unit.towed and item.what in (unit.id, unit.kind)]
    if len(riders) < (item.count or 1):
        absent(item.what, source.id)
    for unit in riders[: item.count or 1]:
        check_fits(w, carrier.kind, carrier.id, aboard(w, w.units[carrier.id]), {unit.kind: Fraction(1)})
        w.change(unit.id, aboard=carrier.id)


def _move_between(w: World, country: str, source: str, to: str, item: Item, amount: Fraction, has: Fraction) -> None:
    check_has(source, item.what, has, amount)
    if item.what in PEOPLE:
        for crew in chosen(w.held(source, country), int(amount), item.what):
            w.leave(source, country, crew)
            w.join(to, country, replace(crew, tasks=()))
    else:
        w.put_lots(to, country, item.what, w.take_goods(source, country, item.what, amount))


# -- ashore ---


def unload(w: World, player: Seat, order: Unload) -> None:
    carrier = unit_of(w, player, order.carrier)
    items = order.items or _all_aboard(w, carrier)
    if not items:
        raise Illegal("load.place", ship=carrier.id, why="empty_hold")
    if order.at is not None and square_of(order.at) != square_of(carrier.at):
        raise Illegal("load.place", ship=carrier.id, why="not_there")
    place = unload_items(w, carrier, items, order.at)
    w.note("unloaded", carrier.owner, unit=carrier.id, items=told(items), at=place)


def unload_items(w: World, carrier: Unit, items: Sequence[Item], at: str | None = None) -> str:
    """It puts them down in its square; where. Raises `Illegal`."""
    afloat = [item for item in items if hoisting.ships(w, carrier, item)]
    for item in afloat:
        hoisting.launch(w, carrier, item)
    ashore = [item for item in items if item not in afloat]
    return _unload_ashore(w, carrier, ashore, at) if ashore else w.map.shown(carrier.at)


def _unload_ashore(w: World, carrier: Unit, items: Sequence[Item], at: str | None) -> str:
    places = lands(w, carrier)
    if not places:
        raise Illegal("load.place", ship=carrier.id, why="no_shore")
    if at is None and len(places) > 1:
        raise Illegal("square.part", square=square_of(carrier.at), parts=list(places))
    place = places[0] if at is None else land_part(w, at)
    if place not in places:
        raise Illegal("load.place", ship=carrier.id, why="other_water")
    if w.kind(carrier).airport_only and not stands(w, place, "airport"):
        raise Illegal("air.airport", unit=carrier.id, square=place)
    for item in items:
        _unload_one(w, w.units[carrier.id], item, place)
    return place


def _all_aboard(w: World, carrier: Unit) -> list[Item]:
    """Whosever it is: the goods first, then people, then units."""
    load = aboard(w, carrier)
    goods = [Item(what, None) for what in w.tables.goods if load.get(what)]
    people = [Item(what, int(load[what])) for what in PEOPLE if load.get(what)]
    return [*goods, *people, *(Item(unit.id, 1) for unit in w.aboard(carrier.id) if not unit.towed)]


def _unload_one(w: World, carrier: Unit, item: Item, place: str) -> None:
    if item.what in w.tables.goods or item.what in PEOPLE:
        _put_ashore(w, carrier, item, place)
        return
    riders = [unit for unit in w.aboard(carrier.id) if item.what in (unit.id, unit.kind)]
    if not riders or (item.count or 1) > len(riders):
        absent(item.what, carrier.id)
    for unit in riders[: item.count or 1]:
        _step_off(w, w.units[carrier.id], unit, place)


def _put_ashore(w: World, carrier: Unit, item: Item, place: str) -> None:
    country = next((c for c, h in carrier.holds.items() if h.amount(item.what) or h.people(item.what)), carrier.owner)
    held = w.held(carrier.id, country)
    has = Fraction(held.people(item.what)) if item.what in PEOPLE else held.amount(item.what)
    amount = has if item.count is None else Fraction(item.count)
    if item.what in w.tables.goods and amount <= has:
        _use_berth(w, carrier, "unload", item.what, amount)
    elif item.what in PEOPLE:
        _check_dock_only(w, carrier)
        _come_in(w, carrier)
        landing.people(w, country, place)
    _move_between(w, country, carrier.id, place, item, amount, has)


def _step_off(w: World, carrier: Unit, unit: Unit, place: str) -> None:
    if is_land_unit(w, unit):
        price = landing.price(w, unit, place)
        if unit.used + price > w.tables.bta:
            left = w.tables.bta - unit.used
            raise Illegal("bta.short", what=unit.id, left=str(left), square=place, needs=str(price))
        from_ship = w.kind(carrier).class_ == "ship"
        if from_ship:  # in a shore square, beached or not (E12.20)
            landing.check(w, carrier, unit, place)
        else:
            stopping.check_arrival(w, unit, place)
        w.change(unit.id, aboard=None)
        shift(w, unit.id, place, price if from_ship else Fraction(0))
        if from_ship:
            landing.landed(w, w.units[unit.id], place)
        else:
            stopping.entered(w, w.units[unit.id])
        stopping.store(w, w.units[unit.id])
        return
    _use_berth(w, carrier, "unload", unit.kind, Fraction(1))
    w.change(unit.id, aboard=None)
    shift(w, unit.id, place, Fraction(0))
