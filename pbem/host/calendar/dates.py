"""Days and times as people write them: what the words say, not yet which instant they mean."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import timedelta, timezone, tzinfo
from functools import cache
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.language.dates import month, near_day, weekday
from pbem.league.calendar import zones

_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−", "-") | dict.fromkeys("'’´`\"“”„«»", ""))
LONGEST = 200  # characters that are looked at; no day, time or length has more
_ASIDE = re.compile(r"\s*\([^()]*\)$")
_UTC = re.compile(r"(?<=[\d\s])(?:z|utc|gmt)(?:([+-])(0?\d|1[0-4])(?::?([0-5]\d))?)?$")
_OFFSET = re.compile(r"(?<=\d:\d\d)\s*(?:uhr\s*)?([+-])(0\d|1[0-4])(?::?([0-5]\d))?$")  # as in RFC 3339
_PLACE = re.compile(r"(?<= )[a-z]+(?:/[a-z0-9_+-]+)+$")
_SHORT = re.compile(r"(?<=\d|r) [a-z]{2,5}$")
_CLOCK = re.compile(
    r"(?<![\w.:/+-])(?P<before>(?:(?:um|at|ore|alle|dalle|h)\s*)+)?(?P<hour>\d{1,2})"
    r"(?:(?P<sign>[:.h])(?P<minute>\d\d)(?::(?P<second>\d\d))?)?\s*(?P<after>uhr|h|[ap]\.?m\b\.?)?(?![\w:/]|\.\d)"
)
_FILLING = re.compile(r"\b(?:on|am|den|the|il|of)\b|,")
_NUMBERS = re.compile(r"(\d{1,2})\.\s*(\d{1,2})(?:\.(?=\d\d$|\s*\d{4})\s*((?:20|21)?\d\d)|\.?)")
_SLASHES = re.compile(r"(\d{1,2})/(\d{1,2})(?:/((?:20|21)?\d\d))?")
_ISO = re.compile(r"((?:20|21)\d\d)-(\d{1,2})-(\d{1,2})")
_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th|[.°o])?\s*([a-z]{3,})\.?(?:\s+((?:20|21)\d\d))?")
_MONTH_FIRST = re.compile(r"([a-z]{3,})\.?\s*(\d{1,2})(?:st|nd|rd|th)?(?:\s+((?:20|21)\d\d))?")


class Day(Struct, frozen=True, kw_only=True):
    """What was written of a day; all None: nothing."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None  # 0 is Monday
    ahead: int | None = None  # 0 is today

    @property
    def is_date(self) -> bool:
        """Is it one of the year's days?"""
        return self.month is not None


class Time(Struct, frozen=True, kw_only=True):
    """What was written of a time of the day."""

    hour: int
    minute: int
    second: int


class Written(Struct, frozen=True, kw_only=True):
    """A day, a time of the day or both, perhaps with a zone."""

    day: Day
    time: Time | None = None
    zone: tzinfo | None = None
    short: str | None = None  # what may be the zone's name there and then, such as cest


def plain(text: str) -> str:
    """Lower case without accents and quotes, one blank between words, one kind of dash."""
    short = " ".join(text.split())[:LONGEST]
    folded = unicodedata.normalize("NFKD", short.translate(_DASHES)).casefold()
    return " ".join("".join(c for c in folded if not unicodedata.combining(c)).split())


def read_written(text: str) -> Written | None:
    """None for what is no day or time; the text is `plain`. Raises `Illegal` for 3/4, which may be two days."""
    text, zone, short = _without_zone(re.sub(r"(?<=\d)t(?=\d)", " ", _ASIDE.sub("", text)))
    text, time = _without_time(text)
    text = " ".join(_FILLING.sub(" ", text).split()).strip(" .")
    day = _read_day(text) if text else Day()
    if day is None or (time is None and (not text or zone or short)):
        return None
    return Written(day=day, time=time, zone=zone, short=short)


# -- the parts ---


def _without_zone(text: str) -> tuple[str, tzinfo | None, str | None]:
    """The rest, with the zone or the word that may name one."""
    for pattern in (_UTC, _OFFSET):
        if found := pattern.search(text):
            return text[: found.start()].rstrip(), _fixed(*found.groups()), None
    if (found := _PLACE.search(text)) and (name := _zones().get(found[0])):
        return text[: found.start()].rstrip(), ZoneInfo(name), None
    if (found := _SHORT.search(text)) and not _is_word(found[0].strip()):
        return text[: found.start()], None, found[0].strip()
    return text, None, None


def _fixed(sign: str | None, hours: str | None, minutes: str | None) -> timezone:
    ahead = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    return timezone(-ahead if sign == "-" else ahead)


@cache
def _zones() -> dict[str, str]:
    return {name.casefold(): name for name in zones()}


def _is_word(word: str) -> bool:
    known: tuple[Callable[[str], int | None], ...] = (month, weekday, near_day)
    return word in ("am", "pm", "uhr") or any(ask(word) is not None for ask in known)


def _without_time(text: str) -> tuple[str, Time | None]:
    """The rest, with the time; a number alone is none."""
    for found in _CLOCK.finditer(text):
        if found["sign"] == ":" or found["before"] or found["after"]:
            return f"{text[: found.start()]} {text[found.end() :]}", _time(found)
    return text, None


def _time(found: re.Match[str]) -> Time:
    hour, after = int(found["hour"]), (found["after"] or "")[:1]
    if after in ("a", "p"):
        hour = hour % 12 + 12 * (after == "p") if 1 <= hour <= 12 else 99
    return Time(hour=hour, minute=int(found["minute"] or 0), second=int(found["second"] or 0))


def _read_day(text: str) -> Day | None:
    """A date, a weekday before it, or one of today, tomorrow and a weekday alone."""
    if date := _read_date(text):
        return date
    first, _, rest = text.partition(" ")
    if not rest and near_day(first) is not None:
        return Day(ahead=near_day(first))
    if (named := weekday(first)) is None:
        return None
    if not rest:
        return Day(weekday=named)
    date = _read_date(rest)
    return None if date is None else replace(date, weekday=named)


def _read_date(text: str) -> Day | None:
    if found := _ISO.fullmatch(text):
        return Day(year=int(found[1]), month=int(found[2]), day=int(found[3]))
    if found := _NUMBERS.fullmatch(text):
        return Day(year=_year(found[3]), month=int(found[2]), day=int(found[1]))
    if found := _SLASHES.fullmatch(text):
        return _slashed(int(found[1]), int(found[2]), _year(found[3]))
    if (found := _DAY_FIRST.fullmatch(text)) and (named := month(found[2])):
        return Day(year=_year(found[3]), month=named, day=int(found[1]))
    if (found := _MONTH_FIRST.fullmatch(text)) and (named := month(found[1])):
        return Day(year=_year(found[3]), month=named, day=int(found[2]))
    return None


def _year(written: str | None) -> int | None:
    return None if written is None else 2000 + int(written) % 100 if len(written) == 2 else int(written)


def _slashed(first: int, second: int, year: int | None) -> Day:
    """Some write the day first and some the month: only the numbers can tell."""
    if first <= 12 and second <= 12 and first != second:
        raise Illegal("date.slashes", read=f"{first}/{second}")
    return Day(year=year, month=min(first, second), day=max(first, second))
