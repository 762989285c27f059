"""What the bot that thinks ahead says of answers: of others' after the game, and of its own when it is asked."""

from __future__ import annotations

import random
from math import sqrt
from statistics import mean, stdev
from typing import TYPE_CHECKING

from pbem.core.bot import Pick
from pbem.core.critic import Judged
from pbem.core.decision import Answer, Decision
from pbem.games.imperial.bots.sampling import may, sampled
from pbem.games.imperial.bots.search import NO_LOTS, WHIM, Course, raced
from pbem.games.imperial.bots.seen import as_seen
from pbem.games.imperial.bots.valuing import lead
from pbem.games.imperial.rules.orders import Order
from pbem.games.imperial.rules.state import State

if TYPE_CHECKING:
    from pbem.games.imperial.rules.game import Imperial

FINDING = 0.5  # of the positions: to find the best of the other answers; with the rest the two are compared
AHEAD = 14  # answers that each course is played on: farther on, chance outweighs what the answer has brought
FEWEST = 3  # courses that tell how far they differ


def judged(game: Imperial, state: State, answer: Answer[Order], pick: Pick, positions: int) -> Judged[Order] | None:
    """What the answer has lost at least, against the best of the others."""
    decision = answer.decision
    assert decision is not None, "it answers a question"
    dice = random.Random(pick(1 << 30))  # noqa: S311 - the same question is to have the same judgement
    seen = as_seen(game, state, decision.seat, dice.randrange)
    others = [order for order in sampled(game, seen, decision, dice.randrange) if order != answer.order]
    if not others or not may(game, seen, decision, answer.order):
        return None
    finding = int(positions * FINDING)
    best = raced(game, seen, decision, others, dice.getrandbits(30), finding)[0].order
    lost = _lost(game, seen, decision, (answer.order, best), dice.getrandbits(30), positions - finding)
    return Judged(best=best, lost=lost) if lost > 0 else Judged(best=answer.order)


def _lost(
    game: Imperial, seen: State, decision: Decision, pair: tuple[Order, Order], seed: int, positions: int
) -> float:
    """How much farther the second order leads than the first, less the standard error of that.

    Both are played on side by side, with the same whims.
    """
    answers = [Answer(seat=decision.seat, order=each, decision=decision) for each in pair]
    reached = [game.resolve(seen, (answer,), NO_LOTS).state for answer in answers]
    leads: list[float] = []
    for number in range(max(FEWEST, positions // (2 * AHEAD))):
        courses = [Course(game, each, seed + number, WHIM) for each in reached]
        for course in courses:
            course.go_on(AHEAD)
        own, other = (lead(game, course.state, decision.seat) for course in courses)
        leads.append(other - own)
    return mean(leads) - stdev(leads) / sqrt(len(leads))
