"""What a season is to each of its players: the line on their own page."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from pbem.adapters.site.records import SeasonLine, TableLine
from pbem.adapters.site.season_files import Told, movement_of
from pbem.league.figures import finishes, group_standings, groups, services
from pbem.league.ranking import Row
from pbem.league.state import Season


def lines_of(told: Told, title: str, tables: Collection[int] | None) -> Iterator[tuple[int, SeasonLine]]:
    """Of all who sit at these tables, or at any."""
    season = told.season
    chosen = season.tables if tables is None else {number: season.tables[number] for number in tables}
    people = {person for table in chosen.values() for person in (*table.people, *table.seated)}
    named = {season.group_of(person) or "" for person in people} & {*groups(season)}
    rows = {row.line: row for name in sorted(named) for row in group_standings(season, name)}
    moved = {each["person"]: each["from"] - each["to"] for each in movement_of(season)}
    for person in sorted(people):
        yield person, _line(season, title, person, rows.get(person), moved)


def _line(season: Season, title: str, person: int, row: Row | None, moved: Mapping[int, int]) -> SeasonLine:
    return SeasonLine(
        tag=season.tag,
        title=title,
        place=f"leagues/{season.founded.league}/{season.founded.season}/",
        group=season.group_of(person),
        played=row.played if row else 0,
        points=row.points if row else 0,
        rank=row.place if row and season.ended else None,
        moved=moved.get(person, 0),
        tables=tuple(_tables(season, person)),
        services=tuple(number for helper, number, _ in services(season) if helper == person),
    )


def _tables(season: Season, person: int) -> Iterator[TableLine]:
    for table in season.tables.values():
        if person in table.people:
            own = next((each for each in finishes(season, table) if each.line == person), None)
            place, points = (own.place, own.points) if own else (None, None)
            yield TableLine(number=table.number, place=place, points=points)
