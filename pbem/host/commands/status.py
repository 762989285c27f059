"""How a game stands: `status`, `board` and `clock`."""

from __future__ import annotations

from pbem.host.clock.time_sheet import lateness, sheet
from pbem.host.clock.timing import slot_key, timing_of
from pbem.host.commands.aside import Query, QueryContext, not_begun
from pbem.host.commands.overview import overview
from pbem.host.messages.sections import Board, Running, Section, Timetable
from pbem.host.reporting.answers import in_slot
from pbem.host.reporting.chapters import kept
from pbem.host.reporting.rules_in_force import hours
from pbem.host.reporting.tallies import listed
from pbem.host.session.absences import held
from pbem.host.session.petitions import open_petitions

ROWS = 12  # of the move order sheet


def _status(context: QueryContext) -> Section | None:
    """All that is known, to whoever leads the game; who is awaited, and what is on file, is told by every answer."""
    if context.leads or not context.seat:
        return overview(context.work, context.game, context.now, context.seat)
    if context.game.status == "inviting":
        raise not_begun(context.work, context.game)
    if context.game.status == "finished":
        return _board(context)
    done = context.session.position.done
    return listed(done) if open_petitions(done) else None


def _board(context: QueryContext) -> Board:
    """The position, as far as whoever asks may see it."""
    return Board(view=context.session.rules.view(context.session.state, context.viewer))


def _clock(context: QueryContext) -> Timetable:
    """How much time each answer has had, and when it ends."""
    session = context.session
    pending, timing = {slot_key(decision): decision for decision in session.pending()}, timing_of(session)
    bots = held(session.position.done)
    running = tuple(
        Running(
            awaited=in_slot(pending[slot.key], slot, bots),
            begun=slot.started,
            used=max(0, timing.counted(slot, context.now)),
        )
        for slot in context.work.repository.slots(context.game.id)
        if slot.key in pending
    )
    return Timetable(
        running=running,
        slot_hours=session.terms.slot_hours,
        remind_hours=session.terms.remind_hours,
        hours=hours(session.terms),
        sheet=kept(sheet(session.position.done)[-ROWS:]),
        late=lateness(session.position.done),
    )


STATUS = Query(name="status", words=("status", "Lage", "stato"), anytime=True, tell=_status)
BOARD = Query(name="board", words=("board", "Brett", "tabellone"), tell=_board)
CLOCK = Query(name="clock", words=("clock", "Uhr", "orologio"), tell=_clock)
