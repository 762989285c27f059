"""Ships that bombard, and land units that shell ships, on the bombing table (E17.3, E17.4)."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from msgspec import Struct

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.accounts import debts
from pbem.games.empire.rules.accounts.inflation import is_inflated
from pbem.games.empire.rules.air import hits, targets
from pbem.games.empire.rules.air.targets import Target
from pbem.games.empire.rules.combat import wrecks
from pbem.games.empire.rules.combat.battle_context import Context
from pbem.games.empire.rules.combat.helping import naval_factor
from pbem.games.empire.rules.ground.sides import stands_there
from pbem.games.empire.rules.ground.who import unit_of
from pbem.games.empire.rules.orders import Strike
from pbem.games.empire.rules.pieces.enmity import provoked
from pbem.games.empire.rules.sea import sea_losses
from pbem.games.empire.rules.sea.bombing import check_allowed
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


class Barrage(Struct, kw_only=True):
    target: Target
    units: list[str]
    bombs: int
    by: str  # ships or land


def declare_bombard(w: World, player: Seat, order: Strike, ctx: Context) -> Barrage:
    ships = [unit_of(w, player, name) for name in dict.fromkeys(order.units)]
    at = order.at or w.map.shown(ships[0].at)
    target = targets.find(w, ships[0].owner, order.target, at)
    total = sum((naval_factor(w, ship) for ship in ships), Fraction(0))
    for ship in ships:
        _check(w, ship, target, ctx, able=naval_factor(w, ship) > 0)
    each = int(w.tables.land["naval_per_factor"])
    if total < each:
        raise Illegal("battle.reach", unit=ships[0].id, target=target.name, square=square_of(ships[0].at))
    check_allowed(w, ships[0].owner, target, ctx)
    debts.owe(w, ships[0].owner, "chemicals", total * debts.rate(w, "naval_factor"))
    ctx.name(target.unit or f"{target.name} {target.square}")
    return Barrage(target=target, units=[ship.id for ship in ships], bombs=floor(total / each), by="ships")


def _check(w: World, unit: Unit, target: Target, ctx: Context, *, able: bool) -> None:
    if is_inflated(w, unit.owner):
        raise Illegal("inflation.barred", country=unit.owner)
    if square_of(unit.at) != target.square or not able:
        raise Illegal("battle.reach", unit=unit.id, target=target.name, square=w.map.shown(unit.at))
    ctx.use(w, unit)


def declare_shell(w: World, player: Seat, order: Strike, ctx: Context) -> Barrage:
    units = [unit_of(w, player, name) for name in dict.fromkeys(order.units)]
    at = order.at or units[0].at
    target = targets.find(w, units[0].owner, order.target, at)
    if not targets.is_ship(w, target):
        raise Illegal("bomb.target", target=target.name, square=target.square, why="no_target")
    for unit in units:
        _check(w, unit, target, ctx, able=stands_there(unit) and w.kind(unit).hau > 0)
    hau = floor(sum((w.kind(unit).hau for unit in units), Fraction(0)))
    if hau < 1:
        raise Illegal("battle.reach", unit=units[0].id, target=target.name, square=square_of(units[0].at))
    check_allowed(w, units[0].owner, target, ctx)
    debts.owe(w, units[0].owner, "chemicals", len(units) * debts.rate(w, "land_unit"))
    ctx.name(target.unit or "")
    return Barrage(
        target=target, units=[unit.id for unit in units], bombs=min(hau, int(w.tables.land["bomb_limit"])), by="land"
    )


def resolve(w: World, barrage: Barrage) -> None:
    for id_ in barrage.units:
        if id_ in w.units:
            w.change(id_, fought=w.state.turn)
    target = barrage.target
    here = [w.units[id_].owner for id_ in barrage.units if id_ in w.units]
    if target.owner is not None and here:
        provoked(w, here[0], target.owner)
    if not hits.still_there(w, target):
        return
    if target.unit is not None:
        if target.unit not in w.units:
            return
        w.change(target.unit, attacked=w.now)
    starred = target.row in w.tables.starred_targets
    result, cells = hits.rolled(w, target, barrage.bombs)
    hits.strike(w, target, result, barrage.by)
    for each in cells:
        if starred and each.endswith("*"):
            _pay(w, barrage)


def _pay(w: World, barrage: Barrage) -> None:
    """A star costs a ship a step, land units a third of an HAU."""
    alive = [w.units[id_] for id_ in barrage.units if id_ in w.units]
    if not alive:
        return
    if barrage.by == "ships":
        afloat = sorted(alive, key=lambda ship: (-naval_factor(w, ship), w.unit_order(ship)))
        wrecks.damage(w, afloat[0], 1)
        return
    armed = [unit for unit in alive if w.kind(unit).hau]
    if armed:
        sea_losses.wear(w, armed[0])
