"""Whole training games of bots, from the zero turn to the last roll-out (acceptance: bots)."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterable
from functools import cache

import pytest
from msgspec import Struct
from msgspec.structs import replace

from pbem.core.bot import SUBSTITUTE
from pbem.core.chance import Lots
from pbem.core.decision import Answer
from pbem.core.seat import Seat
from pbem.games.empire import GAME
from pbem.games.empire.bots import placing, seen
from pbem.games.empire.geography.grid import distance
from pbem.games.empire.rules.events import Event, Noted
from pbem.games.empire.rules.game import Empire
from pbem.games.empire.rules.held import Crew
from pbem.games.empire.rules.state import State

NAMES = tuple(Seat(name) for name in ("anton", "bert", "clara", "dora"))
MOST_ORDERS = 400  # of one slot
FED = 4  # turns in which nobody may starve
SEEDS = range(2)


class Played(Struct, kw_only=True):
    confidence: list[int]
    battles: int
    orders: list[str]
    rules: Empire
    state: State


def play(seats: int, seed: int, *, setup: str = "training", board: str = "training", turns: int = 99) -> Played:
    """A game of bots to its end, or through so many turns."""
    setup_ = replace(GAME.usual, seats=NAMES[:seats], board=board, setup=setup)
    rules, pick = GAME.load(setup_), random.Random(seed).randrange
    assert isinstance(rules, Empire)
    state = rules.blank(setup_)
    played = Played(confidence=[], battles=0, orders=[], rules=rules, state=state)
    state = _fold(rules.apply, state, rules.open(state, Lots(f"bots {seed}", "game", 0), {}), played)
    slot, count = "", 0
    while not rules.finished(state) and state.turn <= turns:
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
    played.state = state
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


@pytest.mark.slow
def test_two_bots_end_their_game() -> None:
    played = play(2, 0)
    assert len(played.confidence) == 2


@pytest.mark.slow
def test_a_bot_plays_alike_from_the_same_picks() -> None:
    assert play(2, 1, turns=2).orders == play(2, 1, turns=2).orders


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_bots_prosper_and_fight(seats: int) -> None:
    games = [play(seats, seed) for seed in SEEDS]
    assert sum(game.battles > 0 for game in games) * 3 >= len(games)
    assert statistics.median(each for game in games for each in game.confidence) > 40


# -- a full game ---

BEGUN = 6  # turns of it that are played here


@cache
def full() -> Played:
    """The beginning of a full game of two."""
    return play(2, 0, setup="full", board="oceans", turns=BEGUN)


def test_capitals_stand_where_most_is_to_open() -> None:
    """Nowhere else is as much for the first, and the second stays away from what is the first one's."""
    played = play(2, 0, setup="full", board="fjords", turns=0)
    blank = played.rules.blank(replace(GAME.usual, seats=NAMES[:2], board="fjords", setup="full"))
    w = played.rules.world(blank)
    capitals = {*played.state.capitals.values()}
    first = placing.capital(w)
    assert first in capitals
    (second,) = capitals - {first}
    assert distance(first, second) > placing.CARRIED


def test_home_is_where_the_factories_are() -> None:
    """Though more people live elsewhere."""
    played = play(2, 0, turns=1)
    country = next(iter(played.state.countries))
    capital = played.state.countries[country].capital
    other = next(part for part in seen.parts(played.rules.world(played.state), country) if part != capital)
    w = played.rules.world(played.state)
    w.change_part(other, city=True)
    w.join(other, country, Crew(count=90))
    assert seen.home(w, country) == capital


@pytest.mark.slow
def test_farmers_go_on_to_fresh_fields() -> None:
    """A field brings EDU once: many more were farmed than are, and food lasts."""
    played = full()
    w = played.rules.world(played.state)
    for country in played.state.countries:
        if w.player(country) in NAMES:
            assert seen.food(w, country) > 0
    assert sum(seen.farms(w, each) for each in played.state.countries) < _farmed(played.state)


def _farmed(state: State) -> int:
    return sum(part.farmed for part in state.parts.values())


@pytest.mark.slow
def test_works_of_a_full_game_make_toys_and_give_machines_back() -> None:
    """Tools are made while works need them; then their works become others."""
    orders = full().orders
    assert any("make toy train" in order for order in orders)
    assert any("scrap TDW" in order for order in orders)


@pytest.mark.slow
def test_countries_of_a_full_game_prosper() -> None:
    """Half-way more than 40, as is asked of bots over many games, and nobody in inflation."""
    countries = [each for each in full().state.countries.values() if each.player in NAMES]
    assert statistics.median(each.confidence for each in countries) > 40
    assert not any(each.inflation for each in countries)
