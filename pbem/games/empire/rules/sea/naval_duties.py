"""Duties of ships at the roll-out (E4.8): fights that are owed, and submarines that must surface."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.rules.accounts import debts
from pbem.games.empire.rules.accounts.inflation import is_inflated
from pbem.games.empire.rules.combat.duties import Duty
from pbem.games.empire.rules.combat.prospects import battle_is_over
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.ground.sides import is_hostile
from pbem.games.empire.rules.pieces import naval_table
from pbem.games.empire.rules.pieces.naval_table import factor
from pbem.games.empire.rules.sea import submarines
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def open_duties(w: World, player: Seat) -> list[Duty]:
    mine = sorted((u for u in w.units.values() if w.player(u.owner) == player), key=w.unit_order)
    found = []
    if not battle_is_over(w):
        owed = [ship.id for ship in mine if _owes_battle(w, player, ship, mine)]
        found += [Duty("battle.owed", {"units": owed})] if owed else []
    late = [ship for ship in mine if submarines.must_surface(w, ship) and submarines.could_surface(w, ship)]
    return found + [Duty("sub.must_surface", {"unit": ship.id}) for ship in late]


def _owes_battle(w: World, player: Seat, ship: Unit, mine: Sequence[Unit]) -> bool:
    """It is beside hostile ships with BF, has not attacked, and could with what else is there (E14.9)."""
    if not _may_attack(w, ship):
        return False
    foes = [foe for foe in w.at(ship.at) if _is_foe(w, player, foe, ship.owner)]
    together = sum((factor(w, other) for other in mine if other.at == ship.at and _may_attack(w, other)), Fraction(0))
    return any(naval_table.is_legal(w, naval_table.odds(together, factor(w, foe))) for foe in foes)


def _is_foe(w: World, player: Seat, foe: Unit, country: str) -> bool:
    if w.kind(foe).class_ != "ship" or foe.state != "sea" or not factor(w, foe) or foe.attacked == w.now:
        return False
    return is_hostile(w, foe.owner, country, foe.at) and not pirate.hides(w, foe, player)


def _may_attack(w: World, ship: Unit) -> bool:
    if w.kind(ship).class_ != "ship" or ship.state != "sea" or ship.fought == w.state.turn or not factor(w, ship):
        return False
    if is_inflated(w, ship.owner):
        return False
    try:
        debts.check(w, ship.owner, "chemicals", factor(w, ship) * debts.rate(w, "naval_factor"))
    except Illegal:
        return False
    return True
