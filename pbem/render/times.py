"""Times in our letters, by the clock on the wall of their readers, in the words of a language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

ZONE: ContextVar[str] = ContextVar("zone", default="UTC")  # of the times in the letter that is being worded


class Times:
    """Words times with the sentences of one language: `say` fills that of a key, `said` one that there may be."""

    def __init__(self, say: Callable[..., str], said: Callable[[str, str], str]) -> None:
        self._say = say
        self._said = said

    def filters(self) -> Mapping[str, Callable[..., Any]]:
        return {
            "hours": lambda count: self._say("time.hours", count=count),
            "duration": lambda seconds: f"{seconds // 3600}:{seconds // 60 % 60:02}",
            "moment": self.moment,
            "day": self.day,
            "iso": lambda at: f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M:%SZ}",
        }

    def moment(self, at: int, zone: str | None = None) -> str:
        """An instant on the calendar and the clock of a time zone; elsewhere than there with UTC."""
        zone = zone or ZONE.get()
        universal = datetime.fromtimestamp(at, UTC)
        if zone == "UTC":
            return self._moment(universal)
        local = universal.astimezone(ZoneInfo(zone))
        day = "" if local.date() == universal.date() else self._weekday(universal)
        return self._say("time.elsewhere", moment=self._moment(local), day=day, clock=f"{universal:%H:%M}")

    def day(self, written: str) -> str:
        """A day of the calendar, from its ISO form."""
        return self._say("time.day", **self._dated(date.fromisoformat(written)))

    def _moment(self, local: datetime) -> str:
        name = local.tzname() or ""
        clock, zone = f"{local:%H:%M}", self._said(f"time.zones.{name}", name)
        return self._say("time.moment", **self._dated(local), clock=clock, zone=zone)

    def _dated(self, day: date) -> dict[str, Any]:
        month = self._say("time.months").split()[day.month - 1]
        return {"weekday": self._weekday(day), "day": day.day, "month": month, "year": day.year}

    def _weekday(self, day: date) -> str:
        return self._say("time.weekdays").split()[day.weekday()]
