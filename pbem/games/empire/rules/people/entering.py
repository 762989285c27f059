"""Where workers may go (E13.4, E13.7)."""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.games.empire.rules.ground.sides import is_hostile, is_regular, land_units
from pbem.games.empire.rules.ground.terrain import group
from pbem.games.empire.rules.ground.zones import over
from pbem.games.empire.rules.world import World


def is_free(w: World, country: str, part: str) -> bool:
    """May workers pass?"""
    return _enemy(w, country, part) is None


def may_enter(w: World, country: str, part: str) -> None:
    """Raises `Illegal` (`way.enemy`)."""
    enemy = _enemy(w, country, part)
    if enemy is not None:
        raise Illegal("way.enemy", square=w.map.shown(part), player=w.player(enemy) or enemy)


workers_may_enter = may_enter


def _enemy(w: World, country: str, part: str) -> str | None:
    """The country that keeps workers out."""
    found = over(w, part, country)
    if found and not _is_let_in(w, country, part):
        return found[0].owner
    return _led_against(w, country, part)


def _is_let_in(w: World, country: str, part: str) -> bool:
    """Beside own military, where the players have made it so."""
    if w.options["worker_zoc"] != "palace":
        return False
    return any(unit.owner == country for unit in land_units(w, part))


def _led_against(w: World, country: str, part: str) -> str | None:
    """A SAC leads nobody into a part with hostile workers (E13.7)."""
    own = [unit for unit in land_units(w, part) if w.player(unit.owner) == w.player(country)]
    if not own or any(is_regular(w, unit) for unit in own):
        return None
    for each in group(w, part):
        for other, held in w.part(each).held.items():
            if held.workers and is_hostile(w, other, country, part):
                return other
    return None
