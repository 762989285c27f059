"""Reminders: they wait in the outbox for the hours before the end of a slot, and move with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.host.clock.timing import Timing
from pbem.host.messages.rows import OverdueJob, ReminderJob, post_once, to_member
from pbem.host.ports import Game, OutboxRow, Repository, Slot
from pbem.host.session.absences import stand_in

STEAD = "stead"  # in the names of what goes to a deputy
NEVER = 2**40  # when nobody knows yet when time goes on


def queue_reminders(repository: Repository, game: Game, timing: Timing, slots: Iterable[Slot], now: int) -> None:
    """Their time has just begun."""
    for slot in slots:
        post_once(repository, _reminders(repository, game, timing, slot, now))


def _reminders(repository: Repository, game: Game, timing: Timing, slot: Slot, now: int) -> Iterator[OutboxRow]:
    """For whoever sits there, and for whoever will write for the seat then."""
    for hours, at in timing.reminders(slot):
        job = ReminderJob(slot=slot.key, hours=hours, started=slot.started)
        for member in (each for each in game.members if each.seat == slot.seat):
            yield to_member(game, member, _name(slot, hours), job, now, _due(at))
        deputy = stand_in(repository, game, timing.done, slot.seat, at) if at is not None and at > now else None
        if deputy is not None:
            yield to_member(game, deputy, f"{_name(slot, hours)}.{STEAD}", job, now, at)


def move_reminders(repository: Repository, game: Game, timing: Timing) -> None:
    """Which time counts has changed: those that have not gone out go out when it is their time now."""
    for slot in repository.slots(game.id):
        for hours, at in timing.reminders(slot):
            for whose in (_name(slot, hours), f"{_name(slot, hours)}.{STEAD}"):
                repository.postpone(f"{game.id}.{whose}.{slot.seat}", _due(at))
        for row in overdue_again(game, timing, slot, 0):
            repository.postpone(row.id, row.due)


def overdue_again(game: Game, timing: Timing, slot: Slot, now: int) -> Iterator[OutboxRow]:
    """Who is late, and who waits, hears of it again while that is so, less and less often."""
    if slot.overdue is None:
        return
    for days, at in timing.overdue_days(slot):
        job = OverdueJob(slot=slot.key, deadline=slot.overdue, days=days)
        for member in game.readers:
            yield to_member(game, member, f"{overdue_name(slot)}.{days}", job, now, _due(at))


def overdue_name(slot: Slot) -> str:
    """Each deadline that is missed is told."""
    return f"{slot.key.replace(' ', '.')}.overdue.{slot.overdue}"


def _due(at: int | None) -> int:
    return NEVER if at is None else at


def _name(slot: Slot, hours: int) -> str:
    """After a rewinding the same is asked once more, in another slot."""
    return f"{slot.key.replace(' ', '.')}.{slot.started}.reminder.{hours}"
