"""A league is founded with its first season; each further one follows from the one before."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.core.game import load
from pbem.core.refusal import Illegal
from pbem.host.leagues.house import league_terms, positions_of, seated
from pbem.host.lobby.policy import LobbyPolicy
from pbem.host.ports import League, SeasonBook
from pbem.host.season.telling import tell
from pbem.host.session.season import SeasonDesk, links
from pbem.host.session.terms import Terms
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league.acts import Founded, Promoted
from pbem.league.calendar import calendar_of, day, day_in
from pbem.league.council import settings_of_next
from pbem.league.log import CLOCK, OPERATOR
from pbem.league.settings import Settings
from pbem.league.state import Season

Levels = Sequence[Sequence[int]]  # people of each division, the best first


class Heritage(Struct, frozen=True, kw_only=True):
    """What a season has of the one before."""

    last: tuple[tuple[int, ...], ...] = ()
    borders: tuple[int, ...] = ()
    resting: tuple[int, ...] = ()


def found_league(
    work: UnitOfWork, policy: LobbyPolicy, settings: Settings, now: int, number: int | None = None
) -> SeasonDesk:
    """Enter a league and its first season, or the next one of a league that has come to its end.

    Raises `Illegal`, and `ValueError` for what can't be played.
    """
    terms = league_terms(work.games, policy, settings)
    league = League(name=settings.name, settings=msgspec.json.encode(settings), created=now)
    before = [*work.repository.seasons(settings.name)]
    if not before:
        work.repository.add_league(league)
        return _found(work, settings, terms, number or 1, now, OPERATOR, Heritage(), _leaders(work, settings, now))
    last = work.season(before[-1].tag).season
    if not last.is_over or (number or last.founded.season + 1) <= last.founded.season:
        raise Illegal("league.there_already", tag=last.tag)
    work.repository.save_league(league)
    own = heritage(last) if last.ended is not None else Heritage()
    leaders = _leaders(work, settings, now)
    return _found(work, settings, terms, number or last.founded.season + 1, now, OPERATOR, own, leaders)


def _leaders(work: UnitOfWork, settings: Settings, now: int) -> tuple[int, ...]:
    """The people whose addresses stand in the file."""
    addresses = (address.lower() for address in settings.organisers)
    people = (work.repository.person_at(each) or work.repository.add_person("", each, now) for each in addresses)
    return tuple(dict.fromkeys(person.id for person in people))


def found_next(work: UnitOfWork, desk: SeasonDesk, now: int) -> SeasonDesk:
    """The season behind one that has ended."""
    season = desk.season
    voted = settings_of_next(season)
    settings = replace(voted, season=replace(voted.season, start=_next_start(season, voted, now)))
    league = work.repository.league(settings.name)
    assert league is not None, "its season was founded"
    work.repository.save_league(replace(league, settings=msgspec.json.encode(settings)))
    return _found(work, settings, desk.terms, season.founded.season + 1, now, CLOCK, heritage(season), season.leaders)


def _found(
    work: UnitOfWork,
    settings: Settings,
    terms: Terms,
    number: int,
    now: int,
    by: str,
    heritage: Heritage,
    leaders: Sequence[int],
) -> SeasonDesk:
    """No address stands in a log: who leads it is promoted by their numbers."""
    settings = replace(settings, organisers=())
    seed = work.games.new_secret()
    tag = f"{settings.name}-{number}"
    book = SeasonBook(tag=tag, league=settings.name, number=number, seed=seed, terms=msgspec.json.encode(terms))
    act = Founded(
        league=settings.name,
        season=number,
        settings=settings,
        calendar=calendar_of(settings),
        commitment=links(seed, settings)[0],
        rules=load(work.games.registry, seated(terms, settings.table.players).setup).version,
        positions=positions_of(work.games, terms, settings),
        **msgspec.structs.asdict(heritage),
    )
    desk = work.found(book, now, by, act)
    for person in leaders:
        desk.enter(now, by, Promoted(person=person))
    tell(work, desk, now)
    return desk


def _next_start(season: Season, settings: Settings, now: int) -> str:
    """Whole weeks after the start, behind the end and the pause, and late enough for the entries."""
    dates, entry = settings.season, settings.entry
    first, zone = day(dates.start), season.calendar.zone
    earliest = max(day_in(season.calendar.ends, 7 * dates.pause_weeks, zone), day_in(now, entry.days + 1, zone))
    weeks = max(0, -(-(earliest - first).days // 7))
    return (first + timedelta(weeks=weeks)).isoformat()


def heritage(season: Season) -> Heritage:
    """The final order of the divisions, with those who rested where they were, and those who were moved by hand."""
    assert season.ended is not None, "a season is over before the next one is founded"
    resting = sorted(number for number, person in season.people.items() if person.resting and not person.gone)
    levels = [[*level] for level in season.ended.order]
    for person in resting:
        was = next((place for place, level in enumerate(season.founded.last) if person in level), len(levels) - 1)
        levels[min(was, len(levels) - 1)].append(person)
    for person, division in season.placed.items():
        levels = [[each for each in level if each != person] for level in levels]
        levels[min(division, len(levels)) - 1].append(person)
    return Heritage(last=tuple(map(tuple, levels)), borders=season.ended.borders, resting=tuple(resting))


def staying(season: Season) -> tuple[int, ...]:
    """Who is entered for the next season without a word: who has played to the end, and who rested."""
    played = {each.person for each in season.entrants} | {*heritage(season).resting}
    return tuple(sorted(person for person in played if not season.people[person].gone))
