"""When something has happened in a game: who sits where is put right in the books, then all is told."""

from __future__ import annotations

from pbem.host.lobby.substitution import settle
from pbem.host.ports import Game
from pbem.host.reporting.alarms import alarms_of_empty_seats, tell_unheard
from pbem.host.reporting.publish import publish
from pbem.host.session.unit_of_work import UnitOfWork


def conclude(work: UnitOfWork, game: Game, now: int, letter: str = "") -> None:
    """Do what the last steps ask for, and queue what they have to tell, once. `letter`: the id of what made them."""
    publish(work, settle(work, game, now), now, letter)


def alarm_operator(work: UnitOfWork, before: Game, operator: str, now: int) -> None:
    """Queue what only they can see to; `before`: the game as it was before the last steps."""
    steps = work.session(before).steps
    tell_unheard(work.repository, before, steps, operator, now)
    work.repository.post(alarms_of_empty_seats(work.game(before.id), steps, operator, now))
