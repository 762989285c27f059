"""What is lost: people, land units, ships with all aboard; and a governor, whose death brings the capture rules."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire.rules.held import EMPTY, Crew
from pbem.games.empire.rules.pieces.becoming import enlist
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def lose(w: World, unit: Unit, how: str) -> None:
    """A unit is gone, with all aboard it (E2.7). `how` is told: sunk shot_down killed eliminated crashed scuttled …"""
    if unit.id not in w.units:
        return
    w.finality("killed")
    for other in w.aboard(unit.id):
        lose(w, other, how)
    for country, held in w.units[unit.id].holds.items():
        for crew in held.crews:
            _died(w, country, crew)
    w.remove(unit.id)
    enlist(w, unit.owner, [], [unit.id])
    w.note("lost", unit.owner, unit=unit.id, kind=unit.kind, at=unit.at, how=how)


def kill(w: World, place: str, country: str, crews: Sequence[Crew], how: str) -> None:
    """These people, who are there, die."""
    if not crews:
        return
    w.finality("killed")
    for crew in crews:
        w.leave(place, country, crew)
    counts: dict[str, int] = {}
    for crew in crews:
        counts[crew.kind] = counts.get(crew.kind, 0) + crew.count
    w.note("died", country, at=place, people=counts, how=how)
    for crew in crews:
        _died(w, country, crew)


def _died(w: World, country: str, crew: Crew) -> None:
    if crew.kind == "governor":
        governor_died(w, country)


def governor_died(w: World, country: str) -> None:
    """Capture rules hold for it until the same slot of the next game turn begins (E5.12)."""
    if country not in w.countries or w.countries[country].player is None:
        return
    w.change_country(country, capture=f"{w.state.turn + 1}.{w.state.place + 1}", abroad=False)
    w.note("governor_died", country)


def drop(w: World, unit: Unit, place: str) -> None:
    """What a unit had aboard lies on the ground."""
    for country, held in unit.holds.items():
        if held != EMPTY:
            w.merge(place, country, held)
    w.change(unit.id, holds={})
