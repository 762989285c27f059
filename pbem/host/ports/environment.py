"""The computer that we run on: its clock, and where its operator reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol


class Clock(Protocol):
    def now(self) -> int:
        """The current instant, whole seconds UTC."""


class Timepiece(Clock, Protocol):
    """A clock that may be put forward and back, and beside it one that nobody can set."""

    def elapsed(self) -> float:
        """Seconds that have gone by since some moment; only differences mean something."""


Stopwatch = Callable[[], float]  # seconds since some moment; only differences mean something


class Log(Protocol):
    """Where the operator reads what went wrong."""

    def exception(self, message: str, *facts: object, exc_info: Exception | bool = True) -> None: ...
    def warning(self, message: str, *facts: object) -> None: ...
    def info(self, message: str, *facts: object, extra: Mapping[str, object] | None = None) -> None:
        """An event; `extra` may hold letter, row, game, fate and seconds."""
