"""Everything that stands in the way of a roll-out (E4.8): on land, at sea, in the air."""

from __future__ import annotations

from typing import Any

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.rules.air import air_duties
from pbem.games.empire.rules.combat import duties
from pbem.games.empire.rules.combat.duties import Duty
from pbem.games.empire.rules.sea import naval_duties
from pbem.games.empire.rules.world import World


def open_duties(w: World, player: Seat) -> list[Duty]:
    in_the_air = [Duty(code, {"unit": unit}) for code, unit in air_duties.open_duties(w, player)]
    return [*duties.open_duties(w, player), *naval_duties.open_duties(w, player), *in_the_air]


def told(w: World, player: Seat) -> list[dict[str, Any]]:
    """As letters tell them: the code of each, with its facts."""
    return [{"code": duty.code, **duty.facts} for duty in open_duties(w, player)]


def check(w: World, player: Seat) -> None:
    """Raises `Illegal`: the code of one kind of duty, `rollout.duty` for several."""
    found = open_duties(w, player)
    codes = list(dict.fromkeys(duty.code for duty in found))
    if len(codes) > 1:
        raise Illegal("rollout.duty", duties=told(w, player))
    if codes == ["battle.owed"]:
        units = list(dict.fromkeys(unit for duty in found for unit in duty.facts["units"]))
        raise Illegal("battle.owed", units=units)
    if found:
        raise Illegal(found[0].code, **found[0].facts)
