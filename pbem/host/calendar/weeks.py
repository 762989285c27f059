"""When time counts week by week: not on certain weekdays, not on public holidays, not in quiet hours.

All by the clock on the wall of one zone, agreed on for a game; pauses are not known here. Spans of seconds run from
the first to before the last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.host.calendar.zones import DAY, MINUTE, stretches

if TYPE_CHECKING:
    from holidays import HolidayBase

WEEKDAYS, MINUTES = 7, 1_440
BLOCK = 28 * DAY  # whose counted time is added up once and remembered
EPOCH = date(1970, 1, 1)

Span = tuple[int, int]  # the first second, and the one after the last


class Calendar(Struct, frozen=True, kw_only=True):
    """What was agreed on for a game; some time counts."""

    zone: str = "UTC"
    idle: tuple[int, ...] = ()  # weekdays that don't count; 0 is Monday
    holidays: tuple[str, ...] = ()  # countries, or parts of one, whose public holidays don't count: "IT", "DE-BY"
    quiet: tuple[int, int] | None = None  # minutes after midnight, from and to before; (1380, 420) is 23:00 to 7:00

    @property
    def is_plain(self) -> bool:
        """Does all time count but for pauses?"""
        return not (self.idle or self.holidays or self.quiet)

    def counted(self, start: int, end: int) -> int:
        """Seconds from `start` to before a later `end` that count."""
        if self.is_plain:
            return end - start
        first, last = start // BLOCK, end // BLOCK
        whole = sum(_block(self, number).total for number in range(first, last))
        return whole + _block(self, last).before(end) - _block(self, first).before(start)

    def after(self, start: int, seconds: int) -> int:
        """The first instant by which so many seconds, at least one, have counted."""
        if self.is_plain:
            return start + seconds
        number = start // BLOCK
        seconds += _block(self, number).before(start)
        while (total := _block(self, number).total) < seconds:
            number, seconds = number + 1, seconds - total
        return _block(self, number).after(seconds)


class Block(Struct, frozen=True, kw_only=True):
    """Some weeks of a calendar."""

    spans: tuple[Span, ...]  # that count, in order, apart from each other
    total: int  # seconds

    def before(self, at: int) -> int:
        """Seconds that have counted before an instant of these weeks."""
        return sum(min(end, at) - start for start, end in self.spans if start < at)

    def after(self, seconds: int) -> int:
        """The first instant by which so many seconds, one to the total, have counted since these weeks began."""
        for start, end in self.spans:
            if seconds <= end - start:
                return start + seconds
            seconds -= end - start
        raise ValueError("so many seconds do not count here")


@lru_cache(maxsize=4_096)
def _block(calendar: Calendar, number: int) -> Block:
    spans = tuple(_joined(_spans(calendar, number * BLOCK, (number + 1) * BLOCK)))
    return Block(spans=spans, total=sum(end - start for start, end in spans))


def _spans(calendar: Calendar, start: int, end: int) -> Iterator[Span]:
    """What counts, day by day of the zone; each day's hours are those that the clock on the wall shows."""
    hours = _hours(calendar.quiet)
    for first, until, ahead in stretches(calendar.zone, start, end):
        for day in range((first + ahead) // DAY, (until - 1 + ahead) // DAY + 1):
            if not _is_idle(calendar, day):
                midnight = day * DAY - ahead
                yield from ((max(first, midnight + a), min(until, midnight + b)) for a, b in hours)


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Those that are not empty, neighbours made one."""
    joined: list[Span] = []
    for start, end in spans:
        if start >= end:
            continue
        if joined and joined[-1][1] == start:
            start, _ = joined.pop()
        joined.append((start, end))
    return joined


def _hours(quiet: tuple[int, int] | None) -> list[Span]:
    """The seconds of a day outside the quiet hours."""
    since, until = quiet or (0, 0)
    around = [(0, since), (until, MINUTES)] if since <= until else [(until, since)]
    return [(a * MINUTE, b * MINUTE) for a, b in around if a < b]


def _is_idle(calendar: Calendar, day: int) -> bool:
    """Does the day, counted from 1970, not count at all?"""
    on = date.fromordinal(EPOCH.toordinal() + day)
    return on.weekday() in calendar.idle or any(on in feasts(country) for country in calendar.holidays)


@cache
def feasts(country: str) -> HolidayBase:
    """The public holidays of "IT" or "DE-BY", by ISO 3166. Raises `NotImplementedError` for what isn't known."""
    from holidays import country_holidays  # noqa: PLC0415 - only games whose holidays don't count need it

    code, _, part = country.partition("-")
    return country_holidays(code, subdiv=part or None)


ALWAYS = Calendar()
