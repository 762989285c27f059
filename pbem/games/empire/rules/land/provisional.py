"""Overruns with aircraft: they hold only if enough of these come through when the battle is fought (E12.10)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from pbem.games.empire.rules.air import air_help
from pbem.games.empire.rules.combat.odds import is_automatic, odds
from pbem.games.empire.rules.ground.zones import covers
from pbem.games.empire.rules.land.engagement import Engagement, Sums, defenders
from pbem.games.empire.rules.pieces.losing import lose
from pbem.games.empire.rules.state import Overrun, Unit
from pbem.games.empire.rules.world import World


def begun(w: World, found: Engagement, hoped: Sums, *, retreat: bool) -> None:
    """The defenders are out of the way, until the mission is flown."""
    dead = defenders(w, found)
    zone = dict.fromkeys(part for unit in dead for part in covers(w, unit))
    new = Overrun(
        at=found.part,
        dead=tuple(dead),
        zone=tuple(zone),
        bombers=found.help.air,
        most_air=found.help.most_air,
        force=hoped.exact - found.help.most_air,
        defense=hoped.defense,
        retreat=retreat,
    )
    for unit in dead:
        w.remove(unit.id)
    w.finality("killed")
    w.set(overruns=(*w.state.overruns, new))


def moved(w: World, unit: Unit, start: str) -> None:
    """A unit has made a step: keep whether it could have made it without the overruns."""
    if w.state.overruns:
        w.set(overruns=tuple(_moved(each, unit, start) for each in w.state.overruns))


def _moved(found: Overrun, unit: Unit, start: str) -> Overrun:
    there = unit.at in {dead.at for dead in found.dead}
    on = start in found.zone and (unit.at in found.zone or unit.id in found.entered)
    if (there or on) and unit.id not in found.passed:
        found = replace(found, passed=(*found.passed, unit.id))
    if unit.at in found.zone and unit.id not in found.entered:
        found = replace(found, entered=(*found.entered, unit.id))
    return found


def fly(w: World) -> None:
    """The missions are flown: at the battle order, else at the roll-out."""
    for found in _taken(w):
        mission = air_help.again(w, found.bombers, found.at)
        air = min(Fraction(air_help.fly(w, mission, found.dead[0].owner)), found.most_air)
        total = odds(found.force + air, found.defense)
        if is_automatic(w, total, retreat=found.retreat):
            _held(w, found)
        else:
            w.note("overrun_spoiled", found.dead[0].owner, at=found.at, odds=str(total), lost=list(found.passed))
            _spoiled(w, found)
        air_help.fly_home(w, mission)


def stand(w: World) -> None:
    """A slot that others end throws no die of battle: what was carried out stands (E4.5)."""
    for found in _taken(w):
        _held(w, found)


def _taken(w: World) -> Sequence[Overrun]:
    found = w.state.overruns
    if found:
        w.set(overruns=())
    return found


def _held(w: World, found: Overrun) -> None:
    for unit in found.dead:
        lose(w, w.put_unit(unit), "eliminated")


def _spoiled(w: World, found: Overrun) -> None:
    """The defenders still stand; who moved through is eliminated."""
    for id_ in found.passed:
        if id_ in w.units:
            lose(w, w.units[id_], "eliminated")
    for unit in found.dead:
        w.put_unit(replace(unit, attacked=w.now))
