"""The facts of a question."""

from __future__ import annotations

from pbem.core.decision import Decision
from pbem.games.empire.rules.course import opening, owed
from pbem.games.empire.rules.world import World


def question(w: World, decision: Decision) -> dict[str, object]:
    if w.state.hanging is not None and not decision.is_turn:
        return {"kind": decision.kind, **w.state.hanging.question.facts}
    if decision.kind == "picks":
        return {"kind": decision.kind, "catalog": opening.catalog(w, decision.seat)}
    if not decision.is_turn:
        return {"kind": decision.kind}
    return {"kind": decision.kind, "slot": w.now, "duties": owed.told(w, decision.seat)}
