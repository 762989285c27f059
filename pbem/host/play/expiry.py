"""What runs out: the clock answers in the place of who is late, and counts the votes whose time is over."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.host.clock.slots import first_due
from pbem.host.clock.timing import is_petition, slot_key, timing_of
from pbem.host.governance import voting
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.ports import Slot
from pbem.host.session.session import Session


def run_out(session: Session, until: int) -> list[Slot]:
    """Do all that the clock has to do before an instant; returns the slots that are overdue since, and open.

    A slot is deemed to be closed at the first instant after its end, whatever the daemon's lag. What is asked in the
    place of what was closed has no slot yet.
    """
    overdue: dict[str, Slot] = {}
    while (slot := first_due(session, until)) is not None:
        if slot.closes is not None and slot.due == slot.closes - 1:
            overdue.pop(slot.key, None)
            _close(session, slot, slot.closes)
        else:
            overdue[slot.key] = timing_of(session).reckoned(replace(slot, overdue=slot.deadline))
            session.record.put_slot(overdue[slot.key])
    return list(overdue.values())


def _close(session: Session, slot: Slot, at: int) -> None:
    decision = next((d for d in session.pending() if slot_key(d) == slot.key), None)
    if decision is not None:
        Adjudicator(session).lapse(decision, at)
    elif is_petition(slot):
        voting.count(session, at)
    session.record.close_slot(slot.key)
