"""Whole games between bots, in one process: how many a second, for every rule book, set-up and variant.

Then positions as a search expands them: their legal orders made, one of them played, the position after it kept. All in
seconds of the processor; before each game so many positions are written and read as JSON as it has decisions.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pbem.core.bot import Pick
from pbem.core.chance import Lots, NoLots
from pbem.core.decision import Answer, Decision
from pbem.core.seat import Seat, Setup, Sight
from pbem.games.imperial.bots import BOTS
from pbem.games.imperial.data.editions import editions, imperial
from pbem.games.imperial.rules.game import SETUPS, Imperial
from pbem.games.imperial.rules.legal import legal_orders
from pbem.games.imperial.rules.orders import Order
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.state import State

GAMES = 15  # of each kind; three for each number of players
PLAYERS = range(2, 7)
RUNS = 3  # of each game; the fastest counts

Step = tuple[State, Decision]


def course(seed: int, setup: Setup, bot: str) -> Iterator[Step]:
    """Each decision of one game with the position it is taken in, and the last position."""
    rules, pick = imperial(setup), dice(seed)
    state = rules.blank(setup)
    for event in rules.open(state, Lots(str(seed), "bench"), {}):
        state = rules.apply(state, event)
    while not rules.finished(state):
        decision = rules.pending(state)[0]
        yield state, decision
        order = BOTS[bot](rules, state, decision, pick)
        answer = Answer(seat=decision.seat, order=order, decision=decision)
        state = rules.resolve(state, [answer], NoLots()).state


def dice(seed: int) -> Pick:
    """Throws that cost little beside what is decided by them."""
    throw = random.Random(seed).random
    return lambda sides: int(throw() * sides)


def expand(rules: Imperial, steps: Sequence[Step], pick: Pick) -> int:
    """How many orders there were to choose among."""
    found = 0
    for state, decision in steps:
        orders: list[Order] = [*legal_orders(Resolution(rules.board, rules.edition, state), decision)]
        order = orders[pick(len(orders))] if orders else rules.rollout(state, decision)
        rules.resolve(state, [Answer(seat=decision.seat, order=order, decision=decision)], NoLots())
        found += len(orders)
    return found


def fastest(run: Callable[[], object]) -> float:
    return min(_timed(run) for _ in range(RUNS))


def _timed(run: Callable[[], object]) -> float:
    began = time.process_time()
    run()
    return time.process_time() - began


def yardstick(documents: list[dict[str, Any]], times: int) -> None:
    """Write and read so many documents with the standard library."""
    for number in range(times):
        json.loads(json.dumps(documents[number % len(documents)]))


def kinds() -> Iterator[tuple[str, dict[str, Any], str]]:
    for edition, setup, card in product(editions(), SETUPS, ("yes", "no")):
        name = f"{edition}, {setup}" + ("" if card == "yes" else ", no card")
        yield name, {"edition": edition, "setup": setup, "options": {"investor_card": card}}, "random"
    yield "new, standard", {}, "greedy"


def measure(name: str, agreed: dict[str, Any], bot: str) -> None:
    setups = [Setup(seats=tuple(Seat(f"p{n}") for n in range(count)), **agreed) for count in PLAYERS]
    playing = json_time = expanding = 0.0
    turns = decisions = orders = 0
    for seed in range(GAMES):
        setup = setups[seed % len(setups)]
        rules, steps = imperial(setup), [*course(seed, setup, bot)]
        documents = [rules.view(state, Sight.ALL) for state, _ in steps[:: max(1, len(steps) // 7)]]
        json_time += fastest(lambda: yardstick(documents, len(steps)))
        playing += fastest(lambda: sum(1 for _ in course(seed, setup, bot)))
        expanding += fastest(lambda: expand(rules, steps, dice(seed)))
        orders += expand(rules, steps, dice(seed))
        decisions += len(steps)
        turns += sum(decision.kind == "turn" for _, decision in steps)
    print(
        f"{bot:<8}{name:<34}{GAMES / playing:>9.1f}{turns / GAMES:>7.0f}{decisions / GAMES:>11.0f}"
        f"{playing / decisions * 1e6:>13.0f}{playing / json_time:>8.2f}"
        f"{decisions / expanding:>13.0f}{orders / decisions:>8.0f}"
    )


def main() -> None:
    print(
        f"{'bot':<8}{'kind of game':<34}{'games/s':>9}{'turns':>7}{'decisions':>11}{'µs/decision':>13}{'x JSON':>8}"
        f"{'expanded/s':>13}{'orders':>8}"
    )
    for name, agreed, bot in kinds():
        measure(name, agreed, bot)


if __name__ == "__main__":
    main()
