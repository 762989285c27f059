"""Somebody leaves a season after its first draw: their seats are free for others, at tables that run and that wait."""

from __future__ import annotations

from pbem.host.lobby.seats import conclude, vacate
from pbem.host.season.hands import holders_of
from pbem.host.session.actors import OPERATOR
from pbem.host.session.acts import Ejected
from pbem.host.session.season import SeasonDesk
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league.acts import ChangedHands
from pbem.league.log import CLOCK
from pbem.league.state import Table


def free_seats(work: UnitOfWork, desk: SeasonDesk, person: int, why: str, now: int) -> None:
    """Of all tables that are not over. Who takes one over plays for no line of the group."""
    for table in [*desk.season.tables.values()]:
        if person in table.seated and not table.is_over:
            if table.begun is None:
                _free_chair(desk, table, person, now)
            else:
                _free_seat(work, table, person, why, now)


def _free_chair(desk: SeasonDesk, table: Table, person: int, now: int) -> None:
    """What has not begun costs nothing."""
    chair = next(each for each in table.people if table.holders.get(each, each) == person)
    desk.enter(now, CLOCK, ChangedHands(table=table.number, seat=chair, leaves=person, comes=None, leave=True))


def _free_seat(work: UnitOfWork, table: Table, person: int, why: str, now: int) -> None:
    game = work.game(table.game)
    seat = next(seat for seat, holder in holders_of(game, work.session(game)).items() if holder == person)
    vacate(work, game, Ejected(by=OPERATOR, seat=seat, why=why), now)
    conclude(work, work.game(game.id), now)
