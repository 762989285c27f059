"""Rounds of investing without the investor card, and the next nation to move (R22, R23)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.places import Nation
from pbem.games.imperial.rules.position import clockwise
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.state import AwaitInvest, AwaitTurn, EndTurn, InvestRound, SettleRound


def begin_round(resolution: Resolution, task: InvestRound) -> None:
    """The government of the nation that moved, then the others clockwise, may invest once."""
    seats = clockwise(resolution.state, task.start)
    resolution.first(AwaitInvest(nation=task.nation, seats=seats, only=task.only), SettleRound(start=task.start))


def next_turn(resolution: Resolution, task: EndTurn) -> None:
    """The next nation with a government moves; the round rises at the first nation's place."""
    nations, government = resolution.board.nations, resolution.state.government
    number, reached = task.round or resolution.state.round, task.reached
    if reached is not None and government[reached] is not None:
        _begin(resolution, reached, number)
        return
    if reached is not None:
        resolution.emit(ev.NationSkipped(nation=reached, why="vacant"))
    place = (nations.index(reached or task.nation) + 1) % len(nations)
    reached, number = nations[place], number + (place == 0)
    if government[reached] is not None:
        _begin(resolution, reached, number)
        return
    task = replace(task, reached=reached, round=number)
    if task.start is not None:
        resolution.first(InvestRound(nation=task.nation, only=reached, start=task.start), task)
    else:
        next_turn(resolution, task)


def _begin(resolution: Resolution, nation: Nation, number: int) -> None:
    resolution.emit(ev.TurnBegan(nation=nation, round=number))
    resolution.first(AwaitTurn(nation=nation))
