"""Chapters that were just told: a report goes to several people, and is folded once."""

from __future__ import annotations

from pbem.host.ports import Game
from pbem.host.reporting.chapters import Stretch, blank, stretch
from pbem.host.session.position import Position
from pbem.host.session.unit_of_work import UnitOfWork, read_entries

KEPT = 50  # stretches of games


class Chapters:
    """Stretches of games, from memory or from the books."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int, int], Stretch] = {}

    def between(self, work: UnitOfWork, game: Game, first: int, last: int) -> Stretch:
        """The chapters from entry `first` to entry `last`."""
        key = (game.id, first, last)
        if key not in self._known:
            found = self._read(work, game, first, last)
            while len(self._known) >= KEPT:
                del self._known[next(iter(self._known))]
            self._known[key] = found
        return self._known[key]

    def _read(self, work: UnitOfWork, game: Game, first: int, last: int) -> Stretch:
        """Folded from the nearest known beginning of a chapter."""
        loaded = work.games.load(game)
        start = self._nearest(game, first) or blank(loaded)
        entries = read_entries(loaded.rules, work.repository, game.id, start.seq, last)
        if any(entry.rewind_to is not None and entry.rewind_to < start.seq for entry in entries):
            start, entries = blank(loaded), read_entries(loaded.rules, work.repository, game.id, upto=last)
        return stretch(loaded, start, entries).since(first)

    def _nearest(self, game: Game, first: int) -> Position | None:
        own = [known for (id_, _, _), known in self._known.items() if id_ == game.id]
        begins = [position for known in own for position in (known.before, *(each.after for each in known.over))]
        return max((p for p in begins if p.seq < first), key=lambda p: p.seq, default=None)
