"""Slots: the counted time of each awaited decision, from the hand-over of its notice (procedure.md, sections 1, 8).

They are kept with the record of a game, so that letters and play files have the same clock.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from pbem.core.decision import Decision
from pbem.host.clock.timing import is_petition, slot_key
from pbem.host.governance import voting
from pbem.host.play.referee import Referee
from pbem.host.ports import Slot
from pbem.host.session.bots import is_bots

LATE_NOTICE = 300  # seconds; a hand-over that takes longer than this gets a new notice


def renew_slots(referee: Referee, now: int) -> list[Decision]:
    """Close the slots of what is answered, open those of what is asked; returns the decisions that are new."""
    pending = {slot_key(decision): decision for decision in referee.pending()}
    known = {slot.key for slot in referee.record.slots() if not is_petition(slot)}
    for key in sorted(known - pending.keys()):
        referee.record.close_slot(key)
    opened = [key for key in pending if key not in known]
    for key in opened:
        referee.record.put_slot(referee.timing.reckoned(Slot(key=key, seat=pending[key].seat, opened=now)))
    return [pending[key] for key in opened]


def start_slots(referee: Referee, keys: Collection[str], now: int) -> list[Slot]:
    """The notice has been handed over: the time of these decisions begins, unless it has begun before."""
    waiting = [slot for slot in referee.record.slots() if slot.key in keys and slot.started is None]
    started = [referee.timing.reckoned(replace(slot, started=now)) for slot in waiting]
    for slot in started:
        referee.record.put_slot(slot)
    return started


def first_due(referee: Referee, until: int) -> Slot | None:
    """The slot with which the clock has something to do next, if that is before an instant."""
    slots = referee.record.slots()
    due = [slot for slot in slots if slot.due is not None and slot.due < until and not is_bots(slot)]
    return min(due, key=lambda slot: (slot.due, slot.opened, slot.key), default=None)


def run_out(referee: Referee, until: int) -> list[Slot]:
    """Do all that the clock has to do before an instant; returns the slots that are overdue since, and open.

    A slot is deemed to be closed at the first instant after its end, whatever the daemon's lag. What is asked in the
    place of what was closed has no slot yet.
    """
    overdue: dict[str, Slot] = {}
    while (slot := first_due(referee, until)) is not None:
        if slot.closes is not None and slot.due == slot.closes - 1:
            overdue.pop(slot.key, None)
            _close(referee, slot, slot.closes)
        else:
            overdue[slot.key] = referee.timing.reckoned(replace(slot, overdue=slot.deadline))
            referee.record.put_slot(overdue[slot.key])
    return list(overdue.values())


def _close(referee: Referee, slot: Slot, at: int) -> None:
    decision = next((d for d in referee.pending() if slot_key(d) == slot.key), None)
    if decision is not None:
        referee.lapse(decision, at)
    elif is_petition(slot):
        voting.count(referee, at)
    referee.record.close_slot(slot.key)
