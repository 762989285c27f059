"""Bombers over a land battle: their mission comes first, and what comes through adds its bombs (E17.1)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.air import missions
from pbem.games.empire.rules.air.missions import Mission
from pbem.games.empire.rules.combat.battle_context import has_attacked
from pbem.games.empire.rules.pieces import losing
from pbem.games.empire.rules.world import World


def planned(w: World, player: Seat, ids: Sequence[str], part: str) -> Mission | None:
    """The mission of those named; they return to their bases. Raises `Illegal`."""
    if not ids:
        return None
    mission = Mission(square=square_of(part), bombers=list(ids), escorts=[])
    missions.planned(w, player, mission)
    return mission


def again(w: World, ids: Sequence[str], part: str) -> Mission:
    """A mission that was planned before, with what is still there of it."""
    bombers = [id_ for id_ in ids if id_ in w.units]
    cargo = {id_: missions.carried(w.units[id_]) for id_ in bombers}
    return Mission(square=square_of(part), bombers=bombers, escorts=[], cargo=cargo)


def fly(w: World, mission: Mission | None, defender: str | None) -> int:
    """BF of those that come through; their bombs are dropped."""
    if mission is None:
        return 0
    missions.forget_lost(w, mission)
    for id_ in mission.bombers:
        has_attacked(w, id_)
    missions.fly_out(w, mission, defender)
    dropping = [*mission.bombers, *mission.dropping]
    count = sum(sum(mission.cargo[id_]) for id_ in dropping)
    for id_ in dropping:
        missions.spend_bombs(w, id_)
    return min(count, int(w.tables.land["bomb_limit"])) * int(w.tables.land["bomb_factor"])


def lose(w: World, mission: Mission | None, count: int, wish: Sequence[str]) -> None:
    """So many of them: those wished for in that order, then those with the highest numbers."""
    if mission is None or count <= 0:
        return
    here = sorted((w.units[id_] for id_ in mission.bombers if id_ in w.units), key=w.unit_order, reverse=True)
    here.sort(key=lambda unit: wish.index(unit.id) if unit.id in wish else len(wish))
    for unit in here[:count]:
        losing.lose(w, unit, "shot_down")


def fly_home(w: World, mission: Mission | None) -> None:
    if mission is not None:
        missions.fly_home(w, mission, [id_ for id_ in mission.cargo if id_ in w.units])
