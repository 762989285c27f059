"""Battles on land that are owed before rolling out (E4.8, E12.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.rules.accounts import debts
from pbem.games.empire.rules.accounts.inflation import is_inflated
from pbem.games.empire.rules.combat.prospects import battle_is_over, can_attack_from, could_attack, is_free
from pbem.games.empire.rules.combat.stopping import is_stranded
from pbem.games.empire.rules.ground.sides import is_hostile, is_land_unit, stands_there
from pbem.games.empire.rules.ground.zones import over, reaches
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


class Duty(NamedTuple):
    """A refusal that stands in the way of the roll-out."""

    code: str
    facts: Mapping[str, Any]


def open_duties(w: World, player: Seat) -> list[Duty]:
    """Battles on land that are owed and could be had."""
    if battle_is_over(w):
        return []
    owed: list[str] = []
    for unit, foe in _meetings(w, player):
        if could_attack(w, _able(w, player, foe, unit), foe):
            owed += [unit.id] if unit.id not in owed else []
    return [Duty("battle.owed", {"units": owed})] if owed else []


def _meetings(w: World, player: Seat) -> list[tuple[Unit, Unit]]:
    """Own units that may attack, each with a hostile unit whose zone is over it, or that stands in its own zone."""
    found = []
    for unit in sorted(w.units.values(), key=w.unit_order):
        if w.player(unit.owner) != player or not _may_attack(w, unit):
            continue
        foes = over(w, unit.at, unit.owner)
        near = [foe for foe in _hostile_near(w, unit) if foe not in foes and reaches(w, unit, foe.at)]
        found += [(unit, foe) for foe in (*foes, *near) if can_attack_from(w, unit, foe.at)]
    return found


def _hostile_near(w: World, unit: Unit) -> list[Unit]:
    square = w.map.land[unit.at].square
    near = (square, *w.map.around(square))
    units = [other for place in near for part in w.map.squares[place].land for other in w.at(part)]
    return [u for u in units if is_land_unit(w, u) and stands_there(u) and is_hostile(w, u.owner, unit.owner, u.at)]


def _may_attack(w: World, unit: Unit) -> bool:
    if not is_land_unit(w, unit) or not stands_there(unit) or unit.at not in w.map.land or not is_free(w, unit):
        return False
    return not is_inflated(w, unit.owner) and not is_stranded(w, unit, unit.at) and _has_chemicals(w, unit)


def _has_chemicals(w: World, unit: Unit, count: int = 1) -> bool:
    try:
        debts.check(w, unit.owner, "chemicals", count * debts.rate(w, "land_unit"))
    except Illegal:
        return False
    return True


def _able(w: World, player: Seat, foe: Unit, unit: Unit) -> list[Unit]:
    """All own units that could join in an attack on it, as far as there are chemicals for them."""
    others = [u for u in w.units.values() if w.player(u.owner) == player and u.id != unit.id and _may_attack(w, u)]
    found = [unit, *(other for other in others if can_attack_from(w, other, foe.at))]
    counts = Counter(each.owner for each in found)
    covered = all(_has_chemicals(w, each, counts[each.owner]) for each in found)
    return found if covered else [unit]
