"""The tasks of people: what one is at over the end of the slot, and what ends with it (E9.11, E9.13)."""

from __future__ import annotations

from pbem.games.empire.rules.held import Crew
from pbem.games.empire.rules.world import World


def ended(w: World, country: str, place: str, crew: Crew) -> None:
    """Who leaves gives up their task. The marks and works that nobody is at any more are looked at by the roll-out."""
