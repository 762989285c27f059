"""What a question offers to be pointed at: enough for every order of a bot, and nothing that can't be played."""

from __future__ import annotations

import pytest
from hypothesis import given
from msgspec.structs import replace

from pbem.core import choice
from pbem.core.choice import Choice
from pbem.core.decision import Answer
from pbem.games.imperial.notation.write import write
from pbem.games.imperial.rules import orders as od
from pbem.host.commands.table import COMMANDS
from pbem.language.parser import Parser
from tests.rules.pointing import as_offered, pointed
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


@pytest.mark.parametrize("bot", ["random", "greedy"])
@examples(12)
@given(match=matches())
def test_every_order_of_a_bot_can_be_pointed_at(match: Match, bot: str) -> None:
    for step in play(replace(match, bot=bot), most=80):
        if step.decision is not None and not isinstance(step.order, od.Skip | od.Plan):
            offered = step.game.choices(step.before, step.decision)
            assert pointed(offered, as_offered(step)) is not None, write(step.order)


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
