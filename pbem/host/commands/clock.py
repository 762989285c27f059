"""`clock`: how much time each answer has had, and when it ends."""

from __future__ import annotations

from pbem.host.clock.time_sheet import lateness, sheet
from pbem.host.clock.timing import slot_key, timing_of
from pbem.host.commands.aside import Query, QueryContext
from pbem.host.messages import sections
from pbem.host.reporting.answers import in_slot
from pbem.host.reporting.chapters import kept
from pbem.host.reporting.rules_in_force import hours
from pbem.host.session.absences import held

ROWS = 12  # of the move order sheet


def _tell(context: QueryContext) -> sections.Timetable:
    session = context.work.session(context.game)
    pending, timing = {slot_key(decision): decision for decision in session.pending()}, timing_of(session)
    bots = held(session.position.done)
    slots = context.work.repository.slots(context.game.id)
    asked = [(pending[slot.key], slot) for slot in slots if slot.key in pending]
    running = tuple(
        sections.Running(
            awaited=in_slot(decision, slot, bots),
            begun=slot.started,
            used=max(0, timing.counted(slot, context.now)),
        )
        for decision, slot in asked
    )
    rows = sheet(session.position.done)
    return sections.Timetable(
        running=running,
        slot_hours=session.terms.slot_hours,
        remind_hours=session.terms.remind_hours,
        hours=hours(session.terms),
        sheet=kept(rows[-ROWS:]),
        late=lateness(session.position.done),
    )


COMMAND = Query(name="clock", words=("clock", "Uhr", "orologio"), tell=_tell)
