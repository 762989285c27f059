"""Whole games between bots, in one process: how many a second."""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pbem.adapters.editions import imperial
from pbem.rules.imperial.bots import BOTS
from pbem.table.chance import Lots, NoLots
from pbem.table.decision import Answer
from pbem.table.seat import Seat, Setup

GAMES = 40


def play(seed: int, players: int, bot: str) -> tuple[int, int, list[dict[str, object]]]:
    """Turns and decisions of one game, and a few of its positions."""
    setup = Setup(seats=tuple(Seat(f"p{n}") for n in range(players)))
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
            documents.append(rules.document(state))
    return turns, decisions, documents


def yardstick(documents: list[dict[str, object]], times: int) -> float:
    """Seconds to write and read so many documents with the standard library."""
    began = time.perf_counter()
    for number in range(times):
        json.loads(json.dumps(documents[number % len(documents)]))
    return time.perf_counter() - began


def main() -> None:
    play(0, 4, "random")  # warm
    print(f"{'bot':<8}{'players':>8}{'games/s':>9}{'turns':>7}{'µs/decision':>13}{'x JSON':>8}")
    for bot in ("random", "greedy"):
        for players in range(2, 7):
            measure(bot, players)
    total(GAMES)


def measure(bot: str, players: int) -> None:
    began = time.perf_counter()
    played = [play(seed, players, bot) for seed in range(GAMES // 4)]
    spent = time.perf_counter() - began
    decisions = sum(d for _, d, _ in played)
    json_time = yardstick([doc for _, _, docs in played for doc in docs], decisions)
    turns = sum(t for t, _, _ in played) / len(played)
    print(
        f"{bot:<8}{players:>8}{len(played) / spent:>9.1f}{turns:>7.0f}"
        f"{spent / decisions * 1e6:>13.0f}{spent / json_time:>8.2f}"
    )


def total(games: int) -> None:
    began = time.perf_counter()
    for seed in range(games):
        play(seed, 2 + seed % 5, "random")
    print(f"{games} random games of 2 to 6 players: {games / (time.perf_counter() - began):.1f} a second")


if __name__ == "__main__":
    main()
