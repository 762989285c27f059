"""How the time of a game is counted: what was agreed on, less what was left out since."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.decision import Decision
from pbem.host.calendar.counting import Counting, Pause
from pbem.host.calendar.zones import DAY, HOUR
from pbem.host.ports import Slot
from pbem.host.session.absences import allowed, held
from pbem.host.session.acts import BotSeated, Done
from pbem.host.session.effect import settings, steps
from pbem.host.session.pauses import paused, pauses
from pbem.host.session.position import Stood
from pbem.host.session.session import Session
from pbem.host.session.terms import Terms, in_force

BREATH = 600  # seconds from a question to the answer of a bot in the place of somebody who might still come back
PETITION = "petition "
OVERDUE = (1, 2, 4, 7, 14)  # counted days after a missed deadline: who waits hears of it again
KEPT = ("slot_hours", "grace_hours", "remind_hours", "clock_zone", "idle_days", "holidays", "quiet_hours")


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
    timely: int = 0  # seconds beyond the end of a slot that do not count as late
    stood: tuple[Stood, ...] = ()  # when no time counted for a question, since others were answered first

    def counted(self, slot: Slot, at: int) -> int:
        """Seconds of the time of a slot that have counted up to an instant; 0 before it has begun."""
        return 0 if slot.started is None else self._counting(slot).counted(slot.started, at)

    def reached(self, slot: Slot, seconds: int) -> int | None:
        """The first instant by which so many seconds have counted since a slot began; None while nobody knows."""
        assert slot.started is not None, "its time has begun"
        return self._counting(slot).after(slot.started, seconds)

    def whole(self, slot: Slot) -> int:
        """Seconds that a slot has, without what was granted since."""
        return self.terms_of(slot).slot_hours * HOUR

    def reckoned(self, slot: Slot) -> Slot:
        """The slot with its instants as they are to be now; nothing changes before its notice is handed over.

        A bot needs no notice, and has no deadline.
        """
        bot = held(self.done).get(slot.seat)
        if bot is not None:
            return replace(slot, deadline=None, closes=None, due=self._bot_answers(slot, bot))
        if slot.started is None:
            return slot
        deadline = self._after(slot, 0)
        closes = self.may_be_ended(slot) if self.terms.policy == "auto" else None
        over = closes if self._is_told(slot, deadline) else self._after(slot, self.timely + 1)
        return replace(slot, deadline=deadline, closes=closes, due=None if over is None else over - 1)

    def _bot_answers(self, slot: Slot, bot: BotSeated) -> int | None:
        """The last second before a bot may, not while time stands still; None while nobody knows when it goes on.

        Where it sits by agreement nobody is to come back: it may answer as soon as it is asked, in any round that has
        begun within so many seconds before.
        """
        counting = Counting(pauses=(*pauses(self.done), *self._stood(slot)))
        if not bot.agreed:
            return counting.resumes(slot.opened + BREATH)
        at = counting.resumes(slot.opened)
        return slot.opened - BREATH if at == slot.opened else at

    def terms_of(self, slot: Slot) -> Terms:
        """Its hours, its grace and its calendar are those of its beginning: what is set later is for later slots."""
        started = slot.started
        later = [
            (act.key, act.was)
            for since, act in settings(self.done)
            if act.key in KEPT and started is not None and since > started
        ]
        return in_force(self.terms, tuple(reversed(later))) if later else self.terms

    def _counting(self, slot: Slot) -> Counting:
        """Which time counts for it: not while whoever sits there is away, as far as that is allowed."""
        away = allowed(self.done, slot.seat, self.terms.away_days)
        return Counting(calendar=self.terms_of(slot).calendar, pauses=(*pauses(self.done), *away, *self._stood(slot)))

    def _stood(self, slot: Slot) -> Iterator[Pause]:
        return (each.pause for each in self.stood if slot_key(each.decision) == slot.key)

    def _after(self, slot: Slot, more: int) -> int | None:
        """The first instant by which the time of a slot, and so many seconds more, have counted."""
        assert slot.started is not None, "its time has begun"
        return self._counting(slot).after(slot.started, self.whole(slot) + slot.granted + more)

    def _is_told(self, slot: Slot, deadline: int | None) -> bool:
        """Has everybody heard that this deadline was missed, or will the clock's answer tell it?"""
        at_once = self.terms.policy == "auto" and not self.terms_of(slot).grace_hours
        return at_once or (deadline is not None and slot.overdue == deadline)

    def late(self, slot: Slot, at: int) -> int:
        """Whole slots that an answer at that instant has taken; 0 when it is timely."""
        if slot.started is None:
            return 0
        return self._counting(slot).late(slot.started, at, self.terms_of(slot).slot_hours, slot.granted, self.timely)

    def may_be_ended(self, slot: Slot, seen: int | None = None) -> int | None:
        """The first instant at which others, or the clock, may end it; None: nobody knows yet, or a bot answers.

        That is after its time and the grace, and not before it was agreed on that they may; `seen`: as it was then.
        """
        if slot.started is None or slot.seat in held(self.done):
            return None
        terms = self.terms_of(slot)
        granted = slot.granted + self.timely
        over = self._counting(slot).closes(slot.started, terms.slot_hours, terms.grace_hours, granted)
        agreed = [at + 1 for at, _ in steps(self.done, "policy", "")[1:] if seen is None or at < seen]
        return None if over is None else max([over, *agreed])

    def is_overdue(self, slot: Slot, at: int) -> bool:
        """May others end it by now? Not while time does not count (docs/reference/procedure.md, section 6)."""
        end = self.may_be_ended(slot, at)
        is_away = any(pause.covers(at) for pause in allowed(self.done, slot.seat, self.terms.away_days))
        return end is not None and end <= at and paused(self.done, at) is None and not is_away

    def reminders(self, slot: Slot) -> Iterable[tuple[int, int | None]]:
        """Each hour before the end of which a reminder goes out, and when; None: nobody knows yet."""
        if slot.started is None:
            return
        terms, counting = self.terms_of(slot), self._counting(slot)
        for hours in terms.remind_hours:
            if 0 < hours * HOUR < self.whole(slot) + slot.granted:
                yield hours, counting.remind_at(slot.started, terms.slot_hours, hours, slot.granted)

    def overdue_days(self, slot: Slot) -> Iterable[tuple[int, int | None]]:
        """Each day of `OVERDUE`, and when it has counted after the deadline; None: nobody knows yet."""
        if slot.started is None:
            return
        for days in OVERDUE:
            reached = self._after(slot, days * DAY)
            yield days, None if reached is None else self._counting(slot).resumes(reached)

    def resumes(self, slot: Slot, at: int) -> int | None:
        """The first instant from then on at which time counts for a slot; None while nobody knows."""
        return self._counting(slot).resumes(at)

    def left(self, slot: Slot, now: int) -> int:
        """Seconds that will count up to the deadline; 0 when it is over or nobody knows it."""
        return 0 if slot.deadline is None else self._counting(slot).counted(now, slot.deadline)


def timing_of(session: Session) -> Timing:
    """How time is counted now."""
    now = session.position
    return Timing(terms=session.terms, done=now.done, timely=session.rules.timely, stood=now.stood)


def slot_of(slots: Sequence[Slot], decision: Decision) -> Slot | None:
    """The slot of a decision, if one is open."""
    key = slot_key(decision)
    return next((slot for slot in slots if slot.key == key), None)
