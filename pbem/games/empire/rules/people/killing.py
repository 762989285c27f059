"""A SAC kills hostile workers that stayed in its zone, by order (E13.6)."""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.rules.accounts.inflation import is_inflated
from pbem.games.empire.rules.ground.sides import guards, is_hostile
from pbem.games.empire.rules.ground.who import land_part, unit_of
from pbem.games.empire.rules.ground.zones import has_zone, reaches
from pbem.games.empire.rules.held import chosen
from pbem.games.empire.rules.orders import Kill
from pbem.games.empire.rules.pieces.enmity import provoked
from pbem.games.empire.rules.pieces.losing import kill
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def kill_workers(w: World, player: Seat, order: Kill) -> None:
    unit = unit_of(w, player, order.unit)
    part = land_part(w, order.at)
    if is_inflated(w, unit.owner):
        raise Illegal("inflation.barred", country=unit.owner)
    if not has_zone(w, unit) or not reaches(w, unit, part):
        raise Illegal("battle.reach", unit=unit.id, target="worker", square=w.map.shown(unit.at))
    victims = _victims(w, unit, part)
    count = order.count
    there = {country: sum(crew.count for crew in w.held(part, country).crews if crew.stayed) for country in victims}
    if not sum(there.values()) or (count is not None and sum(there.values()) < count):
        raise Illegal("kill.stayed")
    left = sum(there.values()) if count is None else count
    for country in victims:
        crews = chosen(w.held(part, country), left, "worker", lambda crew: crew.stayed)
        left -= sum(crew.count for crew in crews)
        if crews:
            kill(w, part, country, crews, "sac")
            provoked(w, unit.owner, country)


def _victims(w: World, unit: Unit, part: str) -> list[str]:
    """Countries whose workers are not safe there. Raises `Illegal`."""
    found = [
        country
        for country, held in w.part(part).held.items()
        if held.workers and is_hostile(w, unit.owner, country, part) and not guards(w, country, part)
    ]
    if not found:
        raise Illegal("workers.short", square=w.map.shown(part), has=0, needs=1)
    return found
