"""Books that were written while our clock was ahead: what is wrong in them, and how it is put right.

Marks and letters of ours move to the instant at which that is done. A log is never changed: an entry of its own tells
that its instants go back, and slots that began later than now begin now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.host.calendar.zones import DAY, utc
from pbem.host.clock.reminders import queue_reminders
from pbem.host.clock.slots import set_clock
from pbem.host.clock.timing import timing_of
from pbem.host.housekeeping.clock_monitor import BELIEVED, MARK
from pbem.host.housekeeping.monotonic_clock import STEP
from pbem.host.lobby.seats import conclude
from pbem.host.ports import Game, Repository, Slot
from pbem.host.session.session import Session
from pbem.host.session.unit_of_work import UnitOfWork

MEND = "if the computer's clock is right, say so: pbem clock --believe; else put it right (NTP)"
WHY = "Our clock had been ahead of the time."


class ClockState(Struct, frozen=True, kw_only=True):
    """What the computer's clock shows, and what the books say against it."""

    hands: int
    polled: int | None  # when the last completed poll of the mailbox began
    doubted: int | None = None  # when a daemon last found its clock wrong; the games are held since
    games: tuple[str, ...] = ()  # those that have something in them that lies in the future

    @property
    def faults(self) -> Iterator[str]:
        """In words; none while all is well."""
        if self.polled is not None and self.polled > self.hands + STEP:
            yield f"the last look for letters is noted for {utc(self.polled)}, ahead of the computer's clock"
        if self.games:
            yield f"these games have instants that lie ahead of the computer's clock: {', '.join(self.games)}"
        if self.doubted is not None:
            yield "a daemon does not believe the computer's clock, so no time counts in any game"


def clock_state(repository: Repository, hands: int, games: Sequence[Game] = ()) -> ClockState:
    """What can be seen at a glance, and of games that were looked at."""
    ids = tuple(game.id for game in games)
    return ClockState(hands=hands, polled=repository.polled(), doubted=repository.mark(MARK), games=ids)


def games_ahead(work: UnitOfWork, now: int) -> Sequence[Game]:
    """Games that run, with something in them that lies in the future."""
    return [game for game in work.repository.games("running") if _is_ahead(work.session(game), now)]


def put_right(work: UnitOfWork, now: int, by: str) -> Sequence[Game]:
    """Take nothing for later than now, and the computer's clock for right; the games that were ahead."""
    games = games_ahead(work, now)
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


def _is_ahead(session: Session, now: int) -> bool:
    begun = [slot.started or slot.opened for slot in session.record.slots()]
    written = [paper.at for paper in session.record.filed() if paper.binds is not None]
    return max([session.position.at, *begun, *written]) > now + STEP


def _begun(slot: Slot, now: int) -> Slot:
    """No later than now."""
    started = None if slot.started is None else min(slot.started, now)
    return replace(slot, opened=min(slot.opened, now), started=started)
