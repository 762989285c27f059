"""Slots: the counted time of each awaited decision, from the hand-over of its notice.

See docs/reference/procedure.md, sections 1, 8.

They are kept with the record of a game, so that letters and play files have the same clock.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from pbem.core.decision import TURN, Decision
from pbem.core.log import Cause
from pbem.host.calendar.zones import HOUR
from pbem.host.clock.timing import is_petition, petition_key, slot_key, timing_of
from pbem.host.ports import Slot
from pbem.host.session.absences import is_bots
from pbem.host.session.actors import BOT
from pbem.host.session.acts import Act, ClockSet, Done, Ejected, TimeKept
from pbem.host.session.filed_orders import binding
from pbem.host.session.petitions import Petition, open_petitions
from pbem.host.session.session import Session

HOURS = 24  # counted, from its posting, of which the person is told at once
FOREVER = 1 << 62  # an end that nobody knows yet
LATE_NOTICE = 300  # seconds; a hand-over that takes longer than this gets a new notice


def renew_slots(session: Session, now: int) -> list[Decision]:
    """Close the slots of what is asked no more, open those of what is asked; returns the decisions that are new."""
    close_answered(session)
    pending = {slot_key(decision): decision for decision in session.pending()}
    known = {slot.key for slot in session.record.slots()}
    opened = [key for key in pending if key not in known]
    for key in opened:
        session.record.put_slot(reckoned(session, Slot(key=key, seat=pending[key].seat, opened=now)))
    return [pending[key] for key in opened]


def close_answered(session: Session) -> None:
    """Close the slots of what is asked no more."""
    pending = {slot_key(decision) for decision in session.pending()}
    for slot in session.record.slots():
        if not is_petition(slot) and slot.key not in pending:
            session.record.close_slot(slot.key)


def start_slots(session: Session, keys: Collection[str], now: int) -> list[Slot]:
    """The notice has been handed over: the time of these decisions begins, unless it has begun before."""
    waiting = [slot for slot in session.record.slots() if slot.key in keys and slot.started is None]
    started = [reckoned(session, replace(slot, started=now)) for slot in waiting]
    for slot in started:
        session.record.put_slot(slot)
    return started


def first_due(session: Session, until: int, *, by_bot: bool = False) -> Slot | None:
    """The slot with which the clock, or a bot, has something to do next, if that is before an instant."""
    slots = session.record.slots()
    due = [slot for slot in slots if slot.due is not None and slot.due < until and is_bots(slot) == by_bot]
    return min(due, key=lambda slot: (slot.due, slot.opened, slot.key), default=None)


def note(session: Session, at: int, act: Act) -> None:
    """Enter what was done beside the orders."""
    session.enter(at, Cause(kind="act"), act=act)
    recount(session)


def recount(session: Session) -> None:
    """What was done may have changed which time counts, for the slots that run, too."""
    for slot in session.record.slots():
        now = _of_votes(session, slot) if is_petition(slot) else reckoned(session, slot)
        if now != slot:
            session.record.put_slot(now)


def reckoned(session: Session, slot: Slot) -> Slot:
    """The slot with its instants as they are to be now; an answer that binds later is all the clock has to do there."""
    made = timing_of(session).reckoned(slot)
    if _stands_still(session, slot):
        return replace(made, closes=None, due=None)
    if not any(each.binds is not None and each.seat == slot.seat for each in session.record.filed()):
        return made
    decision = asked_in(session, slot)
    binds = [each.binds for each in binding(session, decision) if each.binds is not None] if decision else []
    return replace(made, closes=None, due=max(binds) - 1) if binds else made


def asked_in(session: Session, slot: Slot) -> Decision | None:
    """The question that the slot is the time of, unless it is over."""
    return next((each for each in session.pending() if slot_key(each) == slot.key), None)


def _stands_still(session: Session, slot: Slot) -> bool:
    stood = (each for each in session.position.stood if each.pause.end is None)
    return any(slot_key(each.decision) == slot.key for each in stood)


def set_clock(session: Session, at: int, by: str, why: str) -> None:
    """The log has instants that were not yet: from now on it goes by the clock again."""
    was = session.position.at
    session.set_clock(at)
    note(session, at, ClockSet(by=by, was=was, why=why))


# -- petitions: whom one is about has had a slot, or a day that counts, to say something before it is decided ---


def decidable(session: Session, petition: Petition) -> tuple[int | None, int]:
    """From when on it may be decided, None while nobody knows; and when the silent are deemed to abstain."""
    asked = petition.asked
    if not petition.about_person or asked.by == asked.seat:
        return petition.at, asked.closes
    since = _heard(session, petition)
    return since, FOREVER if since is None else max(since, asked.closes)


def _heard(session: Session, petition: Petition) -> int | None:
    """When the person has had a slot that began since, or the hours, or has left."""
    seat = petition.asked.seat
    as_asked = Slot(key=petition_key(petition.number), seat=seat, opened=petition.at, started=petition.at)
    counted = timing_of(session).reached(as_asked, HOURS * HOUR)
    over = (each.at for each in session.position.done if each.seq > petition.seq and _is_heard(each, seat, petition.at))
    return min((at for at in (counted, next(over, None)) if at is not None), default=None)


def _is_heard(done: Done, seat: str, posted: int) -> bool:
    match done.act:
        case Ejected(seat=gone):
            return gone == seat
        case TimeKept(by=by, closings=closings) if by != BOT:
            return any(
                each.seat == seat and each.kind == TURN and each.start is not None and each.start >= posted
                for each in closings
            )
        case _:
            return False


def open_slot(session: Session, number: int, at: int) -> None:
    """Let the clock know when it is to count the votes."""
    session.record.put_slot(_of_votes(session, Slot(key=petition_key(number), seat="", opened=at)))


def _of_votes(session: Session, slot: Slot) -> Slot:
    """The slot of a petition with its instants as they are to be now: pauses may move them."""
    open_ = {petition_key(each.number): each for each in open_petitions(session.position.done)}
    if slot.key not in open_:
        return slot
    since, ends = decidable(session, open_[slot.key])
    if since is None:
        return replace(slot, deadline=None, closes=None, due=None)
    due = ends if open_[slot.key].result(since, FOREVER) is None else since
    return replace(slot, deadline=ends, closes=due + 1, due=due)  # a vote in that very second counts
