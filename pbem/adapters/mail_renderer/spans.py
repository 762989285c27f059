"""What letters tell about spans of time: when clocks are changed within one, and what of it does not count."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from pbem.host.calendar.zones import Shift, shift
from pbem.host.messages.parts import Awaited, Hours
from pbem.language.dates import weekday
from pbem.render.times import ZONE
from pbem.render.wording import Wording


def span_filters(wording: Wording) -> Mapping[str, Callable[..., Any]]:
    """Filters for templates."""
    return {"clocks": lambda awaited: _clocks(awaited, wording), "idle": lambda hours: _idle(hours, wording)}


def _idle(hours: Hours, wording: Wording) -> list[str]:
    """What of the time does not count in a game."""
    days = ", ".join(_named(word, wording) for word in re.findall(r"[^\W\d_]+", hours.idle_days))
    parts = {"idle_days": days, "idle_holidays": hours.holidays, "idle_hours": hours.quiet_hours}
    return [wording.say(f"says.{key}", words=words) for key, words in parts.items() if words]


def _named(word: str, wording: Wording) -> str:
    """A weekday, in whatever language it was written, by its name in ours."""
    number = weekday(word)
    return word if number is None else wording.say("time.weekdays").split()[number]


def _clocks(awaited: Iterable[Awaited], wording: Wording) -> str:
    """That the clocks are changed while somebody's time runs; "" when they are not."""
    spans = ((one.begun, one.deadline) for one in awaited)
    shifts = (shift(ZONE.get(), start, end) for start, end in spans if start is not None and end is not None)
    change = next(filter(None, shifts), None)
    return "" if change is None else _changed(change, wording)


def _changed(change: Shift, wording: Wording) -> str:
    day = datetime.fromtimestamp(change.at, ZoneInfo(ZONE.get())).date()
    key = "says.clocks_forward" if change.by > 0 else "says.clocks_back"
    return wording.say(key, day=wording.times.day(day.isoformat()), length=_length(abs(change.by), wording))


def _length(seconds: int, wording: Wording) -> str:
    return wording.say("time.an_hour") if seconds == 3600 else wording.say("time.minutes", count=seconds // 60)
