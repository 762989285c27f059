"""What games count for in the ratings, entered in the transaction that ends them or corrects what they came to.

A correction counts everything behind it anew.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.game import game_of
from pbem.core.seat import Seat
from pbem.host.ports import Game
from pbem.host.season.hands import answered_half, holders_of, last_seated, table_of
from pbem.host.session.anonymity import is_hidden
from pbem.host.session.season import SeasonDesk
from pbem.host.session.session import Session
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league.acts import Excused, Replayed, Scored, Voided
from pbem.league.figures import rated_table, rated_tables
from pbem.league.log import Entry
from pbem.league.pool import MILLION
from pbem.league.ratings import NEW, How, RatedSeat, RatedTable, steps
from pbem.league.state import Season


def rate(work: UnitOfWork, game: Game) -> None:
    """Enter what a game that is over counts for, where that differs from what was known."""
    repository, now, known = work.repository, _rated(work, game), work.repository.rated(game.id)
    if now == known:
        return
    kind = kind_of(work, game)
    repository.save_rated(kind, now)
    _recount(work, kind, min(now.end, known.end if known else now.end))
    repository.set_moved(game.id, work.session(game).position.seq)


def kind_of(work: UnitOfWork, game: Game) -> str:
    """The id of what it is a game of."""
    return game_of(work.games.registry, work.loaded(game).terms.setup).id


def rate_season(work: UnitOfWork, desk: SeasonDesk, fresh: Sequence[Entry]) -> None:
    """The same for the tables of a season whose results these acts have corrected."""
    corrected = [each for each in fresh if isinstance(each.act, Scored | Voided | Replayed | Excused)]
    whole = any(entry.rewind_to is not None or isinstance(entry.act, Excused) for entry in fresh)
    numbers = {getattr(each.act, "table", None) for each in corrected}
    if not corrected and not whole:
        return
    for row in work.repository.tables_of(desk.tag):
        if (whole or row.number in numbers) and work.repository.rated(row.game) is not None:
            rate(work, work.game(row.game))


def rate_import(work: UnitOfWork, desk: SeasonDesk) -> None:
    """What the tables of a season that was played elsewhere count for."""
    kind, tables = desk.season.settings.game, rated_tables(desk.season)
    for table in tables:
        work.repository.save_rated(kind, table)
    if tables:
        _recount(work, kind, min(table.end for table in tables))


def rate_others(work: UnitOfWork, most: int) -> bool:
    """So many of the games that ended before there were ratings; is there any more?"""
    games = work.repository.unrated(most)
    for game in games:
        rate(work, work.game(game))
    return len(games) == most


def _recount(work: UnitOfWork, kind: str, since: int) -> None:
    repository, tables = work.repository, work.repository.rated_from(kind, since)
    before = {person: step.rating for person, step in repository.newest_steps(kind, since).items()}
    repository.drop_steps(kind, since)
    repository.add_steps(kind, steps(before, tables))
    rows = (repository.table_of(table.game) for table in tables)
    for tag in sorted({row.season for row in rows if row is not None}):
        repository.set_season_moved(tag, work.season(tag).course.last.seq)


def settled(work: UnitOfWork, desk: SeasonDesk) -> dict[int, int]:
    """By entrant: thousandths of the rating that is shown; nothing of whom it is provisional still."""
    settings, plays = desk.season.settings, {each.person for each in desk.season.entrants}
    known = {person: step.rating for person, step in work.repository.newest_steps(settings.game).items()}
    least = settings.rating.provisional
    here = {person: each for person, each in known.items() if person in plays and each.settled(least)}
    return {person: round(1000 * each.strength.shown) for person, each in sorted(here.items())}


def millionths(work: UnitOfWork, season: Season) -> dict[int, int]:
    """By entrant: mu, also where it is provisional; of who has none that of somebody new."""
    known = {person: step.rating for person, step in work.repository.newest_steps(season.settings.game).items()}
    people = [each.person for each in season.entrants]
    strengths = {person: known[person].strength if person in known else NEW for person in people}
    return {person: round(MILLION * strength.mu) for person, strength in strengths.items()}


# -- what one counts for ---


def _rated(work: UnitOfWork, game: Game) -> RatedTable:
    session, found = work.session(game), table_of(work, game)
    if found is not None and found.table.is_over:
        return rated_table(found.desk.season, found.table)
    is_table = work.repository.table_of(game.id) is not None  # and is played anew by another game
    known = work.repository.rated(game.id)  # what is done afterwards beside the orders moves nothing
    end = known.end if known else session.position.at
    return RatedTable(end=end, game=game.id, seats=() if is_table else tuple(_seats(game, session)))


def _seats(game: Game, session: Session) -> list[RatedSeat]:
    """Without a reading for who left: only a league knows whether they had leave."""
    result = session.rules.result(session.state) if session.position.seq >= 0 else None
    if result is None or is_hidden(game, session.terms.anonymous):
        return []
    holders = holders_of(game, session)
    return [
        RatedSeat(
            person=holders[seat],
            place=result.places[seat],
            how="whole" if last_seated(session.position.done, seat) is None else _upwards(session, seat),
        )
        for seat in session.terms.setup.seats
    ]


def _upwards(session: Session, seat: Seat) -> How:
    return "upwards" if answered_half(session, seat) else "not"
