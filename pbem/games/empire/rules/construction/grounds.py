"""Where what is built may stand (E8.6, E8.7, E11.1, E11.9)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.refusal import Illegal
from pbem.games.empire.geography.grid import DIRECTIONS, square_of
from pbem.games.empire.rules.construction import works
from pbem.games.empire.rules.ground.terrain import group
from pbem.games.empire.rules.ground.who import incomplete
from pbem.games.empire.rules.orders import Build
from pbem.games.empire.rules.people.planned import is_due
from pbem.games.empire.rules.state import Part
from pbem.games.empire.rules.world import World


def refuse(item: str, part: str, why: str) -> None:
    raise Illegal("build.place", item=item, square=part, why=why)


def check_place(w: World, part: str, order: Build) -> None:
    item, found = order.item, w.part(part)
    terrain = w.map.land[part].terrain
    if terrain == "full_mountain" and item != "mountain_road":
        refuse(item, part, "full_mountain")
    if item in w.tables.factories:
        _check_factory(w, part, item, found)
    elif item == "city":
        if found.city:
            raise Illegal("build.exists", item=item, square=part)
        if any(w.part(each).city for each in group(w, part)):
            refuse(item, part, "joined_city")
    elif item in ("fort", "pillbox"):
        _check_fort(w, part, order)
    elif item == "canal":
        _check_canal(w, part, order)
    elif item == "mountain_road":
        _check_mountain_road(w, part, order)
    elif item == "widening":
        _check_widening(w, part)
    else:
        _check_item(w, part, item, found)


def _check_factory(w: World, part: str, item: str, found: Part) -> None:
    kind = w.tables.factories[item]
    if kind.coast and not w.map.squares[square_of(part)].water:
        refuse(item, part, "needs_shore")
    if kind.city_only and not found.city:
        refuse(item, part, "needs_city")
    if item == "WAT" and not _is_salt(w, part):
        refuse(item, part, "needs_salt")
    going = {work.index for work in found.works if work.what == "scrap"}
    if not found.city:
        due = sum(x.what == "build" and x.item in w.tables.factories and is_due(w, part, x) for x in found.works)
        standing = works.factories_around(w, part) - len(going) + due
        if standing >= int(w.tables.city["outside"]["factories"]):
            refuse(item, part, "one_factory")


def _is_salt(w: World, part: str) -> bool:
    return any(w.map.squares[other].terrain == "sea" for other in w.map.around(square_of(part)))


def _check_item(w: World, part: str, item: str, found: Part) -> None:
    if item == "dock" and not w.map.squares[square_of(part)].water:
        refuse(item, part, "needs_shore")
    if not found.city and item in found.items:
        raise Illegal("build.exists", item=item, square=part)


def _check_fort(w: World, part: str, order: Build) -> None:
    if order.facing is None:
        incomplete(order.item, "DIRECTION")
    direction = DIRECTIONS.index(str(order.facing))
    has = {each: {*w.map.land[each].open, *w.map.land[each].walled} for each in w.map.squares[square_of(part)].land}
    if direction not in has[part] and any(direction in borders for borders in has.values()):
        refuse(order.item, part, "no_border")
    if order.facing in w.part(part).forts:
        raise Illegal("build.exists", item=order.item, square=part)


def check_crossing(w: World, item: str, squares: Sequence[str]) -> None:
    """May a canal or mountain road be there? Raises `Illegal`."""
    land = w.map.squares[square_of(squares[0])].land
    if not land or len(squares) > 2:
        raise Illegal("build.path", item=item, why="not_adjacent")
    check_place(w, land[0], Build(item=item, squares=tuple(squares)))


def _check_canal(w: World, part: str, order: Build) -> None:
    if len(order.squares) == 1:
        if len(w.map.squares[square_of(part)].water) < 2:
            refuse("canal", part, "no_canal_water")
        if w.has_item(square_of(part), "canal"):
            raise Illegal("build.exists", item="canal", square=part)
        return
    one, other = (square_of(name) for name in order.squares[:2])
    if other not in w.map.around(one):
        raise Illegal("build.path", item="canal", why="not_adjacent")
    wet = [bool(w.map.squares[each].water) or has_canal(w, each) for each in (one, other)]
    if not any(wet):
        refuse("canal", part, "no_canal_water")
    if any(w.map.squares[each].terrain in ("mountains", "full_mountain") for each in (one, other)) or _is_wall(
        w, one, other
    ):
        refuse("canal", part, "canal_mountains")
    if "canal" in w.border(one, other).lines:
        raise Illegal("build.exists", item="canal", square=part)


def has_canal(w: World, square: str) -> bool:
    return w.has_item(square, "canal") or any(
        "canal" in w.border(square, other).lines for other in w.map.around(square)
    )


def _is_wall(w: World, one: str, other: str) -> bool:
    lands = [w.map.land[land] for land in w.map.squares[one].land]
    return any(square_of(each) == other for land in lands for parts in land.walled.values() for each in parts)


def _check_mountain_road(w: World, part: str, order: Build) -> None:
    if len(order.squares) == 1:
        if w.map.land[part].split_by != "mountain":
            refuse("mountain_road", part, "no_wall")
        if w.has_item(square_of(part), "mountain_road"):
            raise Illegal("build.exists", item="mountain_road", square=part)
        return
    one, other = (square_of(name) for name in order.squares[:2])
    if other not in w.map.around(one):
        raise Illegal("build.path", item=order.item, why="not_adjacent")
    if not _is_wall(w, one, other):
        refuse("mountain_road", part, "no_wall")
    if "mountain_road" in w.border(one, other).standing:
        raise Illegal("build.exists", item="mountain_road", square=part)


def _check_widening(w: World, part: str) -> None:
    rivers = [water for water in w.map.squares[square_of(part)].water if w.map.water[water].kind == "single"]
    done = sum(w.part(land).items.count("widening") for land in w.map.squares[square_of(part)].land)
    if not rivers:
        refuse("widening", part, "no_river")
    if done >= len(rivers):
        raise Illegal("build.exists", item="widening", square=part)
