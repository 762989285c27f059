"""What everybody may know of a season: its log and settings, and how the people in it are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from pbem.host.ports import SeasonImport
from pbem.host.session.names import name_in
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league import council
from pbem.league.ratings import Step
from pbem.league.settings import Settings
from pbem.league.state import Season
from pbem.league.veil import veiled


class PublishedSeason(Struct, frozen=True, kw_only=True):
    """All that its pages are made of; results of games are in the log, too."""

    tag: str
    league: str
    number: int
    settings: Settings  # as it was founded with; what was set since is in the log
    log: tuple[bytes, ...]  # every act, as it was written; of votes the digests alone, till they are decided
    names: Mapping[int, str]  # by the numbers of all who were ever in it; "" of whoever has none, or shows none
    ratings: tuple[Step, ...] = ()  # what its tables made of anybody's, in their order
    imported: int | None = None  # when it came here, if it was played elsewhere


def published(work: UnitOfWork, tag: str) -> PublishedSeason:
    """Raises `Unknown`."""
    desk = work.season(tag)
    seen = veiled(desk.season)
    people = {*seen.people, *(person for table in seen.tables.values() for person in table.seated)}
    shows = desk.season.settings.privacy.names == "public"
    known = {number: work.repository.person(number) if shows else None for number in sorted(people)}
    said = {each.person: each for each in work.repository.entrants(tag)}
    over, brought = desk.season.ended is not None, work.repository.import_of(tag)
    return PublishedSeason(
        tag=tag,
        league=desk.book.league,
        number=desk.book.number,
        settings=desk.season.founded.settings,
        log=council.published(desk.entries, work.repository.acts(tag), desk.season),
        names={number: name_in(person, said.get(number), is_over=over) for number, person in known.items()},
        ratings=tuple(_ratings(work, desk.season, brought)),
        imported=brought.at if brought else None,
    )


def _ratings(work: UnitOfWork, season: Season, brought: SeasonImport | None) -> Sequence[Step]:
    """Of a season that another server has exported, as it told them."""
    if brought is not None and season.imported is None:
        return msgspec.json.decode(brought.ratings, type=list[Step])
    games = map(season.game_of, season.tables.values()) if season.imported else _games(work, season)
    return work.repository.steps_in([*games])


def _games(work: UnitOfWork, season: Season) -> Iterator[str]:
    return (table.game for table in work.repository.tables_of(season.tag))
