"""The arithmetic of the clock: which time counts, when a slot's time is over, how late an answer is.

Nothing here knows what time it is. Instants are whole seconds UTC, spans run from their first second to before their
last, and every number is exact (docs/reference/procedure.md, sections 1, 6 and 8).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pbem.host.calendar.weeks import ALWAYS, Calendar
from pbem.host.calendar.zones import HOUR


class Pause(Struct, frozen=True, kw_only=True):
    """A window in which no time counts: a suspension, a hold. One that ends before it begins is none."""

    start: int
    end: int | None = None  # the first second that counts again; None: nobody knows yet

    def covers(self, at: int) -> bool:
        return self.start <= at and (self.end is None or at < self.end)


class Counting(Struct, frozen=True, kw_only=True):
    """Which time counts in a game: what its calendar leaves, less the union of the pauses."""

    calendar: Calendar = ALWAYS
    pauses: tuple[Pause, ...] = ()

    def counted(self, start: int, end: int) -> int:
        """Seconds from `start` to before `end` that count; 0 when it is not later."""
        spans = ((a, end if b is None else min(b, end)) for a, b in self._unpaused(start))
        return sum(self.calendar.counted(a, b) for a, b in spans if a < b)

    def after(self, start: int, seconds: int) -> int | None:
        """The first instant by which so many seconds have counted; None while a pause without an end keeps it away."""
        if seconds <= 0:
            return start
        for a, b in self._unpaused(start):
            here = seconds if b is None else self.calendar.counted(a, b)
            if here >= seconds:
                return self.calendar.after(a, seconds)
            seconds -= here
        return None

    def resumes(self, at: int) -> int | None:
        """The first instant from `at` on that counts; None while nobody knows."""
        reached = self.after(at, 1)
        return None if reached is None else reached - 1

    def deadline(self, start: int, hours: int, granted: int = 0) -> int | None:
        """The first instant by which the slot's hours have counted, and the seconds that it was granted beyond them.

        Who answers then is timely.
        """
        return self.after(start, hours * HOUR + granted)

    def closes(self, start: int, hours: int, grace: int = 0, granted: int = 0) -> int | None:
        """When the clock is deemed to close the slot: the first instant after its hours and the grace (8.2).

        It lies in no pause, so that nothing is closed while the rule is suspended (section 6).
        """
        return self.after(start, (hours + grace) * HOUR + granted + 1)

    def remind_at(self, start: int, hours: int, before: int, granted: int = 0) -> int | None:
        """When so many counted hours are left, at an instant that counts; None when there is no such moment."""
        seconds = (hours - before) * HOUR + granted
        reached = self.after(start, seconds) if seconds > 0 else None
        return None if reached is None else self.resumes(reached)

    def late(self, start: int, end: int, hours: int, granted: int = 0, timely: int = 0) -> int:
        """Whole slots that an answer at `end` has taken; 0 when it is timely, as it is so many seconds beyond the end.

        See docs/reference/procedure.md, section 8.2.
        """
        counted, slot = self.counted(start, end) - granted, hours * HOUR
        return 0 if counted <= slot + timely else counted // slot

    def _unpaused(self, start: int) -> Iterator[tuple[int, int | None]]:
        """The spans from `start` on that no pause covers; the last has no end."""
        for pause in sorted(self.pauses, key=lambda one: one.start):
            if pause.end is not None and pause.end <= max(start, pause.start):
                continue
            if start < pause.start:
                yield start, pause.start
            if pause.end is None:
                return
            start = pause.end
        yield start, None


def forced_late(hours: int, grace: int = 0) -> int:
    """How late an answer is that the clock gave when slot and grace were over, whatever the daemon's lag (8.2)."""
    return max(1, (hours + grace) // hours)
