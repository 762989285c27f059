"""Whose slot it is."""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.rules.world import World


def check_active(w: World, player: Seat) -> None:
    """Raises `Illegal` unless it is their slot."""
    if w.state.active != player:
        raise Illegal("order.not_awaited", seat=w.state.active, slot=w.now)
