"""What needs a decision of whoever leads a season."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from pbem.core.refusal import Illegal
from pbem.league.acts import Act, BeaconAsked, ChangedHands, Noted, Objected, Rewound, SeatSought, Warned
from pbem.league.calendar import DECIDING, HOUR
from pbem.league.due import BEACON, LACKING, WARNINGS, end_of
from pbem.league.log import Entry, live
from pbem.league.powers import check_not_own
from pbem.league.state import Search, Season, Table


class Matter(Struct, frozen=True, kw_only=True):
    """Something to decide, and the powers by which it can be."""

    kind: str  # objection beacon fault unfilled empty ending
    about: str  # O-1, T-12
    facts: Mapping[str, Any] = {}
    lines: tuple[str, ...] = ()  # names of powers


def matters(season: Season, now: int) -> list[Matter]:
    """All that is open, objections first; nothing once the season is over."""
    if season.is_over:
        return []
    of_tables = (each for table in season.tables.values() for each in _of_table(season, table, now))
    return [*_objections(season), *_beacons(season), *of_tables]


def raises(act: Act) -> bool:
    """Is there more to decide since?"""
    match act:
        case Objected() | Warned() | Rewound() | BeaconAsked():
            return True
        case Noted(how=how):
            return how == "fault"
        case ChangedHands(comes=comes):
            return comes is None
        case SeatSought():
            return True
    return False


def may_rule(season: Season, person: int, matter: Matter) -> bool:
    """Is it no matter of their own?"""
    try:
        check_not_own(season, person, matter.about)
    except Illegal:
        return False
    return True


def _objections(season: Season) -> Iterator[Matter]:
    for number, each in season.objections.items():
        if each.upheld is None:
            facts = {"number": number, "person": each.person, "of": each.about, "since": each.at, "text": each.text}
            yield Matter(kind="objection", about=f"O-{number}", facts=facts, lines=("uphold", "dismiss"))


def _beacons(season: Season) -> Iterator[Matter]:
    for number, each in season.beacons.items():
        if not each.value and number not in season.draws:
            facts = {"draw": number, "until": each.asked_at + BEACON, "beacon": season.settings.draw.beacon}
            yield Matter(kind="beacon", about=f"D-{number}", facts=facts)


def _of_table(season: Season, table: Table, now: int) -> Iterator[Matter]:
    about, facts = f"T-{table.number}", {"table": table.number, "game": table.game}
    is_played = season.phase in ("drawn", "playing")
    if table.noted is not None and table.noted.how == "fault" and table.by_hand is None:
        yield Matter(kind="fault", about=about, facts=facts, lines=("replay", "void") if is_played else ("void",))
    if table.vacated is not None and not table.is_over:
        yield Matter(kind="lacking", about=about, facts={**facts, "until": table.vacated + LACKING})
    if table.begun is None or table.is_over:
        return
    for search in table.searches.values():
        if _is_long(season, search, now):
            yield Matter(kind="unfilled", about=about, facts={**facts, "asked": search.asked, "since": search.since})
    if None in table.holders.values():
        yield Matter(kind="empty", about=about, facts=facts, lines=("end",))
    ends = end_of(season, table)
    if table.warned and ends - now <= max(WARNINGS) * HOUR and ends < season.calendar.ends:
        yield Matter(kind="ending", about=about, facts={**facts, "ends": ends}, lines=("extend",))


LONG = 3  # times that others were asked


def _is_long(season: Season, search: Search, now: int) -> bool:
    """Has nobody taken the seat, of all that were asked?"""
    return not search.filled and now >= search.since + (LONG - 1) * season.settings.reserves.hours * HOUR


# -- when it was told what somebody may object to ---


def told_at(season: Season, entries: list[Entry], about: str) -> int | None:
    """When whoever it concerns was told of a table's last news, a draw or an act; None where there is no such thing."""
    kind, _, digits = about.partition("-")
    number = int(digits)
    if kind == "D":
        return season.draws[number].at if number in season.draws else None
    if kind == "A":
        return next((entry.at for entry in live(entries) if entry.seq == number), None)
    if number not in season.tables:
        return None
    news = [entry.at for entry in live(entries) if getattr(entry.act, "table", None) == number]
    if season.until is not None:  # all results are told once more
        news.append(season.until - DECIDING)
    return max(news, default=season.drawn_at(season.tables[number]))
