"""Which instants people mean by the days, times and lengths of time that they write.

See docs/reference/procedure.md, section 8.1.

A text without a zone is read by the clock on its writer's wall. Nothing is guessed: what may be two things is
refused, save that an hour which the clocks go through twice is taken the second time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

from pbem.core.refusal import Illegal
from pbem.host.calendar.dates import Day, Time, Written, plain, read_written
from pbem.host.calendar.zones import shift
from pbem.language.dates import unit

_AMOUNT = re.compile(r"(\d{1,4}(?:[.,]\d{1,2})?)\s*([a-z]+)\.?")
_JOINT = re.compile(r"[\s,.!+]*(?:\b(?:and|und|e)\b)?\s*")
_FROM = re.compile(r"^(?:from|von|vom|dal|da)\s+")
_UNTIL = re.compile(r"^(?:until|till?|to|through|bis(?: zum)?|fino (?:al?|alle)|al)\s+")
_BETWEEN = [  # the plainest first
    re.compile(r"\s+(?:until|till?|to|through|bis(?: zum)?|fino (?:al?|alle)|al)\s+"),
    re.compile(r"\s+-\s+"),
    re.compile(r"\s?-\s?"),
    re.compile(r"\s+"),
]
_ZONES = {"mez": "cet", "mesz": "cest"}  # German names of abbreviations
_LONE = re.compile(r"(\d{1,2})\.?")
_LEAP = 9  # years among which there is a 29 February, also around 2100
_HALF_A_YEAR, _ABOUT = timedelta(days=183), timedelta(days=15)
WEEK = 7
MIDNIGHT = time()


class NoLength(Illegal):
    """A length that can be read and has no time in it."""


class NoMoment(Illegal):
    """Words that are no moment at all."""


def parse_length(text: str) -> int:
    """Seconds, at least one, of "48h", "2 days", "1h 30m", "2 Tage", "1,5 giorni". Raises `Illegal`."""
    written, seconds = plain(text), 0
    amounts = [*_AMOUNT.finditer(written)]
    if not amounts or _JOINT.sub("", _AMOUNT.sub("", written)):
        raise Illegal("length.unreadable", read=text.strip())
    for number, name in (amount.groups() for amount in amounts):
        each = unit(name)
        if each is None:
            raise Illegal("length.unreadable", read=text.strip())
        seconds += int(Fraction(number.replace(",", ".")) * each)
    if seconds == 0:
        raise NoLength("length.none", read=text.strip())
    return seconds


def parse_moment(text: str, zone: str, now: int) -> int:
    """The instant; of a day alone the first. Raises `Illegal`.

    A weekday is the next one and a time alone the next such time, never before now; a date without a year is the
    nearest such day, which may be over.
    """
    written = read_written(plain(text))
    if written is None:
        raise NoMoment("time.unreadable", read=text.strip(), zone=zone)
    wall = Wall(text.strip(), zone, now)
    return wall.instant(written, wall.day(written))


def parse_range(text: str, zone: str, now: int) -> tuple[int, int]:
    """From the first instant of one day, or a time of it, to before the end of another. Raises `Illegal`.

    Without years the end is the nearest such day, and the start the last one before it: in December "20.12. to 3.1."
    reaches into next year, and on the 25th it began five days ago. "until 3.1." begins now.
    """
    first, last = _ends(text)
    wall = Wall(text.strip(), zone, now)
    from_, to = wall.days(first or last, last)
    start = now if first is None else wall.instant(first, from_)
    end = wall.instant(last, to if last.time else to + timedelta(days=1))
    if end <= now:
        raise Illegal("range.past", read=text.strip(), end=end)
    if end <= start:
        raise Illegal("range.backwards", read=text.strip(), start=start, end=end)
    return start, end


def _ends(text: str) -> tuple[Written | None, Written]:
    """What was written of both ends, the first None where only the last was."""
    whole = _FROM.sub("", plain(text))
    until = read_written(_UNTIL.sub("", whole))
    if _UNTIL.match(whole) and until is not None:
        return None, until
    if until is not None and until.time is None:
        return until, until
    for between in _BETWEEN:
        pairs = [pair for cut in between.finditer(whole) if (pair := _pair(whole[: cut.start()], whole[cut.end() :]))]
        if len(pairs) == 1:
            return pairs[0]
    raise Illegal("range.unreadable", read=text.strip())


def _pair(before: str, behind: str) -> tuple[Written, Written] | None:
    last = read_written(behind)
    if last is None:
        return None
    first, lone = read_written(before), _LONE.fullmatch(before)
    if lone and last.day.is_date:  # the 3 of "3-20 Dec"
        first = Written(day=Day(year=last.day.year, month=last.day.month, day=int(lone[1])))
    if first is None or (last.day == Day() and first.time is None):
        return None
    return first, last


class Wall:
    """The clock and the calendar on a writer's wall, now."""

    def __init__(self, read: str, zone: str, now: int) -> None:
        self._read = read  # for refusals
        self._zone = ZoneInfo(zone)
        self._now = now

    def day(self, written: Written, since: date | None = None) -> date:
        """The nearest such day of the year; else the first from today, or that day, on. Tomorrow is always today's."""
        day, now = written.day, datetime.fromtimestamp(self._now, written.zone or self._zone).date()
        today = since or now
        if day.is_date:
            return self._nearest(day, today) if since is None else self._next(day, since)
        if day.ahead is not None:
            return now + timedelta(days=day.ahead)
        ahead = 0 if day.weekday is None else (day.weekday - today.weekday()) % WEEK
        step = 1 if day.weekday is None else WEEK
        return today + timedelta(days=ahead + step * self._is_over(written, today + timedelta(days=ahead)))

    def _next(self, day: Day, since: date) -> date:
        return self._fitting(day, self._dates(day, since.year, 1), lambda one: one >= since)

    def _nearest(self, day: Day, today: date) -> date:
        """Half a year back, or ahead: only a year would tell which is meant."""
        last = next((one for one in self._dates(day, today.year, -1) if one < today), None)
        if day.year is not None or last is None or today - last > _HALF_A_YEAR + _ABOUT:
            return self._next(day, today)
        if today - last >= _HALF_A_YEAR - _ABOUT:
            coming = self._next(day, today)
            raise Illegal("date.which", read=self._read, past=last.isoformat(), coming=coming.isoformat())
        return self._fitting(day, iter([last]), lambda one: one < today)

    def days(self, first: Written, last: Written) -> tuple[date, date]:
        """Where a range begins and ends."""
        if first.day.is_date and first.day.year is None and last.day.is_date:
            to = self.day(last)
            return self._fitting(first.day, self._dates(first.day, to.year, -1), lambda one: one <= to), to
        from_ = self.day(first)
        return from_, from_ if last.day == Day() else self.day(last, from_)

    def instant(self, written: Written, day: date) -> int:
        """When the clock shows that; of a day alone the first instant."""
        zone = written.zone or self._zone
        if written.time is None:
            return int(datetime.combine(day, MIDNIGHT, zone).timestamp())  # where it is skipped, the day begins later
        shown = self._shown(written, day)
        earlier, later = shown, shown.replace(fold=1)
        if earlier.timestamp() > later.timestamp():
            raise self._skipped(earlier, later)
        if written.short is not None:
            return int(self._called(written.short, [later, earlier]).timestamp())
        return int(later.timestamp())

    def _shown(self, written: Written, day: date) -> datetime:
        """What the wall shows then; 24:00 is the next day's midnight."""
        time_ = written.time or Time(hour=0, minute=0, second=0)
        since_midnight = timedelta(hours=time_.hour, minutes=time_.minute, seconds=time_.second)
        if time_.minute > 59 or time_.second > 59 or since_midnight > timedelta(days=1):
            raise Illegal("time.none", read=self._read)
        return (datetime.combine(day, MIDNIGHT) + since_midnight).replace(tzinfo=written.zone or self._zone)

    def _is_over(self, written: Written, day: date) -> bool:
        return written.time is not None and self._shown(written, day).replace(fold=1).timestamp() < self._now

    def _skipped(self, earlier: datetime, later: datetime) -> Illegal:
        """The clocks go forward over a time that was written: it reads as two instants, the wrong way round."""
        zone = str(earlier.tzinfo)
        change = shift(zone, int(later.timestamp()), int(earlier.timestamp()))
        assert change is not None, "nothing else can be the reason"
        return Illegal("time.skipped", read=self._read, zone=zone, at=change.at)

    def _called(self, short: str, shown: list[datetime]) -> datetime:
        """That of two instants at which the zone has this name."""
        name = _ZONES.get(short, short)
        for one in shown:
            if (one.tzname() or "").casefold() == name:
                return one
        raise Illegal("time.zone", read=self._read, short=short.upper(), zone=str(self._zone))

    def _dates(self, day: Day, year: int, step: int) -> Iterator[date]:
        """The dates that may be meant, year by year up or down from one, or in the year that was written."""
        years = range(year, year + _LEAP * step, step) if day.year is None else [day.year]
        for one in years:
            with suppress(ValueError):  # there is none in that year
                yield date(one, day.month or 0, day.day or 0)

    def _fitting(self, day: Day, dates: Iterator[date], fits: Callable[[date], bool]) -> date:
        found = next((one for one in dates if day.year is not None or fits(one)), None)
        if found is None:
            raise Illegal("date.none", read=self._read)
        if day.weekday is not None and day.weekday != found.weekday():
            raise Illegal("date.weekday", read=self._read, day=found.isoformat())
        return found
