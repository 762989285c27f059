"""Destruction in the slot: what one's own people do away with (E8.12, E8.13)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.economy.supply import parts_of
from pbem.games.empire.rules.ground.sides import is_land_unit, is_opposed
from pbem.games.empire.rules.ground.who import (
    absent,
    any_part,
    check_has,
    country_for,
    known_square,
    land_part,
    said_place,
    unit_of,
    with_goods_at,
)
from pbem.games.empire.rules.ground.zones import over
from pbem.games.empire.rules.held import chosen
from pbem.games.empire.rules.orders import Births, Burn, Crash, Destroy, Die, Dump, Scuttle
from pbem.games.empire.rules.people.working import BRIGADE, at_task, brigades, country_of_builders, leave_task, take_job
from pbem.games.empire.rules.pieces.losing import drop, kill, lose
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

LINES = ("road", "railroad", "power_line", "pipeline", "mountain_road")
ITEMS = ("dock", "airport", "warehouse", "bridge", "mountain_road")
JOINING = ("bridge", "mountain_road")  # they stand for all parts of a square
IN_CITY = ("dock", "airport", "warehouse")
HANDS = ("sac", "super_sac", BRIGADE)  # land units that may destroy movables


def destroy(w: World, player: Seat, order: Destroy) -> None:
    part = _place(w, player, order)
    country = country_of_builders(w, player, order, part)
    by_brigade = _brigade(w, country, part)
    if by_brigade is None and over(w, part, country):
        raise Illegal("destroy.barred", who=country, what=order.what)
    if by_brigade is None and not w.held(part, country).workers and (army := _army(w, country, part)):
        raise Illegal("destroy.barred", who=army[0].id, what=order.what)
    if len(order.squares) > 1:
        _line(w, country, order)
    else:
        _thing(w, country, part, order)
    if by_brigade is None:
        take_job(w, country, part)
    else:
        w.change(by_brigade, job=True)
    w.finality("killed")
    w.note("destroyed", country, what=order.what, at=" - ".join(order.squares))


def _brigade(w: World, country: str, part: str) -> str | None:
    """A construction brigade that does it where no worker can (E12.19)."""
    idle = any(crew.kind == "worker" and not crew.job for crew in w.held(part, country).crews)
    if idle and not over(w, part, country):
        return None
    return next((unit.id for unit in brigades(w, country, part) if not unit.job), None)


def _place(w: World, player: Seat, order: Destroy) -> str:
    """Where the destroyers are: of a border, or of what joins the parts of a square, in any of its parts."""
    if len(order.squares) == 1 and order.what not in JOINING:
        return land_part(w, order.squares[0])
    names = [known_square(w, name) for name in order.squares]
    parts = [part for name in names for part in w.map.squares[name].land]
    if not parts:
        raise Illegal("square.absent", square=order.squares[0])
    for part in parts:
        for country in w.countries_of(player):
            if w.held(part, country).workers or brigades(w, country, part):
                return part
    return parts[0]


def _line(w: World, country: str, order: Destroy) -> None:
    one, other = (square_of(name) for name in order.squares[:2])
    if len(order.squares) > 2 or other not in w.map.around(one):
        raise Illegal("build.path", item=order.what, why="not_adjacent")
    found = w.border(one, other)
    if order.what not in LINES:
        raise Illegal("destroy.barred", who=country, what=order.what)
    if order.what not in found.standing:
        raise Illegal("factory.absent", factory=order.what, square=other)
    lines, hurt = ([each for each in those if each != order.what] for those in (found.lines, found.hurt))
    w.change_border(one, other, lines, hurt)


def _thing(w: World, country: str, part: str, order: Destroy) -> None:
    found, what = w.part(part), order.what
    if what in w.tables.factories:
        _factory(w, part, what)
    elif what in ("AA", "naval_gun"):
        guns = list(found.guns)
        del guns[_first([gun.kind for gun in guns], what, part)]
        w.change_part(part, guns=tuple(guns))
    elif what == "city":
        _city(w, part)
    elif what in ("fort", "pillbox"):
        _fort(w, country, part, order)
    elif what in ITEMS:
        places = w.map.squares[square_of(part)].land if what in JOINING else (part,)
        _item(w, next((each for each in places if what in w.part(each).items), part), what)
    else:
        raise Illegal("destroy.barred", who=country, what=what)


def _first(kinds: Sequence[str], what: str, part: str) -> int:
    """Its place. Raises `Illegal` (`factory.absent`)."""
    if what not in kinds:
        raise Illegal("factory.absent", factory=what, square=part)
    return list(kinds).index(what)


def _factory(w: World, part: str, what: str) -> None:
    """A factory, else what is built of one."""
    found = w.part(part)
    kinds = [factory.kind for factory in found.factories]
    begun = next((x for x in found.works if x.what == "build" and x.item == what and x.done), None)
    if what not in kinds and begun is not None:
        leave_task(w, part, f"work {begun.id}")
        w.change_part(part, works=tuple(each for each in w.part(part).works if each.id != begun.id))
        return
    factories = list(found.factories)
    del factories[_first(kinds, what, part)]
    w.change_part(part, factories=tuple(factories))


def _item(w: World, part: str, what: str) -> None:
    items, hurt = list(w.part(part).items), list(w.part(part).hurt)
    del items[_first(items, what, part)]
    if hurt.count(what) > items.count(what):
        hurt.remove(what)
    w.change_part(part, items=tuple(items), hurt=tuple(hurt))
    square = square_of(part)
    docks = any("dock" in w.part(each).items for each in w.map.squares[square].land)
    if what == "dock" and not docks and square not in w.map.harbors:
        for unit in w.in_square(square):
            if unit.state == "docked":
                w.change(unit.id, state="sea")


def _city(w: World, part: str) -> None:
    """Only when all in it is gone (l. 287); its site stays for births."""
    found = w.part(part)
    _first(["city"] if found.city else [], "city", part)
    inside = [*(f.kind for f in found.factories), *(item for item in found.items if item in IN_CITY)]
    inside += [gun.kind for gun in found.guns]
    if inside:
        raise Illegal("city.not_empty", square=part, items=inside)
    w.change_part(part, city=False, site=True)


def _fort(w: World, country: str, part: str, order: Destroy) -> None:
    """Only when vacant, or manned by one's own (l. 626)."""
    forts = dict(w.part(part).forts)
    sides = [side for side, fort in forts.items() if fort.kind == order.what and order.facing in (None, side)]
    others = [c for c in w.part(part).held if w.player(c) != w.player(country)]
    _first([fort.kind for fort in forts.values()], order.what, part)
    free = [side for side in sides if not any(at_task(w, other, part, f"fort {side}") for other in others)]
    if not free:
        raise Illegal("destroy.barred", who=country, what=order.what)
    del forts[free[0]]
    w.change_part(part, forts=forts)


def burn(w: World, player: Seat, order: Burn) -> None:
    if order.item.what not in w.tables.burnable:
        raise Illegal("destroy.barred", who=str(player), what=order.item.what)
    _spend(w, player, order, "burnt")


def dump(w: World, player: Seat, order: Dump) -> None:
    """Into sea, lake or river of the part: what is neither burnt nor consumed (E8.12)."""
    what = order.item.what
    place = land_part(w, order.at)
    good = w.tables.goods.get(what)
    is_other_way = what in w.tables.burnable or (good is not None and good.edu is not None)
    if is_other_way or not w.map.squares[square_of(place)].water:
        raise Illegal("destroy.barred", who=str(player), what=what)
    if good is None:
        _dump_unit(w, player, order, place)
    else:
        _spend(w, player, order, "dumped")


def _dump_unit(w: World, player: Seat, order: Dump, place: str) -> None:
    """Workers carry vehicles and parked aircraft to the water (E8.13)."""
    unit = unit_of(w, player, order.item.what, place)
    country = unit.owner
    unconsumed = w.kind(unit).consumer is not None and not unit.consumed
    if w.kind(unit).class_ not in ("vehicle", "air") or unit.at != place or unit.state == "up" or unconsumed:
        raise Illegal("destroy.barred", who=country, what=unit.id)
    _check_hands(w, country, place, unit.id)
    drop(w, unit, place)
    lose(w, w.units[unit.id], "scuttled")


def _army(w: World, country: str, part: str) -> list[Unit]:
    return [unit for unit in w.at(part) if unit.owner == country and unit.aboard is None and is_land_unit(w, unit)]


def _check_hands(w: World, country: str, part: str, what: str) -> None:
    """Workers, SACs and construction brigades do that, the rest of the army does not. Raises `Illegal`."""
    army = _army(w, country, part)
    able = w.held(part, country).workers or any(unit.kind in HANDS for unit in army)
    if is_opposed(w, part):  # then any of the units may burn, and workers do nothing (E12.21)
        able = bool(army) and what in w.tables.burnable
    if not able:
        raise Illegal("destroy.barred", who=army[0].id if army else country, what=what)


def _spend(w: World, player: Seat, order: Burn | Dump, how: str) -> None:
    place, good = land_part(w, order.at), order.item.what
    country = country_for(w, player, order, with_goods_at(w, place, good), place)
    _check_hands(w, country, place, good)
    has = w.held(place, country).amount(good)
    amount = has if order.item.count is None else Fraction(order.item.count)
    check_has(place, good, has, amount)
    w.take_goods(place, country, good, amount)
    w.note(how, country, what=good, count=str(amount), at=order.at)


def scuttle(w: World, player: Seat, order: Scuttle) -> None:
    unit = unit_of(w, player, order.unit)
    if w.kind(unit).class_ != "ship" or unit.state in ("docked", "stored"):
        raise Illegal("destroy.barred", who=unit.owner, what=unit.id)
    lose(w, unit, "scuttled")


def crash(w: World, player: Seat, order: Crash) -> None:
    unit = unit_of(w, player, order.unit)
    if w.kind(unit).class_ != "air" or unit.state != "up":
        raise Illegal("destroy.barred", who=unit.owner, what=unit.id)
    lose(w, unit, "crashed")


def die(w: World, player: Seat, order: Die) -> None:
    """Workers and officials; land units, too, leaving their arms on the ground."""
    what = order.item.what
    if what in ("worker", "governor", "ambassador"):
        place = any_part(w, said_place(order.at, what))
        country = country_for(w, player, order, lambda each: w.held(place, each).people(what) > 0, place)
        crews = chosen(w.held(place, country), order.item.count or 1, what)
        there = sum(crew.count for crew in crews)
        if there < (order.item.count or 1):
            raise Illegal("workers.short", square=place, has=there, needs=order.item.count or 1)
        kill(w, place, country, crews, "killed")
        return
    for unit in _soldiers(w, player, order):
        drop(w, unit, unit.at)
        for good, amount in parts_of(w, unit.kind).items():
            w.put_goods(unit.at, unit.owner, good, amount)
        lose(w, w.units[unit.id], "killed")


def _soldiers(w: World, player: Seat, order: Die) -> list[Unit]:
    """The named one, or so many of a kind in a square."""
    what, count = order.item.what, order.item.count or 1
    if count == 1:
        units = [unit_of(w, player, what, order.at)]
    else:
        square = square_of(order.at) if order.at else None
        there = [u for u in w.units.values() if u.kind == what and w.player(u.owner) == player]
        units = sorted((u for u in there if square in (None, square_of(u.at))), key=w.unit_order)[:count]
        if len(units) < count:
            absent(what, order.at)
    for unit in units:
        if not is_land_unit(w, unit) or unit.at not in w.map.land:
            raise Illegal("destroy.barred", who=unit.owner, what=unit.id)
    return units


def births(w: World, player: Seat, order: Births) -> None:
    part = land_part(w, order.at)
    country = country_for(w, player, order, lambda each: part in w.places_of(each), part)
    kept = tuple(each for each in w.country(country).births_off if each != part)
    w.change_country(country, births_off=kept if order.on else (*kept, part))
    w.note("births_set", country, at=part, on=order.on)
