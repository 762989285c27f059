"""The answers to a question as a tree of texts: who offers them needs to know nothing of the game.

What several choices share, wherever they stand, is told by room: a step says how much there is, a choice what it takes
or adds. So every whole way through the tree can be an answer that the rules accept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

Room = Mapping[str, int]  # how much is left, by what it is called


class Choice(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One way to go on with an answer."""

    text: str  # what it adds, in the order language
    key: str = ""  # the id of what is chosen; equal in one step for what may not be chosen together
    at: str | None = None  # where on the board it can be pointed at
    times: int = 1  # how often it may be chosen
    takes: Room = {}  # each time; less than nothing: it adds so much
    cost: int = 0  # what it takes each time
    payer: str = ""  # whose money that is, by its id; "" for one's own
    then: tuple[Step, ...] = ()  # what is still to be said of it, one after the other


class Step(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Some of these, between what stands before and what follows."""

    of: tuple[Choice, ...]
    least: int = 1
    most: int = 1
    room: Room = {}  # for its choices and all that follows from them
    before: str = " "
    between: str = ", "
    none: str = ""  # what stands for it when nothing is chosen


def on_offer(step: Step, taken: Sequence[Choice], left: Room) -> list[Choice]:
    """What may be chosen next where these were chosen so far; `left` knows of the step's own room."""
    if len(taken) >= step.most:
        return []
    return [one for one in step.of if taken.count(one) < one.times and _is_open(one, left)]


def entered(step: Step, left: Room) -> Room:
    """What is left when a step begins."""
    return {**left, **step.room}


def chosen(one: Choice, left: Room) -> Room:
    """What is left behind a choice; less than nothing where it may not be chosen."""
    return {**left, **{name: left.get(name, 0) - count for name, count in one.takes.items()}}


def _is_open(one: Choice, left: Room) -> bool:
    """Is there room for it, and for the least that must be said of it?"""
    behind = chosen(one, left)
    return all(behind[name] >= 0 for name, count in one.takes.items() if count > 0) and _can_end(one.then, behind)


def _can_end(steps: Sequence[Step], left: Room) -> bool:
    if not steps:
        return True
    step, *rest = steps
    if not step.least:
        return _can_end(rest, left)
    left, fewer = entered(step, left), replace(step, least=step.least - 1, room={})
    return any(_is_open(replace(one, then=(*one.then, fewer, *rest)), left) for one in step.of)


def everything(step: Step) -> Iterator[Choice]:
    """All choices, at every step, each before what is still to be said of it."""
    for choice in step.of:
        yield choice
        for following in choice.then:
            yield from everything(following)


def counted(step: Step) -> int:
    """How many choices there are, at every step."""
    return sum(1 for _ in everything(step))


def single(step: Step) -> Iterator[tuple[tuple[Choice, ...], str]]:
    """Whole texts in which no step has more than one choice: what was chosen on the way, and the text."""
    yield from ((way, text) for way, text, _ in _onward((step,), {}))


def _onward(steps: Sequence[Step], left: Room) -> Iterator[tuple[tuple[Choice, ...], str, Room]]:
    if not steps:
        yield (), "", left
        return
    for way, text, behind in _one(steps[0], entered(steps[0], left)):
        yield from (((*way, *rest), text + more, end) for rest, more, end in _onward(steps[1:], behind))


def _one(step: Step, left: Room) -> Iterator[tuple[tuple[Choice, ...], str, Room]]:
    if not step.least:
        yield (), step.none, left
    for one in on_offer(step, (), left):
        for rest, text, behind in _onward(one.then, chosen(one, left)):
            yield (one, *rest), step.before + one.text + text, behind
