"""A bot that thinks ahead: it plays likely answers on, again and again, and takes the one that ends best for it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.core.bot import Pick
from pbem.core.chance import NoLots
from pbem.core.decision import Answer, Decision
from pbem.games.imperial.bots.sampling import sampled
from pbem.games.imperial.bots.seen import as_seen
from pbem.games.imperial.bots.simple import greedy_bot
from pbem.games.imperial.bots.valuing import lead
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.state import State

if TYPE_CHECKING:
    from pbem.games.imperial.rules.game import Imperial

NO_LOTS = NoLots()
WHIM = 2.0  # millions: how far those who play on stray from what is best for them at once


class Rated(Struct, frozen=True, kw_only=True):
    """An answer, and by how many points its seat would be ahead of the best other, or behind (negative)."""

    order: od.Order
    lead: float


class Search:
    """The bot: `positions` is how many it may look at for one answer, so that the same question has the same answer."""

    def __init__(self, positions: int) -> None:
        self.positions = positions

    def __call__(self, game: Imperial, state: State, decision: Decision, pick: Pick) -> od.Order:
        return self.rated(game, state, decision, pick)[0].order

    def rated(
        self, game: Imperial, state: State, decision: Decision, pick: Pick, also: Sequence[od.Order] = ()
    ) -> Sequence[Rated]:
        """Every answer that was thought of, with those that are `also` to be rated; the best first."""
        dice = random.Random(pick(1 << 30))  # noqa: S311 - the same question is to have the same answer
        seen = as_seen(game, state, decision.seat, dice.randrange)
        orders = tuple(dict.fromkeys((*also, *sampled(game, seen, decision, dice.randrange))))
        return raced(game, seen, decision, orders, dice.getrandbits(30), self.positions)


def raced(
    game: Imperial, seen: State, decision: Decision, orders: Sequence[od.Order], seed: int, positions: int
) -> Sequence[Rated]:
    """Different answers, rated from what is seen by looking at so many positions; the best first."""
    if len(orders) == 1:
        return [Rated(order=orders[0], lead=0.0)]
    return _Race(game, seen, decision, orders, seed).run(positions)


class Course:
    """How it may go on after an answer."""

    def __init__(self, game: Imperial, state: State, seed: int, whim: float) -> None:
        self.game, self.state, self.whim = game, state, whim
        self.dice = random.Random(seed)  # noqa: S311 - the same whims after each answer

    def go_on(self, most: int) -> int:
        """So many answers more, or fewer where the game ends; how many it took."""
        for number in range(most):
            if self.state.finished:
                return number
            decision = self.game.pending(self.state)[0]
            order = greedy_bot(self.game, self.state, decision, self.dice.randrange, self.whim)
            answer = Answer(seat=decision.seat, order=order, decision=decision)
            self.state = self.game.resolve(self.state, (answer,), NO_LOTS).state
        return most


class _Runner:
    """An answer and the courses after it."""

    def __init__(self, game: Imperial, state: State, answer: Answer[od.Order], seed: int) -> None:
        self.game, self.answer, self.seed = game, answer, seed
        self.reached = game.resolve(state, (answer,), NO_LOTS).state
        self.courses: list[Course] = []
        self.leads: list[float] = []

    def start(self) -> None:
        """One more course: the first without whims."""
        number = len(self.courses)
        self.courses.append(Course(self.game, self.reached, self.seed + number, WHIM if number else 0.0))
        self.leads.append(lead(self.game, self.reached, self.answer.seat))

    def go_on(self, most: int) -> int:
        took = self.courses[-1].go_on(most)
        self.leads[-1] = lead(self.game, self.courses[-1].state, self.answer.seat)
        return took

    @property
    def is_over(self) -> bool:
        return self.courses[-1].state.finished


class _Race:
    """Answers that are played on side by side, with the same whims; the worse half drops out of each round."""

    def __init__(self, game: Imperial, state: State, decision: Decision, orders: Sequence[od.Order], seed: int) -> None:
        answers = [Answer(seat=decision.seat, order=order, decision=decision) for order in orders]
        self.runners = [_Runner(game, state, answer, seed) for answer in answers]

    def run(self, positions: int) -> Sequence[Rated]:
        """Each round has an equal share of the positions: what is left in it is played on ever farther.

        When the courses of all that are left have come to the end of the game, others begin.
        """
        running, out = self.runners, list[_Runner]()
        left = positions - len(running)
        share = left // ((len(running) - 1).bit_length() + 1)
        for runner in running:
            runner.start()
        while left >= len(running):
            each = max(1, min(share, left) // len(running))
            left -= sum(max(1, runner.go_on(each)) for runner in running)
            running = sorted(running, key=_mean, reverse=True)
            half = max(2, (len(running) + 1) // 2)
            running, out = running[:half], running[half:] + out
            if all(runner.is_over for runner in running):
                for runner in running:
                    runner.start()
        ranked = sorted(running, key=_mean, reverse=True) + out
        return [Rated(order=runner.answer.order, lead=_mean(runner)) for runner in ranked]


def _mean(runner: _Runner) -> float:
    return sum(runner.leads) / len(runner.leads)
