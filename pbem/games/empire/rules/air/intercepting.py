"""Fighters against unarmed aircraft in the air (E15.14, E15.19)."""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.air import missions
from pbem.games.empire.rules.air.missions import Mission
from pbem.games.empire.rules.combat.battle_context import Context
from pbem.games.empire.rules.ground.who import absent, unit_of
from pbem.games.empire.rules.orders import Strike
from pbem.games.empire.rules.pieces.enmity import provoked
from pbem.games.empire.rules.pieces.losing import lose
from pbem.games.empire.rules.world import World


def declare(w: World, player: Seat, order: Strike, ctx: Context) -> tuple[Mission, str]:
    target = w.units.get(order.target)
    if target is None or (order.at is not None and square_of(target.at) != square_of(order.at)):
        absent(order.target, order.at)
    if target.state != "up" or w.kind(target).military or w.player(target.owner) == player:
        raise Illegal("battle.reach", unit=order.units[0], target=order.target, square=w.map.shown(target.at))
    mission = Mission(square=square_of(target.at), bombers=[], escorts=list(dict.fromkeys(order.units)), alone=True)
    for id_ in mission.escorts:
        ctx.use(w, unit_of(w, player, id_))
    missions.planned(w, player, mission)
    ctx.name(target.id)
    return mission, target.id


def resolve(w: World, declared: tuple[Mission, str]) -> None:
    mission, target = declared
    missions.forget_lost(w, mission)
    everyone = mission.planes
    if target in w.units and everyone:
        provoked(w, w.units[everyone[0]].owner, w.units[target].owner)
    missions.fly_out(w, mission, None)
    if target in w.units and mission.escorts:
        shoot_down(w, mission.square, mission.escorts, target)
    missions.fly_home(w, mission, everyone)


def shoot_down(w: World, square: str, fighters: list[str], target: str) -> None:
    """One fighter: 1 to 5; two or more: no die."""
    result = str(w.tables.non_combat["more"])
    if len(fighters) == 1:
        face = w.die(f"air {square}", w.tables.non_combat["one"])
        result = w.tables.non_combat["one"][str(face)]
        w.rolled(f"air {square}", [face], result)
    w.note("intercepted", w.units[target].owner, unit=target, by=list(fighters), result=result)
    if result == "lost":
        lose(w, w.units[target], "shot_down")
