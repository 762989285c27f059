"""Who attacks a country, or kills its workers, is hostile to all that its owner has (E13.2)."""

from __future__ import annotations

from pbem.games.empire.rules.world import World


def provoked(w: World, attacker: str, victim: str) -> None:
    """The attacking country lets none of the other's owner be any more."""
    enemy = w.player(victim)
    if enemy is None or w.player(attacker) in (None, enemy):
        return
    friendly = dict(w.country(attacker).friendly)
    if enemy in friendly:
        del friendly[enemy]
        w.change_country(attacker, friendly=friendly)
        w.note("turned_hostile", attacker, to=enemy)
