"""What an organiser's power does in the games of a season, by the powers of whoever leads a game."""

from __future__ import annotations

from contextlib import suppress

from pbem.core.refusal import Refusal
from pbem.host.lobby.seats import conclude
from pbem.host.moderation.seats import Seats
from pbem.host.session.actors import OPERATOR, moderator
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league import log
from pbem.league.state import Season


def lead_game(work: UnitOfWork, game_id: str, by: str, line: str, now: int) -> None:
    """Use a power, written in a line, in a game; `by` as the season's log calls them. Raises `Refusal`."""
    game = work.game(game_id)
    (power,), _ = work.games.load(game).parser.powers([line])
    if power.refusal:
        raise power.refusal
    Seats(work, game, _as_in_games(by), now).use(power)
    conclude(work, work.game(game_id), now)


def lead_all(work: UnitOfWork, season: Season, by: str, line: str, now: int) -> None:
    """In all games that run; where it can't be, as in one that is paused already, nothing changes."""
    for table in season.tables.values():
        if table.game and not table.is_over:
            with suppress(Refusal):
                lead_game(work, table.game, by, line, now)


def _as_in_games(by: str) -> str:
    return OPERATOR if by == log.OPERATOR else moderator(by.partition(" ")[2])
