"""Time zones: what the clock on the wall shows, and when it is put forward or back."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from msgspec import Struct

MINUTE, HOUR, DAY = 60, 3_600, 86_400


class Shift(Struct, frozen=True, kw_only=True):
    """The clocks of a zone are put forward or back."""

    at: int  # the first instant of the new time
    by: int  # seconds; below 0: back


def offset(zone: str, at: int) -> int:
    """Seconds by which the clock on the wall is ahead of UTC."""
    found = datetime.fromtimestamp(at, ZoneInfo(zone)).utcoffset()
    assert found is not None, "every zone of the IANA has an offset"
    return int(found.total_seconds())


def stretches(zone: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The span from `start` to before `end` in parts of one offset each: start, end, offset.

    The data of the zones can't be asked when the clocks change, so we look once a day: nowhere do they change twice
    within a day and come back to the same.
    """
    while start < end:
        now, at = offset(zone, start), start
        while at < end and offset(zone, at) == now:
            at += DAY
        until = min(end, _change(zone, now, at - DAY, at))
        yield start, until, now
        start = until


def _change(zone: str, now: int, low: int, high: int) -> int:
    """The first instant in (low, high] with another offset; `high` when there is none."""
    return low + 1 + bisect_left(range(low + 1, high), True, key=lambda at: offset(zone, at) != now)


def shift(zone: str, start: int, end: int) -> Shift | None:
    """How the clocks were changed between two instants; None when the wall shows the time that has gone by."""
    by = offset(zone, end) - offset(zone, start)
    if by == 0:
        return None
    *_, (at, _, _) = stretches(zone, start, end + 1)
    return Shift(at=at, by=by)


def daily(zone: str, time: int, after: int) -> int:
    """The first instant after this one at which the wall shows a time of the day, in seconds since midnight.

    Once a day: the first time where it is shown twice, and where the clocks are put forward over it, the instant at
    which they are.
    """
    start = after - 2 * DAY
    reached = start + offset(zone, start)  # on the wall, as if it were UTC
    for first, until, ahead in stretches(zone, start, after + 3 * DAY):
        for day in range(reached // DAY, (until + ahead) // DAY + 1):
            wall = day * DAY + time
            if reached <= wall < until + ahead and (at := max(first, wall - ahead)) > after:
                return at
        reached = max(reached, until + ahead)
    raise AssertionError("no day is longer than three")


def utc(at: float) -> str:
    """An instant, as the operator reads it."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M UTC}"
