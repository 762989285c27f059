"""A moderator's powers over the clock: a pause, its end, and other deadlines.

See docs/reference/procedure.md, sections 2 and 6.

Each counts from when it was filed; one that is used as a command, from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.host.calendar.moments import parse_length, parse_moment, parse_range
from pbem.host.clock.slots import note
from pbem.host.clock.timing import timing_of
from pbem.host.ports import Slot
from pbem.host.session.actors import OPERATOR
from pbem.host.session.acts import DeadlineSet, PauseCause, Paused, Resumed
from pbem.host.session.bots import held
from pbem.host.session.effect import since
from pbem.host.session.pauses import Window, to_come
from pbem.host.session.session import Session


class Timekeeper:
    """Somebody who presides over a game's clock, for the length of one letter, which was filed at an instant."""

    def __init__(self, session: Session, *, by: str, now: int, zone: str) -> None:
        self._session = session
        self._by = by
        self._now = since(now, session.position.at)
        self._zone = zone

    def pause(self, length: str, why: str, start: str = "", until: str = "") -> None:
        """No time counts from now or a later instant on: for so long, up to another, or till somebody lets it go on.

        Raises `Illegal`.
        """
        begins, end = self._stretch(length, start, until)
        if end is not None and end <= self._now:
            raise Illegal("range.past", read=until or start, end=end)
        begins = since(begins, self._now)
        note(self._session, self._now, Paused(by=self._by, start=begins, end=end, why=why, cause="moderator"))

    def _stretch(self, length: str, start: str, until: str) -> tuple[int, int | None]:
        """From when to when, as it was written; of two days the whole of both."""
        if start and until:
            return parse_range(f"{start} - {until}", self._zone, self._now)
        begins = parse_moment(start, self._zone, self._now) if start else self._now
        if until:
            return begins, parse_moment(until, self._zone, self._now)
        return begins, begins + parse_length(length) if length else None

    def resume(self, why: str) -> None:
        """Pauses that a moderator has made end, and holds, where it is the operator who writes. Raises `Illegal`.

        What the players have voted goes on: only another petition ends that (docs/reference/procedure.md, section 6).
        """
        open_ = [each for each in to_come(self._session.position.done, self._now) if not _is_told(each)]
        ends = [cause for cause in _ended_by(self._by) if any(window.cause == cause for window in open_)]
        if not ends:
            raise _nothing_to_end(open_)
        for cause in ends:
            note(self._session, self._now, Resumed(by=self._by, at=self._now, cause=cause, why=why))

    def extend(self, seats: Sequence[str], length: str, why: str) -> None:
        """So much more time for all that is awaited of these seats, from now on where it is over: of all, or of none.

        Raises `Illegal`.
        """
        seconds = parse_length(length)
        self._grant(seats, lambda slot: slot.granted + self._over(slot) + seconds, why)

    def _over(self, slot: Slot) -> int:
        """Seconds that have counted since the deadline."""
        timing = timing_of(self._session)
        return max(0, timing.counted(slot, self._now) - timing.whole(slot) - slot.granted)

    def set_deadline(self, seats: Sequence[str], written: str, why: str) -> None:
        """All that is awaited of these seats ends then: an instant up to which time counts. Of all, or of none.

        Raises `Illegal`.
        """
        until = parse_moment(written, self._zone, self._now)
        if until <= self._now:
            raise Illegal("deadline.past", until=until)
        self._grant(seats, lambda slot: self._up_to(slot, until), why)

    def _up_to(self, slot: Slot, until: int) -> int:
        """Seconds to grant to a slot that is to end then. Raises `Illegal`."""
        timing = timing_of(self._session)
        counted = timing.counted(slot, until)
        if counted == timing.counted(slot, until - 1):
            raise Illegal("deadline.idle", until=until, resumes=timing.resumes(slot, until))
        return counted - timing.whole(slot)

    def _slots(self, seat: str) -> list[Slot]:
        """Those whose time has begun: there is nothing to move before, nor where a bot answers."""
        if seat in held(self._session.position.done):
            raise Illegal("bot.answers", seat=seat)
        found = [slot for slot in self._session.record.slots() if slot.seat == seat and slot.started is not None]
        if not found:
            raise Illegal("deadline.not_awaited", seat=seat)
        return found

    def _grant(self, seats: Sequence[str], granted: Callable[[Slot], int], why: str) -> None:
        """`granted`: the seconds that a slot is to have beside its own."""
        moved = {seat: [self._moved(slot, granted(slot)) for slot in self._slots(seat)] for seat in seats}
        for seat, slots in moved.items():
            for slot, _ in slots:
                self._session.record.put_slot(slot)
            act = DeadlineSet(by=self._by, seat=seat, until=max(ends for _, ends in slots), why=why)
            note(self._session, self._now, act)

    def _moved(self, slot: Slot, granted: int) -> tuple[Slot, int]:
        """The slot as it is with so many seconds more, and when it ends. Raises `Illegal`."""
        reckoned = timing_of(self._session).reckoned(replace(slot, granted=granted))
        if reckoned.deadline is None:
            raise Illegal("deadline.paused")
        return reckoned, reckoned.deadline


def _is_told(window: Window) -> bool:
    """A hold for an outage that is over: nobody can take back what was so."""
    return window.cause == "outage" and window.pause.end is not None


def _ended_by(by: str) -> tuple[PauseCause, ...]:
    """Which pauses somebody may end: holds for an outage are the operator's."""
    return ("moderator", "outage") if by == OPERATOR else ("moderator",)


def _nothing_to_end(open_: Sequence[Window]) -> Illegal:
    """With what goes on, and how that is ended."""
    if not open_:
        return Illegal("resume.nothing")
    goes_on = [{"cause": each.cause, "start": each.pause.start, "end": each.pause.end} for each in open_]
    return Illegal("resume.not_yours", goes_on=goes_on)
