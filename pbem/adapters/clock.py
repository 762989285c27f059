"""Clocks: the world's, and one that runs fast so that a demo sees months go by in a minute."""

from __future__ import annotations

import math
import time

# Linux has a clock that goes on while the computer sleeps; elsewhere time asleep does not elapse.
_ELAPSED = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class SystemClock:
    """The computer's own clock; fulfils `ports.Timepiece`."""

    def now(self) -> int:
        """The current instant, whole seconds UTC since 1970, floored."""
        return math.floor(time.time())

    def elapsed(self) -> float:
        """Seconds since the computer was started; nobody can set this clock."""
        return time.clock_gettime(_ELAPSED)


class FastClock:
    """A clock that starts at `start` (seconds UTC) and passes `speed` seconds in every real one.

    It measures real time monotonically, so it never goes back, whatever happens to the computer's clock.
    """

    def __init__(self, start: int, speed: float = 1.0) -> None:
        if speed < 0:
            raise ValueError(f"a clock can't run backwards: speed {speed}")
        self._start = start
        self._speed = speed
        self._origin = time.monotonic()

    def now(self) -> int:
        """The current instant of this clock, whole seconds UTC since 1970, floored."""
        return self._start + math.floor((time.monotonic() - self._origin) * self._speed)

    def elapsed(self) -> float:
        """Nobody can set its hands, so it is its own witness."""
        return float(self.now())

    def skip(self, seconds: int) -> None:
        """Jump ahead by `seconds` of this clock's own time."""
        if seconds < 0:
            raise ValueError(f"a clock can't run backwards: skip {seconds}")
        self._start += seconds
