"""Pointing at an order in what a question offers, one choice after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pbem.core import choice
from pbem.games.imperial.notation.write import write
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.questions import space_word
from pbem.games.imperial.rules.resolution import Resolution
from tests.rules.tables import Step

DONE = "done"  # a step that could go on is left


def pointed(step: choice.Step, text: str) -> list[str] | None:
    """What is chosen one after the other to get that text, but for what there is no choice in; None if it can't be."""
    return next((picks for picks, rest in _rests(step, text, ()) if not rest), None)


def _rests(step: choice.Step, text: str, taken: Sequence[str]) -> Iterator[tuple[list[str], str]]:
    """Each way to point at the beginning of the text, and what remains of it."""
    open_ = [one for one in step.of if taken.count(one.text) < one.times and len(taken) < step.most]
    end = [DONE] if open_ else []
    if len(taken) >= step.least and taken:
        yield end, text
    if not taken and not step.least and text.startswith(step.none):
        yield end, text.removeprefix(step.none)
    head, only = step.between if taken else step.before, step.least == step.most == len(open_) == 1
    for one in open_:
        if text.startswith(head + one.text):
            picked = [] if only else [one.text]
            for then, rest in _behind(one.then, text.removeprefix(head + one.text)):
                yield from (([*picked, *then, *more], end) for more, end in _rests(step, rest, (*taken, one.text)))


def _behind(steps: tuple[choice.Step, ...], text: str) -> Iterator[tuple[list[str], str]]:
    if not steps:
        yield [], text
        return
    for picks, rest in _rests(steps[0], text, ()):
        yield from (([*picks, *more], end) for more, end in _behind(steps[1:], rest))


def as_offered(step: Step) -> str:
    """An order as the choices write it: with the nation, and the space by its shortest name."""
    order, about = step.order, step.decision.about if step.decision else None
    if isinstance(order, od.Fight):
        return write(replace(order, nation=about))
    if not isinstance(order, od.Turn) or about is None:
        return write(order)
    nation = step.game.board.nations[step.game.board.nations.index(about)]
    word = space_word(Resolution(step.game.board, step.game.edition, step.before), nation, order.space)
    return write(replace(order, nation=nation, space=word))
