"""Attacks at sea: one ship on one side, any number on the other (E14.5 to E14.8)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.air import air_help
from pbem.games.empire.rules.air.missions import Mission
from pbem.games.empire.rules.combat import convoys, wrecks
from pbem.games.empire.rules.combat.battle_context import Context, check_losers
from pbem.games.empire.rules.combat.helping import GUN
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.orders import Attack
from pbem.games.empire.rules.pieces import naval_table
from pbem.games.empire.rules.pieces.enmity import provoked
from pbem.games.empire.rules.pieces.naval_table import NOBODY, defense
from pbem.games.empire.rules.sea import guns, sea_force, sea_losses, unarmed
from pbem.games.empire.rules.sea.guns import Battery
from pbem.games.empire.rules.sea.sea_force import Force
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


class Plan(Struct, frozen=True, kw_only=True):
    """An attack that has been declared."""

    part: str
    force: Force
    targets: tuple[str, ...] = ()
    gun: Battery | None = None  # a naval gun that is attacked
    lose: tuple[str, ...] = ()
    mission: Mission | None = None
    together: tuple[str, ...] = ()  # attacked ships that add nothing: they go down with those that escort them


def declare(w: World, player: Seat, attack: Attack, ctx: Context) -> Plan:
    """Raises `Illegal`."""
    check_losers(w, attack, (*attack.units, *attack.support))
    ships = sea_force.ships_named(w, player, attack.units, square_of(attack.at))
    if any(name.startswith(GUN.strip()) for name in attack.targets):
        plan = _at_gun(w, player, attack, ctx, ships)
    else:
        plan = _at_ships(w, player, attack, ctx, ships)
    sea_force.owe_chemicals(w, plan.force, plan.part)
    return replace(plan, mission=air_help.planned(w, player, plan.force.air, plan.part))


def _at_ships(w: World, player: Seat, attack: Attack, ctx: Context, ships: Sequence[Unit]) -> Plan:
    part = sea_force.water_of(w, attack.at, ships)
    targets = sea_force.targets(w, player, attack.targets, part, every=attack.every)
    force = sea_force.force(w, player, attack.units, attack.support, part, ctx)
    country = force.countries(w)[0]
    if not targets:
        raise Illegal("battle.reach", unit=attack.units[0], target=w.map.shown(part), square=w.map.shown(part))
    armed = [ship for ship in targets if defense(w, ship)]
    escorted = [ship for ship in targets if ship not in armed] if armed else []
    if len(force.ships) + len(force.guns) > 1 and len(targets) > 1 and not escorted:
        raise Illegal("battle.reach", unit=force.ships[-1] if force.ships else attack.units[-1],
                      target=targets[-1].id, square=w.map.shown(part))  # fmt: skip
    for ship in targets:
        _check_dived(w, force, ship)
        if ship not in escorted:
            convoys.check(w, country, ship, tuple(ctx.named), submarine=_is_submarines(w, force))
    _check_odds(w, force, part, armed or targets)
    if escorted and not _is_overrun(w, force, part, armed):
        raise Illegal("battle.escort", escort=armed[0].id)
    for ship in escorted:
        convoys.check(w, country, ship, (*ctx.named, *(other.id for other in armed)))
    for ship in targets:
        ctx.name_unit(w, ship)
    return Plan(part=part, force=force, targets=tuple(ship.id for ship in targets), lose=attack.lose,
                together=tuple(ship.id for ship in escorted))  # fmt: skip


def _is_submarines(w: World, force: Force) -> bool:
    return bool(force.ships) and all(w.units[id_].kind == "submarine" for id_ in force.ships)


def _check_dived(w: World, force: Force, ship: Unit) -> None:
    """A dived one is attacked only by cruisers (E14.17). Raises `Illegal`."""
    if ship.state != "dived":
        return
    others = [id_ for id_ in force.ships if w.units[id_].kind != "cruiser"]
    others += [GUN + battery.part for battery in force.guns] + [*force.land, *force.air]
    if others:
        raise Illegal("battle.reach", unit=others[0], target=ship.id, square=w.map.shown(ship.at))


def _hoped(w: World, force: Force, part: str) -> Fraction:
    return sea_force.by_sea(w, force, part) + sea_force.by_land(w, force) + sea_force.by_air_at_most(w, force)


def _is_overrun(w: World, force: Force, part: str, targets: Sequence[Unit]) -> bool:
    return naval_table.is_automatic(w, naval_table.odds(_hoped(w, force, part), sea_force.against(w, targets)))


def _check_odds(w: World, force: Force, part: str, targets: Sequence[Unit], gun: Battery | None = None) -> None:
    """Raises `Illegal` (`battle.odds`)."""
    attack = _hoped(w, force, part)
    against = guns.factor(w, gun, square_of(part)) if gun else sea_force.against(w, targets)
    found = naval_table.odds(attack, against)
    if found == NOBODY and attack < 1:
        found = "0-1"
    if not naval_table.is_legal(w, found):
        worst = str(w.tables.naval["worst_odds"])
        raise Illegal("battle.odds", attack=str(attack), defense=str(against), odds=found, worst=worst)


def _at_gun(w: World, player: Seat, attack: Attack, ctx: Context, ships: Sequence[Unit]) -> Plan:
    """A naval gun, by ships in its square (E14.12)."""
    name = next(name for name in attack.targets if name.startswith(GUN.strip()))
    part = sea_force.water_of(w, attack.at, ships)
    force = sea_force.force(w, player, attack.units, attack.support, part, ctx)
    lands = w.map.squares[square_of(part)].land
    if name.startswith(GUN):
        lands = tuple(land for land in lands if name.removeprefix(GUN) in (land, square_of(land)))
    there = [battery for land in lands for battery in guns.manned(w, land)]
    there = [battery for battery in there if w.player(battery.owner) != player]
    free = [battery for battery in there if guns.gun(w, battery).attacked != w.now and _key(battery) not in ctx.named]
    if not there or len(attack.targets) > 1:
        raise Illegal("battle.reach", unit=attack.units[0], target=name, square=w.map.shown(part))
    if not free:
        raise Illegal("battle.used", unit=name, done="been_attacked")
    _check_odds(w, force, part, [], free[0])
    ctx.name(_key(free[0]))
    return Plan(part=part, force=force, gun=free[0], lose=attack.lose)


def _key(battery: Battery) -> str:
    return f"{GUN}{battery.part} {battery.place}"


# -- resolving ---


def resolve(w: World, plan: Plan) -> None:
    targets = [w.units[id_] for id_ in plan.targets if id_ in w.units]
    with pirate.about(w, [*targets, *_afloat(w, plan.force)], *plan.force.countries(w), *(s.owner for s in targets)):
        _resolve(w, plan, targets)


def _afloat(w: World, force: Force) -> list[Unit]:
    return [w.units[id_] for id_ in force.ships if id_ in w.units]


def _resolve(w: World, plan: Plan, targets: list[Unit]) -> None:
    gun = plan.gun if plan.gun and plan.gun.place < len(w.part(plan.gun.part).guns) else None
    alive = bool(_afloat(w, plan.force) or plan.force.guns)
    if not alive or (not targets and gun is None):
        sea_losses.spend(w, plan.force)
        w.note("attack_fell_away", at=plan.part, attackers=list(plan.force.ships), targets=list(plan.targets))
        return
    air = air_help.fly(w, plan.mission, (targets[0].owner if targets else gun.owner if gun else "") or None)
    attack = sea_force.by_sea(w, plan.force, plan.part) + sea_force.by_land(w, plan.force) + air
    sea_losses.spend(w, plan.force)
    _enemies(w, plan, targets)
    for ship in targets:
        w.change(ship.id, attacked=w.now)
    if gun is not None:
        sea_losses.gun_attacked(w, gun)
        _fight(w, plan, attack, guns.factor(w, gun, square_of(plan.part)), [], gun, air)
    elif sea_force.against(w, targets):
        _fight(w, plan, attack, sea_force.against(w, targets), targets, None, air)
    else:
        _strike(w, plan, attack, targets)
    air_help.fly_home(w, plan.mission)


def _enemies(w: World, plan: Plan, targets: Sequence[Unit]) -> None:
    victims = [ship.owner for ship in targets] + ([plan.gun.owner] if plan.gun else [])
    if any(pirate.is_in_ship(w, ship) for ship in _afloat(w, plan.force)):
        for seat in dict.fromkeys(w.player(victim) for victim in victims):
            if seat is not None:
                pirate.sight(w, seat, square_of(plan.part))
    for attacker in plan.force.countries(w):
        for victim in dict.fromkeys(victims):
            provoked(w, attacker, victim)


def _strike(w: World, plan: Plan, attack: Fraction, targets: Sequence[Unit]) -> None:
    """Ships that can't fight: the rolls are dealt to them in turn (E14.8)."""
    purpose = f"naval {square_of(plan.part)}"
    rolls, rest = divmod(floor(attack), len(targets))
    for place, ship in enumerate(targets):
        count = rolls + (place < rest)
        if count and ship.id in w.units:
            effect = unarmed.rolled(w, ship, count, purpose)
            _told(w, replace(plan, targets=(ship.id,)), attack, Fraction(0), "", effect)
            wrecks.suffer(w, ship, effect)


def _fight(
    w: World, plan: Plan, attack: Fraction, against: Fraction, targets: list[Unit], gun: Battery | None, air: int
) -> None:
    odds = naval_table.odds(attack, against)
    if not naval_table.is_legal(w, odds):  # earlier losses of this order made it hopeless
        w.note("attack_fell_away", at=plan.part, attackers=list(plan.force.ships), targets=list(plan.targets))
        return
    if naval_table.is_automatic(w, odds):
        _told(w, plan, attack, against, odds, "sunk")
        for ship in targets:
            if ship.id in w.units:
                wrecks.sink(w, ship)
        if gun is not None:
            wrecks.damage_gun(w, gun.part, gun.place, int(w.tables.naval["steps"]["naval_gun"]))
        return
    cell = _thrown(w, plan, odds)
    _told(w, plan, attack, against, odds, cell)
    hit, hurt = naval_table.steps(cell, "D"), naval_table.steps(cell, "A")
    if gun is not None:
        wrecks.damage_gun(w, gun.part, gun.place, hit) if hit else None
    else:
        sea_losses.of_defenders(w, plan.part, [s for s in targets if s.id not in plan.together], hit)
    if hurt and not any(ship.state == "dived" and ship.kind == "submarine" for ship in targets):
        sea_losses.of_attackers(w, plan.force, hurt, plan.lose, plan.mission, air)


def _thrown(w: World, plan: Plan, odds: str) -> str:
    faces = {str(face): naval_table.result(w, odds, face) for face in range(1, int(w.tables.dice["faces"]) + 1)}
    purpose = f"naval {square_of(plan.part)}"
    w.note("odds", at=plan.part, odds=odds, column=odds, faces=faces)
    face = w.die(purpose, faces, odds=odds, column=odds)
    w.rolled(purpose, [face], faces[str(face)])
    return faces[str(face)]


def _told(w: World, plan: Plan, attack: Fraction, against: Fraction, odds: str, result: str) -> None:
    named = [*plan.force.ships, *(GUN + battery.part for battery in plan.force.guns)]
    w.note("naval_attack", next(iter(plan.force.countries(w)), None), at=plan.part, attackers=named,
           defenders=[*plan.targets, *([GUN + plan.gun.part] if plan.gun else [])],
           support=[*plan.force.land, *plan.force.air], attack=str(attack), defense=str(against), odds=odds,
           result=result)  # fmt: skip
