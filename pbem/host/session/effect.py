"""From when a decision counts. One place tells it, and whatever is decided about time goes by it.

The log is the order of decisions: an entry's instant is that of its filing, or of its being done, but never before the
entry in front of it (`since`). From then on a decision counts, and what was counted before stays as it was: options
have their old values up to there, pauses and absences that were to begin before begin there (`dated`, `steps`). So
nothing that is decided at an instant can change what had been counted, or who was overdue, before it.

Two things look back without touching that. A hold for an outage tells what was so since the last completed poll of the
mailbox: nothing has been closed since, nor could it be. And what a letter answers is timed by its filing, even when
something else has been entered in between: then the entry tells that instant beside its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import TypeVar

from msgspec.structs import replace

from pbem.host.session.acts import Act, Away, ClockSet, Done, OptionSet, Paused, Resumed, TimeKept

T = TypeVar("T")
Step = tuple[int, str]  # from when, and which value

LOGS = 64  # of which is remembered what follows: one letter asks for it a hundred times


def since(asked: int, last: int) -> int:
    """The instant at which is entered what was filed or done then, behind what was entered last."""
    return max(asked, last)


class _Log:
    """A log as a key: whatever it holds, it is found again by being the same one."""

    def __init__(self, done: tuple[Done, ...]) -> None:
        self.done = done

    def __hash__(self) -> int:
        return id(self.done)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Log) and other.done is self.done


def follows(reckoned: Callable[[Sequence[Done]], T]) -> Callable[[Sequence[Done]], T]:
    """For what follows from a log alone: it is reckoned once for each. Nobody changes what is returned."""
    known = lru_cache(maxsize=LOGS)(lambda log: reckoned(log.done))

    @wraps(reckoned)
    def asked(done: Sequence[Done]) -> T:
        found: T = known(_Log(tuple(done)))  # a tuple stays the same one
        return found

    return asked


@follows
def beside_time(done: Sequence[Done]) -> tuple[Done, ...]:
    """The acts but for those that keep the time of each answer, of which a log is full."""
    return tuple([each for each in done if type(each.act) is not TimeKept])


@follows
def dated(done: Sequence[Done]) -> Sequence[tuple[int, Act]]:
    """Each act of those with the instant from which it counts. Logs of before 0.4 may run back; the order decides.

    Where a clock that had been ahead was put right, what came before counts from then at the latest, and what was
    decided while it was ahead is as far from its decision as it was.
    """
    found: list[tuple[int, Act]] = []
    last = 0
    for each in done:
        if type(each.act) is TimeKept:
            last = max(each.at, last)
            continue
        if isinstance(each.act, ClockSet):
            last = each.at
            found = [(min(at, last), _brought_back(act, at, last)) for at, act in found]
        last = since(each.at, last)
        found.append((last, each.act))
    return found


def _brought_back(act: Act, at: int, last: int) -> Act:
    """With the instants that it tells of, where it counted from `at`, and our clock was put right at `last`."""
    late = max(0, at - last)
    match act:
        case Paused(start=start, end=end, cause="outage"):  # which is told when it is over
            return replace(act, start=min(start, last), end=None if end is None else min(end, last))
        case Paused(start=start, end=end):
            return replace(act, start=start - late, end=None if end is None else end - late)
        case Away(start=start, end=end):
            return replace(act, start=start - late, end=end - late)
        case Resumed():
            return replace(act, at=act.at - late)
        case _:
            return act


@follows
def settings(done: Sequence[Done]) -> Sequence[tuple[int, OptionSet]]:
    """Each change of an option, with the instant from which it counts."""
    return [(at, act) for at, act in dated(done) if isinstance(act, OptionSet)]


def steps(done: Sequence[Done], key: str, value: str) -> list[Step]:
    """The values that an option has had, each with the instant from which it counts; `value` is the present one."""
    found = [(at, act) for at, act in settings(done) if act.key == key]
    first = found[0][1].was if found else value
    return [(0, first), *((at, act.value) for at, act in found)]
