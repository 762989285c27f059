"""What a question offers to be pointed at: enough for every order of a bot, and nothing that can't be played."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.core import choice
from pbem.core.choice import Choice
from pbem.core.decision import Answer
from pbem.games.imperial.notation.write import write
from pbem.games.imperial.rules import orders as od
from pbem.host.commands.table import COMMANDS
from pbem.language.parser import Parser
from tests.rules.pointing import as_offered, pointed, wandered
from tests.rules.tables import Match, examples, matches, play


def test_a_tree_is_read_step_by_step() -> None:
    """All texts with one choice a step; and what is left of a text when its beginning has been pointed at."""
    what = choice.Step(of=(Choice(text="tea"), Choice(text="cake")), least=0, most=2, none=" nothing")
    tree = choice.Step(of=(Choice(text="bring", then=(what,)), Choice(text="go")), before="")
    assert [text for _, text in choice.single(tree)] == ["bring nothing", "bring tea", "bring cake", "go"]
    for text in ("bring nothing", "bring cake, tea", "go"):
        assert pointed(tree, text) is not None, text
    for text in ("bring", "bring tea, tea", "go tea", "bring tea, cake, tea", "stay"):
        assert pointed(tree, text) is None, text


def test_what_choices_share_lasts_for_all_of_them() -> None:
    """Wherever in the tree it is taken; another choice may add to it, and nothing leads where no end is."""
    cups = choice.Step(
        of=(Choice(text="tea", takes={"cup": 1}, times=3), Choice(text="water", takes={"cup": 1})), most=2
    )
    guests = (
        Choice(text="anton", then=(cups,)),
        Choice(text="bert", then=(cups,)),
        Choice(text="wash", takes={"cup": -1}),
    )
    tree = choice.Step(of=guests, most=3, room={"cup": 2}, before="", none="nobody")
    for text in (
        "anton tea, tea",
        "anton tea, bert water",
        "anton tea, tea, wash, bert tea",
        "wash, anton tea, bert water",
    ):
        assert pointed(tree, text) is not None, text
    for text in ("anton tea, tea, bert tea", "anton tea, water, bert tea"):
        assert pointed(tree, text) is None, text
    behind = choice.chosen(Choice(text="both", takes={"cup": 2}), choice.entered(tree, {}))
    assert [one.text for one in choice.on_offer(tree, (), behind)] == ["wash"]
    assert [text for _, text in choice.single(replace(tree, room={"cup": 0}))] == ["wash"]
    assert {wandered(tree, random.Random(seed)).count("tea") for seed in range(40)} == {0, 1, 2, 3}


@pytest.mark.parametrize("bot", ["random", "greedy"])
@examples(4)
@given(match=matches())
def test_every_order_of_a_bot_can_be_pointed_at(match: Match, bot: str) -> None:
    for step in play(replace(match, bot=bot), most=80):
        if step.decision is not None and not isinstance(step.order, od.Skip | od.Plan):
            offered = step.game.choices(step.before, step.decision)
            assert pointed(offered, as_offered(step)) is not None, write(step.order)


@examples(4)
@given(match=matches(bot="mixed"), seed=st.integers(0, 2**20), late=st.sampled_from([0, 0, 1, 5]))
def test_every_whole_way_is_an_order_that_is_accepted(match: Match, seed: int, late: int) -> None:
    """Whatever somebody points at, one choice after another, and what the links of letters say."""
    parser, dice = Parser(match.game.notation, COMMANDS, match.setup.seats), random.Random(seed)
    for step in play(match, most=40):
        if step.decision is None:
            continue
        offered = step.game.choices(step.game.as_late(step.before, step.decision, late), step.decision)
        links = [text for _, text in choice.single(offered)]
        ways = [wandered(offered, dice) for _ in range(4 if offered.of else 0)]
        for text in (*dice.sample(links, min(4, len(links))), *ways):
            order = parser.order(text)
            assert step.decision in step.game.address(step.before, step.decision.seat, order), text
            answer = Answer(seat=step.decision.seat, order=order, decision=step.decision, late=late)
            step.game.check(step.before, answer)
