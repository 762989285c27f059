"""Arming, guarding, marching and fighting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from pbem.games.empire.bots import seen
from pbem.games.empire.geography.grid import distance, map_order, square_of
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.ground.position import is_river
from pbem.games.empire.rules.ground.sides import controls, hostile_land_units, is_hostile, is_land_unit, stands_there
from pbem.games.empire.rules.ground.ways import reach
from pbem.games.empire.rules.ground.zones import over
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

ARMY = 3  # SACs that are enough to march
MARCH = 5  # the first turn in which an army leaves home
STRIKE = 6  # the first turn in which it goes beside an enemy
TURNS = 4  # that an army may walk
MOUNTAINS = ("mountains", "full_mountain")


def arming(w: World, country: str) -> Iterator[od.Order]:
    home = seen.home(w, country)
    if home is not None and w.held(home, country).amount("small_arms_unit") >= 1:
        yield od.Arm(country=country, kind="sac", count=1, at=home)


def _army(w: World, country: str) -> list[Unit]:
    return [unit for unit in w.units_of(country) if is_land_unit(w, unit) and stands_there(unit)]


def _roads(w: World, start: str) -> Mapping[str, Fraction]:
    """How far everything within some turns is on foot."""
    return reach(w, "worker", start, Fraction(w.tables.bta) * TURNS, lambda part: part in w.map.land)


def _enemy_city(w: World, country: str) -> str | None:
    """The nearest city by land that a hostile country guards; without any the nearest that one holds."""
    home = seen.home(w, country)
    near = _roads(w, home) if home is not None else {}
    theirs = [
        name for name in near if w.part(name).city and not controls(w, country, name) and _holder(w, country, name)
    ]
    return min(
        theirs, key=lambda name: (not hostile_land_units(w, country, name), near[name], map_order(name)), default=None
    )


def _holder(w: World, country: str, part: str) -> bool:
    return any(other != country and is_hostile(w, country, other, part) for other in w.part(part).held)


def marches(w: World, country: str) -> Iterator[od.Order]:
    """Together, up to some way from the enemy's people; beside his city only where the odds will be 3 to 1."""
    everybody = _army(w, country)
    if not seen.is_warrior(w, country) or w.state.turn < MARCH or len(everybody) < ARMY or w.country(country).inflation:
        return
    army = [unit for unit in everybody if unit.fought != w.state.turn and unit.made != w.now]
    target = _enemy_city(w, country)
    if target is None:
        return
    ways = {unit.id: _ways(w, country, unit) for unit in army if unit.id != _guard(w, country, everybody)}
    beside = {name: [part for part in near if _far(part, target) == 1] for name, near in ways.items()}
    strikers = [unit for unit in army if beside.get(unit.id)]
    foes = hostile_land_units(w, country, target)
    defense = sum(w.kind(foe).df for foe in foes) * (2 if w.map.land[target].terrain in MOUNTAINS else 1)
    if w.state.turn >= STRIKE and sum(w.kind(unit).af for unit in strikers) >= 3 * max(1, defense):
        for unit in strikers:
            if _far(unit.at, target) > 1:
                goals = sorted(beside[unit.id], key=lambda part: (is_river(w, square_of(part)), map_order(part)))
                yield from (od.Move(country=country, units=(unit.id,), way=(goal,)) for goal in goals)
        return
    roads = _roads(w, target)
    for unit in army:
        here = roads.get(unit.at, Fraction(0))
        goals = [part for part in ways.get(unit.id, {}) if part in roads and roads[part] < here]
        goals = [part for part in goals if _is_camp(w, country, part)]
        goals.sort(key=lambda part: (roads[part], map_order(part)))
        yield from (od.Move(country=country, units=(unit.id,), way=(goal,)) for goal in goals[:3])


def _far(part: str, target: str) -> int:
    return distance(square_of(part), square_of(target))


def _ways(w: World, country: str, unit: Unit) -> Mapping[str, Fraction]:
    most = Fraction(w.tables.bta) - unit.used
    return reach(w, unit.kind, unit.at, most, lambda part: not over(w, part, country))


def _guard(w: World, country: str, army: list[Unit]) -> str | None:
    """Who stays at home: the one made last."""
    if len(army) <= ARMY:
        return None
    at_home = [unit.id for unit in army if unit.at == seen.home(w, country)]
    return max(at_home, key=lambda name: (len(name), name), default=None)


def _is_camp(w: World, country: str, part: str) -> bool:
    """Nobody of another country is there, and none of its units near."""
    return not seen.others_there(w, country, part) and not over(w, part, country)


def fights(w: World, country: str) -> Iterator[od.Order]:
    """At 3 to 1 or better of its own accord."""
    for part, units in _chances(w, country):
        foes = hostile_land_units(w, country, part)
        attack = sum(w.kind(unit).af for unit in units)
        defense = sum(w.kind(unit).df for unit in foes)
        if defense and attack >= 3 * defense:
            yield from _attacks(w, country, part, units)


def duties(w: World, country: str) -> Iterator[od.Order]:
    """Who stands beside an enemy at the end must attack."""
    for part, units in _chances(w, country):
        if any(over(w, unit.at, country) for unit in units):
            yield from _attacks(w, country, part, units)


def _chances(w: World, country: str) -> list[tuple[str, list[Unit]]]:
    """Parts with enemies, and who might attack there; those first where most would."""
    if w.state.battled:
        return []
    found: dict[str, list[Unit]] = {}
    for unit in _army(w, country):
        if unit.fought != w.state.turn:
            for square in (square_of(unit.at), *w.map.around(square_of(unit.at))):
                for part in w.map.squares[square].land:
                    if hostile_land_units(w, country, part):
                        found.setdefault(part, []).append(unit)
    return sorted(found.items(), key=lambda each: (-len(each[1]), map_order(each[0])))


def _attacks(w: World, country: str, part: str, units: list[Unit]) -> Iterator[od.Order]:
    """At all who are there, or at one of them."""
    names = tuple(unit.id for unit in units)
    yield od.Overrun(country=country, at=part, units=names)
    yield od.Battle(country=country, attacks=(od.Attack(at=part, units=names),))
    for foe in hostile_land_units(w, country, part):
        yield od.Battle(country=country, attacks=(od.Attack(at=part, units=names, targets=(foe.id,)),))


def landings(w: World, country: str) -> Iterator[od.Order]:
    """Patrols land first."""
    for unit in w.units_of(country):
        if unit.state == "up" and unit.base is not None:
            yield od.Move(country=country, units=(unit.id,), way=(unit.base,))
