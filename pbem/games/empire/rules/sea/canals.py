"""Canals that were passed: whoever let the ship through does nothing else over the end of the slot (E9.7)."""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.games.empire.rules.sea import waters
from pbem.games.empire.rules.state import Passage, Unit
from pbem.games.empire.rules.world import World


def passed(w: World, ship: Unit, part: str) -> None:
    """It goes on to that part; keep in mind the canal between, if that is the way."""
    ways = [channel for channel in waters.channels(w, ship.at) if channel.part == part]
    if ways and all(channel.kind == "canal" for channel in ways):
        passage = Passage(country=ship.owner, lands=ways[0].lands)
        if passage not in w.state.passages:
            w.set(passages=(*w.state.passages, passage))


def check_kept(w: World) -> None:
    """Is there still somebody at each canal that was passed in this slot? Raises `Illegal` (`task.taken`)."""
    if not all(waters.is_manned(w, passage.country, passage.lands) for passage in w.state.passages):
        raise Illegal("task.taken")
