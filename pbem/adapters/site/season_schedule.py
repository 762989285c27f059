"""What begins and ends when in a season, and what was said of it before somebody moved it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import asdict, replace

from pbem.league import acts
from pbem.league.due import end_of
from pbem.league.log import Entry
from pbem.league.season import applied
from pbem.league.state import Season, Table

MOVING = (acts.Founded, acts.Extended, acts.Paused, acts.Set, acts.Deciding)  # what may move a date of the season
STILL = (acts.Late, acts.Warned, acts.ChangedHands, acts.Scored, acts.Ruled)
WHATS = ("opens", "musters", "closes", "ends", "until")


class Date(Struct, frozen=True, kw_only=True):
    """An instant of the season, seconds UTC."""

    what: str  # of WHATS
    at: int
    since: int  # when it was set so
    was: tuple[int, ...] = ()  # the oldest first


class TableDates(Struct, frozen=True, kw_only=True):
    """When a table began, and when it ends at the latest; seconds UTC. A result changes neither."""

    table: Table
    ends: int | None  # None: it has not begun
    was: tuple[int, ...] = ()


def moves_dates(act: acts.Act) -> bool:
    """May it change what the schedule tells? A result does not, nor who sits where."""
    match act:
        case acts.Noted(void=void):
            return void
    return not isinstance(act, STILL)


def dates(entries: Sequence[Entry]) -> list[Date]:
    """Those of the season, in their order; `entries` are the live ones."""
    found: dict[str, Date] = {}
    season: Season | None = None
    for entry in entries:
        if isinstance(entry.act, MOVING) and getattr(entry.act, "table", None) is None:
            season = applied(season, entry)
            found = {what: _moved(found.get(what), what, at, entry.at) for what, at in _instants(season).items()}
    return [found[what] for what in WHATS if what in found]


def _instants(season: Season) -> Mapping[str, int]:
    known = {**asdict(season.calendar), "until": season.until}
    return {what: known[what] for what in WHATS if known[what] is not None}


def _moved(before: Date | None, what: str, at: int, now: int) -> Date:
    if before is None:
        return Date(what=what, at=at, since=now)
    return before if before.at == at else replace(before, at=at, since=now, was=(*before.was, before.at))


def table_dates(season: Season, entries: Sequence[Entry]) -> list[TableDates]:
    """Of all tables, by number."""
    was: dict[int, tuple[int, ...]] = {}
    for entry in entries:
        if isinstance(entry.act, acts.Extended) and entry.act.table is not None:
            was[entry.act.table] = (*was.get(entry.act.table, ()), entry.act.was)
    return [
        TableDates(table=table, ends=None if table.begun is None else end_of(season, table), was=was.get(number, ()))
        for number, table in sorted(season.tables.items())
    ]
