"""Whether somebody could be attacked at all: before a hostile zone is entered, and of what is owed (E12.6, E4.8)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pbem.core.refusal import Illegal
from pbem.games.empire.geography.grid import distance
from pbem.games.empire.rules.accounts import debts
from pbem.games.empire.rules.combat import helping
from pbem.games.empire.rules.combat.odds import is_legal, odds
from pbem.games.empire.rules.ground.position import MOUNTAINS, crossing, mountains_between, position
from pbem.games.empire.rules.ground.sides import is_land_unit, stands_there
from pbem.games.empire.rules.ground.terrain import beside, group
from pbem.games.empire.rules.ground.ways import reach
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

AIR_HELP = ("strategic_bomber", "tac")


def battle_is_over(w: World) -> bool:
    """Has the one battle order of the slot been given?"""
    return w.state.battled and w.options["battle_orders"] == "one"


def check(w: World, unit: Unit, zone: Sequence[Unit]) -> None:
    """Before a unit enters the zone of those. Raises `Illegal` (`battle.once`, `chemicals.short`, `battle.odds`)."""
    if battle_is_over(w):
        raise Illegal("battle.once")
    debts.check(w, unit.owner, "chemicals", debts.rate(w, "land_unit"))
    worst: tuple[Fraction, Fraction] | None = None
    for foe in zone:
        if foe.attacked == w.now:
            continue
        least = least_defense(w, foe)
        most = Fraction(w.kind(unit).af)
        if not is_legal(w, odds(most, least)):
            most = most_attack(w, unit, foe)
        if is_legal(w, odds(most, least)):
            return
        worst = worst or (most, least)
    force, against = worst or (Fraction(0), least_defense(w, zone[0]))
    told = str(odds(force, against))
    raise Illegal("battle.odds", attack=str(force), defense=str(against), odds=told, worst=w.tables.land["worst_odds"])


def least_defense(w: World, foe: Unit) -> Fraction:
    """Of one unit alone, whatever the attackers make of rivers and forts."""
    on_mountains = w.map.land[foe.at].terrain in MOUNTAINS
    return Fraction(w.kind(foe).df * (2 if on_mountains else 1))


def most_attack(w: World, unit: Unit, foe: Unit) -> Fraction:
    """Of all own units that could be beside it in this slot, with all the help that there could be."""
    force = Fraction(w.kind(unit).af)
    player = w.player(unit.owner)
    others = [u for u in w.units.values() if w.player(u.owner) == player and u.id != unit.id]
    for other in others:
        if is_land_unit(w, other) and stands_there(other) and is_free(w, other) and could_come(w, other, foe.at):
            force += w.kind(other).af
    if any(other.kind in AIR_HELP for other in others):
        force += int(w.tables.land["bomb_limit"])
    if any(w.kind(other).nbf for other in others):
        force += int(w.tables.land["naval_limit"])
    return force


def is_free(w: World, unit: Unit) -> bool:
    """May it still attack in this game turn?"""
    return unit.fought != w.state.turn


def could_come(w: World, unit: Unit, part: str) -> bool:
    if can_attack_from(w, unit, part):
        return True
    near = {other for own in group(w, part) for _, other in beside(w, own)}
    if distance(unit.at, part) > 3 * w.tables.bta:
        return False
    return bool(near & set(reach(w, unit.kind, unit.at, w.tables.bta - unit.used, lambda _: True)))


def can_attack_from(w: World, unit: Unit, part: str) -> bool:
    """From where it stands: beside it, or artillery two squares away."""
    return crossing(w, unit, part) is not None or is_in_range(w, unit, part)


def is_in_range(w: World, unit: Unit, part: str) -> bool:
    """Of a gun that can reach over a square (E12.17)."""
    reach_ = w.kind(unit).range
    return reach_ > 1 and distance(unit.at, part) <= reach_ and not mountains_between(w, unit, part)


def could_attack(w: World, units: Sequence[Unit], foe: Unit) -> bool:
    """Can these units, from where they stand, attack that one at odds that are allowed?"""
    if foe.attacked == w.now and not foe.retreated:
        return False
    beside_it = [unit for unit in units if crossing(w, unit, foe.at) is not None]
    guns = [unit for unit in units if unit not in beside_it and is_in_range(w, unit, foe.at)]
    if not beside_it:
        return False
    force = Fraction(sum(w.kind(unit).af for unit in (*beside_it, *guns)))
    place = position(w, beside_it, foe.at)
    strength = 0 if foe.retreated else w.kind(foe).df
    defense = Fraction(strength * place.times + place.added)
    return is_legal(w, odds(force, defense + helping.for_defenders(w, [foe], foe.at)))
