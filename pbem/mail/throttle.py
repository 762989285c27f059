"""How fast our letters may go out: large mail hosts turn away whoever brings too many at once."""

from __future__ import annotations

from collections import defaultdict, deque

MINUTE = 60  # seconds


class Throttle:
    """At most so many letters a minute to one domain; None: as many as there are. A restart begins anew."""

    def __init__(self, per_minute: int | None) -> None:
        self._per_minute = per_minute
        self._sent: dict[str, deque[int]] = defaultdict(deque)  # the last instants, by domain

    def earliest(self, address: str, now: int) -> int:
        """When the next letter to this address may go out: now, or within a minute, even if the clock was put back."""
        sent = self._sent[_domain(address)]
        return max(now, min(now, sent[0]) + MINUTE) if len(sent) == self._per_minute else now

    def note(self, address: str, now: int) -> None:
        """A letter to this address goes out now."""
        if self._per_minute is not None:
            sent = self._sent[_domain(address)]
            sent.append(now)
            while len(sent) > self._per_minute:
                sent.popleft()


def _domain(address: str) -> str:
    return address.rpartition("@")[2].lower()
