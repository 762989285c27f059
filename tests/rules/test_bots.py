"""Bots that think ahead: what they find, that they always find the same, and that they know no more than their seat."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.core.bot import LEVELS
from pbem.core.chance import NoLots
from pbem.core.decision import Answer, Decision
from pbem.core.seat import Seat
from pbem.games.imperial.bots import BOTS, POSITIONS
from pbem.games.imperial.bots.judging import judged
from pbem.games.imperial.bots.search import Search
from pbem.games.imperial.bots.seen import as_seen
from pbem.games.imperial.bots.valuing import prospects
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.game import Imperial
from pbem.games.imperial.rules.state import AwaitBattle, AwaitForce, Maneuver, Reply, State
from tests.rules.tables import Match, Step, opened, play
from tests.rules.test_conformance import every_match

QUICK = Search(40)
FIRST = lambda _: 0  # noqa: E731
MATCH = Match(seed=3, players=4, bot="greedy")
SECRET = Match(seed=5, players=5, bot="mixed", crowded=True, options=(("cash", "secret"),))


@cache
def played(match: Match) -> Sequence[Step]:
    return tuple(play(match))


def asked(match: Match, kind: str = "") -> Iterator[tuple[State, Decision]]:
    """Questions of a game, with the position in which they were asked."""
    for step in played(match):
        if step.decision is not None and kind in ("", step.decision.kind):
            yield step.before, step.decision


def search(match: Match, state: State, decision: Decision, bot: Search = QUICK) -> od.Order:
    return bot(match.game, state, decision, FIRST)


# -- it is always the same ---


def test_the_same_question_has_the_same_answer() -> None:
    for state, decision in [*asked(MATCH)][::25]:
        assert search(MATCH, state, decision) == search(MATCH, state, decision)


@pytest.mark.slow
def test_it_looks_at_no_more_positions_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is counted is not time: so it answers alike on every machine."""
    game, looked = MATCH.game, []
    real = type(game).resolve
    monkeypatch.setattr(type(game), "resolve", lambda *given: looked.append(1) or real(*given))
    for state, decision in [*asked(MATCH)][::20]:
        looked.clear()
        search(MATCH, state, decision, Search(POSITIONS))
        assert len(looked) <= POSITIONS


# -- what it may know ---


def hidden_otherwise(state: State, seat: Seat) -> State:
    """The same to that seat: others have other cash, and have written other things that are not told yet."""
    cash = {who: own if who == seat else own + 9 for who, own in state.cash.items()}
    return replace(state, cash=cash, agenda=tuple(_rewritten(state, task, seat) for task in state.agenda))


def _rewritten(state: State, task: Any, seat: Seat) -> Any:
    match task:
        case AwaitBattle():
            others = [n for n in task.asked if state.government[n] != seat and n in task.replies]
            return replace(task, replies={**task.replies, **{n: Reply(pairs=-1) for n in others}})
        case Maneuver() if state.government[task.nation] != seat:
            return replace(task, lines=(), destroy=tuple(state.factories)[:1])
        case AwaitForce() if state.government[task.nation] != seat:
            return replace(task, turn=replace(task.turn, work=od.Move(lines=())))
        case _:
            return task


@pytest.mark.slow
def test_what_is_hidden_changes_no_answer() -> None:
    kinds = set()
    for step in (step for seed in range(3) for step in played(replace(SECRET, seed=seed))[:90]):
        for decision in step.game.pending(step.before):
            other = hidden_otherwise(step.before, decision.seat)
            if decision.kind in ("turn", "invest") and decision.serial % 23:
                continue
            kinds.add(decision.kind)
            for level in LEVELS:
                bot = QUICK if level == "hard" else BOTS[level]
                assert bot(step.game, step.before, decision, FIRST) == bot(step.game, other, decision, FIRST)
    assert kinds >= {"turn", "invest", "battle"}


def test_a_swiss_bank_does_not_see_what_the_nation_means_to_do() -> None:
    """It is asked before the space is taken: it knows which, not what is ordered there."""
    match = replace(SECRET, crowded=False, bot="greedy")
    found = [(s, d) for seed in range(12) for s, d in asked(replace(match, seed=seed), "swiss")]
    assert found
    for state, decision in found:
        other = hidden_otherwise(state, decision.seat)
        assert as_seen(match.game, state, decision.seat, FIRST) == as_seen(match.game, other, decision.seat, FIRST)
        assert search(match, state, decision) == search(match, other, decision)


def test_open_cash_is_known() -> None:
    state, decision = next(asked(MATCH))
    assert as_seen(MATCH.game, state, decision.seat, FIRST).cash == state.cash


# -- what it says of answers ---


def judgement(match: Match, state: State, decision: Decision, order: od.Order, positions: int = 200) -> Any:
    return judged(match.game, state, Answer(seat=decision.seat, order=order, decision=decision), FIRST, positions)


def test_who_buys_nothing_has_lost_by_it() -> None:
    passed = od.Invest(choices=())
    rich = [(state, decision) for state, decision in asked(MATCH, "invest") if state.cash[decision.seat] >= 9]
    found = [judgement(MATCH, state, decision, passed) for state, decision in rich]
    assert len(found) > 3
    assert all((one.best == passed) == (not one.lost) for one in found)
    assert sum(one.lost > 1 for one in found) > len(found) / 2


@pytest.mark.slow
def test_who_plays_anything_loses_more_than_who_thinks_ahead() -> None:
    lost = {"random": 0.0, "hard": 0.0}
    for state, decision in [*asked(MATCH)][::20]:
        for bot, points in lost.items():
            order = (
                BOTS["random"](MATCH.game, state, decision, random.Random(7).randrange)
                if bot == "random"
                else search(MATCH, state, decision, Search(POSITIONS))
            )
            found = judgement(MATCH, state, decision, order, 300)
            lost[bot] = points + (found.lost if found else 0.0)
    assert lost["hard"] < lost["random"] / 2


def test_a_judgement_is_always_the_same_and_knows_only_what_the_seat_knew() -> None:
    seen = 0
    for step in played(SECRET)[:90:9]:
        if step.decision is not None:
            other = hidden_otherwise(step.before, step.decision.seat)
            found = judgement(SECRET, step.before, step.decision, step.order)
            assert found == judgement(SECRET, step.before, step.decision, step.order)
            assert found == judgement(SECRET, other, step.decision, step.order)
            seen += found is not None
    assert seen


@pytest.mark.slow
def test_a_judgement_looks_at_no_more_positions_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    real = Imperial.resolve
    monkeypatch.setattr(Imperial, "resolve", lambda *given: looked.append(1) or real(*given))
    for step in played(MATCH)[::25]:
        if step.decision is not None:
            looked.clear()
            judgement(MATCH, step.before, step.decision, step.order, 600)
            assert len(looked) <= 602


# -- every kind of game ---


@pytest.mark.parametrize("match", [*every_match()], ids=lambda match: f"{match.edition}-{match.start}-{match.players}")
def test_it_plays_every_kind_of_game_to_its_end(match: Match) -> None:
    """And what it orders is never refused; the others play anything. Every second one begins among many units."""
    match = replace(match, crowded=bool(match.seed % 2))
    game, state, dice = match.game, opened(match), random.Random(match.seed)
    bots = {seat: (Search(25), BOTS["easy"], BOTS["fair"])[place % 3] for place, seat in enumerate(state.seats)}
    for _ in range(600):
        if state.finished:
            break
        for decision in game.pending(state)[:1]:
            order = bots[decision.seat](game, state, decision, dice.randrange)
            answer = Answer(seat=decision.seat, order=order, decision=decision)
            game.check(state, answer)
            state = game.resolve(state, [answer], NoLots()).state
    assert state.finished


# -- how well it plays ---


@pytest.mark.slow
def test_it_ends_the_game_when_it_is_ahead_and_not_when_it_is_behind() -> None:
    """Both bots are asked in the positions in which somebody could end the game at once."""
    chances = {True: 0, False: 0}
    for seed in range(12):
        match = replace(MATCH, seed=seed)
        for state, decision in asked(match, "turn"):
            nation, game = decision.about or "", match.game
            order = od.Turn(nation=nation, space="taxation")
            answer = Answer(seat=decision.seat, order=order, decision=decision)
            if state.power[nation] < 17 or state.rondel[nation] not in ("import", "production_2", "maneuver_2"):
                continue
            ended = game.resolve(state, (answer,), NoLots()).state
            if ended.finished:
                wins = decision.seat in (ended.winners or ())
                taxes = search(match, state, decision, Search(200)).space == "taxation"
                chances[wins] += 1
                assert taxes or not wins
    assert chances[True]
    assert chances[False]


def test_prospects_at_the_end_are_the_points() -> None:
    for step in played(MATCH):
        if step.after.finished:
            assert prospects(MATCH.game, step.after) == step.after.scores


@pytest.mark.slow
def test_one_who_thinks_beats_those_who_do_not() -> None:
    """More of it, with more games, is in bench/bots.py."""
    won = 0
    for seed in range(3):
        match = replace(MATCH, seed=seed)
        game, state, dice = match.game, opened(match), random.Random(seed)
        while not state.finished:
            decision = game.pending(state)[0]
            bot = Search(150) if decision.seat == "anton" else BOTS["fair"]
            order = bot(game, state, decision, dice.randrange)
            answer = Answer(seat=decision.seat, order=order, decision=decision)
            state = game.resolve(state, (answer,), NoLots()).state
        won += "anton" in (state.winners or ())
    assert won >= 2
