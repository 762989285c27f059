"""The log of a finished game, read back from its bytes and folded."""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pbem.core.chance import Lots
from pbem.core.log import Cause, fold, write
from pbem.core.seat import Seat, Setup
from pbem.games.imperial.bots import BOTS
from pbem.games.imperial.data.editions import imperial
from pbem.host.commands.table import COMMANDS
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.session.position import Position
from pbem.host.session.record import Notebook
from pbem.host.session.session import LoadedGame, Session
from pbem.host.session.terms import Terms
from pbem.language.parser import Parser

RUNS = 21


def finished_game(bot: str, seed: int = 1) -> tuple[object, list[bytes]]:
    setup = Setup(seats=tuple(Seat(name) for name in ("anton", "bert", "claudia", "daniel")))
    rules, dice, record = imperial(setup), random.Random(seed), Notebook()
    table = LoadedGame(rules, Parser(rules.notation, COMMANDS, setup.seats), Terms(setup=setup))
    session = Session(lambda _: table, table.parser, record, Position(state=rules.blank(setup)))
    Adjudicator(session).open(0, Lots(str(seed), "bench"), {})
    while not rules.finished(session.state):
        decision = session.pending()[0]
        order = BOTS[bot](rules, session.state, decision, dice.randrange)
        Adjudicator(session).play(decision.seat, order, [decision], 0, Cause(kind="letter"))
    return (rules, setup), [write(entry) for entry in record.entries]


def median(run: Callable[[], object]) -> float:
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        run()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def main() -> None:
    for bot in ("random", "greedy"):
        (rules, setup), log = finished_game(bot)
        decode = rules.course().decode
        folding = median(lambda: fold(rules.blank(setup), [decode(raw) for raw in log], rules.apply))
        reading = median(lambda: [json.loads(raw) for raw in log])
        size = sum(map(len, log)) // 1024
        print(
            f"{bot}: {len(log)} entries, {size} kB: {folding * 1e3:.1f} ms to read and fold; "
            f"json.loads alone {reading * 1e3:.1f} ms; ratio {folding / reading:.2f}"
        )


if __name__ == "__main__":
    main()
