"""All tables of a season at once: time stands still at them, or they are over without a result."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.host.clock.slots import note
from pbem.host.ports import Game
from pbem.host.reporting.publish import publish
from pbem.host.session.actors import OPERATOR, petition
from pbem.host.session.acts import Act, Ended, Paused
from pbem.host.session.season import SeasonDesk
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league import acts
from pbem.league.log import CLOCK


def pause_games(work: UnitOfWork, desk: SeasonDesk, start: int, end: int, why: str, now: int) -> None:
    """A pause of the league is one of all its games."""
    pause = Paused(by=OPERATOR, start=start, end=end, why=f"{desk.tag}: {why}", cause="moderator")
    _do(work, [*_running(work, desk)], pause, now)


def break_off(work: UnitOfWork, desk: SeasonDesk, number: int, why: str, now: int) -> None:
    """The entrants have ended the season: what is not over is void, and it ends now."""
    over = Ended(by=petition(number), why=f"{desk.tag}: {why}")
    _do(work, [*_running(work, desk)], over, now)
    for table in desk.season.tables.values():
        if not table.is_over:
            desk.enter(now, CLOCK, acts.Noted(table=table.number, how="aborted", seats=(), void=True, rated=False))
    desk.enter(now, CLOCK, acts.Extended(was=desk.season.calendar.ends, until=now, why=why))


def _running(work: UnitOfWork, desk: SeasonDesk) -> Iterator[Game]:
    for table in desk.season.tables.values():
        if table.begun is not None and not table.is_over:
            yield work.game(table.game)


def _do(work: UnitOfWork, games: list[Game], act: Act, now: int) -> None:
    for game in games:
        note(work.session(game), now, act)
        publish(work, game, now)
