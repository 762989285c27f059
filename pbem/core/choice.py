"""The answers to a question as a tree of texts: who offers them needs to know nothing of the game."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct


class Choice(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One way to go on with an answer."""

    text: str  # what it adds, in the order language
    key: str = ""  # the id of what is chosen; equal in one step for what may not be chosen together
    at: str | None = None  # where on the board it can be pointed at
    times: int = 1  # how often it may be chosen
    cost: int = 0  # what it takes each time
    payer: str = ""  # whose money that is, by its id; "" for one's own
    then: tuple[Step, ...] = ()  # what is still to be said of it, one after the other


class Step(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Some of these, between what stands before and what follows."""

    of: tuple[Choice, ...]
    least: int = 1
    most: int = 1
    before: str = " "
    between: str = ", "
    none: str = ""  # what stands for it when nothing is chosen


def single(step: Step) -> Iterator[tuple[tuple[Choice, ...], str]]:
    """Whole texts in which no step has more than one choice: what was chosen on the way, and the text."""
    if not step.least:
        yield (), step.none
    for choice in step.of:
        yield from (((choice, *rest), step.before + choice.text + text) for rest, text in _onward(choice.then))


def _onward(steps: tuple[Step, ...]) -> Iterator[tuple[tuple[Choice, ...], str]]:
    if not steps:
        yield (), ""
        return
    for chosen, text in single(steps[0]):
        yield from (((*chosen, *rest), text + more) for rest, more in _onward(steps[1:]))
