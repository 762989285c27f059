"""Words for days, months and lengths of time in every language that our players write."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from pbem.language.tokens import fold
from pbem.language.words import TABLES, Ways

MONTHS, WEEKDAYS = tuple(TABLES["months"].values()), tuple(TABLES["weekdays"].values())
SECONDS = {"minute": 60, "hour": 3_600, "day": 86_400, "week": 604_800}
SHORTEST = 3  # letters of a name that may stand for it


@cache
def month(word: str) -> int | None:
    """The month, 1 to 12, that a word or its beginning means."""
    found = _begun(word, MONTHS)
    return None if found is None else found + 1


@cache
def weekday(word: str) -> int | None:
    """The day of the week, 0 for Monday, that a word or its beginning means."""
    short = _written(word, TABLES["short_weekdays"].values())
    return _begun(word, WEEKDAYS) if short is None else short


def near_day(word: str) -> int | None:
    """How many days ahead today and tomorrow are."""
    return _written(word, TABLES["near_days"].values())


def unit(word: str) -> int | None:
    """The seconds of a unit of time."""
    found = _written(word, (TABLES["units"][name] for name in SECONDS))
    return None if found is None else [*SECONDS.values()][found]


def _written(word: str, names: Iterable[Ways]) -> int | None:
    said = fold(word).strip()
    return next((number for number, ways in enumerate(names) if said in map(fold, ways)), None)


def _begun(word: str, names: Iterable[Ways]) -> int | None:
    begin = fold(word).strip()
    found = [number for number, ways in enumerate(names) if any(fold(way).startswith(begin) for way in ways)]
    return found[0] if len(found) == 1 and len(begin) >= SHORTEST else None
