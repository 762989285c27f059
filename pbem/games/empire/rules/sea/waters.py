"""Where ships can go: links of the map, canals and widened rivers, and what closes them (E9.4, E9.6, E9.7)."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

from pbem.core.refusal import Illegal
from pbem.games.empire.geography.grid import direction_to, square_of
from pbem.games.empire.rules.ground.sides import is_hostile, land_units
from pbem.games.empire.rules.ground.who import land_part, water_part
from pbem.games.empire.rules.sea import sea_zones
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


class Channel(NamedTuple):
    """A way out of a water part."""

    part: str
    kind: str  # sea lake single double canal swamp
    lands: tuple[str, ...] = ()  # of a canal: the land parts that it passes
    narrow: bool = False  # a single line where the ship comes from, though widened where it goes


def channels(w: World, part: str) -> Iterator[Channel]:
    for other, kind in w.map.water[part].links.items() if part in w.map.water else ():
        if kind == "single" and w.has_item(square_of(other), "widening"):
            yield Channel(other, "double", narrow=not w.has_item(square_of(part), "widening"))
        else:
            yield Channel(other, kind)
    yield from _canals(w, part)


def _swamps(w: World, ship: Unit, part: str) -> Iterator[Channel]:
    """Rafts go across land borders between a swamp and what lies beside it (E9.4).

    A swamp without water of its own has them on its land part.
    """
    if "swamp" not in w.kind(ship).waters:
        return
    square = w.map.squares[square_of(part)]
    for direction in range(6):
        beyond = [other for land in square.land for other in w.map.land[land].open.get(direction, ())]
        for other in dict.fromkeys(map(square_of, beyond)):
            found = w.map.squares[other]
            if "swamp" in (square.terrain, found.terrain):
                dry = [land for land in beyond if square_of(land) == other and found.terrain == "swamp"]
                yield from (Channel(each, "swamp") for each in found.water or dry)


def is_swamp_for(w: World, kind: str, name: str) -> bool:
    """Is it a swamp without water of its own, which such a ship enters all the same?"""
    enters = "swamp" in w.tables.kinds[kind].waters and not w.map.waters(name)
    return enters and bool(w.map.parts(name)) and w.map.squares[square_of(name)].terrain == "swamp"


def place_of(w: World, kind: str, name: str) -> str:
    """Where such a ship lies in a square of that name. Raises `Illegal` (`square.absent`, `square.part`)."""
    return land_part(w, name) if is_swamp_for(w, kind, name) else water_part(w, name)


def _lands(w: World, part: str) -> tuple[str, ...]:
    return w.map.squares[square_of(part)].land


def _canals(w: World, part: str) -> Iterator[Channel]:
    square = w.map.squares[square_of(part)]
    inside = [land for land in square.land if "canal" in w.part(land).items]
    if inside:
        yield from (Channel(other, "canal", tuple(inside)) for other in square.water if other != part)
    for other in w.map.around(square.name):
        if square.is_land and "canal" in w.border(square.name, other).lines:
            for beyond in w.map.squares[other].water:
                yield Channel(beyond, "canal", (*square.land, *w.map.squares[other].land))


def is_manned(w: World, country: str, lands: tuple[str, ...]) -> bool:
    """Does somebody friendly work the canal (E9.7)?"""
    squares = {square_of(land) for land in lands}
    found = {square_of(land) for land in lands if _has_keeper(w, country, land)}
    return found == squares if w.options["canal_manned"] == "both" else bool(found)


def _has_keeper(w: World, country: str, land: str) -> bool:
    idle = w.options["canal_worker"] == "present"
    return any(
        crew.kind == "worker" and (crew.tasks == ("canal",) or (idle and not crew.tasks))
        for owner, held in w.part(land).held.items()
        if w.friendly(owner, country, land)
        for crew in held.crews
    )


def line_kind(w: World, channel: Channel) -> str:
    """What it is for blocking and for big ships: canals are single lines (A-21)."""
    return w.options["canal_line"] if channel.kind == "canal" else channel.kind


def guard(w: World, ship: Unit, channel: Channel) -> Unit | None:
    """The hostile land unit that bars a single-line river or canal to a ship (E9.6)."""
    if line_kind(w, channel) != "single":
        return None
    there = [u for land in _lands(w, channel.part) for u in land_units(w, land)]
    there = [u for u in there if is_hostile(w, u.owner, ship.owner, channel.part)]
    if w.kind(ship).nbf > 0:
        there = [unit for unit in there if w.kind(unit).hau]
    return there[0] if there else None


Rule = Callable[[World, Unit, Channel], bool]


def _by_water(w: World, ship: Unit, channel: Channel) -> bool:
    if channel.narrow and "single" not in w.kind(ship).waters:
        return False
    return line_kind(w, channel) in w.kind(ship).waters or line_kind(w, channel) == "canal"


def _by_bank(w: World, ship: Unit, channel: Channel) -> bool:
    return guard(w, ship, channel) is None


def _by_keeper(w: World, ship: Unit, channel: Channel) -> bool:
    return channel.kind != "canal" or is_manned(w, ship.owner, channel.lands)


def _by_depth(w: World, ship: Unit, channel: Channel) -> bool:
    """Nothing dived in single lines and canals (E14.17)."""
    return ship.state != "dived" or (channel.kind != "canal" and line_kind(w, channel) != "single")


RULES: tuple[Rule, ...] = (_by_water, _by_depth, _by_bank, _by_keeper)


class Leg(NamedTuple):
    part: str
    cost: Fraction


def price(w: World, ship: Unit, part: str, channel: Channel) -> Fraction:
    """BTA of a border; a canal inside a square costs nothing."""
    if square_of(part) == square_of(channel.part):
        return Fraction(0)
    kind = w.kind(ship)
    if not kind.bta_wind:
        return kind.bta
    heading = direction_to(square_of(part), square_of(channel.part))
    return by_wind(w, kind.bta_wind, heading)


def by_wind(w: World, costs: tuple[Fraction | None, ...], heading: int | None) -> Fraction:
    """By the angle between wind and heading (E9.5); more than any BTA where it can't go at all."""
    angle = abs("NEQSWP".index(w.state.wind or "N") - (heading or 0))
    found = costs[min(angle, 6 - angle)]
    return Fraction(10**6) if found is None else found


def course(
    w: World, ship: Unit, start: str, goal: str, rules: tuple[Rule, ...], *, zones: bool = True
) -> list[Leg] | None:
    heap: list[tuple[Fraction, tuple[int, ...], str, tuple[Leg, ...]]] = [(Fraction(0), (), start, ())]
    done: set[str] = set()
    while heap:
        paid, directions, part, legs = heapq.heappop(heap)
        if part == goal:
            return list(legs)
        if part in done:
            continue
        held_up = zones and part != start and sea_zones.stops(w, ship, part)
        done.add(part)
        for channel in (*channels(w, part), *_swamps(w, ship, part)):
            if held_up and not sea_zones.may_go_on(w, ship, part, channel.part):
                continue
            if channel.part not in done and all(rule(w, ship, channel) for rule in rules):
                way = direction_to(square_of(part), square_of(channel.part))
                cost = price(w, ship, part, channel)
                found = (*legs, Leg(channel.part, cost))
                heapq.heappush(heap, (paid + cost, (*directions, 6 if way is None else way), channel.part, found))
    return None


def course_or_refusal(w: World, ship: Unit, start: str, goal: str) -> list[Leg]:
    """Raises `Illegal`: way.zoc, river.blocked, canal.unmanned, water.barred, way.none."""
    found = course(w, ship, start, goal, RULES)
    if found is not None:
        return found
    if (found := course(w, ship, start, goal, RULES, zones=False)) is not None:
        stopped = next(leg.part for leg in found[:-1] if sea_zones.stops(w, ship, leg.part))
        raise Illegal(
            "way.zoc", what=ship.id, unit=sea_zones.over(w, stopped, ship.owner)[0].id, square=w.map.shown(stopped)
        )
    if (found := course(w, ship, start, goal, (_by_water, _by_depth, _by_keeper), zones=False)) is not None:
        _refuse_blocked(w, ship, start, found)
    if (found := course(w, ship, start, goal, (_by_water, _by_depth), zones=False)) is not None:
        raise Illegal("canal.unmanned", square=_canal_of(w, start, found))
    if ship.state == "dived" and course(w, ship, start, goal, (_by_water,), zones=False) is not None:
        raise Illegal("water.barred", ship=ship.id, why="dived")
    if course(w, ship, start, goal, (), zones=False) is not None:
        raise Illegal("water.barred", ship=ship.id, why="narrow")
    raise Illegal("way.none", what=ship.id, square=w.map.shown(start), to=w.map.shown(goal), why="not_joined")


def _refuse_blocked(w: World, ship: Unit, start: str, legs: list[Leg]) -> None:
    here = start
    for leg in legs:
        for channel in channels(w, here):
            if channel.part == leg.part and (found := guard(w, ship, channel)):
                raise Illegal("river.blocked", unit=found.id, square=square_of(leg.part))
        here = leg.part


def _canal_of(w: World, start: str, legs: list[Leg]) -> str:
    here = start
    for leg in legs:
        for channel in channels(w, here):
            if channel.part == leg.part and channel.kind == "canal":
                return channel.lands[0]
        here = leg.part
    return start
