"""Whole training games of bots, from the zero turn to the last roll-out (acceptance: bots)."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterable

import pytest
from msgspec import Struct
from msgspec.structs import replace

from pbem.core.bot import SUBSTITUTE
from pbem.core.chance import Lots
from pbem.core.decision import Answer
from pbem.core.seat import Seat
from pbem.games.empire import GAME
from pbem.games.empire.rules.events import Event, Noted
from pbem.games.empire.rules.state import State

NAMES = tuple(Seat(name) for name in ("anton", "bert", "clara", "dora"))
MOST_ORDERS = 400  # of one slot
FED = 4  # turns in which nobody may starve
SEEDS = range(2)


class Played(Struct, kw_only=True):
    confidence: list[int]
    battles: int
    orders: list[str]


def play(seats: int, seed: int) -> Played:
    setup = replace(GAME.usual, seats=NAMES[:seats], board="training", setup="training")
    rules, pick = GAME.load(setup), random.Random(seed).randrange
    state = rules.blank(setup)
    played = Played(confidence=[], battles=0, orders=[])
    state = _fold(rules.apply, state, rules.open(state, Lots(f"bots {seed}", "game", 0), {}), played)
    slot, count = "", 0
    while not rules.finished(state):
        decision = rules.pending(state)[0]
        order = GAME.bots[SUBSTITUTE](rules, state, decision, pick)
        slot, count = (slot, count + 1) if slot == f"{state.slot} {state.phase}" else (f"{state.slot} {state.phase}", 1)
        text = rules.notation.write(order)
        assert count < MOST_ORDERS, f"{slot}: {text} again and again"
        played.orders.append(text)
        lots = Lots(f"bots {seed}", "game", len(played.orders))
        events = rules.resolve(state, [Answer(seat=decision.seat, order=order, decision=decision)], lots).events
        state = _fold(rules.apply, state, events, played)
    played.confidence = [country.confidence for country in state.countries.values()]
    return played


def _fold(apply: object, state: State, events: Iterable[Event], played: Played) -> State:
    assert callable(apply)
    for event in events:
        if isinstance(event, Noted):
            played.battles += event.what == "attacked"
            starved = event.what == "died" and event.facts["how"] == "starved"
            assert not (starved and state.turn <= FED), f"{event.country} starves in turn {state.turn}"
        state = apply(state, event)
    return state


def test_two_bots_end_their_game() -> None:
    played = play(2, 0)
    assert len(played.confidence) == 2


def test_a_bot_plays_alike_from_the_same_picks() -> None:
    assert play(2, 1).orders == play(2, 1).orders


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_bots_prosper_and_fight(seats: int) -> None:
    games = [play(seats, seed) for seed in SEEDS]
    assert sum(game.battles > 0 for game in games) * 3 >= len(games)
    assert statistics.median(each for game in games for each in game.confidence) > 40
