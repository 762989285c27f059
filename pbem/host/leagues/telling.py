"""What is told of leagues, looked up when it is asked for or delivered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.core.languages import LANGUAGES
from pbem.host.leagues.naming import called
from pbem.host.messages.leagues import (
    ChairTold,
    LeagueLine,
    LeagueList,
    LeagueTold,
    RankingRow,
    SeasonTables,
    Standings,
    TableTold,
)
from pbem.host.session.season import SeasonDesk
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league.acts import SeatResult
from pbem.league.due import end_of
from pbem.league.figures import group_standings
from pbem.league.ranking import Row
from pbem.league.settings import FIXED, Settings
from pbem.league.state import Season, Table

LINES = 30  # of a group that are told whole
AROUND = 5  # lines before and behind the reader's own, of a larger one


# -- leagues ---


def league_list(work: UnitOfWork) -> LeagueList:
    names = [each.name for each in work.repository.leagues()]
    return LeagueList(leagues=tuple(league_line(newest(work, name)) for name in names))


def newest(work: UnitOfWork, name: str) -> SeasonDesk:
    """The last season of a league that there is."""
    return work.season(work.repository.seasons(name)[-1].tag)


def league_line(desk: SeasonDesk) -> LeagueLine:
    season = desk.season
    return LeagueLine(
        name=season.founded.league,
        tag=season.tag,
        titles={language: season.settings.titled(language) for language in LANGUAGES},
        phase=season.phase,
        opens=season.calendar.opens,
        closes=season.calendar.closes,
        ends=season.calendar.ends,
        entrants=sum(not person.gone for person in season.people.values()),
    )


def league_told(desk: SeasonDesk, person: int | None) -> LeagueTold:
    season, settings = desk.season, desk.season.settings
    return LeagueTold(
        line=league_line(desk),
        players=settings.table.players,
        load=settings.table.load,
        tables=_tables_each(settings),
        weeks=settings.season.weeks,
        game_days=settings.limits.game_days,
        slot_hours=desk.terms.slot_hours,
        leaving=settings.leaving.cost,
        musters=season.calendar.musters,
        commitment=season.founded.commitment,
        beacon=settings.draw.beacon,
        every=settings.pool.every_days if settings.format == "pool" else 0,
        best=settings.pool.best,
        opened=season.takes_entries,
        own=_own(season, person),
    )


def _tables_each(settings: Settings) -> int:
    """How many everybody plays; 0 where it depends on how they play."""
    if settings.format in FIXED:
        return settings.table.players * settings.groups.turns
    return settings.rounds.count if settings.format == "rounds" else 0


def _own(season: Season, person: int | None) -> str:
    own = season.people.get(person) if person is not None else None
    if own is None:
        return ""
    if own.gone or own.answer is False:
        return "rests" if own.resting and not own.gone else "not"
    return "plays" if own.answer or season.is_drawn else "entered"


# -- standings and tables ---


def standings(work: UnitOfWork, season: Season, group: str, reader: int | None, *, whole: bool = False) -> Standings:
    """A group as it stands; `whole`: with what each tie-break says."""
    rows = group_standings(season, group)
    ties = [tie for tie in season.settings.scoring.ties if tie != "lot"] if whole else []
    told = [_ranked(work, row, ties, reader) for row in _near(rows, reader)]
    return Standings(season=season.tag, group=group, rows=tuple(told), count=len(rows))


def _near(rows: Sequence[Row], reader: int | None) -> Sequence[Row]:
    if len(rows) <= LINES:
        return rows
    own = next((place for place, row in enumerate(rows) if row.line == reader), 0)
    return rows[max(0, own - AROUND) : own + AROUND + 1]


def _ranked(work: UnitOfWork, row: Row, ties: Sequence[str], reader: int | None) -> RankingRow:
    return RankingRow(
        place=row.place,
        name=called(work, row.line),
        played=row.played,
        points=row.points,
        ties=tuple((tie, getattr(row, tie)) for tie in ties),
        own=row.line == reader,
    )


def tables_told(work: UnitOfWork, season: Season, numbers: Sequence[int], reader: int | None) -> SeasonTables:
    told = tuple(_table(work, season, season.tables[number], reader) for number in numbers)
    return SeasonTables(season=season.tag, tables=told)


def own_tables(season: Season, person: int) -> list[int]:
    """Those that somebody sits at, or has sat at by the draw."""
    return [each.number for each in season.tables.values() if person in each.seated or person in each.people]


def _table(work: UnitOfWork, season: Season, table: Table, reader: int | None) -> TableTold:
    result = table.by_hand or table.noted
    is_void = result is not None and not result.seats
    seats = {seat.seat: seat for seat in result.seats} if result else {}
    plays = table.begun is not None and not table.is_over
    return TableTold(
        number=table.number,
        game=table.game,
        state="void" if is_void else "over" if result else "plays" if plays else "waits",
        how="hand" if table.by_hand else table.noted.how if table.noted else "",
        ends=end_of(season, table) if plays else None,
        chairs=_chairs(work, table, seats, reader),
    )


def _chairs(
    work: UnitOfWork, table: Table, seats: Mapping[int, SeatResult], reader: int | None
) -> tuple[ChairTold, ...]:
    """The best first where there is a result."""
    found = []
    for chair in table.drawn.chairs if table.drawn else ():
        holder, seat = table.holders.get(chair.person, chair.person), seats.get(chair.person)
        told = ChairTold(
            name=called(work, holder) if holder is not None else "",
            position=chair.position,
            place=seat.place if seat else None,
            score=seat.score if seat else None,
            points=seat.points if seat else None,
            own=reader is not None and reader == holder,
        )
        found.append(told)
    return tuple(sorted(found, key=lambda told: told.place or 0))
