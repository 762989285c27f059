"""Who fights whom in an attack on land, and at what odds: the same for attacks and overruns (E12.8 to E12.10)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor

from msgspec import Struct

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.rules.accounts import debts
from pbem.games.empire.rules.accounts.inflation import is_inflated
from pbem.games.empire.rules.combat import helping
from pbem.games.empire.rules.combat.battle_context import Context
from pbem.games.empire.rules.combat.odds import Odds, odds
from pbem.games.empire.rules.combat.prospects import is_in_range
from pbem.games.empire.rules.combat.retreats import has_retreat
from pbem.games.empire.rules.combat.stopping import is_stranded
from pbem.games.empire.rules.ground.position import Position, crossing, defended_by_fort, manned_borders, position
from pbem.games.empire.rules.ground.sides import are_one_side, is_land_unit, land_units, stands_there
from pbem.games.empire.rules.ground.terrain import group
from pbem.games.empire.rules.ground.who import unit_of
from pbem.games.empire.rules.pieces.enmity import provoked
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


class Engagement(Struct, frozen=True, kw_only=True):
    part: str
    attackers: tuple[str, ...]  # that stand beside it, in the order written
    guns: tuple[str, ...]  # artillery farther away
    targets: tuple[str, ...]
    help: helping.Help
    lose: tuple[str, ...] = ()
    advance: bool = False

    @property
    def all_attackers(self) -> tuple[str, ...]:
        return (*self.attackers, *self.guns)


class Sums(Struct, frozen=True, kw_only=True):
    """The arithmetic of an attack."""

    exact: Fraction  # of the attackers
    attack: Fraction  # rounded down
    defense: Fraction
    odds: Odds
    times: int  # the highest multiplier of the defense


def declared(
    w: World, player: Seat, part: str, units: Sequence[str], targets: Sequence[str], ctx: Context
) -> Engagement:
    """Look everything up. Raises `Illegal`."""
    found = _attackers(w, player, units, ctx)
    foes = _targets(w, player, found[0], part, targets, ctx)
    near = [unit for unit in found if crossing(w, unit, part) is not None and not is_stranded(w, unit, unit.at)]
    guns = [unit for unit in found if unit not in near]
    for unit in guns:
        if not near or not is_in_range(w, unit, part) or is_stranded(w, unit, unit.at):
            _out_of_reach(w, unit, part)
    if not foes and not defended_by_fort(w, near, part):
        raise Illegal("battle.reach", unit=found[0].id, target=part, square=w.map.shown(found[0].at))
    for unit in found:
        debts.owe(w, unit.owner, "chemicals", debts.rate(w, "land_unit"))
    return Engagement(
        part=part,
        attackers=tuple(unit.id for unit in near),
        guns=tuple(unit.id for unit in guns),
        targets=tuple(unit.id for unit in foes),
        help=helping.Help(),
    )


def _attackers(w: World, player: Seat, names: Sequence[str], ctx: Context) -> list[Unit]:
    found = []
    for name in dict.fromkeys(names):
        unit = unit_of(w, player, name)
        if not is_land_unit(w, unit) or not stands_there(unit):
            _out_of_reach(w, unit, w.map.shown(unit.at))
        if is_inflated(w, unit.owner):
            raise Illegal("inflation.barred", country=unit.owner)
        ctx.use(w, unit)
        found.append(unit)
    return found


def _out_of_reach(w: World, unit: Unit, target: str) -> None:
    raise Illegal("battle.reach", unit=unit.id, target=target, square=w.map.shown(unit.at))


def _targets(w: World, player: Seat, attacker: Unit, part: str, names: Sequence[str], ctx: Context) -> list[Unit]:
    """Those that are named; else all that are hostile and may still be attacked."""
    there = [unit for unit in land_units(w, part) if w.player(unit.owner) != player]
    if not names:
        hostile = [unit for unit in there if not are_one_side(w, attacker.owner, unit.owner, part)]
        found = [unit for unit in hostile if ctx.may_name(w, unit)] or hostile
    else:
        found = [_target(w, there, attacker, part, name) for name in dict.fromkeys(names)]
        owners = {unit.owner for unit in found}
        found += [u for u in there if u.retreated and u.owner in owners and u not in found]
    for unit in found:
        ctx.name_unit(w, unit)
    return found


def _target(w: World, there: Sequence[Unit], attacker: Unit, part: str, name: str) -> Unit:
    found = [unit for unit in there if name in (unit.id, unit.kind)]
    if len(found) > 1:
        raise Illegal("unit.which", square=w.map.shown(part), units=[unit.id for unit in found])
    if not found:
        raise Illegal("battle.reach", unit=attacker.id, target=name, square=w.map.shown(attacker.at))
    return found[0]


# -- the arithmetic ---


def standing(w: World, ids: Sequence[str]) -> list[Unit]:
    """Those of them that are still there."""
    return [w.units[id_] for id_ in ids if id_ in w.units]


def defenders(w: World, found: Engagement) -> list[Unit]:
    """Those that are still there, in the part or one joined to it."""
    places = group(w, found.part)
    return [unit for unit in standing(w, found.targets) if unit.at in places]


def sums(w: World, found: Engagement, air: Fraction | int) -> Sums:
    near, foes = standing(w, found.attackers), defenders(w, found)
    land = sum(w.kind(unit).af for unit in standing(w, found.all_attackers))
    attack = land + helping.of_ships(w, found.help, found.part) + air
    places = {part: position(w, near, part) for part in group(w, found.part)}
    defense = _defense(w, found, near, foes, places)
    times = max((places[unit.at].times for unit in foes), default=places[found.part].times)
    return Sums(
        exact=Fraction(attack), attack=Fraction(floor(attack)), defense=defense, odds=odds(attack, defense), times=times
    )


def _defense(
    w: World, found: Engagement, near: Sequence[Unit], foes: Sequence[Unit], places: dict[str, Position]
) -> Fraction:
    if not foes:
        return defended_by_fort(w, near, found.part)
    fighting = [unit for unit in foes if not unit.retreated]
    own = sum(w.kind(unit).df * places[unit.at].times for unit in fighting)
    if not own:
        return Fraction(0)
    forts = max(places[part].added for part in {unit.at for unit in fighting})
    return own + forts + helping.for_defenders(w, fighting, found.part)


def attacked_from(w: World, found: Engagement) -> tuple[str, ...]:
    return tuple(dict.fromkeys(unit.at for unit in standing(w, found.attackers)))


def can_retreat(w: World, found: Engagement) -> bool:
    """Has any defender somewhere to go?"""
    return has_retreat(w, defenders(w, found), attacked_from(w, found))


def enemies_made(w: World, found: Engagement) -> None:
    """Who attacks is hostile (E13.2)."""
    owners = dict.fromkeys(unit.owner for unit in standing(w, (*found.all_attackers, *found.help.ships)))
    victims = dict.fromkeys(unit.owner for unit in defenders(w, found))
    manned = dict.fromkeys(each.country for each in manned_borders(w, standing(w, found.attackers), found.part))
    for owner in owners:
        for victim in {**victims, **manned}:
            provoked(w, owner, victim)
