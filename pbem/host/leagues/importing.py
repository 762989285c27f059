"""Seasons that were played elsewhere, or on another server: from a file of results, or from what one exported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.core.log import BrokenLink
from pbem.core.refusal import Illegal
from pbem.host.leagues.naming import people_of
from pbem.host.ports import Entrant, League, SeasonBook, SeasonImport
from pbem.host.season.rating import rate_import
from pbem.host.session.names import public_name
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league import acts
from pbem.league.calendar import calendar_of, day_in, written
from pbem.league.elsewhere import Seat, imported
from pbem.league.figures import ended
from pbem.league.log import OPERATOR, live, read
from pbem.league.ratings import Step
from pbem.league.season import folded
from pbem.league.settings import Season as Dates
from pbem.league.settings import Settings
from pbem.league.state import Season


class Exported(Struct, frozen=True, kw_only=True):
    """What is read of a season's `season.json`; the rest follows from it."""

    schema: str
    acts: tuple[Mapping[str, Any], ...]
    entrants: tuple[Mapping[str, Any], ...] = ()
    results: tuple[Mapping[str, Any], ...] = ()
    standings: tuple[Mapping[str, Any], ...] = ()
    ratings: tuple[Mapping[str, Any], ...] = ()


# -- what another server has exported ---


def import_exported(work: UnitOfWork, tag: str, told: Exported, now: int) -> Season:
    """Its log is kept as it is, and so are the numbers of its people. Raises `Illegal`."""
    log = [msgspec.json.encode(act, order="sorted") for act in told.acts]
    season = _season(log)
    if season is None or season.tag != tag or season.ended is None:
        raise Illegal("league.no_export", read=season.tag if season else "", tag=tag)
    _check_free(work, tag)
    names = _names(told)
    people = {*season.people, *(person for table in season.tables.values() for person in table.seated), *names}
    for number in sorted(person for person in people if person > 0):
        _know(work, number, names.get(number, ""))
    _keep(work, season, log, msgspec.json.encode([_step(row) for row in told.ratings]), now)
    for number in sorted(season.people):
        work.repository.save_entrant(Entrant(season=tag, person=number, called=names.get(number, "")))
    return season


def _step(row: Mapping[str, Any]) -> Step:
    """As a row of the ratings tells it. Raises `msgspec.ValidationError`, `ValueError`."""
    return msgspec.convert({**row, "end": written(str(row["ended"]))}, Step, strict=False)


def _season(log: Sequence[bytes]) -> Season | None:
    try:
        return folded(live(read(log)))
    except (BrokenLink, LookupError, ValueError):
        return None


def _names(told: Exported) -> dict[int, str]:
    rows = (*told.entrants, *told.results, *told.ratings)
    return {int(row["person"]): str(row.get("name", "")) for row in rows if str(row.get("person", "")).isdecimal()}


def _know(work: UnitOfWork, number: int, name: str) -> None:
    """Somebody of another server, who has no address here. Raises `Illegal` where the number is somebody else's."""
    known = work.repository.person(number)
    if known is None:
        work.repository.add_stranger(name, number)
    elif known.address or public_name(known) != name:
        raise Illegal("league.person_taken", person=number, name=public_name(known), other=name)


def _check_free(work: UnitOfWork, tag: str) -> None:
    """Raises `Illegal` where there is such a season already, or a later one."""
    name, _, number = tag.rpartition("-")
    for each in work.repository.seasons(name):
        if each.number >= int(number):
            raise Illegal("league.there_already", tag=each.tag)


def _keep(work: UnitOfWork, season: Season, log: Iterable[bytes], ratings: bytes, now: int) -> None:
    repository, settings = work.repository, season.founded.settings
    if repository.league(settings.name) is None:
        repository.add_league(League(name=settings.name, settings=msgspec.json.encode(settings), created=now))
    book = SeasonBook(tag=season.tag, league=settings.name, number=season.founded.season, seed="", terms=b"")
    repository.add_season(book)
    for seq, raw in enumerate(log):
        repository.append_act(season.tag, seq, raw)
    repository.add_import(SeasonImport(season=season.tag, at=now, ratings=ratings))
    repository.set_season_moved(season.tag, len(season.people))


# -- results that were played elsewhere ---


def import_results(work: UnitOfWork, tag: str, seats: Sequence[Seat], game: str, now: int, *, rated: bool) -> Season:
    """A season made of them, that is over; who is in no league of that name yet is new here. Raises `Illegal`."""
    _check_free(work, tag)
    name, _, number = tag.rpartition("-")
    league = work.repository.league(name)
    known = msgspec.json.decode(league.settings, type=Settings) if league else None
    settings = known or Settings(name=name, game=game, season=Dates(start=""), format="series")
    people = _People(work, name)
    act = imported(seats, people.number, rated=rated)
    divisions = {group.name[:1] for group in act.groups}
    form: Any = "divisions" if len(divisions) > 1 else "series" if len(act.groups) == 1 else settings.format
    start = min((table.began or table.ended for table in act.tables), default=now)
    dates = replace(settings.season, start=day_in(start, 0, settings.season.zone).isoformat())
    settings = replace(settings, name=name, format=form, season=dates, organisers=())
    founded = acts.Founded(
        league=name,
        season=int(number),
        settings=settings,
        calendar=calendar_of(settings),
        commitment="",
        rules="",
    )
    book = SeasonBook(tag=tag, league=name, number=int(number), seed="", terms=b"")
    if league is None:
        work.repository.add_league(League(name=name, settings=msgspec.json.encode(settings), created=now))
    desk = work.found(book, now, OPERATOR, founded)
    desk.enter(now, OPERATOR, act)
    desk.enter(now, OPERATOR, ended(desk.season))
    work.repository.add_import(SeasonImport(season=tag, at=now, ratings=b"[]"))
    for person in sorted(desk.season.people):
        called = public_name(work.repository.person(person))
        work.repository.save_entrant(Entrant(season=tag, person=person, called=called))
    if rated:
        rate_import(work, desk)
    return desk.season


class _People:
    """Who somebody of the file is here: who has that number and name, or is called so in the league."""

    def __init__(self, work: UnitOfWork, league: str) -> None:
        self._work = work
        own = people_of(work, league)
        self._known = {public_name(work.repository.person(number)): number for number in sorted(own)}

    def number(self, seat: Seat) -> int | None:
        if not seat.name:
            return None
        person = self._work.repository.person(seat.number) if seat.number else None
        if person is not None and public_name(person) == seat.name:
            self._known.setdefault(seat.name, person.id)
        if seat.name not in self._known:
            self._known[seat.name] = self._work.repository.add_stranger(seat.name).id
        return self._known[seat.name]
