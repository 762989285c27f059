"""An attack on land: odds, the die, and what follows from it (E12.8 to E12.16)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.rules.air import air_help
from pbem.games.empire.rules.air.missions import Mission
from pbem.games.empire.rules.combat import helping
from pbem.games.empire.rules.combat.battle_context import Context, check_losers, has_attacked, was_attacked
from pbem.games.empire.rules.combat.odds import NOBODY, column, is_automatic, is_legal, results
from pbem.games.empire.rules.combat.retreats import retreat
from pbem.games.empire.rules.ground.position import manned_borders
from pbem.games.empire.rules.ground.who import land_part
from pbem.games.empire.rules.held import NOTHING
from pbem.games.empire.rules.land import losses
from pbem.games.empire.rules.land.advancing import advance
from pbem.games.empire.rules.land.engagement import (
    Engagement,
    Sums,
    attacked_from,
    can_retreat,
    declared,
    defenders,
    enemies_made,
    standing,
    sums,
)
from pbem.games.empire.rules.orders import Attack
from pbem.games.empire.rules.pieces.losing import kill, lose
from pbem.games.empire.rules.questions import rulings
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


class Plan(NamedTuple):
    """An attack that has been declared."""

    found: Engagement
    mission: Mission | None


def declare(w: World, player: Seat, attack: Attack, ctx: Context) -> Plan:
    """Raises `Illegal`."""
    part = land_part(w, attack.at)
    found = declared(w, player, part, attack.units, attack.targets, ctx)
    support = helping.named(w, player, attack.support, part, ctx)
    check_losers(w, attack, (*found.all_attackers, *attack.support))
    found = replace(found, help=support, lose=tuple(attack.lose), advance=attack.advance)
    check_odds(w, found)
    return Plan(found, air_help.planned(w, player, support.air, part))


def check_odds(w: World, found: Engagement) -> Sums:
    """Raises `Illegal` (`battle.odds`) for what is worse than 1-6 with all the help."""
    hoped = sums(w, found, found.help.most_air)
    if not is_legal(w, hoped.odds):
        worst = w.tables.land["worst_odds"]
        told = {"attack": str(hoped.attack), "defense": str(hoped.defense), "odds": str(hoped.odds), "worst": worst}
        raise Illegal("battle.odds", **told)
    return hoped


def resolve(w: World, plan: Plan) -> None:
    found = plan.found
    foes, near = defenders(w, found), standing(w, found.attackers)
    if not near or (found.targets and not foes):
        _nothing_to_attack(w, found)
        return
    air = helping.of_air(found.help, air_help.fly(w, plan.mission, foes[0].owner if foes else None))
    enemies_made(w, found)
    total = sums(w, found, air)
    spent(w, found)
    if is_automatic(w, total.odds, retreat=can_retreat(w, found)):
        result = "DE"
        tell(w, found, total, None, result)
    else:
        result = _thrown(w, found, total)
    follow(w, found, result, plan.mission, air)
    if found.advance and total.times > 1 and total.odds != NOBODY:
        advance(w, found.part, [unit.id for unit in near])
    elif found.advance and not defenders(w, found):
        w.note("no_advance", near[0].owner, at=found.part)
    air_help.fly_home(w, plan.mission)


def _nothing_to_attack(w: World, found: Engagement) -> None:
    """Those that were to be attacked are gone already; the attackers have had their attack."""
    spent(w, found)
    w.note("attack_fell_away", at=found.part, attackers=list(found.all_attackers), targets=list(found.targets))


def spent(w: World, found: Engagement, done: str = "attacked") -> None:
    """Each attacks and is attacked once."""
    for unit in standing(w, found.all_attackers):
        has_attacked(w, unit.id, done)
    helping.spend(w, found.help)
    for unit in defenders(w, found):
        was_attacked(w, unit.id)


def _thrown(w: World, found: Engagement, total: Sums) -> str:
    head = column(w, total.odds)
    table, referee = results(w, head), rulings.is_asked(w, "land_crt")
    faces = dict.fromkeys(table, "referee") if referee else table
    purpose = f"land {w.map.shown(found.part)}"
    w.note("odds", at=found.part, odds=str(total.odds), column=head, faces=faces)
    die = w.die(purpose, faces, odds=str(total.odds), column=head)
    w.rolled(purpose, (die,), faces[str(die)])
    result = _ruled(w, found, total, die, table[str(die)]) if referee else table[str(die)]
    tell(w, found, total, head, result)
    return result


def _ruled(w: World, found: Engagement, total: Sums, die: int, usual: str) -> str:
    """What the moderator says of the die [G-1]."""
    near, foes = standing(w, found.all_attackers), defenders(w, found)
    parties = [unit.owner for unit in (*near, *foes)]
    facts = {"attackers": [unit.id for unit in near], "defenders": [unit.id for unit in foes], "die": die,
             "odds": str(total.odds)}  # fmt: skip
    return rulings.ruled(w, "land_crt", w.map.shown(found.part), usual, parties, **facts)


def tell(w: World, found: Engagement, total: Sums, head: str | None, result: str) -> None:
    near = standing(w, found.all_attackers)
    w.note(
        "attacked",
        near[0].owner if near else None,
        at=found.part,
        attackers=[unit.id for unit in near],
        defenders=[unit.id for unit in defenders(w, found)],
        support=[*found.help.air, *found.help.ships, *(helping.GUN + place for place in found.help.guns)],
        attack=str(total.attack),
        defense=str(total.defense),
        odds=str(total.odds),
        column=head,
        result=result,
    )


# -- what follows ---


def follow(w: World, found: Engagement, result: str, mission: Mission | None = None, air: Fraction = NOTHING) -> None:
    foes, near = defenders(w, found), standing(w, found.attackers)
    exposed = _exposed(w, found, foes)
    starts = attacked_from(w, found)
    match result:
        case "AE":
            eliminate(w, exposed)
        case "AR":
            _attackers_retreat(w, exposed, found.part)
        case "EX":
            lost = sum(w.kind(unit).df for unit in foes if not unit.retreated)
            lost = lost or int(sums(w, found, 0).defense)
            manned = manned_borders(w, near, found.part)
            eliminate(w, foes)
            _vacate(w, manned, foes)
            left = losses.exchange(w, found, exposed, lost)
            air_help.lose(w, mission, min(left, int(air)), found.lose)
        case "DR":
            _vacate(w, manned_borders(w, near, found.part), foes)
            retreat(w, foes, starts, "attacked")
        case "DE":
            manned = manned_borders(w, near, found.part)
            eliminate(w, foes)
            _vacate(w, manned, foes)


def _exposed(w: World, found: Engagement, foes: Sequence[Unit]) -> list[Unit]:
    """Those whom a bad result strikes: artillery that fires from afar only by other artillery (E12.17)."""
    answered = any(w.kind(unit).range > 1 for unit in foes)
    return standing(w, found.all_attackers if answered else found.attackers)


def eliminate(w: World, units: Sequence[Unit]) -> None:
    for unit in units:
        lose(w, unit, "eliminated")


def _attackers_retreat(w: World, units: Sequence[Unit], part: str) -> None:
    """Those that have landed there have no way back."""
    for unit in units:
        if unit.landed is not None and unit.at == unit.landed and unit.at == part:
            lose(w, unit, "eliminated")
        else:
            retreat(w, [unit], (part,), "attacked")


def _vacate(w: World, manned: Sequence[tuple[str, str, str]], foes: Sequence[Unit]) -> None:
    """A fort that defended alone and lost has no worker any more."""
    if foes:
        return
    for part, direction, country in manned:
        held = w.held(part, country)
        crews = [crew for crew in held.crews if f"fort {direction}" in crew.tasks][:1]
        kill(w, part, country, [replace(crew, count=1) for crew in crews], "fort")
