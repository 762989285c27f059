"""Food and water at the start of a slot (E10.7 to E10.12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from pbem.games.empire.geography.grid import map_order, square_of
from pbem.games.empire.rules.ground.sides import (
    guards,
    hostile_land_units,
    is_land_unit,
    is_regular,
    others,
    with_workers,
)
from pbem.games.empire.rules.ground.terrain import by_terrain
from pbem.games.empire.rules.ground.ways import spread, steps_from
from pbem.games.empire.rules.ground.zones import over
from pbem.games.empire.rules.held import Crew, every_crew
from pbem.games.empire.rules.pieces.losing import drop, kill, lose
from pbem.games.empire.rules.sea import sea_zones
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


class Eater(NamedTuple):
    """Somebody who eats one food."""

    place: str  # a part, or the unit whose hold they are in
    part: str
    is_regular: bool
    unit: str | None = None
    crew: Crew | None = None  # one of these


def eat(w: World, country: str) -> None:
    """Everybody eats, or dies (E10.7 to E10.10); on Turn 1 everybody counts as fed."""
    if w.state.turn == 1:
        return
    eaters = list(_eaters(w, country))
    piles = _piles(w, country)
    ranges = _Ranges(w, country)
    tables: dict[Eater, list[str]] = {}  # of those alike, one
    for eater in eaters:
        alike = eater._replace(crew=None)
        if alike not in tables:
            tables[alike] = _in_reach(w, country, alike, piles, ranges)
    reach = [tables[eater._replace(crew=None)] for eater in eaters]
    fed = _matched(reach, {pile: int(amount) for pile, amount in piles.items()})
    out: list[int] = []
    for place in range(len(eaters)):
        if place in fed:
            w.take_goods(fed[place], country, "food", 1)
        else:
            out.append(place)
    starved = [place for place in out if not _eats_anywhere(w, country)]
    w.note("fed", country, fed=len(fed), out=len(out), starved=len(starved))
    dying: dict[str, list[Crew]] = {}
    for place, eater in enumerate(eaters):
        if not _lives(w, country, eater, out=place in out, starved=place in starved) and eater.crew is not None:
            dying.setdefault(eater.place, []).append(eater.crew)
    for where, crews in dying.items():
        kill(w, where, country, crews, "starved")


def _eaters(w: World, country: str) -> Iterator[Eater]:
    """In the order in which they eat (E10.8)."""
    army = [u for u in w.units_of(country) if is_land_unit(w, u)]
    army.sort(key=lambda u: (map_order(u.at), w.unit_order(u)))
    yield from _people(w, country, "governor")
    yield from (Eater(u.id, u.at, True, unit=u.id) for u in army if is_regular(w, u))
    yield from (Eater(u.id, u.at, False, unit=u.id) for u in army if not is_regular(w, u))
    yield from _people(w, country, "ambassador")
    yield from _people(w, country, "worker")


def _people(w: World, country: str, kind: str) -> Iterator[Eater]:
    places = [(map_order(name), name, name) for name in w.parts if country in w.parts[name].held]
    places += [(map_order(u.at), u.at, u.id) for u in w.units.values() if country in u.holds]
    for _, part, place in sorted(places):
        for crew in w.held(place, country).crews:
            if crew.kind == kind:
                yield from (Eater(place, part, False, crew=replace(crew, count=1)) for _ in range(crew.count))


def _piles(w: World, country: str) -> dict[str, Fraction]:
    """Food by part or unit, in map order."""
    places = [(map_order(name), name) for name in w.parts if country in w.parts[name].held]
    places += [(map_order(u.at), u.id) for u in w.units.values() if country in u.holds]
    found = {place: w.held(place, country).amount("food") for _, place in sorted(places)}
    return {place: amount for place, amount in found.items() if amount >= 1}


class _Ranges:
    """How far it is from each pile, each looked for once."""

    def __init__(self, w: World, country: str) -> None:
        self.w, self.country = w, country
        self.sailed = sailed_water(w, country)
        self._found: dict[tuple[str, bool], Mapping[str, Fraction]] = {}
        self._blocked: dict[tuple[str, bool], bool] = {}

    def from_(self, part: str, regular: bool) -> Mapping[str, Fraction]:
        if (part, regular) not in self._found:
            self._found[part, regular] = walked(self, part, regular)
        return self._found[part, regular]

    def blocked(self, part: str, regular: bool) -> bool:
        if part not in self.w.map.land:
            return False
        if (part, regular) not in self._blocked:
            self._blocked[part, regular] = is_blocked(self.w, self.country, part, regular=regular)
        return self._blocked[part, regular]


def sailed_water(w: World, country: str) -> frozenset[str]:
    """Waters that an own cargo ship serves; hostile naval zones part them (E10.7, E10.11)."""
    found: set[str] = set()
    for ship in w.units_of(country):
        if ship.kind != "cargo_ship" or ship.at in found or ship.at not in w.map.water:
            continue
        edge = [ship.at]
        found.add(ship.at)
        while edge:
            for other in w.map.water[edge.pop()].links:
                if other not in found and not sea_zones.over(w, other, country):
                    found.add(other)
                    edge.append(other)
    return frozenset(found)


def is_blocked(w: World, country: str, part: str, *, regular: bool) -> bool:
    """May no food pass there (E10.9)?"""
    if regular:
        return bool(hostile_land_units(w, country, part)) or bool(over(w, part, country))
    if (hostile_land_units(w, country, part) or over(w, part, country)) and not guards(w, country, part):
        return True
    workers = with_workers(w, part)
    return bool(workers) and len(others(w, country, workers, part)) == len(workers)


def walked(ranges: _Ranges, start: str, regular: bool) -> Mapping[str, Fraction]:
    """BTA of a worker's way to each part within reach; blocked parts are reached, but not passed."""
    w, most = ranges.w, Fraction(ranges.w.tables.supply["range"])

    def onward(part: str) -> Iterator[tuple[str, Fraction]]:
        return _onward(w, ranges.sailed, part)

    return spread(w, ranges.sailed, start, onward, most, lambda part: not ranges.blocked(part, regular))


def _onward(w: World, sailed: frozenset[str], part: str) -> Iterator[tuple[str, Fraction]]:
    square = w.map.squares[square_of(part)]
    if part in w.map.land:
        yield from ((other, price) for _, other, price in steps_from(w, "worker", part))
        yield from ((water, Fraction(1)) for water in square.water if water in sailed)
        return
    yield from ((other, Fraction(1)) for other in w.map.water[part].links if other in sailed)
    for land in square.land:
        price = by_terrain(w, "worker", w.map.land[land].terrain)
        if price is not None:
            yield land, Fraction(1) if w.part(land).city else price


def _in_reach(w: World, country: str, eater: Eater, piles: Mapping[str, Fraction], ranges: _Ranges) -> list[str]:
    """The piles that may feed them, the nearest first, but for those that their owner wants first or last."""
    if not eater.is_regular and eater.part in w.map.land and _is_cut(w, country, eater):
        return [pile for pile in piles if _part_of(w, pile) == eater.part]
    found = []
    for place, pile in enumerate(piles):
        way = Fraction(0) if pile == eater.place else ranges.from_(_part_of(w, pile), eater.is_regular).get(eater.part)
        if way is not None:
            found.append((_wanted(w, country, _part_of(w, pile)), way, place, pile))
    return [pile for *_, pile in sorted(found)]


def _wanted(w: World, country: str, part: str) -> int:
    """Before all others or behind them, by the newest standing order about the part."""
    said = (o.says for o in w.standing(w.player(country), "feed") if o.at in (part, square_of(part)))
    return {"first": -1, "last": 1}.get(next(said, "") or "", 0)


def _is_cut(w: World, country: str, eater: Eater) -> bool:
    """A hostile land unit in the part cuts workers off, not land units there (E10.9)."""
    if eater.unit is not None or guards(w, country, eater.part):
        return False
    return bool(hostile_land_units(w, country, eater.part)) or bool(over(w, eater.part, country))


def _part_of(w: World, pile: str) -> str:
    return w.units[pile].at if pile in w.units else pile


def _matched(reach: Sequence[Sequence[str]], left: dict[str, int]) -> dict[int, str]:
    """Who eats from which pile; an earlier one takes another pile of theirs where a later one would go without."""
    eats: dict[int, str] = {}
    at: dict[str, list[int]] = {pile: [] for pile in left}

    def finds(eater: int, tried: set[str]) -> bool:
        for pile in reach[eater]:
            if pile in tried:
                continue
            if len(at[pile]) < left[pile]:
                _sit(eater, pile)
                return True
        for pile in reach[eater]:
            if pile in tried:
                continue
            tried.add(pile)
            for other in list(at[pile]):
                if finds(other, tried):
                    _sit(eater, pile)
                    return True
        return False

    def _sit(eater: int, pile: str) -> None:
        if eater in eats:
            at[eats[eater]].remove(eater)
        eats[eater] = pile
        at[pile].append(eater)

    for eater in range(len(reach)):
        finds(eater, set())
    return eats


def _eats_anywhere(w: World, country: str) -> bool:
    """Out of supply they eat from any own pile, that with most food first."""
    piles = _piles(w, country)
    if not piles:
        return False
    most = max(piles.values())
    w.take_goods(next(pile for pile, amount in piles.items() if amount == most), country, "food", 1)
    return True


def _lives(w: World, country: str, eater: Eater, *, out: bool, starved: bool) -> bool:
    """Who was out of supply two slots running dies after eating, units at once; the Pirate's do not starve (E18.6)."""
    if country == w.state.pirate:
        return True
    if eater.unit is not None:
        hungry = w.units[eater.unit].hungry + 1 if out else 0
        w.change(eater.unit, hungry=hungry)
        if starved or hungry >= w.tables.supply["starve"]:
            starve_unit(w, w.units[eater.unit])
        return eater.unit in w.units
    assert eater.crew is not None, "who is no unit is one of a crew"
    hungry = eater.crew.hungry + 1 if out else 0
    if starved or hungry >= w.tables.supply["starve"]:
        return False
    if hungry != eater.crew.hungry:
        w.leave(eater.place, country, eater.crew)
        w.join(eater.place, country, replace(eater.crew, hungry=hungry))
    return True


def starve_unit(w: World, unit: Unit, how: str = "starved") -> None:
    """Land units that starve, or die of thirst, leave their arms on the ground (E10.10, l. 267)."""
    if unit.at in w.map.land:
        drop(w, unit, unit.at)
        for good, amount in parts_of(w, unit.kind).items():
            w.put_goods(unit.at, unit.owner, good, amount)
    lose(w, w.units[unit.id], how)


def parts_of(w: World, kind: str) -> dict[str, Fraction]:
    """The arms in one unit of a kind, also of what it was made of."""
    found: dict[str, Fraction] = {}
    row = w.tables.arming.get(kind)
    while row is not None:
        before = None
        for what, much in row.inputs.items():
            if what in w.tables.goods:
                found[what] = found.get(what, Fraction(0)) + Fraction(much, row.makes)
            else:
                before = what
        row = w.tables.arming.get(before) if before else None
    return found


def food_for(w: World, country: str, part: str) -> str | None:
    """The nearest pile of own food within 12 BTA of a part (E7.4); None: there is none."""
    piles = _piles(w, country)
    ranges = _Ranges(w, country)
    ways = {pile: ranges.from_(_part_of(w, pile), regular=False).get(part) for pile in piles}
    near = [(way, place, pile) for place, (pile, way) in enumerate(ways.items()) if way is not None]
    return min(near)[2] if near else None


# -- water ---


def drink(w: World, country: str) -> None:
    """Who stands in a desert at the start of two slots running without water dies (E10.12)."""
    for part in [name for name in w.places_of(country) if name in w.map.land]:
        dry = w.map.land[part].terrain == "desert" and w.state.turn > 1 and not has_water(w, country, part)
        held = every_crew(w.held(part, country), lambda crew: replace(crew, thirsty=crew.thirsty + 1 if dry else 0))
        w.set_held(part, country, held)
        kill(w, part, country, [c for c in held.crews if c.thirsty >= w.tables.supply["water_every"]], "thirst")
    for unit in list(w.units_of(country)):
        if is_land_unit(w, unit) and unit.id in w.units:
            dry = (
                unit.at in w.map.land and w.map.land[unit.at].terrain == "desert" and not has_water(w, country, unit.at)
            )
            if dry or unit.thirsty:
                w.change(unit.id, thirsty=unit.thirsty + 1 if dry else 0)
            if w.units[unit.id].thirsty >= w.tables.supply["water_every"]:
                starve_unit(w, w.units[unit.id], "thirst")


def has_water(w: World, country: str, part: str) -> bool:
    """Within four squares over land borders that are not blocked."""
    edge, seen = [part], {part}
    for _ in range(w.tables.supply["water_range"] + 1):
        if any(_is_fresh(w, country, each) for each in edge):
            return True
        onward = [other for each in edge for _, other, _ in steps_from(w, "worker", each) if other not in seen]
        edge = [other for other in dict.fromkeys(onward) if not is_blocked(w, country, other, regular=False)]
        seen |= set(edge)
    return False


def _is_fresh(w: World, country: str, part: str) -> bool:
    if part in w.map.fresh:
        return True
    watered = w.part(part).watered.items()
    return any(w.friendly(owner, country, part) for owner, slot in watered if _was_last(w, owner, slot))


def _was_last(w: World, owner: str, slot: str) -> bool:
    """Was it its owner's last slot: of this game turn where they have moved already, else of the one before?"""
    player = w.player(owner)
    moved = player in w.state.order and w.state.order.index(player) < w.state.place
    return int(slot.split(".", maxsplit=1)[0]) >= w.state.turn - (0 if moved else 1)
