"""The days of a season: which instants follow from its start, in the days of its zone."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from msgspec import Struct

from pbem.league.settings import Settings

HOUR = 3600
DAY = 24 * HOUR
DECIDING = 72 * HOUR  # for objections, after the last table is over
TOO_LATE = 21 * DAY  # before the season's end
REMINDER = 24 * HOUR  # before entries close, to who has not answered the muster


class Calendar(Struct, frozen=True, kw_only=True):
    """The instants of a season, seconds UTC; acts move them."""

    opens: int
    musters: int | None  # None: nobody is mustered
    closes: int  # and the first draw is made
    ends: int  # what still runs then is ended
    zone: str

    @property
    def too_late(self) -> int:
        """From when on nothing is drawn any more, and what has not begun of a round is void."""
        return self.ends - TOO_LATE


def calendar_of(settings: Settings) -> Calendar:
    """Raises `ValueError` for a start that is no day."""
    season, entry = settings.season, settings.entry
    start = day(season.start)
    return Calendar(
        opens=hour_of(start - timedelta(days=entry.days), season.hour, season.zone),
        musters=hour_of(start - timedelta(days=entry.muster_days), season.hour, season.zone)
        if entry.muster_days
        else None,
        closes=hour_of(start, season.hour, season.zone),
        ends=hour_of(start + timedelta(weeks=season.weeks), season.hour, season.zone),
        zone=season.zone,
    )


def shifted(calendar: Calendar, was: Settings, now: Settings) -> Calendar:
    """With other settings: each instant is as much later as it would be by them, whatever has moved it since."""
    before, after = calendar_of(was), calendar_of(now)
    asks = after.musters is not None
    return Calendar(
        opens=calendar.opens + after.opens - before.opens,
        musters=(calendar.musters or before.closes) + (after.musters or 0) - (before.musters or before.closes)
        if asks
        else None,
        closes=calendar.closes + after.closes - before.closes,
        ends=calendar.ends + after.ends - before.ends,
        zone=after.zone,
    )


def day(text: str) -> date:
    """Raises `ValueError` for what is no day."""
    return date.fromisoformat(text)


def is_day(text: str) -> bool:
    try:
        day(text)
    except ValueError:
        return False
    return True


def hour_of(on: date, hour: int, zone: str) -> int:
    """An hour of a day by the wall; one that is skipped there is the next that exists, of two it is the first."""
    return int(datetime(on.year, on.month, on.day, hour, tzinfo=ZoneInfo(zone)).timestamp())


def written(text: str) -> int:
    """The instant of an ISO 8601 date and time, in UTC where it names no zone. Raises `ValueError`."""
    found = datetime.fromisoformat(text)
    return int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp())


def later(at: int, days: int, zone: str) -> int:
    """The same hour by the wall, so many days later."""
    there = datetime.fromtimestamp(at, ZoneInfo(zone))
    return hour_of(day_in(at, days, zone), there.hour, zone)


def day_in(now: int, days: int, zone: str) -> date:
    """Which day it is there, so many days from now."""
    return datetime.fromtimestamp(now, ZoneInfo(zone)).date() + timedelta(days=days)


@cache
def zones() -> frozenset[str]:
    return frozenset(available_timezones())
