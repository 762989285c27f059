"""Questions in the middle of a chapter, to a player or to whoever writes for one, and reminders of them."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.host.builder.occasion import Addressed, place
from pbem.host.calendar.counting import HOUR
from pbem.host.clock.timing import Timing, is_petition, slot_key, timing_of
from pbem.host.messages import letters
from pbem.host.messages.rows import DeputyJob, QuestionJob, ReminderJob
from pbem.host.ports import Slot
from pbem.host.reporting.answers import in_slot, on_file
from pbem.host.reporting.chapters import events_of, said_in, turn


def question(to: Addressed, job: QuestionJob) -> letters.Question | None:
    open_ = {slot.key for slot in to.work.repository.slots(to.game.id)}
    if not open_ & {*job.starts}:
        return None
    told = to.chapters.between(to.work, to.game, job.first, job.last)
    after = told.begun.after
    table = to.at(after)
    told = told.shown(table.rules, to.eyes)
    return letters.Question(
        **to.asked(table, after),
        **to.standing(table, after),
        turns=tuple(turn(table, chapter) for chapter in told.over),
        said=said_in(table, told.begun.entries),
        events=events_of(told.begun.entries),
        before=table.rules.view(told.before.state, to.eyes),
        now=table.rules.view(after.state, to.eyes),
    )


def for_deputy(to: Addressed, job: DeputyJob) -> letters.Message | None:
    """What is asked of a seat, to whoever writes for it."""
    last = to.session.position.seq
    slots = (s for s in to.work.repository.slots(to.game.id) if s.seat == to.member.seat and not is_petition(s))
    told = question(to, QuestionJob(first=job.first, last=last, starts=tuple(slot.key for slot in slots)))
    return replace(told, until=to.until) if told else None


def reminder(to: Addressed, job: ReminderJob) -> letters.Reminder | None:
    session = to.session
    slot = next((s for s in to.work.repository.slots(to.game.id) if s.key == job.slot), None)
    decision = next((d for d in session.pending() if slot_key(d) == job.slot), None)
    if slot is None or decision is None or job.started not in (None, slot.started):
        return None
    timing, left = timing_of(session), timing_of(session).left(slot, to.now)
    if not left or _is_overtaken(timing, slot, job, to.now):
        return None
    return letters.Reminder(
        game=to.game.id,
        place=place(session.rules, session.position),
        seat=to.member.seat,
        awaited=in_slot(decision, slot),
        hours=-(-left // HOUR),
        on_file=on_file(session, to.member.seat),
        until=to.until,
    )


def _is_overtaken(timing: Timing, slot: Slot, job: ReminderJob, now: int) -> bool:
    """The next reminder is due already, as after a sleep of ours: one is enough."""
    return any(at is not None and at <= now for hours, at in timing.reminders(slot) if hours < job.hours)
