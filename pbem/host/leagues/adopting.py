"""A game of this server that nobody drew becomes a table of a season: its own log decides, as of any other."""

from __future__ import annotations

from pbem.core.chance import commitment
from pbem.core.refusal import Illegal
from pbem.host.clock.slots import note
from pbem.host.leagues.naming import called
from pbem.host.ports import Game, SeasonTable
from pbem.host.reporting.publish import publish
from pbem.host.season.hands import holders_of
from pbem.host.season.rating import kind_of
from pbem.host.season.results import note_result
from pbem.host.session.actors import OPERATOR
from pbem.host.session.acts import Dealt
from pbem.host.session.season import SeasonDesk
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league import acts
from pbem.league.log import OPERATOR as BY
from pbem.league.powers import check_entered, table_of


def adopt(work: UnitOfWork, desk: SeasonDesk, game_id: str, number: int | None, now: int) -> None:
    """The game is that table from now on, or one of its own. Raises `Illegal`; then nothing has changed."""
    game = work.game(game_id)
    people = _people(work, desk, game)
    if number is None:
        number = _new_table(work, desk, game, people, now)
    else:
        _check_table(work, desk, game, number, people)
    season, table = desk.season, desk.season.tables[number]
    chairs = {holder: chair for chair in table.people for holder in [table.holders.get(chair, chair)]}
    work.repository.add_table(SeasonTable(game=game.id, season=season.tag, number=number))
    desk.enter(now, BY, acts.Begun(table=number, game=game.id, commitment=commitment(game.secret)))
    seats = {seat: chairs[person] for seat, person in people.items()}
    note(work.session(game), now, Dealt(by=OPERATOR, season=season.tag, table=number, people=seats))
    if game.status == "finished":
        note_result(work, game, now)
        work.repository.set_moved(game.id, work.session(game).position.seq)
    else:
        publish(work, game, now)


def _people(work: UnitOfWork, desk: SeasonDesk, game: Game) -> dict[str, int]:
    """Who sits where. Raises `Illegal` for a game that can't be a table."""
    if work.repository.table_of(game.id) is not None:
        raise _refused(game, "taken")
    if game.status not in ("running", "finished"):
        raise _refused(game, "course")
    if kind_of(work, game) != desk.season.settings.game:
        raise _refused(game, "game")
    session = work.session(game)
    if game.status == "finished" and session.rules.result(session.state) is None:
        raise _refused(game, "course")
    sitting = holders_of(game, session)
    return {seat: person for seat, person in sitting.items() if person is not None}


def _new_table(work: UnitOfWork, desk: SeasonDesk, game: Game, people: dict[str, int], now: int) -> int:
    """For a game of entrants that no draw has made."""
    strangers = [person for person in people.values() if not _is_in(desk, person)]
    if strangers or len(people) != len(work.loaded(game).terms.setup.seats):
        raise _refused(game, "people", people=[called(work, person) for person in strangers])
    number = 1 + max(desk.season.tables, default=0)
    seats = work.session(game).terms.setup.seats
    chairs = tuple(acts.Chair(person=people[seat]) for seat in seats)
    desk.enter(now, BY, acts.Adopted(drawn=acts.TableDrawn(number=number, chairs=chairs)))
    return number


def _is_in(desk: SeasonDesk, person: int) -> bool:
    try:
        check_entered(desk.season, person)
    except Illegal:
        return False
    return True


def _check_table(work: UnitOfWork, desk: SeasonDesk, game: Game, number: int, people: dict[str, int]) -> None:
    """Raises `Illegal`."""
    table = table_of(desk.season, number)
    if table.begun is not None or table.is_over:
        raise _refused(game, "begun", table=number)
    wrong = {*people.values()} ^ table.seated
    if wrong:
        raise _refused(game, "people", table=number, people=[called(work, person) for person in sorted(wrong)])


def _refused(game: Game, why: str, **facts: object) -> Illegal:
    return Illegal("league.not_adopted", **{"game": game.id, "why": why, "table": 0, "people": [], **facts})
