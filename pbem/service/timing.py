"""How the time of a game is counted: what was agreed on, less what was left out since."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pbem.service.absences import allowed
from pbem.service.acts import Closing, Done
from pbem.service.counting import HOUR, Counting
from pbem.service.pauses import paused, pauses
from pbem.service.ports import Slot
from pbem.table.decision import Decision

if TYPE_CHECKING:
    from pbem.service.games import Terms


PETITION = "petition "


def slot_key(decision: Decision) -> str:
    """Names a decision in the books: its number makes it another one each time it is asked."""
    return f"{decision.serial} {decision.seat} {decision.kind} {decision.about or ''}".strip()


def petition_key(number: int) -> str:
    """Names the votes on a petition in the books: their time ends, too."""
    return f"{PETITION}{number}"


def is_petition(slot: Slot) -> bool:
    return slot.key.startswith(PETITION)


class Timing(Struct, frozen=True, kw_only=True):
    """The clock of one game at one moment of it."""

    terms: Terms
    done: tuple[Done, ...] = ()

    @property
    def counting(self) -> Counting:
        return Counting(calendar=self.terms.calendar, pauses=pauses(self.done))

    def counting_of(self, seat: str) -> Counting:
        """Which time counts for one seat: not while whoever sits there is away, as far as that is allowed."""
        return replace(self.counting, pauses=(*pauses(self.done), *allowed(self.done, seat, self.terms.away_days)))

    def reckoned(self, slot: Slot) -> Slot:
        """The slot with its instants as they are to be now; nothing changes before its notice is handed over."""
        if slot.started is None:
            return slot
        counting, seconds = self.counting_of(slot.seat), self.terms.slot_hours * HOUR + slot.granted
        grace = self.terms.grace_hours * HOUR
        deadline = counting.after(slot.started, seconds)
        closes = counting.after(slot.started, seconds + grace + 1) if self.terms.policy == "auto" else None
        told = self._is_told(slot, deadline)
        over = closes if told else counting.after(slot.started, seconds + 1)
        return replace(slot, deadline=deadline, closes=closes, due=None if over is None else over - 1)

    def _is_told(self, slot: Slot, deadline: int | None) -> bool:
        """Has everybody heard that this deadline was missed, or will the clock's answer tell it?"""
        at_once = self.terms.policy == "auto" and not self.terms.grace_hours
        return at_once or (deadline is not None and slot.overdue == deadline)

    def used(self, slot: Slot, at: int) -> int:
        """Seconds of the slot that have counted."""
        return 0 if slot.started is None else self.counting_of(slot.seat).counted(slot.started, at)

    def late(self, slot: Slot, at: int) -> int:
        """Whole slots that an answer at that instant has taken; 0 when it is timely (procedure.md, 8.2)."""
        counted, hours = self.used(slot, at) - slot.granted, self.terms.slot_hours * HOUR
        return 0 if counted <= hours else counted // hours

    def may_be_ended(self, slot: Slot) -> int | None:
        """The first instant at which others may end it: after its time and the grace; None: nobody knows yet."""
        if slot.started is None:
            return None
        whole = (self.terms.slot_hours + self.terms.grace_hours) * HOUR + slot.granted
        return self.counting_of(slot.seat).after(slot.started, whole + 1)

    def is_overdue(self, slot: Slot, at: int) -> bool:
        """May others end it by now? Not while time does not count (procedure.md, section 6)."""
        end = self.may_be_ended(slot)
        is_away = any(pause.covers(at) for pause in allowed(self.done, slot.seat, self.terms.away_days))
        return end is not None and end <= at and paused(self.done, at) is None and not is_away

    def reminders(self, slot: Slot) -> Iterable[tuple[int, int | None]]:
        """Each hour before the end of which a reminder goes out, and when; None: nobody knows yet."""
        if slot.started is None:
            return
        counting, whole = self.counting_of(slot.seat), self.terms.slot_hours * HOUR + slot.granted
        for hours in self.terms.remind_hours:
            if 0 < hours * HOUR < whole:
                reached = counting.after(slot.started, whole - hours * HOUR)
                yield hours, None if reached is None else counting.resumes(reached)

    def left(self, slot: Slot, now: int) -> int:
        """Seconds that will count up to the deadline; 0 when it is over or nobody knows it."""
        return 0 if slot.deadline is None else self.counting_of(slot.seat).counted(now, slot.deadline)


def closing(timing: Timing, decision: Decision, slot: Slot | None, at: int, *, written: bool) -> Closing:
    """What the move order sheet tells of a question that is answered at that instant."""
    return Closing(
        seat=decision.seat,
        kind=decision.kind,
        about=decision.about,
        start=slot.started if slot else None,
        counted=timing.used(slot, at) if slot else 0,
        late=timing.late(slot, at) if slot else 0,
        written=written,
    )


def of(slots: Sequence[Slot], decision: Decision) -> Slot | None:
    """The slot of a decision, if one is open."""
    key = slot_key(decision)
    return next((slot for slot in slots if slot.key == key), None)
