"""When time does not count in a game: what the log says of pauses, as windows.

See docs/reference/procedure.md, section 6.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.host.calendar.counting import Pause
from pbem.host.session.acts import Done, PauseCause, Paused, Resumed
from pbem.host.session.effect import dated, follows


class Window(Struct, frozen=True, kw_only=True):
    """A pause, who made it and why."""

    pause: Pause
    by: str
    why: str
    cause: PauseCause

    def covers(self, at: int) -> bool:
        return self.pause.covers(at)


@follows
def windows(done: Sequence[Done]) -> tuple[Window, ...]:
    """All pauses there have been and those that are to come, in the order in which they were made."""
    found: list[Window] = []
    for since, act in dated(done):
        match act:
            case Paused():
                start = act.start if act.cause == "outage" else max(act.start, since)
                found.append(Window(pause=Pause(start=start, end=act.end), by=act.by, why=act.why, cause=act.cause))
            case Resumed():
                found = [_ended(window, max(act.at, since), act.cause) for window in found]
            case _:
                pass
    return tuple(found)


@follows
def pauses(done: Sequence[Done]) -> tuple[Pause, ...]:
    """What is left out when time is counted."""
    return tuple(window.pause for window in windows(done))


def to_come(done: Sequence[Done], at: int) -> tuple[Window, ...]:
    """The pauses that run at an instant or begin later, in the order in which they were made."""
    return tuple(each for each in windows(done) if _goes_beyond(each.pause, at))


def paused(done: Sequence[Done], at: int) -> Window | None:
    """The pause that lasts longest of those that run at an instant."""
    running = [window for window in windows(done) if window.covers(at)]
    return max(running, key=lambda one: float("inf") if one.pause.end is None else one.pause.end, default=None)


def _ended(window: Window, at: int, cause: PauseCause | None) -> Window:
    """One that would end later ends then; one that has not begun is never."""
    end = window.pause.end
    if cause not in (None, window.cause) or (end is not None and end <= at):
        return window
    return replace(window, pause=replace(window.pause, end=max(window.pause.start, at)))


def _goes_beyond(pause: Pause, at: int) -> bool:
    return pause.end is None or pause.end > max(at, pause.start)
