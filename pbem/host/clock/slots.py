"""Slots: the counted time of each awaited decision, from the hand-over of its notice.

See docs/reference/procedure.md, sections 1, 8.

They are kept with the record of a game, so that letters and play files have the same clock.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from pbem.core.decision import Decision
from pbem.core.log import Cause
from pbem.host.clock.petition_slots import reckoned
from pbem.host.clock.timing import is_petition, slot_key, timing_of
from pbem.host.ports import Slot
from pbem.host.session.acts import Act, ClockSet
from pbem.host.session.bots import is_bots
from pbem.host.session.session import Session

LATE_NOTICE = 300  # seconds; a hand-over that takes longer than this gets a new notice


def renew_slots(session: Session, now: int) -> list[Decision]:
    """Close the slots of what is answered, open those of what is asked; returns the decisions that are new."""
    pending = {slot_key(decision): decision for decision in session.pending()}
    known = {slot.key for slot in session.record.slots() if not is_petition(slot)}
    for key in sorted(known - pending.keys()):
        session.record.close_slot(key)
    opened = [key for key in pending if key not in known]
    for key in opened:
        session.record.put_slot(timing_of(session).reckoned(Slot(key=key, seat=pending[key].seat, opened=now)))
    return [pending[key] for key in opened]


def start_slots(session: Session, keys: Collection[str], now: int) -> list[Slot]:
    """The notice has been handed over: the time of these decisions begins, unless it has begun before."""
    waiting = [slot for slot in session.record.slots() if slot.key in keys and slot.started is None]
    started = [timing_of(session).reckoned(replace(slot, started=now)) for slot in waiting]
    for slot in started:
        session.record.put_slot(slot)
    return started


def first_due(session: Session, until: int) -> Slot | None:
    """The slot with which the clock has something to do next, if that is before an instant."""
    slots = session.record.slots()
    due = [slot for slot in slots if slot.due is not None and slot.due < until and not is_bots(slot)]
    return min(due, key=lambda slot: (slot.due, slot.opened, slot.key), default=None)


def note(session: Session, at: int, act: Act) -> None:
    """Enter what was done beside the orders."""
    session.enter(at, Cause(kind="act"), act=act)
    recount(session)


def recount(session: Session) -> None:
    """What was done may have changed which time counts, for the slots that run, too."""
    timing = timing_of(session)
    for slot in session.record.slots():
        now = reckoned(session, slot) if is_petition(slot) else timing.reckoned(slot)
        if now != slot:
            session.record.put_slot(now)


def set_clock(session: Session, at: int, by: str, why: str) -> None:
    """The log has instants that were not yet: from now on it goes by the clock again."""
    was = session.position.at
    session.set_clock(at)
    note(session, at, ClockSet(by=by, was=was, why=why))
