"""Books that were written while our clock was ahead: what is wrong in them, and how it is put right.

Marks and letters of ours move to the instant at which that is done. A log is never changed: an entry of its own tells
that its instants go back, and slots that began later than now begin now.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.host.calendar.zones import DAY
from pbem.host.clock.reminders import queue_reminders
from pbem.host.clock.slots import set_clock
from pbem.host.clock.timing import timing_of
from pbem.host.housekeeping.clock_monitor import BELIEVED
from pbem.host.housekeeping.monotonic_clock import STEP
from pbem.host.lobby.seats import conclude
from pbem.host.ports import Game, Slot
from pbem.host.session.unit_of_work import UnitOfWork

WHY = "Our clock had been ahead of the time."


def put_right(work: UnitOfWork, now: int, by: str) -> Sequence[Game]:
    """Take nothing for later than now, and the computer's clock for right; the games that were ahead."""
    games = [work.game(game) for game in work.repository.later_than(now + STEP)]
    for game in games:
        session = work.session(game)
        late = [slot for slot in session.record.slots() if slot.opened > now or (slot.started or 0) > now]
        for slot in late:
            session.record.put_slot(_begun(slot, now))
        for paper in session.record.filed():
            if paper.binds is not None and paper.at > now:
                session.record.file(replace(paper, at=now, binds=now + paper.binds - paper.at))
        set_clock(session, now, by, WHY)
        queue_reminders(work.repository, game, timing_of(session), [_begun(slot, now) for slot in late], now)
        conclude(work, game, now)
    work.repository.bring_back(now, now + DAY)
    work.repository.set_mark(BELIEVED, now)
    return games


def _begun(slot: Slot, now: int) -> Slot:
    """No later than now."""
    started = None if slot.started is None else min(slot.started, now)
    return replace(slot, opened=min(slot.opened, now), started=started)
