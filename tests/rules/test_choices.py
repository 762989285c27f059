"""What a question offers to be pointed at: enough for every order of a bot, and nothing that can't be played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from hypothesis import given
from msgspec.structs import replace

from pbem.core import choice
from pbem.core.choice import Choice
from pbem.core.decision import Answer
from pbem.games.imperial.notation.write import write
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.questions import space_word
from pbem.games.imperial.rules.resolution import Resolution
from pbem.host.commands.table import COMMANDS
from pbem.language.parser import Parser
from tests.rules.tables import Match, Step, examples, matches, play


def test_a_tree_is_read_step_by_step() -> None:
    """All texts with one choice a step; and what is left of a text when its beginning has been pointed at."""
    what = choice.Step(of=(Choice(text="tea"), Choice(text="cake")), least=0, most=2, none=" nothing")
    tree = choice.Step(of=(Choice(text="bring", then=(what,)), Choice(text="go")), before="")
    assert [text for _, text in choice.single(tree)] == ["bring nothing", "bring tea", "bring cake", "go"]
    for text in ("bring nothing", "bring cake, tea", "go"):
        assert is_offered(tree, text), text
    for text in ("bring", "bring tea, tea", "go tea", "bring tea, cake, tea", "stay"):
        assert not is_offered(tree, text), text


def is_offered(step: choice.Step, text: str) -> bool:
    return "" in _rests(step, text, {}, 0)


def _rests(step: choice.Step, text: str, taken: Mapping[str, int], count: int) -> Iterator[str]:
    """What remains of the text behind each way to point at its beginning."""
    if count >= step.least and count:
        yield text
    if not count and not step.least and text.startswith(step.none):
        yield text.removeprefix(step.none)
    head = step.between if count else step.before
    for one in step.of if count < step.most and text.startswith(head) else ():
        behind = text.removeprefix(head)
        if behind.startswith(one.text) and taken.get(one.text, 0) < one.times:
            for rest in _behind(one.then, behind.removeprefix(one.text)):
                yield from _rests(step, rest, {**taken, one.text: taken.get(one.text, 0) + 1}, count + 1)


def _behind(steps: tuple[choice.Step, ...], text: str) -> Iterator[str]:
    if not steps:
        yield text
        return
    for rest in _rests(steps[0], text, {}, 0):
        yield from _behind(steps[1:], rest)


@pytest.mark.parametrize("bot", ["random", "greedy"])
@examples(12)
@given(match=matches())
def test_every_order_of_a_bot_can_be_pointed_at(match: Match, bot: str) -> None:
    for step in play(replace(match, bot=bot), most=80):
        if step.decision is not None and not isinstance(step.order, od.Skip | od.Plan):
            offered = step.game.choices(step.before, step.decision)
            assert is_offered(offered, write(_named(step))), write(step.order)


def _named(step: Step) -> od.Order:
    """As the choices write it: with the nation, and the space by its shortest name."""
    order, about = step.order, step.decision.about if step.decision else None
    if isinstance(order, od.Fight):
        return replace(order, nation=about)
    if not isinstance(order, od.Turn) or about is None:
        return order
    nation = step.game.board.nations[step.game.board.nations.index(about)]
    word = space_word(Resolution(step.game.board, step.game.edition, step.before), nation, order.space)
    return replace(order, nation=nation, space=word)


@examples(12)
@given(matches(bot="mixed"))
def test_what_takes_one_choice_a_step_can_be_played(match: Match) -> None:
    """But for maneuvers, where what others of its pieces do first may open or shut the way."""
    parser = Parser(match.game.notation, COMMANDS, match.setup.seats)
    for step in play(match, most=40):
        if step.decision is None:
            continue
        for _, text in choice.single(step.game.choices(step.before, step.decision)):
            order = parser.order(text)
            if "maneuver" not in text or text.endswith("none"):
                step.game.check(step.before, Answer(seat=step.decision.seat, order=order, decision=step.decision))
