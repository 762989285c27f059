"""Rounds of investing without the investor card, and the next nation to move (R22, R23)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.board import Nation
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.state import AwaitInvest, AwaitTurn, EndTurn, InvestRound, SettleRound


def begin_round(resolution: Resolution, task: InvestRound) -> None:
    """The government of the nation that moved, then the others clockwise, may invest once."""
    seats = resolution.state.clockwise(task.start)
    resolution.first(AwaitInvest(nation=task.nation, seats=seats, only=task.only), SettleRound(start=task.start))


def next_turn(resolution: Resolution, task: EndTurn) -> None:
    """The next nation with a government moves; the round rises at the first nation's place."""
    nations, state = resolution.board.nations, resolution.state
    task = replace(task, round=task.round or state.round)
    if task.reached is not None and state.government[task.reached] is not None:
        _begin(resolution, task.reached, task.round)
        return
    if task.reached is not None:
        resolution.emit(ev.NationSkipped(nation=task.reached, why="vacant"))
    place = (nations.index(task.reached or task.nation) + 1) % len(nations)
    task = replace(task, reached=nations[place], round=task.round + (place == 0))
    if state.government[nations[place]] is None and task.start is not None:
        resolution.first(InvestRound(nation=task.nation, only=nations[place], start=task.start))
        resolution.agenda.insert(1, task)
    else:
        next_turn(resolution, task)


def _begin(resolution: Resolution, nation: Nation, number: int) -> None:
    resolution.emit(ev.TurnBegan(nation=nation, round=number))
    resolution.first(AwaitTurn(nation=nation))
