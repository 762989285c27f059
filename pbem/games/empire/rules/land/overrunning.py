"""Overruns: what is eliminated without a die while units still move (E12.10)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.rules.air import air_help
from pbem.games.empire.rules.combat import aims, helping
from pbem.games.empire.rules.combat.battle_context import Context, has_attacked
from pbem.games.empire.rules.combat.odds import is_automatic
from pbem.games.empire.rules.ground.who import land_part
from pbem.games.empire.rules.land import provisional
from pbem.games.empire.rules.land.engagement import can_retreat, declared, enemies_made, sums
from pbem.games.empire.rules.land.land_battle import follow, spent, tell
from pbem.games.empire.rules.orders import Overrun
from pbem.games.empire.rules.sea import serpents
from pbem.games.empire.rules.world import World


def overrun(w: World, player: Seat, order: Overrun) -> None:
    """Raises `Illegal` (`battle.automatic`) unless the odds need no die."""
    part = land_part(w, order.at or aims.place_of(w, player, order.targets))
    ctx = Context()
    found = declared(w, player, part, order.units, order.targets, ctx)
    found = replace(found, help=helping.named(w, player, order.support, part, ctx))
    if found.guns:
        far = w.units[found.guns[0]]
        raise Illegal("battle.reach", unit=far.id, target=part, square=w.map.shown(far.at))
    hoped = sums(w, found, found.help.most_air)
    retreat = can_retreat(w, found)
    if not is_automatic(w, hoped.odds, retreat=retreat):
        raise Illegal("battle.automatic", odds=str(hoped.odds), retreat="retreat" if retreat else "no_retreat")
    air_help.planned(w, player, found.help.air, part)
    enemies_made(w, found)
    if found.help.air:
        tell(w, found, hoped, None, "provisional")
        spent(w, found, "overrun")
        for id_ in found.help.air:
            has_attacked(w, id_, "overrun")
        provisional.begun(w, found, hoped, retreat=retreat)
    else:
        tell(w, found, hoped, None, "DE")
        spent(w, found, "overrun")
        follow(w, found, "DE")
    serpents.wake(w, part)
