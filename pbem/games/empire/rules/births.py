"""Births at the start of a slot (E11.6)."""

from __future__ import annotations

from pbem.games.empire.geography.grid import map_order
from pbem.games.empire.rules.held import Crew
from pbem.games.empire.rules.world import World


def give_birth(w: World, country: str) -> None:
    """Each site with a worker or official brings forth one worker; one a site and game turn."""
    for part in sorted((name for name, found in w.parts.items() if found.city or found.site), key=map_order):
        found = w.part(part)
        people = country in found.held and found.held[country].people()
        if people and found.born < w.state.turn and part not in w.country(country).births_off:
            w.change_part(part, born=w.state.turn)
            w.join(part, country, Crew())
            w.note("born", country, at=part)
