"""Births at the start of a slot (E11.6)."""

from __future__ import annotations

from pbem.games.empire.geography.grid import map_order
from pbem.games.empire.rules.ground.terrain import group
from pbem.games.empire.rules.held import Crew
from pbem.games.empire.rules.world import World


def give_birth(w: World, country: str) -> None:
    """Each site with a worker or official brings forth one worker; one a site and game turn."""
    for part in sorted((name for name, found in w.parts.items() if found.city or found.site), key=map_order):
        found = w.part(part)
        if _has_people(w, country, part) and found.born < w.state.turn and part not in w.country(country).births_off:
            w.change_part(part, born=w.state.turn)
            w.join(part, country, Crew())
            w.note("born", country, at=part)


def _has_people(w: World, country: str, part: str) -> bool:
    """There, or in another city that is joined to this one (E1.7)."""
    homes = (each for each in group(w, part) if each == part or (w.part(each).city and w.part(part).city))
    return any(w.held(each, country).people() for each in homes)
