"""When time counts week by week: not on certain weekdays, not on public holidays, not in quiet hours.

All by the clock on the wall of one zone, agreed on for a game, in words: "sat, sun", "DE-BY, IT", "23:00-7:00". Pauses
are not known here. Spans of seconds run from the first to before the last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.core.refusal import Illegal
from pbem.host.calendar.dates import plain
from pbem.host.calendar.zones import DAY, MINUTE, stretches
from pbem.language.dates import weekday
from pbem.language.tokens import fold
from pbem.language.words import NONE

if TYPE_CHECKING:
    from holidays import HolidayBase

WEEKDAYS, MINUTES = 7, 1_440
BLOCK = 28 * DAY  # whose counted time is added up once and remembered
EPOCH = date(1970, 1, 1)

_BETWEEN = re.compile(r"[\s,+]+(?:(?:and|und|e)\s+)?")
_HOURS = re.compile(
    r"(?:from |von |dalle )?(\d{1,2})(?::(\d\d))?(?: uhr)?\s*(?:-|to|bis|alle)\s*(\d{1,2})(?::(\d\d))?(?: uhr)?"
)

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
    return on.weekday() in calendar.idle or any(on in _feasts(country) for country in calendar.holidays)


@cache
def _feasts(country: str) -> HolidayBase:
    """The public holidays of "IT" or "DE-BY", by ISO 3166. Raises `NotImplementedError` for what isn't known."""
    from holidays import country_holidays  # noqa: PLC0415 - only games whose holidays don't count need it

    code, _, part = country.partition("-")
    return country_holidays(code, subdiv=part or None)


ALWAYS = Calendar()


# -- as people agree on it in words ---


def agreed_calendar(zone: str, *, idle: str = "", holidays: str = "", quiet: str = "") -> Calendar:
    """When time counts, with the days of a zone that exists; "" and "none" leave nothing out.

    `idle` are weekdays, `holidays` countries or parts of one by ISO 3166, `quiet` two times of the day.
    Raises `Illegal`.
    """
    countries = tuple(_country(word.upper()) for word in _listed(holidays))
    hours = None if _is_none(quiet) else _quiet(quiet)
    return Calendar(zone=zone, idle=_weekdays(idle), holidays=countries, quiet=hours)


def _weekdays(text: str) -> tuple[int, ...]:
    days = {_weekday(word) for word in _listed(text)}
    if len(days) == WEEKDAYS:
        raise Illegal("calendar.nothing", read=text.strip())
    return tuple(sorted(days))


def _weekday(word: str) -> int:
    found = weekday(word)
    if found is None:
        raise Illegal("calendar.weekday", read=word)
    return found


def _country(code: str) -> str:
    try:
        _feasts(code)
    except NotImplementedError as unknown:
        raise Illegal("calendar.country", read=code) from unknown
    return code


def _quiet(text: str) -> tuple[int, int]:
    found = _HOURS.fullmatch(plain(text))
    if found is None:
        raise Illegal("calendar.hours", read=text.strip())
    from_hour, from_minute, to_hour, to_minute = (int(part or 0) for part in found.groups())
    since, until = from_hour * 60 + from_minute, to_hour * 60 + to_minute
    if max(from_minute, to_minute) > 59 or since >= MINUTES or until > MINUTES:
        raise Illegal("calendar.hours", read=text.strip())
    if since == until or until - since == MINUTES:
        raise Illegal("calendar.nothing", read=text.strip())
    return since, until


def _listed(text: str) -> Iterator[str]:
    if not _is_none(text):
        yield from (word for word in _BETWEEN.split(text.strip()) if word)


def _is_none(text: str) -> bool:
    return fold(text).strip() in ("", *map(fold, NONE))
