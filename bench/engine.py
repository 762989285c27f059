"""Whole games between bots, in one process: how many a second, for every rule book, set-up and variant."""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pbem.core.chance import Lots, NoLots
from pbem.core.decision import Answer
from pbem.core.seat import Seat, Setup, Sight
from pbem.games.imperial.bots import BOTS
from pbem.games.imperial.data.editions import editions, imperial
from pbem.games.imperial.rules.game import SETUPS

GAMES = 15  # of each kind; three for each number of players
PLAYERS = range(2, 7)


def play(seed: int, setup: Setup, bot: str) -> tuple[int, int, list[dict[str, Any]]]:
    """Turns and decisions of one game, and a few of its positions."""
    rules, dice = imperial(setup), random.Random(seed)
    state, turns, decisions, documents = rules.blank(setup), 0, 0, []
    for event in rules.open(state, Lots(str(seed), "bench"), {}):
        state = rules.apply(state, event)
    while not rules.finished(state):
        decision = rules.pending(state)[0]
        order = BOTS[bot](rules, state, decision, dice.randrange)
        answer = Answer(seat=decision.seat, order=order, decision=decision)
        for event in rules.resolve(state, [answer], NoLots()):
            state = rules.apply(state, event)
        decisions += 1
        turns += decision.kind == "turn"
        if decisions % 50 == 0:
            documents.append(rules.view(state, Sight.ALL))
    return turns, decisions, documents


def yardstick(documents: list[dict[str, Any]], times: int) -> float:
    """Seconds to write and read so many documents with the standard library."""
    began = time.perf_counter()
    for number in range(times):
        json.loads(json.dumps(documents[number % len(documents)]))
    return time.perf_counter() - began


def kinds() -> Iterator[tuple[str, dict[str, Any], str]]:
    for edition, setup, card in product(editions(), SETUPS, ("yes", "no")):
        name = f"{edition}, {setup}" + ("" if card == "yes" else ", no card")
        yield name, {"edition": edition, "setup": setup, "options": {"investor_card": card}}, "random"
    yield "new, standard", {}, "greedy"


def measure(name: str, agreed: dict[str, Any], bot: str) -> None:
    setups = [Setup(seats=tuple(Seat(f"p{n}") for n in range(count)), **agreed) for count in PLAYERS]
    imperial(setups[0])  # loading is not what is measured
    began = time.perf_counter()
    played = [play(seed, setups[seed % len(setups)], bot) for seed in range(GAMES)]
    spent = time.perf_counter() - began
    decisions = sum(d for _, d, _ in played)
    json_time = yardstick([doc for _, _, docs in played for doc in docs], decisions)
    print(
        f"{bot:<8}{name:<34}{GAMES / spent:>9.1f}{sum(t for t, _, _ in played) / GAMES:>7.0f}"
        f"{decisions / GAMES:>11.0f}{spent / decisions * 1e6:>13.0f}{spent / json_time:>8.2f}"
    )


def main() -> None:
    print(f"{'bot':<8}{'kind of game':<34}{'games/s':>9}{'turns':>7}{'decisions':>11}{'µs/decision':>13}{'x JSON':>8}")
    for name, agreed, bot in kinds():
        measure(name, agreed, bot)


if __name__ == "__main__":
    main()
