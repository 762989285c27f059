"""Whole games of Empire between bots: played, and counted by what is asked of bots."""

from __future__ import annotations

import random
import statistics
import time
import traceback
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.core.bot import SUBSTITUTE
from pbem.core.chance import Lots
from pbem.core.decision import Answer
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat, Setup
from pbem.games.empire import GAME
from pbem.games.empire.data.editions import order_language, tables
from pbem.games.empire.geography.board import board
from pbem.games.empire.geography.generator import SIZES, generate
from pbem.games.empire.geography.map_file import read
from pbem.games.empire.rules.events import Event, Noted
from pbem.games.empire.rules.game import Empire
from pbem.games.empire.rules.options import options_from
from pbem.games.empire.rules.orders import Order, Rollout
from pbem.games.empire.rules.state import State
from pbem.games.empire.rules.world import Setting

SEATS = tuple(Seat(name) for name in ("anton", "bert", "clara", "dora", "emil"))
MOST_ORDERS = 400  # of one slot: whoever gives more goes round in circles
FED = 4  # turns in which nobody of a bot starves
SIXTH = 6


class Step(NamedTuple):
    """One order of a bot, and what came of it."""

    state: State  # before
    order: Order
    seconds: float  # of the bot that thought of it …
    taken: float  # … and of the rules
    events: Sequence[Event]
    after: State


def training(players: int) -> Setup:
    return replace(GAME.usual, seats=SEATS[:players], board="training", setup="training")


def full(players: int, board_: str) -> Setup:
    return replace(GAME.usual, seats=SEATS[:players], board=board_, setup="full")


def on_random_map(setup: Setup, seed: str) -> Empire:
    """The rules of a full game on a map made for it."""
    drawn = board(read(generate("drawn", SIZES["medium"], len(setup.seats), seed)))
    options = dict(options_from(setup.setup, setup.options))
    setting = Setting(board=lambda: drawn, tables=tables(), options=options, setup=setup.setup)
    return Empire(setting, order_language(), {"game": "empire", "edition": setup.edition, "board": "drawn"})


def opened(rules: Empire, setup: Setup, seed: int) -> tuple[State, list[Event]]:
    state = rules.blank(setup)
    events = rules.open(state, Lots(str(seed), "bench", 0), {})
    for event in events:
        state = rules.apply(state, event)
    return state, events


def played(rules: Empire, state: State, seed: int) -> Iterator[Step]:
    """A game of bots from there to its end."""
    pick, number = random.Random(seed).randrange, 0
    while not rules.finished(state):
        number += 1
        decision = rules.pending(state)[0]
        began = time.process_time()
        order = GAME.bots[SUBSTITUTE](rules, state, decision, pick)
        thought = time.process_time()
        answer = Answer(seat=decision.seat, order=order, decision=decision)
        resolved = rules.resolve(state, [answer], Lots(str(seed), "bench", number))
        done = time.process_time()
        yield Step(state, order, thought - began, done - thought, resolved.events, resolved.state)
        state = resolved.state


# -- what is asked of bots (acceptance, section 4) ---


class Tally(Struct, kw_only=True):
    """Of so many games."""

    games: int = 0
    crashes: int = 0
    refusals: int = 0
    loops: int = 0
    lapses: int = 0
    owed: int = 0
    starved: int = 0  # countries that starve in the first turns
    battles: int = 0  # games with one
    sixth: list[int] = field(default_factory=list)
    last: list[int] = field(default_factory=list)
    seconds: float = 0.0

    def line(self, name: str) -> str:
        sixth, last = (statistics.median(each) if each else 0 for each in (self.sixth, self.last))
        return (
            f"{name}: {self.games} games, {self.crashes} crashes, {self.refusals} refusals, {self.loops} loops, "
            f"{self.lapses} lapses, {self.owed} owed answers; a battle in {self.battles}; {self.starved} starved by "
            f"turn {FED}; confidence after turn {SIXTH} {sixth:g}, at the end {last:g} (medians); "
            f"{self.seconds / max(1, self.games):.1f} s a game"
        )


def count(tally: Tally, rules: Empire, setup: Setup, seed: int) -> None:
    """Play one game and add it."""
    tally.games += 1
    began, state = time.process_time(), rules.blank(setup)
    try:
        state, _ = opened(rules, setup, seed)
        state = _counted(tally, rules, state, seed)
        tally.owed += len(rules.pending(state)) or not rules.finished(state)
    except Illegal as refusal:
        tally.refusals += 1
        print(f"seed {seed}, slot {state.slot}: {refusal.code} {refusal.facts}", flush=True)
    except Exception:  # noqa: BLE001 - whatever it is, it is counted
        tally.crashes += 1
        traceback.print_exc()
    tally.seconds += time.process_time() - began
    for country in state.countries.values():
        if country.player in setup.seats:
            tally.last.append(country.confidence)
            tally.sixth += [row.confidence for row in country.rows if row.turn == SIXTH]


def _counted(tally: Tally, rules: Empire, state: State, seed: int) -> State:
    slot, orders, fought, hungry = "", 0, False, set()
    for step in played(rules, state, seed):
        now = f"{step.state.slot} {step.state.phase}"
        slot, orders = now, orders + 1 if slot == now else 1
        state = step.after
        if orders > MOST_ORDERS:
            tally.loops += 1
            break
        tally.lapses += isinstance(step.order, Rollout) and step.order.forced
        for event in step.events:
            if isinstance(event, Noted):
                fought |= event.what == "attacked"
                if _is_starving(event) and step.state.turn <= FED and event.country in step.state.countries:
                    hungry.add(event.country)
    tally.battles += fought
    tally.starved += len(hungry)
    return state


def _is_starving(event: Noted) -> bool:
    return event.what == "died" and event.facts.get("how") == "starved"


def bots(games: int, large: int) -> None:
    """So many training games with 2, 3 and 4 bots, and full ones with five on maps of their own."""
    small = {players: Tally() for players in (2, 3, 4)}
    for seed in range(games):
        setup = training(2 + seed % 3)
        count(small[len(setup.seats)], GAME.load(setup), setup, seed)
        if seed % 20 == 19:
            print(f"… {seed + 1} training games", flush=True)
    for players, tally in small.items():
        print(tally.line(f"training, {players} bots"), flush=True)
    print(_together(list(small.values())).line("training, all"), flush=True)
    tally = Tally()
    for seed in range(large):
        setup = full(5, "drawn")
        count(tally, on_random_map(setup, str(seed)), setup, seed)
        print(tally.line(f"… full, up to seed {seed}"), flush=True)
    if large:
        print(tally.line("full, 5 bots, maps from a seed"))


def _together(tallies: Sequence[Tally]) -> Tally:
    whole = Tally()
    for tally in tallies:
        for name in tally.__struct_fields__:
            value: Any = getattr(whole, name)
            setattr(whole, name, value + getattr(tally, name))
    return whole
