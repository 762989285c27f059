"""What answers where nobody does (language.md, section 2); always legal."""

from __future__ import annotations

from pbem.core.decision import Decision
from pbem.games.empire.rules.course import opening
from pbem.games.empire.rules.orders import Order, Rollout
from pbem.games.empire.rules.world import World


def order(w: World, decision: Decision) -> Order:
    asked = w.state.hanging.question if w.state.hanging is not None else None
    if asked is not None and decision.kind == asked.kind:
        return asked.default
    match decision.kind:
        case "capital":
            return opening.default_capital(w, decision.seat)
        case "picks":
            return opening.default_picks(w, decision.seat)
    return Rollout(forced=True)
