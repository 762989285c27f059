"""What construction machines are told to build (E8.1 to E8.8)."""

from __future__ import annotations

from typing import Any

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.construction import works
from pbem.games.empire.rules.construction.grounds import check_place, refuse
from pbem.games.empire.rules.ground.terrain import group
from pbem.games.empire.rules.ground.who import known_square, land_part, unit_of
from pbem.games.empire.rules.movement import linear
from pbem.games.empire.rules.orders import Build, Colony
from pbem.games.empire.rules.people.planned import at_work, check_room, takes
from pbem.games.empire.rules.people.working import check_control, country_at, country_of_builders, site_of_builders
from pbem.games.empire.rules.state import Work
from pbem.games.empire.rules.tables import Construction
from pbem.games.empire.rules.world import World

CROSSINGS = ("canal", "mountain_road")


def build(w: World, player: Seat, order: Build) -> None:
    if order.item in linear.LINES or order.item in linear.UNDERWATER:
        linear.build(w, player, order)
        return
    if order.item == "bridge":
        _bridge(w, player, order)
        return
    part = _site(w, player, order)
    country = country_of_builders(w, player, order, part)
    check_control(w, country, part)
    work = _unfinished(w, country, part, order)
    if work is None:
        check_place(w, part, order)
    elif order.book:
        raise Illegal("clause.idle", clause=f"book {order.book}", why="begun")
    elif work.damaged:
        raise Illegal("factory.damaged", factory=order.item, square=part)
    if w.part(part).city and _is_done_by(w, part, work, order):
        check_room(w, part, takes(w, order.item))
    if work is None:
        work = works.new(w, "build", order.item, cmx_turns(w, order.item), book=order.book, facing=order.facing or "",
                         squares=order.squares if len(order.squares) > 1 else ())  # fmt: skip
        works.use_materials(w, country, part, materials(w, order.item), w.map.land[part].terrain)
    _tell(w, country, order, part, works.join(w, country, part, work, order.cmx or 1))


def _site(w: World, player: Seat, order: Build) -> str:
    """Of a work on a border, or one that joins the parts of a square, that part in which builders and a cmx are."""
    if order.item in CROSSINGS:
        return site_of_builders(w, player, order, order.squares)
    if not w.map.squares[known_square(w, order.squares[0])].land:
        refuse(order.item, order.squares[0], "on_land")
    return land_part(w, order.squares[0])


def cmx_turns(w: World, item: str) -> int:
    return w.tables.factories[item].work if item in w.tables.factories else 1


def materials(w: World, item: str) -> Construction:
    """The row of the table of construction."""
    if item in w.tables.factories:
        return w.tables.construction[f"factory_tier_{w.tables.factories[item].tier}"]
    return w.tables.construction[item]


def _unfinished(w: World, country: str, part: str, order: Build) -> Work | None:
    """Begun work that anybody may go on with (E8.2)."""
    squares = order.squares if len(order.squares) > 1 else ()
    for work in w.part(part).works:
        same = (work.what, work.item, work.squares, work.facing) == ("build", order.item, squares, order.facing or "")
        there = at_work(w, part, work)
        if same and work.done + there < work.needs and (work.by in ("", country) or not there):
            return work
    return None


def _is_done_by(w: World, part: str, work: Work | None, order: Build) -> bool:
    """Will it stand after this slot?"""
    if work is None:
        return (order.cmx or 1) >= cmx_turns(w, order.item)
    return work.done + at_work(w, part, work) + (order.cmx or 1) >= work.needs


def _bridge(w: World, player: Seat, order: Build) -> None:
    """From a ship in the square, which has cmx and materials aboard (E8.6)."""
    square = square_of(order.squares[0])
    if square not in w.map.squares or len(w.map.squares[square].land) < 2 or order.ship is None:
        refuse("bridge", order.squares[0], "not_split" if order.ship else "from_ship")
    land = w.map.squares[square].land
    if w.map.land[land[0]].split_by == "mountain":
        refuse("bridge", square, "not_split")
    if any("bridge" in w.part(each).items for each in land):
        raise Illegal("build.exists", item="bridge", square=square)
    ship = unit_of(w, player, str(order.ship), square)
    work = works.new(w, "build", "bridge", 1, book=order.book, ship=ship.id)
    works.use_materials(w, ship.owner, ship.id, materials(w, "bridge"), w.map.land[land[0]].terrain)
    works.join_aboard(w, ship, land[0], work)
    _tell(w, ship.owner, order, square, 1)


def _tell(w: World, country: str, order: Build, at: str, cmx: int) -> None:
    """What is built, by how many of the machines that were to build it."""
    facts: dict[str, Any] = {"spare": order.cmx - cmx} if order.cmx and order.cmx > cmx else {}
    w.note("builds", country, item=order.item, at=at, **facts)


# -- colonies ---


def colony(w: World, player: Seat, order: Colony) -> None:
    """A city the instant it is placed (E11.2)."""
    part = land_part(w, order.at)
    country = country_at(w, player, order, part)
    check_control(w, country, part)
    if w.map.land[part].terrain == "full_mountain":
        refuse("colony_piece", part, "full_mountain")
    if w.part(part).city:
        raise Illegal("build.exists", item="city", square=part)
    if any(w.part(each).city for each in group(w, part)):
        refuse("colony_piece", part, "joined_city")
    apart = int(w.options["colony_apart"])
    near = works.city_within(w, part, apart)
    if near is not None:
        raise Illegal("colony.close", square=part, apart=apart, other=near)
    if w.held(part, country).amount("colony_piece") < 1:
        raise Illegal("goods.short", where=part, has="0", good="colony_piece", needs="1")
    if not w.held(part, country).workers:
        raise Illegal("workers.short", square=part, has=0, needs=1)
    w.take_goods(part, country, "colony_piece", 1)
    w.change_part(part, city=True, site=True)
    w.note("settled", country, at=part)
