"""Convoys: ships that can't fight are behind those in their square that can (E14.10)."""

from __future__ import annotations

from collections.abc import Collection

from pbem.core.refusal import Illegal
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.pieces.naval_table import defense, factor
from pbem.games.empire.rules.questions import rulings
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def escorts(w: World, country: str, target: Unit, *, submarine: bool = False) -> list[Unit]:
    """Ships that a country must attack before that one; against submarines only cruisers escort."""
    if w.options["naval_convoy"] == "no" or defense(w, target) > 0:
        return []
    return [ship for ship in w.at(target.at) if _escorts(w, country, ship, target, submarine)]


def _escorts(w: World, country: str, ship: Unit, target: Unit, submarine: bool) -> bool:
    if ship.state != "sea" or not factor(w, ship) or (submarine and ship.kind != "cruiser"):
        return False
    if w.player(ship.owner) in (w.player(country), None) or not w.friendly(ship.owner, target.owner, target.at):
        return False
    return not pirate.is_unseen(w, ship, country)


def check(w: World, country: str, target: Unit, attacked: Collection[str] = (), *, submarine: bool = False) -> None:
    """Raises `Illegal` (`battle.escort`) while an escort has not been attacked in this slot, nor is named before."""
    for escort in escorts(w, country, target, submarine=submarine):
        if escort.attacked == w.now or escort.id in attacked:
            continue
        if _is_allowed(w, country, target, escort):
            return
        raise Illegal("battle.escort", escort=escort.id)


def _is_allowed(w: World, country: str, target: Unit, escort: Unit) -> bool:
    """Does the moderator let it be attacked before those that escort it [G-6]?"""
    if not rulings.is_asked(w, "naval_convoy"):
        return False
    facts = {"unit": target.id, "escort": escort.id, "attackers": [country], "at": w.map.shown(target.at)}
    parties = [country, target.owner, escort.owner]
    return rulings.ruled(w, "naval_convoy", target.id, "refused", parties, **facts) == "allowed"
