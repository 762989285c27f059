"""What lateness costs in a game: it comes before the late answer, in the same entry.

See docs/reference/procedure.md, section 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.core.decision import Answer, Decision
from pbem.core.game import AnyRules
from pbem.host.session.acts import Act, TimeKept


def penalties(rules: AnyRules, state: Any, decisions: Sequence[Decision], kept: Act | None) -> tuple[list[Any], Any]:
    """The events for these questions, by what the move order sheet tells of them, and the state after those."""
    found: list[Any] = []
    late = _late(kept)
    for decision in decisions:
        slots = late.get((decision.seat, decision.kind, decision.about), 0)
        for event in rules.penalise(state, decision, slots) if slots else ():
            found.append(event)
            state = rules.apply(state, event)
    return found, state


def resolved(rules: AnyRules, state: Any, answers: Sequence[Answer[Any]], kept: Act | None, chance: Any) -> list[Any]:
    """What happens of these answers, the price of their lateness first. Raises `Illegal`."""
    decisions = [answer.decision for answer in answers if answer.decision is not None]
    before, state = penalties(rules, state, decisions, kept)
    return [*before, *rules.resolve(state, answers, chance)]


def _late(kept: Act | None) -> Mapping[tuple[str, str, str | None], int]:
    closings = kept.closings if isinstance(kept, TimeKept) else ()
    return {(each.seat, each.kind, each.about): each.late for each in closings}
