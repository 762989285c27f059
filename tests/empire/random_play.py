"""Games by lot, order by order: what stood before, what was ordered, what happened, what stood behind it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from pbem.core.chance import Draw, Lots
from pbem.core.decision import Answer
from pbem.core.refusal import Illegal
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.events import Event
from pbem.games.empire.rules.game import ANYTIME, Empire
from pbem.games.empire.rules.state import State
from pbem.games.empire.rules.world import World
from tests.depth import DEEP
from tests.empire.random_orders import Orders
from tests.empire.random_positions import position, table


class Step(Struct, frozen=True, kw_only=True):
    rules: Empire
    number: int
    before: State
    answer: Answer[od.Order]
    refusal: Illegal | None = None
    events: Sequence[Event] = ()
    draws: Sequence[Draw] = ()
    after: State

    @property
    def order(self) -> od.Order:
        return self.answer.order

    @property
    def was(self) -> World:
        return self.rules.world(self.before)

    @property
    def now(self) -> World:
        return self.rules.world(self.after)


def play(seed: int, most: int) -> Iterator[Step]:
    """So many orders, the refused ones among them."""
    dice = random.Random(seed)
    rules = table(dice)
    state = position(rules, dice)
    stuck = 0
    for number in range(1, most + 1):
        if rules.finished(state):
            return
        answer = some_answer(rules, state, dice, stuck)
        step = taken(rules, state, answer, number)
        if isinstance(answer.order, od.Rollout):
            stuck = stuck + 1 if step.refusal else 0
        yield step
        state = step.after


def some_answer(rules: Empire, state: State, dice: random.Random, stuck: int = 0) -> Answer[od.Order]:
    """Of whose slot it is mostly; who can't roll out is rolled out in the end."""
    (decision,) = rules.pending(state)
    if dice.random() < 0.08:
        seat = dice.choice(state.seats)
        order = Orders(rules.world(state), seat, dice).some() if rules.world(state).countries_of(seat) else od.Undo()
        if seat != decision.seat and isinstance(order, ANYTIME):
            return Answer(seat=seat, order=order)
    if dice.random() < 0.06 or stuck:
        forced = stuck > 2 or dice.random() < 0.2
        return Answer(
            seat=decision.seat, order=od.Rollout(forced=forced), decision=decision, late=dice.choice((0, 0, 1))
        )
    return Answer(seat=decision.seat, order=Orders(rules.world(state), decision.seat, dice).some(), decision=decision)


def taken(rules: Empire, state: State, answer: Answer[od.Order], number: int) -> Step:
    """What comes of it. What `check` lets pass must not be refused when it is carried out."""
    try:
        rules.check(state, answer)
    except Illegal as refusal:
        return Step(rules=rules, number=number, before=state, answer=answer, refusal=refusal, after=state)
    chance = Lots("lots", "lots", number)
    resolved = rules.resolve(state, [answer], chance)
    events, after = resolved.events, resolved.state
    return Step(rules=rules, number=number, before=state, answer=answer, events=events, draws=chance.draws, after=after)


def seeds() -> range:
    """A few games, always the same; `PBEM_DEEP=200` plays that many others."""
    return range(1000, 1000 + DEEP) if DEEP else range(7)


@lru_cache(maxsize=16)
def games(seed: int) -> Sequence[Step]:
    """One of them, played once for all tests."""
    return tuple(play(seed, 70))
