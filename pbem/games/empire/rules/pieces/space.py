"""Room in cities, docks and airports, and for loose goods (section 11)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil

from pbem.core.refusal import Illegal
from pbem.games.empire.geography.grid import map_order, square_of
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.ground.terrain import stands
from pbem.games.empire.rules.pieces.carrying import size
from pbem.games.empire.rules.world import World


def dock_room(w: World, part: str, country: str) -> Fraction:
    """Units of dock space left in the square of a water part, as far as a country sees."""
    square = w.map.squares[square_of(part)]
    docked = [u for u in w.in_square(square.name) if u.state == "docked" and not pirate.is_unseen(w, u, country)]
    used = sum((w.kind(u).units for u in docked), Fraction(0))
    return Fraction(docks(w, square.name) * int(w.tables.city["dock"]["space"])) - used


def docks(w: World, square: str) -> int:
    """That can be used; a natural harbor is one (E11.4)."""
    built = (w.part(land).items.count("dock") - w.part(land).hurt.count("dock") for land in w.map.squares[square].land)
    return sum(built) + (square in w.map.harbors)


def airport_room(w: World, part: str) -> Fraction:
    if not stands(w, part, "airport"):
        return Fraction(0)
    there = [u for u in w.at(part) if w.kind(u).class_ == "air" and u.state == "ground" and u.aboard is None]
    ports = w.part(part).items.count("airport") - w.part(part).hurt.count("airport")
    return Fraction(ports * int(w.tables.city["airport"]["space"])) - sum((w.kind(u).units for u in there), Fraction(0))


def parked(w: World, kind: str, part: str) -> str:
    """On the ground of the airport there; whom that can't take stands in a warehouse (E11.5).

    Raises `Illegal` (`space.full`).
    """
    room, needs = airport_room(w, part), w.tables.kinds[kind].units
    if room >= needs:
        return "ground"
    if stands(w, part, "warehouse"):
        return "stored"
    raise Illegal("space.full", place=part, left=str(room), needs=str(needs))


def takes_in(w: World, kind: str, part: str) -> bool:
    """Is there room at the airport, or in a warehouse beside it?"""
    return airport_room(w, part) >= w.tables.kinds[kind].units or stands(w, part, "warehouse")


def city_room(w: World, part: str, *, planned: bool = True) -> int:
    """Minor squares of a city that are left (E11.1), those too of what is being scrapped; unfinished factories take
    none."""
    found, takes = w.part(part), w.tables.city["takes"]
    going = {work.index for work in found.works if work.what == "scrap" and planned}
    factories = [f for i, f in enumerate(found.factories) if i not in going]
    used = sum(w.tables.factories[factory.kind].minor_squares for factory in factories)
    used += sum(int(takes.get(item, 0)) for item in found.items)
    used += int(takes["resource"]) * _resources(w, part)
    return int(w.tables.city["minor_squares"]) - used


def _resources(w: World, part: str) -> int:
    """Those that are developed there, beside food."""
    return sum(mark.by is not None and kind != "fish" for kind, mark in w.part(part).marks.items())


def lose_loose_goods(w: World, country: str, machines: Mapping[str, int]) -> None:
    """Outside a city, without warehouse, 5 objects a part (E11.9); the last kind goes first.

    Machines that stood at a work are not counted.
    """
    most = int(w.tables.city["outside"]["loose_units"])
    for part in sorted(w.places_of(country), key=map_order):
        found = w.part(part)
        if part not in w.map.land or stands(w, part, "warehouse"):
            continue
        if found.city and w.options["space_city"] == "free":
            continue
        tied = min(Fraction(machines.get(part, 0)), w.held(part, country).amount("cmx"))
        _lose(w, country, part, _objects(w, country, part) - tied - most, tied)


def _objects(w: World, country: str, part: str) -> Fraction:
    held = w.held(part, country)
    return sum((size(w, good) * held.amount(good) for good in held.goods), Fraction(0))


def _lose(w: World, country: str, part: str, over: Fraction, tied: Fraction) -> None:
    for good in sorted(w.held(part, country).goods, key=lambda each: -w.tables.places[each]):
        if over <= 0:
            return
        there = w.held(part, country).amount(good) - (tied if good == "cmx" else 0)
        amount = min(there, Fraction(ceil(over / size(w, good))))
        if not amount:
            continue
        w.take_goods(part, country, good, amount)
        over -= amount * size(w, good)
        w.note("goods_lost", country, at=part, what=good, count=str(amount))
