"""Bombing missions in the battle order (section 16)."""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.rules.air import hits, missions, targets
from pbem.games.empire.rules.air.missions import Mission
from pbem.games.empire.rules.air.targets import Target
from pbem.games.empire.rules.combat import convoys
from pbem.games.empire.rules.combat.battle_context import Context
from pbem.games.empire.rules.ground.who import known_square, unit_of
from pbem.games.empire.rules.orders import Bomb
from pbem.games.empire.rules.pieces.enmity import provoked
from pbem.games.empire.rules.pieces.losing import lose
from pbem.games.empire.rules.world import World


def declare(w: World, player: Seat, order: Bomb, ctx: Context) -> tuple[Mission, Target]:
    """Raises `Illegal`; enters the oil of the mission."""
    lead = unit_of(w, player, order.units[0])
    target = targets.find(w, lead.owner, order.target, order.at)
    check_allowed(w, lead.owner, target, ctx)
    mission = Mission(
        square=known_square(w, order.at),
        bombers=list(dict.fromkeys(order.units)),
        escorts=list(dict.fromkeys(order.escort)),
        via=tuple(known_square(w, name) for name in order.via),
        home=missions.named_home(w, order.home),
        over=target.unit,
    )
    for id_ in mission.planes:
        ctx.use(w, unit_of(w, player, id_))
    missions.planned(w, player, mission)
    for id_ in mission.bombers:
        if not any(mission.cargo[id_]):
            raise Illegal("goods.short", where=id_, has="0", good="bomb", needs="1")
    if target.factor and bombs(w, target, mission, mission.bombers) < 1:
        raise Illegal("bomb.target", target=target.name, square=target.square, why="one_light_bomb")
    ctx.name(target.unit or f"{target.name} {target.square}")
    return mission, target


def check_allowed(w: World, attacker: str, target: Target, ctx: Context) -> None:
    """Land units with heavy arms first, each once, escorts first (E16.8, E4.10, E14.10). Raises `Illegal`."""
    first = targets.shielding(w, attacker, target, frozenset(ctx.named))
    if first is not None:
        raise Illegal("bomb.target", target=target.name, square=target.square, why="heavy_arms_first")
    if target.unit is not None:
        found = w.units[target.unit]
        if found.attacked == w.now:
            raise Illegal("battle.used", unit=found.id, done="been_attacked")
        if targets.is_ship(w, target):
            convoys.check(w, attacker, found, frozenset(ctx.named))


def bombs(w: World, target: Target, mission: Mission, ids: list[str]) -> int:
    """Against ships a light bomb is a bomb, else two of them are one (E16.2)."""
    heavy = sum(mission.cargo[id_][0] for id_ in ids)
    light = sum(mission.cargo[id_][1] for id_ in ids)
    return heavy + (light if targets.is_ship(w, target) else light // 2)


def resolve(w: World, declared: tuple[Mission, Target]) -> None:
    mission, target = declared
    missions.forget_lost(w, mission)
    everyone = mission.planes
    if not everyone:
        return
    if target.owner is not None:
        provoked(w, w.units[everyone[0]].owner, target.owner)
    w.note("mission", w.units[everyone[0]].owner, units=everyone, target=target.name, at=target.square)
    missions.fly_out(w, mission, target.owner)
    if hits.still_there(w, target):
        _drop(w, mission, target)
    missions.fly_home(w, mission, everyone)


def _drop(w: World, mission: Mission, target: Target) -> None:
    bombers = [*mission.bombers, *mission.dropping]
    count = bombs(w, target, mission, bombers)
    if not bombers or (target.factor and not count):
        return
    if target.unit is not None:
        w.change(target.unit, attacked=w.now)
    result, cells = hits.rolled(w, target, count)
    starred = _starred(w, target, mission, bombers, cells)
    hits.strike(w, target, result, "bombs")
    for id_ in bombers:
        missions.spend_bombs(w, id_)
    for id_ in starred:
        if id_ in w.units:
            lose(w, w.units[id_], "shot_down")


def _starred(w: World, target: Target, mission: Mission, bombers: list[str], cells: list[str]) -> list[str]:
    """Each starred result costs its bomber, not at a ship whose BF is 0 (E16.4)."""
    if target.row not in w.tables.starred_targets:
        return []
    if target.unit is not None and targets.is_ship(w, target):
        unit = w.units[target.unit]
        if w.kind(unit).nbf - unit.steps <= 0:
            return []
    droppers = _droppers(w, target, mission, bombers)
    return [droppers[place] for place, each in enumerate(cells) if each.endswith("*")]


def _droppers(w: World, target: Target, mission: Mission, bombers: list[str]) -> list[str]:
    """Whose each bomb is: heavy ones first, then light ones; of two that are one bomb, the first's."""
    heavy = [id_ for id_ in bombers for _ in range(mission.cargo[id_][0])]
    light = [id_ for id_ in bombers for _ in range(mission.cargo[id_][1])]
    return [*heavy, *(light if targets.is_ship(w, target) else light[::2])]
