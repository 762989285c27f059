"""Slots: the counted time of each awaited decision, from the hand-over of its notice (procedure.md, sections 1, 8)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.service.games import Desk, Terms
from pbem.service.ports import Books, Game, Slot
from pbem.service.post import ReminderJob, to_member
from pbem.service.referee import Referee
from pbem.table.decision import Decision

HOUR = 3_600
LATE_NOTICE = 300  # a hand-over that takes longer than this gets a new notice


def slot_key(decision: Decision) -> str:
    """Names a decision in the books: its number makes it another one each time it is asked."""
    return f"{decision.serial} {decision.seat} {decision.kind} {decision.about or ''}".strip()


def renew_slots(books: Books, game: Game, referee: Referee, now: int) -> list[Decision]:
    """Close the slots of what is answered, open those of what is asked; returns the decisions that are new."""
    pending = {slot_key(decision): decision for decision in referee.pending()}
    known = {slot.key for slot in books.slots(game.id)}
    for key in sorted(known - pending.keys()):
        books.close_slot(game.id, key)
    opened = [key for key in pending if key not in known]
    for key in opened:
        books.put_slot(game.id, Slot(key=key, seat=pending[key].seat, opened=now))
    return [pending[key] for key in opened]


def start_slots(books: Books, game: Game, terms: Terms, keys: tuple[str, ...], now: int) -> None:
    """The notice has been handed over: the time of these decisions begins, and their reminders are queued."""
    for slot in books.slots(game.id):
        if slot.key in keys and slot.started is None:
            deadline = now + terms.slot_hours * HOUR
            books.put_slot(game.id, replace(slot, started=now, deadline=deadline))
            _queue_reminders(books, game, terms, slot, now, deadline)


def _queue_reminders(books: Books, game: Game, terms: Terms, slot: Slot, now: int, deadline: int) -> None:
    member = next((m for m in game.members if m.seat == slot.seat), None)
    if member is None:
        return
    asked = f"{slot.key.replace(' ', '.')}.{now}"  # after a rewinding the same is asked once more
    hours = [h for h in terms.remind_hours if 0 < h < terms.slot_hours]
    rows = (
        to_member(
            game,
            member,
            f"{asked}.reminder.{h}",
            ReminderJob(slot=slot.key, hours=h, started=now),
            now,
            deadline - h * HOUR,
        )
        for h in hours
    )
    books.post(row for row in rows if not books.posted(row.id))


def lapse_due(desk: Desk, game: Game, until: int) -> bool:
    """Close every slot of the game whose deadline lies before `until`; was there one?

    The close is deemed to happen at the first instant after the deadline, whatever the daemon's lag.
    """
    referee = desk.referee(game)
    due = [slot for slot in desk.books.slots(game.id) if slot.deadline is not None and slot.deadline < until]
    for slot in due:
        decision = next((d for d in referee.pending() if slot_key(d) == slot.key), None)
        if decision is not None and slot.deadline is not None:
            referee.lapse(decision, slot.deadline + 1)
    return bool(due)
