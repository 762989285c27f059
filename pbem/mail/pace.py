"""At whose turn it is to send, and how many letters a minute."""

from __future__ import annotations

from collections import defaultdict, deque

from pbem.host.session.unit_of_work import Games
from pbem.mail.outcomes import domain_of

MINUTE = 60  # seconds


class Turns:
    """Among several workers the mail of one game goes out by one at a time, in its order: each letter tells what is
    true once those before it are out. What belongs to no game is parted by its reader.
    """

    def __init__(self, games: Games) -> None:
        self._games = games
        self._locks = games.store.locks
        self._passed: set[str] = set()  # what another worker sends, or has nothing that is due any more
        self.matter: str | None = None  # whose turn we have; None: of everything, for nobody else is there

    def begin(self) -> int:
        """A new round; among how many workers."""
        self._passed.clear()
        return self._locks.workers()

    def take(self, now: int) -> bool:
        """Have a turn: at the matter we have till it is over, else at the next due that no other has; is there one?

        We let go of it only when all that is out is written down.
        """
        while self.matter is None and not self._locks.is_alone:
            matter = self._games.do(lambda work: work.repository.next_matter(now, self._passed))
            if matter is None:
                return False
            if self._locks.take([_mail_of(matter)]):
                self.matter = matter
            else:
                self._passed.add(matter)
        return True

    def over(self) -> None:
        """There is nothing more to send of it in this round."""
        self._passed.update([self.matter] if self.matter is not None else [])
        self.close()

    def close(self) -> None:
        """Let go of it."""
        if self.matter is not None:
            self._locks.release([_mail_of(self.matter)])
            self.matter = None


def _mail_of(matter: str) -> str:
    return f"mail {matter}"


class Throttle:
    """At most so many letters a minute to one domain; None: as many as there are. A restart begins anew.

    Several workers share them equally.
    """

    def __init__(self, per_minute: int | None) -> None:
        self._whole = self._per_minute = per_minute
        self._sent: dict[str, deque[int]] = defaultdict(deque)  # the last instants, by domain

    def shared_by(self, workers: int) -> None:
        """So many send."""
        if self._whole is not None:
            self._per_minute = max(1, self._whole // workers)

    def earliest(self, address: str, now: int) -> int:
        """When the next letter to this address may go out: now, or within a minute, even if the clock was put back."""
        sent = self._sent[domain_of(address)]
        most = self._per_minute
        return now if most is None or len(sent) < most else max(now, min(now, sent[-most]) + MINUTE)

    def note(self, address: str, now: int) -> None:
        """A letter to this address goes out now."""
        if self._per_minute is not None:
            sent = self._sent[domain_of(address)]
            sent.append(now)
            while self._whole is not None and len(sent) > self._whole:
                sent.popleft()
