"""Empire: what a letter, a slot, a picture and a whole game cost (`python3 bench/empire.py [bots GAMES FULL]`).

All times are of the processor. Yardstick: writing and reading the position's state document with the standard library,
in the same run.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import msgspec
from empire_games import SEATS, Step, bots, full, opened, played, training
from empire_letters import Told, told
from msgspec.structs import replace

from pbem.core.chance import NoLots
from pbem.core.seat import Setup, Sight
from pbem.games.empire import GAME
from pbem.games.empire.data.editions import map_of
from pbem.games.empire.rules.course import slots
from pbem.games.empire.rules.game import Empire
from pbem.games.empire.rules.ground.ways import reach
from pbem.games.empire.rules.held import Crew, Held
from pbem.games.empire.rules.orders import Rollout
from pbem.games.empire.rules.state import Part, State
from pbem.host.commands.table import COMMANDS
from pbem.language.parser import Parser

BOARD = "oceans"  # 42 columns, 72 rows
WORKERS = 200
LINES = 60  # of a letter that is read
KEPT = 20  # positions in memory
MB = 1e6


class Game(NamedTuple):
    rules: Empire
    blank: State
    steps: list[Step]
    events: list[Any]
    seconds: float

    @property
    def middle(self) -> State:
        """Some way through, at the start of a slot."""
        turn = self.steps[-1].state.turn // 2
        return next(step.state for step in self.steps if step.state.turn == turn)


def play(setup: Setup, seed: int) -> Game:
    rules = GAME.load(setup)
    began = time.process_time()
    state, events = opened(rules, setup, seed)
    steps = list(played(rules, state, seed))
    spent = time.process_time() - began
    return Game(rules, rules.blank(setup), steps, [*events, *(e for step in steps for e in step.events)], spent)


def ms(work: Callable[[], object], times: int = 5) -> float:
    """The median of so many runs."""
    taken = []
    for _ in range(times):
        began = time.process_time()
        work()
        taken.append(1000 * (time.process_time() - began))
    return statistics.median(taken)


def folded(game: Game) -> State:
    state = game.blank
    for event in game.events:
        state = game.rules.apply(state, event)
    return state


def crowded(rules: Empire, state: State) -> State:
    """The same with so many workers and their food, in all parts around the capital of whoever moves."""
    w = rules.world(state)
    assert state.active is not None, "a slot is somebody's"
    country = w.countries_of(state.active)[0]
    capital = w.country(country).capital or w.places_of(country)[0]
    near = [part for part in reach(w, "worker", capital, Fraction(12), lambda _: True) if part in w.map.land]
    parts = dict(state.parts)
    for number in range(WORKERS):
        part = near[number % len(near)]
        there = parts.get(part, Part())
        mine = there.held.get(country, Held())
        crews = (*mine.crews, Crew(tasks=(f"work {number}",)))  # each alone, so that none is counted with others
        food = ((Fraction(0), Fraction(number % 7)),)
        goods = {**mine.goods, "food": food} if number % 7 else mine.goods
        parts[part] = replace(there, held={**there.held, country: Held(goods=goods, crews=crews)})
    return replace(state, parts=parts)


def memory(game: Game) -> float:
    """kB of each position, read from its log."""
    raw = [msgspec.json.encode(event) for event in game.events]
    kinds = tuple({type(event) for event in game.events})
    decoder = msgspec.json.Decoder(kinds[0] if len(kinds) == 1 else _union(kinds))
    kept = [folded(game._replace(events=[decoder.decode(each) for each in raw]))]  # what is shared is there
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for _ in range(KEPT):
        kept.append(folded(game._replace(events=[decoder.decode(each) for each in raw])))
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (after - before) / KEPT / 1000


def _union(kinds: Sequence[type]) -> Any:
    found: Any = kinds[0]
    for kind in kinds[1:]:
        found |= kind
    return found


class Sheet:
    """Lines of figures, each beside its limit and the yardstick."""

    def __init__(self, yardstick: float) -> None:
        self.yardstick = yardstick
        print(f"JSON of the position: {yardstick:.2f} ms\n{'':46}{'figure':>10}      {'limit':>10}  × JSON")

    def time(self, name: str, figure: float, limit: float) -> None:
        """In milliseconds."""
        over = "  OVER" if figure > limit else ""
        print(f"{name:46}{figure:10.1f} ms{limit:10.0f} ms{figure / self.yardstick:8.1f}{over}", flush=True)

    def size(self, name: str, kilobytes: float) -> None:
        print(f"{name:46}{kilobytes:10.1f} kB", flush=True)


def orders(sheet: Sheet, game: Game) -> None:
    turns = [step for step in game.steps if step.state.phase == "turn"]
    given = [1000 * step.taken for step in turns if not isinstance(step.order, Rollout)]
    closing = [1000 * step.taken for step in turns if isinstance(step.order, Rollout)]
    sheet.time("an order on 42x72, five seats: median", statistics.median(given), 20)
    sheet.time("worst", max(given), 150)
    sheet.time("a roll-out with the next slot's start: median", statistics.median(closing), 300)
    sheet.time("worst", max(closing), 300)


def starts(sheet: Sheet, game: Game) -> None:
    rules, state = game.rules, crowded(game.rules, game.middle)
    sheet.time(f"start of a slot with {WORKERS} workers", ms(lambda: slots.begin(rules.world(state, NoLots()))), 300)


def shown(sheet: Sheet, game: Game) -> None:
    rules, state = game.rules, game.middle
    view = rules.view(state, Sight.ALL)
    sheet.time("the view", ms(lambda: rules.view(state, Sight.ALL)), 300)
    sheet.time("the picture", ms(lambda: GAME.presenter.board(view, None, [], "en"), 3), 3000)


def reading(sheet: Sheet, game: Game) -> None:
    written = [game.rules.notation.write(step.order) for step in game.steps if step.state.phase == "turn"]
    lines = [line for line in written if line != "rollout"][:LINES]
    parser: Parser[Any] = Parser(game.rules.notation, COMMANDS, SEATS)
    sheet.time(f"reading a letter of {len(lines)} lines", ms(lambda: parser.read(lines)), 300)


def mail(sheet: Sheet, found: Told) -> None:
    sheet.time(f"a slot of {found.lines} orders by letter, all told", 1000 * found.slot, 2000)
    sheet.time("a letter with its report, text and HTML", 1000 * found.report, 300)
    for name, kilobytes in found.sizes.items():
        sheet.size(name, kilobytes)


def measure() -> None:
    small = play(training(4), 1)
    print(f"a training game of four bots, {len(small.steps)} orders: {small.seconds:.1f} s", flush=True)
    large = play(full(5, BOARD), 1)
    print(f"a full game of five bots, {len(large.steps)} orders: {large.seconds:.1f} s", flush=True)
    document = large.rules.view(large.middle, Sight.ALL)
    sheet = Sheet(ms(lambda: json.loads(json.dumps(document)), 20))
    orders(sheet, large)
    mail(sheet, told(full(5, BOARD)))
    starts(sheet, large)
    shown(sheet, large)
    reading(sheet, large)
    sheet.time("a training game of bots without mail", 1000 * small.seconds, 20_000)
    sheet.time(f"fold of a full game, {len(large.events)} events", ms(lambda: folded(large), 3), 5000)
    sheet.time("load of the map", ms(lambda: map_of.__wrapped__(BOARD), 3), 2000)
    print(f"{'training games a second':46}{1 / small.seconds:10.2f}")
    for name, game in (("training", small), ("full", large)):
        size = sum(len(msgspec.json.encode(event)) for event in game.events) / 1000
        sheet.size(f"memory of a {name} game at its end", memory(game))
        sheet.size("its log", size)


def main() -> None:
    if sys.argv[1:2] == ["bots"]:
        games, large = (int(word) for word in sys.argv[2:] or ("200", "20"))
        bots(games, large)
    else:
        measure()


if __name__ == "__main__":
    main()
