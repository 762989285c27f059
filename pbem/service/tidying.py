"""Putting away: letters to us are kept as they came for some days only, for they are their writers'."""

from __future__ import annotations

from pbem.service.games import Games
from pbem.service.ports import Clock
from pbem.service.zones import DAY, HOUR

KEEP_DAYS = 30


class Tidying:
    """Looks once an hour for what has been kept long enough."""

    def __init__(self, games: Games, clock: Clock, keep_days: int) -> None:
        self._games = games
        self._clock = clock
        self._keep = keep_days * DAY
        self._next = 0

    def tidy(self) -> None:
        """Cheap when there is nothing to do."""
        now = self._clock.now()
        if now >= self._next:
            self._games.do(lambda desk: desk.books.expire(now - self._keep))
            self._next = now + HOUR
