"""What it costs a government that its nation's turn comes late (docs/reference/procedure.md, section 3)."""

from __future__ import annotations

from typing import Any

from pbem.core.decision import Answer
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.places import Nation
from pbem.games.imperial.rules.resolution import Resolution


def penalise(resolution: Resolution, answer: Answer[Any]) -> None:
    """A turn alone has a price; an answer out of turn that is late is only noted."""
    decision = answer.decision
    if answer.late and decision is not None and decision.kind == "turn" and decision.about is not None:
        _exact(resolution, Nation(decision.about), answer.late)


def _exact(resolution: Resolution, nation: Nation, late: int) -> None:
    seat = resolution.state.government[nation]
    assert seat is not None, "a vacant nation is not late"
    amount = min(resolution.state.cash[seat], late)
    match resolution.edition.options.lateness:
        case "fee" if amount:
            resolution.emit(ev.LateFeePaid(nation=nation, seat=seat, late=late, amount=amount))
        case "bonus":
            resolution.emit(ev.TurnDelayed(nation=nation, late=late))
        case _:
            pass


def fee_paid(resolution: Resolution) -> dict[str, object]:
    """For a refusal that has to do with cash: what of it went into the fee, if anything."""
    return {"fee": resolution.state.fee} if resolution.state.fee else {}
