"""What it costs a government that its nation's turn comes late (procedure.md, section 3)."""

from __future__ import annotations

from pbem.core.decision import Decision
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.board import Nation
from pbem.games.imperial.rules.resolution import Course


def penalise(course: Course, decision: Decision, late: int) -> list[ev.Event]:
    """A turn alone has a price; an answer out of turn that is late is only noted."""
    if decision.kind == "turn" and decision.about is not None:
        _exact(course, Nation(decision.about), late)
    return course.events


def _exact(course: Course, nation: Nation, late: int) -> None:
    seat = course.state.government[nation]
    assert seat is not None, "a vacant nation is not late"
    amount = min(course.state.cash[seat], late)
    match course.edition.options.lateness:
        case "fee" if amount:
            course.happen(ev.LateFeePaid(nation=nation, seat=seat, late=late, amount=amount))
        case "bonus":
            course.happen(ev.TurnDelayed(nation=nation, late=late))
        case _:
            pass


def fee_paid(course: Course) -> dict[str, object]:
    """For a refusal that has to do with cash: what of it went into the fee, if anything."""
    return {"fee": course.state.fee} if course.state.fee else {}
