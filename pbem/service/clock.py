"""The clock: what has run out is closed, but only after a poll of the mailbox that began later."""

from __future__ import annotations

from pbem.service.games import Games
from pbem.service.ports import Clock
from pbem.service.publish import publish
from pbem.service.slots import lapse_due


class ClockService:
    """Closes slots. What it costs depends on what is due, not on how many games there are."""

    def __init__(self, games: Games, clock: Clock) -> None:
        self._games = games
        self._clock = clock

    def polled(self, began: int) -> None:
        """A poll of the mailbox that began then is complete: close what ran out before it (procedure.md, 8.3)."""
        with self._games.work() as desk:
            desk.books.set_polled(began)
            due = list(dict.fromkeys(game for game, _ in desk.books.due_slots(began)))
        for game in due:
            self._close(game, began)

    def _close(self, game_id: str, until: int) -> None:
        with self._games.work() as desk:
            game = desk.game(game_id)
            if lapse_due(desk, game, until):
                publish(desk, game, self._clock.now())

    def next_instant(self) -> int | None:
        """When something is due next: a deadline, or a row of the outbox."""
        with self._games.store.transaction() as books:
            instants = [at for at in (books.next_deadline(), books.next_post()) if at is not None]
        return min(instants, default=None)
