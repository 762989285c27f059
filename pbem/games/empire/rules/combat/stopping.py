"""Where land units must stop, and where they may not go (E12.4, E12.6, E12.7)."""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.games.empire.rules.accounts.inflation import is_inflated
from pbem.games.empire.rules.combat import prospects
from pbem.games.empire.rules.combat.battle_context import check_rested
from pbem.games.empire.rules.ground.sides import are_one_side, is_land_unit, land_units, serves
from pbem.games.empire.rules.ground.terrain import are_joined, beside, group, stands
from pbem.games.empire.rules.ground.zones import ARMOR, over
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def may_enter(w: World, unit: Unit, start: str, to: str, *, ends: bool = True) -> None:
    """One step of a land unit; `ends`: its move ends there.

    Raises `Illegal` (`way.zoc`, `way.direct`, `terrain.barred`, `stack.over`, `battle.once`, `battle.odds`).
    """
    if not is_land_unit(w, unit):
        return
    check_stranded(w, unit, start)
    zone = [] if are_joined(w, start, to) else over(w, to, unit.owner)
    held_up = over(w, start, unit.owner)
    if zone and held_up:
        raise Illegal("way.direct", unit=unit.id)
    if held_up and start in unit.came and not are_joined(w, start, to):
        raise Illegal("way.zoc", what=unit.id, unit=held_up[0].id, square=w.map.shown(start))
    if zone:
        prospects.check(w, unit, zone)
    if ends:
        check_stack(w, unit, to)


def check_free(w: World, unit: Unit) -> None:
    """May it move at all, also aboard or out of something? Raises `Illegal` (`inflation.barred`, `battle.used`)."""
    if is_land_unit(w, unit) and is_inflated(w, unit.owner):
        raise Illegal("inflation.barred", country=unit.owner)
    if is_land_unit(w, unit):
        check_rested(w, unit)


def check_arrival(w: World, unit: Unit, part: str) -> None:
    """Who comes into a part out of a carrier enters its zones, too. Raises `Illegal`."""
    check_free(w, unit)
    zone = over(w, part, unit.owner)
    if zone:
        prospects.check(w, unit, zone)
    check_stack(w, unit, part)


def must_stop(w: World, unit: Unit, part: str) -> bool:
    """Does it stop in a part that it enters?"""
    return is_land_unit(w, unit) and bool(over(w, part, unit.owner))


def entered(w: World, unit: Unit) -> None:
    """It has come into a part."""
    if must_stop(w, unit, unit.at) and unit.at not in unit.came:
        w.change(unit.id, came=(*unit.came, unit.at))


def check_stack(w: World, unit: Unit, part: str) -> None:
    """At most three land units of one side in a part (E12.4), but for a warehouse (E11.5). Raises `Illegal`."""
    if room(w, unit, part) <= 0 and not has_warehouse(w, unit, part):
        raise Illegal("stack.over", square=w.map.shown(part))


def has_warehouse(w: World, unit: Unit, part: str) -> bool:
    return stands(w, part, "warehouse") and serves(w, unit.owner, part)


def store(w: World, unit: Unit) -> None:
    """Whoever ends a move above the stack is in the warehouse from then on (E11.5)."""
    if is_land_unit(w, unit) and room(w, unit, unit.at) <= 0 and has_warehouse(w, unit, unit.at):
        w.change(unit.id, state="stored")


def room(w: World, unit: Unit, part: str) -> int:
    """For how many more of its side there is room."""
    there = [u for u in land_units(w, part) if u.id != unit.id and are_one_side(w, unit.owner, u.owner, part)]
    return int(w.tables.land["stack"]) - len(there)


def check_stranded(w: World, unit: Unit, part: str) -> None:
    """Tanks in full forest whose road is gone stay there (E12.18). Raises `Illegal`."""
    if is_stranded(w, unit, part):
        raise Illegal("terrain.barred", what=unit.id, terrain="forest", square=w.map.shown(part))


def is_stranded(w: World, unit: Unit, part: str) -> bool:
    return w.kind(unit).moves == ARMOR and no_road_through(w, part)


def no_road_through(w: World, part: str) -> bool:
    """Full forest without a road or a railroad out of it?"""
    if part not in w.map.land or w.map.land[part].terrain != "forest":
        return False
    ways = [(own, other) for own in group(w, part) for _, other in beside(w, own)]
    roads = any({"road", "railroad"} & set(w.border(own, other).lines) or w.part(other).city for own, other in ways)
    return not roads and not w.part(part).city
