"""A suspension as a petition asks for it: its length, from when, and the reason, "48h from Mon 18:00 Christmas"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from pbem.core.refusal import Illegal
from pbem.core.voting import SUSPENDED_DAYS
from pbem.host.calendar.moments import NoLength, NoMoment, parse_length, parse_moment
from pbem.host.calendar.zones import DAY

MOST_WORDS = 12  # of a length, or of a moment, before its reason

_FROM = re.compile(r"(?:from|ab|von|vom|dal|dalle|da)\s+(?P<rest>.+)", re.IGNORECASE)


class Suspension(Struct, frozen=True, kw_only=True):
    length: int  # in seconds
    start: int | None  # not before then; None: from its passing
    why: str


def read_suspension(said: str, zone: str, now: int) -> Suspension:
    """Raises `Illegal` for what can't be read, is too long, or over."""
    words = said.split()
    most = next((n for n in range(min(len(words), MOST_WORDS), 0, -1) if _is_length(" ".join(words[:n]))), 1)
    length = parse_length(" ".join(words[:most]))
    if length > SUSPENDED_DAYS * DAY:
        raise Illegal("petition.suspends_long", most=SUSPENDED_DAYS)
    rest = " ".join(words[most:])
    begun = _FROM.fullmatch(rest)
    if begun is None:
        return Suspension(length=length, start=None, why=_reason(rest))
    start, rest = _start(begun["rest"].split(), zone, now)
    if now - start >= DAY:
        raise Illegal("suspension.past", start=start)
    return Suspension(length=length, start=start, why=_reason(rest))


def _start(words: Sequence[str], zone: str, now: int) -> tuple[int, str]:
    """The moment at the beginning, as long as it can be read, and what stands behind it."""
    problem: Illegal = NoMoment("time.unreadable", read=" ".join(words), zone=zone)
    for n in range(min(len(words), MOST_WORDS), 0, -1):
        behind = words[n:]
        if behind and behind[0][0].isdigit():
            continue  # a day whose time can't be read is not that day
        try:
            return parse_moment(" ".join(words[:n]).rstrip(":,;"), zone, now), " ".join(behind)
        except Illegal as refusal:
            problem = problem if isinstance(refusal, NoMoment) else refusal
    raise problem


def _is_length(text: str) -> bool:
    try:
        return parse_length(text.rstrip(":,;")) > 0
    except NoLength:
        return True
    except Illegal:
        return False


def _reason(text: str) -> str:
    return text.strip(" \t:,;-–—")
