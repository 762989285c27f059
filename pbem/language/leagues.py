"""What stands behind a word about a league: which one it is, and what else its writer wishes; in all our languages."""

from __future__ import annotations

import re

from msgspec import Struct

from pbem.language.answers import Question
from pbem.language.petitions import Saying
from pbem.language.tokens import fold, own_lines
from pbem.language.words import TABLES, pattern

_LEAGUE, _ENTRY, _SEASON, _PETITION = (
    pattern(name, **TABLES["league"]) for name in ("league", "entry", "season", "league_petition")
)
_OBJECTION, _RESERVE = (pattern(name, **TABLES["league"]) for name in ("objection_in_league", "reserve"))
_REST = {fold(way) for way in TABLES["muster"]["rest"]}
_MUSTER = Question({kind: ways for kind, ways in TABLES["muster"].items() if kind != "rest"})
_BETWEEN = re.compile(r"\s*(?:,|&|\b(?:and|und|e|ed)\b)\s*", re.IGNORECASE)


class Wish(Struct, frozen=True, kw_only=True):
    """Behind the word."""

    league: str = ""  # its name; "" where none is said
    what: str = ""  # a group (2b), a table (T-12), a draw (D-2), an act, or "all"
    whom: str = ""  # as written; the league's name may stand before it or behind it
    luck: str = ""
    apart: tuple[str, ...] = ()  # people, as written
    why: str = ""
    count: int = 0  # how many at most; 0: no number is said
    said: tuple[Saying, ...] = ()  # petitions and votes
    petition: int = 0  # P-2


def wish_of_league(rest: str) -> Wish | None:
    """`euro`, or `euro: why`. None for what is no such words."""
    found = _LEAGUE.fullmatch(rest)
    return found and Wish(league=_name(found["league"]), why=(found["why"] or "").strip())


def wish_to_enter(rest: str) -> Wish | None:
    """`euro luck banana apart bert, claudia`."""
    found = _ENTRY.fullmatch(rest)
    if found is None:
        return None
    apart = tuple(each for each in _BETWEEN.split(found["apart"] or "") if each)
    return Wish(league=_name(found["league"]), luck=fold(found["luck"] or "").strip(), apart=apart)


def wish_about_petition(rest: str) -> Wish | None:
    """`P-2`, perhaps with the league's name behind it."""
    found = _PETITION.fullmatch(rest)
    return found and Wish(league=_name(found["league"]), petition=int(found["number"]))


def wish_to_know(rest: str) -> Wish | None:
    """`2b`, `T-12 euro`, `all`, or nothing."""
    found = _SEASON.fullmatch(rest)
    if found is None:
        return None
    what = "all" if found["all"] else fold(found["group"] or "") or (f"T-{found['table']}" if found["table"] else "")
    return Wish(league=_name(found["league"]), what=what)


def wish_to_object(rest: str) -> Wish | None:
    """`T-12: why`, `D-2 euro: why`."""
    found = _OBJECTION.fullmatch(rest)
    return found and Wish(
        league=_name(found["league"]), what=f"{found['kind'].upper()}-{int(found['number'])}", why=found["why"].strip()
    )


def wish_for_whom(rest: str) -> Wish:
    """`bert`, `euro bert`, `bert euro`, or nothing: which of the words are a league's name, only the host knows."""
    return Wish(whom=rest.strip(" :"))


def wish_to_wait(rest: str) -> Wish | None:
    """`euro`, `euro 3`, `euro verlassen`."""
    found = _RESERVE.fullmatch(rest)
    if found is None:
        return None
    what = "leave" if found["leaves"] else ""
    return Wish(league=_name(found["league"]), what=what, count=int(found["count"] or 0))


def _name(written: str | None) -> str:
    return fold(written or "")


def mustered(lines: list[str] | tuple[str, ...]) -> str | None:
    """The answer to the muster: yes, rest or no; None where the first line is none."""
    said = next((fold(line).strip(" !.,") for _, line in own_lines(lines)), "")
    if said in _REST:
        return "rest"
    answer = _MUSTER.answer(lines)
    return None if answer is None else "yes" if answer.yes else "no"
