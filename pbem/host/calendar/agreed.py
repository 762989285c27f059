"""Which time is not to count, as people agree on it in words: "sat, sun", "DE-BY, IT", "23:00-7:00"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pbem.core.refusal import Illegal
from pbem.host.calendar.dates import plain
from pbem.host.calendar.weeks import MINUTES, WEEKDAYS, Calendar, feasts
from pbem.language.dates import weekday
from pbem.language.tokens import fold
from pbem.language.words import NONE

_BETWEEN = re.compile(r"[\s,+]+(?:(?:and|und|e)\s+)?")
_HOURS = re.compile(
    r"(?:from |von |dalle )?(\d{1,2})(?::(\d\d))?(?: uhr)?\s*(?:-|to|bis|alle)\s*(\d{1,2})(?::(\d\d))?(?: uhr)?"
)


def agreed_calendar(zone: str, *, idle: str = "", holidays: str = "", quiet: str = "") -> Calendar:
    """When time counts, with the days of a zone that exists; "" and "none" leave nothing out.

    `idle` are weekdays, `holidays` countries or parts of one by ISO 3166, `quiet` two times of the day.
    Raises `Illegal`.
    """
    countries = tuple(_country(word.upper()) for word in _listed(holidays))
    hours = None if _is_none(quiet) else _hours(quiet)
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
        feasts(code)
    except NotImplementedError as unknown:
        raise Illegal("calendar.country", read=code) from unknown
    return code


def _hours(text: str) -> tuple[int, int]:
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
