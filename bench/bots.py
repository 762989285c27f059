"""One hard bot against fair ones, seats and flags in turn: how many games it wins, and how long it takes.

`python3 bench/bots.py [GAMES [POSITIONS]]`; all chance is fixed, so the same program has the same games everywhere.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from msgspec import Struct

from pbem.core.chance import Lots, NoLots
from pbem.core.decision import Answer
from pbem.core.seat import Seat, Setup
from pbem.games.imperial.bots import BOTS, POSITIONS
from pbem.games.imperial.bots.search import Search
from pbem.games.imperial.data.editions import imperial

TABLES = {4: 60, 6: 50}  # players at a table: how many of a hundred games it is to win


class Game(Struct, frozen=True):
    won: bool
    lead: int  # points before the best other
    seconds: list[float]  # of the processor, for each answer


def play(seed: int, players: int, bot: Search) -> Game:
    """A game in which the bot sits in one of the seats, and its flag is dealt by lot."""
    setup = Setup(seats=tuple(Seat(f"p{number}") for number in range(players)))
    rules, dice, seat = imperial(setup), random.Random(seed), Seat(f"p{seed % players}")
    state, seconds = rules.blank(setup), []
    for event in rules.open(state, Lots(str(seed), "bench"), {}):
        state = rules.apply(state, event)
    while not rules.finished(state):
        decision = rules.pending(state)[0]
        began = time.process_time()
        order = (bot if decision.seat == seat else BOTS["fair"])(rules, state, decision, dice.randrange)
        if decision.seat == seat:
            seconds.append(time.process_time() - began)
        answer = Answer(seat=decision.seat, order=order, decision=decision)
        state = rules.resolve(state, (answer,), NoLots()).state
    scores = rules.standing(state)
    ahead = scores[seat] - max(points for other, points in scores.items() if other != seat)
    return Game(seat in (state.winners or ()), ahead, seconds)


def table(players: int, games: int, bot: Search) -> Iterator[str]:
    played = []
    for seed in range(games):
        played.append(play(seed, players, bot))
        if (seed + 1) % 20 == 0 or seed + 1 == games:
            seconds = sorted(second for game in played for second in game.seconds)
            yield (
                f"{players:>7}{len(played):>7}{sum(game.won for game in played):>6}{TABLES[players]:>10}"
                f"{sum(game.lead for game in played) / len(played):>8.1f}"
                f"{sum(seconds) / len(seconds):>13.3f}{seconds[len(seconds) * 99 // 100]:>8.2f}{seconds[-1]:>8.2f}"
            )


def main() -> None:
    games, positions = [*map(int, sys.argv[1:]), *(100, POSITIONS)[len(sys.argv) - 1 :]][:2]
    print(f"{positions} positions for an answer")
    print(f"{'players':>7}{'games':>7}{'won':>6}{'of 100':>10}{'lead':>8}{'s an answer':>13}{'p99':>8}{'worst':>8}")
    for players in TABLES:
        for line in table(players, games, Search(positions)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
