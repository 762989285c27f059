"""Who is asked to take a seat over at a table of a season."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from pbem.host.ports import Game, Person
from pbem.host.season.hands import AtTable, chairs_of, rivals, table_of
from pbem.host.season.rating import kind_of
from pbem.host.session.petitions import about_seat
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league.ratings import Rating


def reserves(work: UnitOfWork, game: Game, seat: str) -> Sequence[Person]:
    """Those who wait for a seat; at a table of a season first the others in it, the nearest in strength to who left.

    Nobody of the same group, nobody who has all the games that they may play at once, or has sat there before.
    """
    found, waiting = table_of(work, game), work.repository.waiting()
    if found is None:
        return waiting
    season, settings = found.desk.season, found.desk.season.settings
    known = [person for person in map(work.repository.person, _others(found)) if person is not None]
    chair = chairs_of(work.session(game)).get(seat)
    leaver = found.table.holders.get(chair, chair) if chair is not None else None
    ratings = {person: step.rating for person, step in work.repository.newest_steps(kind_of(work, game)).items()}
    known.sort(key=lambda person: abs(_strength(ratings.get(person.id)) - _strength(ratings.get(leaver or 0))))
    barred = {*rivals(work, game), *season.leaders, *_sat(found)}
    barred |= {number for number, person in season.people.items() if person.gone == "expelled"}
    listed = _listed(work, found)
    both = [*known, *listed, *waiting] if settings.reserves.source == "league" else listed
    return [person for person in {each.id: each for each in both}.values() if person.id not in barred]


def _others(found: AtTable) -> list[int]:
    season = found.desk.season
    load = season.settings.table.load
    here = (each.person for each in season.entrants)
    return [person for person in here if not season.people[person].gone and len(season.running(person)) < load]


def _listed(work: UnitOfWork, found: AtTable) -> list[Person]:
    """Who wrote that they would take seats in this league, and has not as many offers as they want."""
    reserves = work.repository.reserves(found.desk.book.league)
    open_offers = Counter(_offered(work, found)) if any(each.most for each in reserves) else Counter()
    free = (each.person for each in reserves if not each.most or open_offers[each.person] < each.most)
    return [person for person in map(work.repository.person, free) if person is not None]


def _offered(work: UnitOfWork, found: AtTable) -> Iterator[int]:
    """Whom the seats are offered that are looked for in the season."""
    for table in found.desk.season.tables.values():
        if table.begun is not None and not table.is_over:
            for petition in about_seat(work.session(work.game(table.game)).position.done):
                yield from petition.offered


def _sat(found: AtTable) -> set[int]:
    """Who sits or has sat there."""
    before = {person for each in found.table.left for person in (each.leaves, each.comes) if person is not None}
    return before | {*found.table.people} | {*found.table.seated}


def _strength(rating: Rating | None) -> float:
    return (rating or Rating()).strength.shown
