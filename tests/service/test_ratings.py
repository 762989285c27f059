"""Ratings in the books: games in leagues and others, in the transaction that ends them, and after corrections."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.adapters.store.repository import SqlBooks
from pbem.adapters.store.schema import rated
from pbem.host.season.rating import rate_others
from pbem.host.season.telling import tell
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league.acts import Scored, Voided
from pbem.league.log import OPERATOR
from pbem.league.ratings import Ratings, counted
from tests.service.season import SeasonBureau

KIND = "imperial"


def books(bureau: SeasonBureau) -> Ratings:
    with bureau.store.transaction() as repository:
        return {person: step.rating for person, step in repository.newest_steps(KIND).items()}


def anew(bureau: SeasonBureau) -> Ratings:
    with bureau.store.transaction() as repository:
        return counted({}, repository.rated_from(KIND, 0))


def played(tables: int = 3) -> SeasonBureau:
    bureau = SeasonBureau()
    bureau.begun()
    bureau.go(lambda season: sum(each.is_over for each in season.tables.values()) == tables)
    return bureau


def test_a_table_is_rated_in_the_transaction_that_ends_it() -> None:
    bureau = played(1)
    table = next(each for each in bureau.season.tables.values() if each.is_over)
    assert {*books(bureau)} == {*table.people}
    assert books(bureau) == anew(bureau)
    assert {each.games for each in books(bureau).values()} == {1}


def corrected(bureau: SeasonBureau, act: Scored | Voided) -> None:
    def do(work: UnitOfWork) -> None:
        desk = work.season(bureau.tag)
        desk.enter(bureau.clock.now(), OPERATOR, act)
        tell(work, desk, bureau.clock.now())

    bureau.server.games.do(do)


def test_a_correction_counts_everything_behind_it_anew() -> None:
    bureau = played(3)
    before, first = books(bureau), min(bureau.season.tables.values(), key=lambda each: each.noted_at or 1 << 60)
    assert first.noted is not None
    turned = tuple(replace(seat, place=5 - seat.place) for seat in first.noted.seats)
    corrected(bureau, Scored(table=first.number, seats=turned, why="the wrong way round"))
    assert books(bureau) == anew(bureau) != before
    corrected(bureau, Voided(table=first.number, why="a fault of ours"))
    assert books(bureau) == anew(bureau)
    assert sum(each.games for each in books(bureau).values()) == sum(each.games for each in before.values()) - 4


def test_games_that_ended_before_there_were_ratings_are_counted() -> None:
    bureau = played(2)
    wanted = books(bureau)
    with bureau.store.transaction() as repository:
        assert isinstance(repository, SqlBooks)
        repository._remove(rated, kind=KIND)
        repository.drop_steps(KIND, 0)
    assert books(bureau) == {}
    assert bureau.server.games.do(lambda work: rate_others(work, 1))
    assert not bureau.server.games.do(lambda work: rate_others(work, 5))
    assert books(bureau) == wanted
