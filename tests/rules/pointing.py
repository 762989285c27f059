"""Pointing at an order in what a question offers, one choice after another."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from pbem.core.choice import Choice, Room, chosen, entered, on_offer
from pbem.core.choice import Step as Tree
from pbem.games.imperial.notation.write import write
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.questions import space_word
from pbem.games.imperial.rules.resolution import Resolution
from tests.rules.tables import Step

DONE = "done"  # a step that could go on is left
Pointed = tuple[list[str], str, Room]


def pointed(tree: Tree, text: str) -> list[str] | None:
    """What is chosen one after the other to get that text, but for what there is no choice in; None if it can't be."""
    return next((picks for picks, rest, _ in _behind((tree,), text, {}) if not rest), None)


def _behind(steps: Sequence[Tree], text: str, left: Room) -> Iterator[Pointed]:
    """Each way to point at the beginning of the text, what remains of it, and what there is room for then."""
    if not steps:
        yield [], text, left
        return
    for picks, rest, behind in _rests(steps[0], text, (), entered(steps[0], left)):
        yield from (([*picks, *more], end, last) for more, end, last in _behind(steps[1:], rest, behind))


def _rests(step: Tree, text: str, taken: Sequence[Choice], left: Room) -> Iterator[Pointed]:
    open_ = on_offer(step, taken, left)
    end = [DONE] if open_ else []
    if len(taken) >= step.least and taken:
        yield end, text, left
    if not taken and not step.least and text.startswith(step.none):
        yield end, text.removeprefix(step.none), left
    head, only = step.between if taken else step.before, step.least == step.most == len(step.of) == 1
    for one in open_:
        if text.startswith(head + one.text):
            picked = [] if only else [one.text]
            for then, rest, behind in _behind(one.then, text.removeprefix(head + one.text), chosen(one, left)):
                yield from (
                    ([*picked, *then, *more], end, last)
                    for more, end, last in _rests(step, rest, (*taken, one), behind)
                )


Chooser = Callable[[Tree, Sequence[Choice], bool], Choice | None]  # what is on offer; may it be left, and is it?


def wandered(tree: Tree, dice: random.Random) -> str:
    """The text of any whole way through the tree."""

    def anything(_: Tree, open_: Sequence[Choice], may_leave: bool) -> Choice | None:
        return None if may_leave and dice.random() < 0.2 else dice.choice(open_)

    return walked(tree, anything)


def walked(tree: Tree, choose: Chooser) -> str:
    """The text of somebody's own way through the tree."""
    return _walked((tree,), choose, {})[0]


def _walked(steps: Sequence[Tree], choose: Chooser, left: Room) -> tuple[str, Room]:
    text = ""
    for step in steps:
        left, taken = entered(step, left), list[Choice]()
        while open_ := on_offer(step, taken, left):
            one = choose(step, open_, len(taken) >= step.least)
            if one is None:
                break
            more, left = _walked(one.then, choose, chosen(one, left))
            text += (step.between if taken else step.before) + one.text + more
            taken.append(one)
        assert len(taken) >= step.least, f"no way on behind {text!r}"
        text += "" if taken else step.none
    return text, left


def as_offered(step: Step) -> str:
    """An order as the choices write it: a turn with its nation and the space by its shortest name, a fight with the
    nation where several are asked."""
    order, about = step.order, step.decision.about if step.decision else None
    if isinstance(order, od.Fight) and step.decision is not None:
        asked = [each for each in step.game.pending(step.before) if each.seat == step.decision.seat]
        return write(replace(order, nation=about if len(asked) > 1 else None))
    if not isinstance(order, od.Turn) or about is None:
        return write(order)
    nation = step.game.board.nations[step.game.board.nations.index(about)]
    word = space_word(Resolution(step.game.board, step.game.edition, step.before), nation, order.space)
    return write(replace(order, nation=nation, space=word))
