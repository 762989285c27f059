"""The next letter: what waits for one reader of a game goes out together, once nothing more is likely to come.

While bots have answers to give at once, which another worker may be at, all news of the game wait for them, though no
longer than a moment: they may be kept from it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from pbem.host.messages.gathering import can_join, can_wait, due_at, first_of, gathered, letter_with
from pbem.host.ports import OutboxRow, Repository
from pbem.host.session.absences import is_bots

BOTS = 60  # seconds at most that news wait for bots
GLANCE = 1  # second, until it is looked again whether they have answered


class Gathering:
    """Puts letters together. What may wait does so for `seconds`; the answer to its reader's own letter takes it along.

    0: what is ready goes together, and nothing waits.
    """

    def __init__(self, seconds: int) -> None:
        self._seconds = seconds

    def due(self, repository: Repository, now: int, until: int, matter: str | None = None) -> Iterator[OutboxRow]:
        """The rows that are due (in that matter), each with all that goes out with it; nobody has claimed them yet.

        What may wait until then goes along.
        """
        found: set[str] = set()
        while row := _first(repository.due(now, limit=len(found) + 1, matter=matter), found):
            if whole := self._whole(repository, row, now, until):
                found.add(whole.id)
                yield whole

    def _whole(self, repository: Repository, row: OutboxRow, now: int, until: int) -> OutboxRow | None:
        """None where it waits, or goes out with another. One that was tried before stays as it was: it may be out."""
        if row.attempts or not can_join(row):
            return row
        waiting = (each for each in repository.waiting_with(row, max(until, now + self._seconds)) if can_join(each))
        letter = letter_with((each for each in waiting if _is_ready(each, row, now)), row)
        first = first_of(letter, row)
        is_own = first.id == row.id
        if is_own and (due := self._due(repository, letter, now)) > now:
            repository.postpone(row.id, due)
            return None
        if len(letter) == 1:
            return row
        whole = gathered(letter, first)
        repository.gather(whole)
        for each in letter:
            if each.id != first.id:
                repository.put_away(each.id)
        return whole if is_own else None

    def _due(self, repository: Repository, letter: Sequence[OutboxRow], now: int) -> int:
        due, until = due_at(letter, now, self._seconds), min(now, *(row.created for row in letter)) + BOTS
        if due > now or until <= now or not _bots_answer(repository, letter[0].game or "", now):
            return due
        return min(until, now + GLANCE)


def _first(rows: Iterable[OutboxRow], known: Collection[str]) -> OutboxRow | None:
    return next((row for row in rows if row.id not in known), None)


def _bots_answer(repository: Repository, game: str, now: int) -> bool:
    """Is a bot asked that need not wait?"""
    return any(is_bots(slot) and slot.due is not None and slot.due <= now for slot in repository.slots(game))


def _is_ready(each: OutboxRow, row: OutboxRow, now: int) -> bool:
    return each.id == row.id or each.due <= now or can_wait(each)
