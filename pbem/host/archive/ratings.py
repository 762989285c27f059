"""What the archive tells of ratings: every game that counts, and what they come to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from pbem.host.season.rating import kind_of
from pbem.host.session.names import public_name
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league.figures import rated_tables
from pbem.league.ratings import RatedTable, Step


class PublishedRatings(Struct, frozen=True, kw_only=True):
    """The ratings in one game of the registry."""

    kind: str  # its id
    tables: tuple[RatedTable, ...]  # from the first on, in their order
    seasons: Mapping[str, str]  # by game, of those that are tables of one: its tag
    newest: Mapping[int, Step]  # by person: where they stand
    steps: Mapping[int, tuple[Step, ...]]  # of all whose rating was moved lately, from the first on
    names: Mapping[int, str]  # of those among them who are in leagues: as leagues call them


def ratings_moved(work: UnitOfWork, games: Iterable[str], seasons: Iterable[str]) -> Iterator[PublishedRatings]:
    """The ratings that these games have moved, and of these seasons those that were played elsewhere: one of each
    kind of them."""
    earliest: dict[str, int] = {}
    people: set[int] = set()
    for game in games:
        table = work.repository.rated(game)
        if table is not None:
            own = work.game(game)
            kind = kind_of(work, own)
            earliest[kind] = min(earliest.get(kind, table.end), table.end)
            people |= {*table.people, *(member.person.id for member in own.members)}
    for tag in seasons:
        season = work.season(tag).season
        for table in rated_tables(season) if season.imported else ():
            earliest[season.settings.game] = min(earliest.get(season.settings.game, table.end), table.end)
            people |= table.people
    for kind, end in sorted(earliest.items()):
        yield _published(work, kind, people | {*work.repository.moved_since(kind, end)})


def _games_of(work: UnitOfWork, tag: str) -> list[str]:
    """Of a season's tables, in the books of ratings."""
    if work.repository.import_of(tag) is None:
        return [row.game for row in work.repository.tables_of(tag)]
    season = work.season(tag).season
    return [season.game_of(table) for table in season.tables.values()] if season.imported else []


def _published(work: UnitOfWork, kind: str, people: Iterable[int]) -> PublishedRatings:
    repository = work.repository
    tables = tuple(table for table in repository.rated_from(kind, 0) if table.seats)
    books = (book for league in repository.leagues() for book in repository.seasons(league.name))
    known = {number: repository.person(number) for number in people if repository.seasons_of(number)}
    return PublishedRatings(
        kind=kind,
        tables=tables,
        seasons={game: book.tag for book in books for game in _games_of(work, book.tag)},
        newest=repository.newest_steps(kind),
        steps={number: tuple(repository.steps_of(kind, number)) for number in sorted(people)},
        names={number: public_name(person) for number, person in known.items()},
    )
