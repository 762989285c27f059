"""What games of Imperial come to, a line each with the digest of its log's last entry: as a program, and for any PBEM.

It is run by interpreters that have different wheels, and so imports nothing of the tests.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from pbem.bootstrap import replay
from pbem.core.chance import Lots
from pbem.core.log import Cause
from pbem.core.seat import Seat, Setup
from pbem.games.imperial.bots import BOTS
from pbem.games.imperial.data.editions import editions, imperial
from pbem.games.imperial.rules.game import SETUPS
from pbem.host.commands.table import COMMANDS
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.session.position import Position
from pbem.host.session.record import Notebook
from pbem.host.session.session import LoadedGame, Session
from pbem.host.session.terms import Terms
from pbem.language.parser import Parser

THOUGHT = 6  # answers of the bot that thinks ahead, which takes its time


def of_plays(folder: Path) -> Iterator[str]:
    for file in sorted(folder.rglob("*.play")):
        yield f"{file.relative_to(folder)} {replay(file).record.entries[-1].hash}"


def of_games() -> Iterator[str]:
    """Whole games of every rule book and set-up, with two to six players, by every bot."""
    kinds = product(editions(), SETUPS, BOTS)
    for seed, (edition, start, bot) in enumerate(kinds):
        seats = tuple(Seat(f"p{number}") for number in range(2 + seed % 5))
        digest = played(Setup(seats=seats, edition=edition, setup=start), bot, seed)
        yield f"{edition} {start} {bot} {digest}"


def played(setup: Setup, bot: str, seed: int) -> str:
    """The rest of a game that needs much thought is played by a bot that needs none."""
    rules, dice, record = imperial(setup), random.Random(seed), Notebook()
    table = LoadedGame(rules, Parser(rules.notation, COMMANDS, setup.seats), Terms(setup=setup))
    session = Session(lambda _: table, table.parser, record, Position(state=rules.blank(setup)))
    Adjudicator(session).open(0, Lots(str(seed), "wheel"), {})
    while not rules.finished(session.state):
        decision = session.pending()[0]
        decides = "fair" if bot == "hard" and len(record.entries) > THOUGHT else bot
        order = BOTS[decides](rules, session.state, decision, dice.randrange)
        Adjudicator(session).play(decision.seat, order, [decision], 0, Cause(kind="letter"))
    return record.entries[-1].hash


if __name__ == "__main__":
    for line in (*of_plays(Path(sys.argv[1])), *of_games()):
        print(line, flush=True)
