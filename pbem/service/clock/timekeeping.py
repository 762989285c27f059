"""A moderator's powers over the clock: a pause, its end, and other deadlines (procedure.md, sections 2 and 6)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.service.clock.moments import parse_length, parse_moment
from pbem.service.clock.pauses import windows
from pbem.service.play.acts import DeadlineSet, Paused, Resumed
from pbem.service.play.bots import held
from pbem.service.play.referee import Referee
from pbem.service.ports import Slot
from pbem.table.refusal import Illegal


class Timekeeper:
    """Somebody who presides over a game's clock, for the length of one letter."""

    def __init__(self, referee: Referee, *, by: str, now: int, zone: str) -> None:
        self._referee = referee
        self._by = by
        self._now = now
        self._zone = zone

    def pause(self, length: str, why: str) -> None:
        """No time counts from now on, for so long or till somebody lets it go on. Raises `Illegal`."""
        end = self._now + parse_length(length) if length else None
        self._referee.note(self._now, Paused(by=self._by, start=self._now, end=end, why=why, cause="moderator"))

    def resume(self, why: str) -> None:
        """Time counts again, whatever has stopped it. Raises `Illegal`."""
        ends = (window.pause.end for window in windows(self._referee.position.done))
        if not any(end is None or end > self._now for end in ends):
            raise Illegal("resume.nothing")
        self._referee.note(self._now, Resumed(by=self._by, at=self._now, why=why))

    def extend(self, seat: str, length: str, why: str) -> None:
        """So much more time for all that is awaited of a seat. Raises `Illegal`."""
        seconds = parse_length(length)
        self._grant([replace(slot, granted=slot.granted + seconds) for slot in self._slots(seat)], seat, why)

    def set_deadline(self, seat: str, written: str, why: str) -> None:
        """All that is awaited of a seat ends then. Raises `Illegal`."""
        until = parse_moment(written, self._zone, self._now)
        if until <= self._now:
            raise Illegal("deadline.past", until=until)
        timing, slots = self._referee.timing, self._slots(seat)
        granted = [timing.counted(slot, until) - timing.whole(slot) for slot in slots]
        self._grant([replace(s, granted=more) for s, more in zip(slots, granted, strict=True)], seat, why)

    def _slots(self, seat: str) -> list[Slot]:
        """Those whose time has begun: there is nothing to move before, nor where a bot answers."""
        if seat in held(self._referee.position.done):
            raise Illegal("bot.answers", seat=seat)
        found = [slot for slot in self._referee.record.slots() if slot.seat == seat and slot.started is not None]
        if not found:
            raise Illegal("deadline.not_awaited", seat=seat)
        return found

    def _grant(self, slots: list[Slot], seat: str, why: str) -> None:
        reckoned = [self._referee.timing.reckoned(slot) for slot in slots]
        ends = [slot.deadline for slot in reckoned if slot.deadline is not None]
        if not ends:
            raise Illegal("deadline.paused")
        for slot in reckoned:
            self._referee.record.put_slot(slot)
        self._referee.note(self._now, DeadlineSet(by=self._by, seat=seat, until=max(ends), why=why))
