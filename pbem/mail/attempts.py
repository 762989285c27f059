"""How often a letter has been met: none may come round after round, and keep the others from being read.

A meeting is written down before the letter is looked at, so that one counts, too, that kills or hangs the daemon.
"""

from __future__ import annotations

from collections import Counter

from pbem.host.ports import RawLetter
from pbem.host.session.unit_of_work import Games, UnitOfWork

ROUNDS = 3  # in which a letter is tried; then it is moved aside


class Attempts:
    """Counts them in the books, by the place where the letter lies in the mailbox."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._excused: Counter[str] = Counter()  # what was no fault of the letter's

    def another(self, raw: RawLetter) -> int:
        """The letter is met now; for the how manieth time. Raises `Conflict`, `StoreDown`."""
        return self._games.do(lambda work: _counted(work, raw)) - self._excused[_name(raw)]

    def excuse(self, raw: RawLetter) -> None:
        """The last meeting does not count: nothing could be done for any letter then."""
        self._excused[_name(raw)] += 1

    def over(self, work: UnitOfWork, raw: RawLetter) -> None:
        """The letter has been dealt with."""
        work.repository.set_mark(_name(raw), None)


def _counted(work: UnitOfWork, raw: RawLetter) -> int:
    times = (work.repository.mark(_name(raw)) or 0) + 1
    work.repository.set_mark(_name(raw), times)
    return times


def _name(raw: RawLetter) -> str:
    return f"met {raw.uidvalidity}.{raw.uid}"
