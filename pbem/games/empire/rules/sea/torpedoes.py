"""Torpedoes: one a slot for each submarine that has any, at a ship in its square (E14.18)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.combat import convoys, wrecks
from pbem.games.empire.rules.combat.battle_context import Context, has_attacked
from pbem.games.empire.rules.combat.helping import GUN
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.orders import Strike
from pbem.games.empire.rules.pieces import naval_table
from pbem.games.empire.rules.pieces.enmity import provoked
from pbem.games.empire.rules.pieces.naval_table import defense
from pbem.games.empire.rules.sea import sea_force, sea_losses, unarmed
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


class Shots(Struct, frozen=True, kw_only=True):
    part: str
    submarines: tuple[str, ...]
    target: str


def declare(w: World, player: Seat, strike: Strike, ctx: Context) -> Shots:
    """Raises `Illegal`."""
    for name in strike.units:
        if name.startswith(GUN.strip()):
            raise Illegal("battle.reach", unit=name, target=strike.target, square=name.removeprefix(GUN))
    submarines = sea_force.ships_named(w, player, strike.units, strike.at)
    part = sea_force.water_of(w, strike.at, submarines) if strike.at else submarines[0].at
    for submarine in submarines:
        if submarine.kind != "submarine":
            raise Illegal("battle.reach", unit=submarine.id, target=strike.target, square=w.map.shown(submarine.at))
        sea_force.check_ship(w, submarine, part)
        ctx.use(w, submarine)
    target = sea_force.targets(w, player, (strike.target,), part, every=True)[0]
    if target.state == "dived":
        raise Illegal("battle.reach", unit=submarines[0].id, target=target.id, square=w.map.shown(part))
    convoys.check(w, submarines[0].owner, target, tuple(ctx.named), submarine=True)
    _check_odds(w, target, _force(w, submarines))
    ctx.name_unit(w, target)
    return Shots(part=part, submarines=tuple(s.id for s in submarines), target=target.id)


def _force(w: World, submarines: Sequence[Unit]) -> Fraction:
    """What hits at once: each alone, or all together (A-23)."""
    count = len(submarines) if w.options["torpedo_sum"] == "yes" else 1
    return Fraction(w.tables.naval["factors"]["torpedo"]) * count


def _check_odds(w: World, target: Unit, force: Fraction) -> None:
    found = naval_table.odds(force, defense(w, target))
    if not naval_table.is_legal(w, found):
        worst = str(w.tables.naval["worst_odds"])
        raise Illegal("battle.odds", attack=str(force), defense=str(defense(w, target)), odds=found, worst=worst)


def resolve(w: World, shots: Shots) -> None:
    submarines = [w.units[id_] for id_ in shots.submarines if id_ in w.units]
    for submarine in submarines:
        has_attacked(w, submarine.id, "torpedoed")
    target = w.units.get(shots.target)
    if target is None or not submarines:
        w.note("attack_fell_away", at=shots.part, attackers=list(shots.submarines), targets=[shots.target])
        return
    w.change(target.id, attacked=w.now)
    with pirate.about(w, [target], *(s.owner for s in submarines), target.owner):
        provoked(w, submarines[0].owner, target.owner)
        together = w.options["torpedo_sum"] == "yes"
        for group in [submarines] if together else [[submarine] for submarine in submarines]:
            if target.id in w.units:
                _hit(w, group, w.units[target.id], _force(w, group))


def _hit(w: World, submarines: Sequence[Unit], target: Unit, force: Fraction) -> None:
    """No result is against the submarine."""
    for submarine in submarines:
        sea_losses.use_torpedo(w, w.units[submarine.id])
    purpose, against = f"naval {square_of(target.at)}", defense(w, target)
    ids = [submarine.id for submarine in submarines]
    if not against:
        effect = unarmed.strike(w, target, int(force), purpose)
        w.note("torpedoed", submarines[0].owner, units=ids, target=target.id, at=target.at, result=effect)
        return
    odds = naval_table.odds(force, against)
    if naval_table.is_automatic(w, odds):
        wrecks.sink(w, target)
        return
    faces = {str(face): naval_table.result(w, odds, face) for face in range(1, int(w.tables.dice["faces"]) + 1)}
    w.note("odds", at=target.at, odds=odds, column=odds, faces=faces)
    face = w.die(purpose, faces, odds=odds, column=odds)
    cell = faces[str(face)]
    w.rolled(purpose, [face], cell)
    w.note("torpedoed", submarines[0].owner, units=ids, target=target.id, at=target.at, odds=odds, result=cell)
    wrecks.damage(w, target, naval_table.steps(cell, "D"))
