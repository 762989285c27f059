"""The standings of a group as their page shows them: what tie-breaks say, who rose, and who met whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from pbem.adapters.site.season_files import points_of
from pbem.league.figures import finishes, group_standings, groups
from pbem.league.log import Entry
from pbem.league.ranking import WIN, Row
from pbem.league.season import folded
from pbem.league.state import Season, Table

WEEK = 7 * 24 * 3600
FORM = 5  # of somebody's newest tables


class Line(Struct, frozen=True, kw_only=True):
    """A line of the standings as its page shows it."""

    row: Row
    ties: Mapping[str, str]
    rose: int | None  # places since a week ago; None: nothing was played then
    form: Sequence[int | None]  # the newest places, the newest last
    met: Mapping[int, Sequence[int]]  # own points, table by table, by whom they met there
    positions: Sequence[str]  # had


def standings_told(season: Season, entries: Sequence[Entry], group: str) -> list[Line]:
    """A group as its page shows it."""
    before = _places_a_week_ago(entries, group)
    rows = group_standings(season, group)
    return [_line(season, row, before.get(row.line)) for row in rows]


def _line(season: Season, row: Row, before: int | None) -> Line:
    tables = [each for each in season.tables.values() if row.line in each.people]
    over = sorted((each for each in tables if each.is_over), key=ended)
    chairs = [chair for each in tables if each.drawn for chair in each.drawn.chairs if chair.person == row.line]
    return Line(
        row=row,
        ties=_ties(row),
        rose=None if before is None else before - row.place,
        form=[_place_of(season, each, row.line) for each in over[-FORM:]],
        met=_met(season, over, row.line) if not any(draw.is_sealed for draw in season.draws.values()) else {},
        positions=[chair.position for chair in chairs if chair.position],
    )


def _places_a_week_ago(entries: Sequence[Entry], group: str) -> dict[int, int]:
    """By person; nothing where no table of the group was over then."""
    last = entries[-1].at
    then = folded([entry for entry in entries if entry.at <= last - WEEK])
    if then is None or group not in groups(then):
        return {}
    rows = group_standings(then, group)
    return {row.line: row.place for row in rows} if any(row.played for row in rows) else {}


def ended(table: Table) -> tuple[int, int]:
    """The order of tables that are over."""
    return table.noted_at or 0, table.number


def _ties(row: Row) -> dict[str, str]:
    """What is looked at where points are equal, as people read it."""
    return {
        "wins": f"{row.wins / WIN:g}",
        "direct": f"{row.direct:+}" if row.direct else "0",
        "seconds": str(row.seconds),
        "strength": points_of(row.strength),
        "share": f"{row.share / 1000:.3f}",
        "late": str(row.late),
    }


def _place_of(season: Season, table: Table, person: int) -> int | None:
    return next((each.place for each in finishes(season, table) if each.line == person), None)


def _met(season: Season, over: Sequence[Table], person: int) -> dict[int, list[int]]:
    met: dict[int, list[int]] = {}
    for table in over:
        own = next((each.points for each in finishes(season, table) if each.line == person), None)
        for other in table.people:
            if own is not None and other != person:
                met.setdefault(other, []).append(own)
    return met
