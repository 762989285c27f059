"""The log of a finished game, read back from its bytes and folded; and every answer in it decided again."""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pbem.core.chance import Lots, NoLots
from pbem.core.log import Cause, Entry, fold, write
from pbem.core.seat import Seat, Setup
from pbem.games.imperial.bots import BOTS
from pbem.games.imperial.data.editions import imperial
from pbem.games.imperial.rules.events import Event
from pbem.games.imperial.rules.game import Imperial
from pbem.games.imperial.rules.orders import Order
from pbem.games.imperial.rules.state import State
from pbem.host.commands.table import COMMANDS
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.session.position import Position
from pbem.host.session.record import Notebook
from pbem.host.session.session import LoadedGame, Session
from pbem.host.session.terms import Terms
from pbem.language.parser import Parser

RUNS = 21


def finished_game(bot: str, seed: int = 1) -> tuple[Imperial, Setup, list[bytes]]:
    setup = Setup(seats=tuple(Seat(name) for name in ("anton", "bert", "claudia", "daniel")))
    rules, dice, record = imperial(setup), random.Random(seed), Notebook()
    table = LoadedGame(rules, Parser(rules.notation, COMMANDS, setup.seats), Terms(setup=setup))
    session = Session(lambda _: table, table.parser, record, Position(state=rules.blank(setup)))
    Adjudicator(session).open(0, Lots(str(seed), "bench"), {})
    while not rules.finished(session.state):
        decision = session.pending()[0]
        order = BOTS[bot](rules, session.state, decision, dice.randrange)
        Adjudicator(session).play(decision.seat, order, [decision], 0, Cause(kind="letter"))
    return rules, setup, [write(entry) for entry in record.entries]


def decide_again(rules: Imperial, blank: State, entries: Iterable[Entry[Order, Event]]) -> None:
    """Each entry with answers must tell what it told."""
    state = blank
    for entry in entries:
        if entry.answers:
            resolved = rules.resolve(state, entry.answers, NoLots())
            assert tuple(resolved.events) == entry.events
            state = resolved.state
        else:
            state = fold(state, [entry], rules.apply)


def medians(*runs: Callable[[], object]) -> list[float]:
    """Seconds of the processor, each of them as often and by turns."""
    times = [[_timed(run) for run in runs] for _ in range(RUNS)]
    return [statistics.median(each) for each in zip(*times, strict=True)]


def _timed(run: Callable[[], object]) -> float:
    began = time.process_time()
    run()
    return time.process_time() - began


def main() -> None:
    for bot in ("random", "greedy"):
        rules, setup, log = finished_game(bot)
        blank, happened, whole = rules.blank(setup), rules.happened().decode, rules.decoder().decode
        reading, folding, deciding = medians(
            lambda: [json.loads(raw) for raw in log],
            lambda: fold(blank, [happened(raw) for raw in log], rules.apply),
            lambda: decide_again(rules, blank, map(whole, log)),
        )
        size = sum(map(len, log)) // 1024
        print(
            f"{bot}: {len(log)} entries, {size} kB: json.loads alone {reading * 1e3:.1f} ms; "
            f"read and folded {folding * 1e3:.1f} ms, ratio {folding / reading:.2f}; "
            f"all decided again {deciding * 1e3:.1f} ms, ratio {deciding / reading:.2f}"
        )


if __name__ == "__main__":
    main()
