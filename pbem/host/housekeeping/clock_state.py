"""What the computer's clock shows, and what the books say against it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pbem.host.calendar.zones import utc
from pbem.host.housekeeping.monotonic_clock import STEP
from pbem.host.ports import Repository

DOUBTED = "clock.back"  # when a daemon last found its clock wrong; the games are held since
MEND = "if the computer's clock is right, say so: pbem clock --believe; else put it right (NTP)"


class ClockState(Struct, frozen=True, kw_only=True):
    """What the computer's clock shows, and what the books say against it."""

    hands: int
    polled: int | None  # when the last completed poll of the mailbox began
    doubted: int | None = None  # when a daemon last found its clock wrong; the games are held since
    games: tuple[str, ...] = ()  # those that have something in them that lies in the future

    @property
    def faults(self) -> Iterator[str]:
        """In words; none while all is well."""
        if self.polled is not None and self.polled > self.hands + STEP:
            yield f"the last look for letters is noted for {utc(self.polled)}, ahead of the computer's clock"
        if self.games:
            yield f"these games have instants that lie ahead of the computer's clock: {', '.join(self.games)}"
        if self.doubted is not None:
            yield "a daemon does not believe the computer's clock, so no time counts in any game"


def clock_state(repository: Repository, hands: int) -> ClockState:
    """What the books say against a clock that shows `hands` (seconds UTC)."""
    return ClockState(
        hands=hands,
        polled=repository.polled(),
        doubted=repository.mark(DOUBTED),
        games=tuple(repository.later_than(hands + STEP)),
    )
