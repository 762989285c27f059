"""Empire: whole games of bots, an order on a large map, the start of a slot, what is shown, and the fold of a log.

Yardstick: writing and reading the position's state document with the standard library, in the same run.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from msgspec.structs import replace

from pbem.core.bot import SUBSTITUTE
from pbem.core.chance import Lots
from pbem.core.decision import Answer
from pbem.core.seat import Seat, Setup, Sight
from pbem.games.empire import GAME
from pbem.games.empire.data.editions import map_of

SEATS = ("anton", "bert", "clara", "dora", "emil")


class Played(NamedTuple):
    seconds: float
    orders: list[float]  # milliseconds of each, resolved and applied
    state: Any  # in the middle
    last: Any
    events: list[Any]
    rules: Any


def play(setup: Setup, seed: int, turns: int) -> Played:
    """A game of bots, or its first turns."""
    rules, dice, seq = GAME.load(setup), random.Random(seed), 0
    state, events, orders, middle = rules.blank(setup), [], [], None
    began = time.perf_counter()
    for event in rules.open(state, Lots(str(seed), "bench", 0), {}):
        state = rules.apply(state, event)
        events.append(event)
    while not rules.finished(state) and state.turn <= turns:
        seq += 1
        decision = rules.pending(state)[0]
        order = GAME.bots[SUBSTITUTE](rules, state, decision, dice.randrange)
        at = time.perf_counter()
        found = rules.resolve(
            state, [Answer(seat=decision.seat, order=order, decision=decision)], Lots(str(seed), "b", seq)
        )
        for event in found:
            state = rules.apply(state, event)
        orders.append(1000 * (time.perf_counter() - at))
        events += found
        middle = state if state.turn == max(1, turns // 2) else middle
    return Played(time.perf_counter() - began, orders, middle or state, state, events, rules)


def ms(work: Callable[[], object], times: int = 5) -> float:
    """The median of so many runs."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append(1000 * (time.perf_counter() - began))
    return statistics.median(taken)


def told(name: str, figure: float, unit: str, bar: str, yardstick: float) -> None:
    print(f"{name:52} {figure:9.1f} {unit:3} (bar {bar}) {figure / yardstick:8.1f} × JSON of the position")


def main() -> None:
    usual = GAME.usual
    small = play(replace(usual, seats=tuple(map(Seat, SEATS[:4]))), 1, 99)
    large = play(replace(usual, setup="full", board="oceans", seats=tuple(map(Seat, SEATS))), 1, 4)
    rules, state = large.rules, large.state
    document = rules.view(state, Sight.ALL)
    yardstick = ms(lambda: json.loads(json.dumps(document)), 20)
    blank = rules.blank(replace(usual, setup="full", board="oceans", seats=tuple(map(Seat, SEATS))))

    def fold() -> None:
        position = blank
        for event in large.events:
            position = rules.apply(position, event)

    told("a training game of four bots", small.seconds, "s", "20 s", yardstick)
    told("an order on 42x72, five seats, median", statistics.median(large.orders), "ms", "20 ms", yardstick)
    told(
        "an order on 42x72, five seats, worst (a roll-out)",
        max(large.orders),
        "ms",
        "150; start of a slot 300 ms",
        yardstick,
    )
    told("view", ms(lambda: rules.view(state, Sight.ALL)), "ms", "300 ms", yardstick)
    told("picture", ms(lambda: GAME.presenter.board(document, None, [], "en"), 3), "ms", "3 s", yardstick)
    told(f"fold of {len(large.events)} events", ms(fold, 3), "ms", "5 s a full game", yardstick)
    told("load of the map", ms(lambda: map_of.__wrapped__("oceans"), 3), "ms", "2 s", yardstick)


if __name__ == "__main__":
    main()
