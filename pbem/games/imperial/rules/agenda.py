"""What is left to do, worked off up to the next question that has more than one answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from pbem.core.decision import Decision
from pbem.core.seat import Seat
from pbem.games.imperial.rules import battle, bidding, investor, maneuver, rounds
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.places import Nation
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.state import (
    AwaitBattle,
    AwaitBid,
    AwaitForce,
    AwaitInvest,
    AwaitTurn,
    EndTurn,
    InvestorSteps,
    InvestRound,
    Maneuver,
    Settle,
    SettleRound,
    State,
)

Invited = TypeVar("Invited", AwaitInvest, AwaitBid)


def run(resolution: Resolution) -> list[ev.Event]:
    """All that happens until somebody must be asked; nobody is asked what has only one answer."""
    while resolution.agenda:
        task = resolution.agenda.pop(0)
        if STEPS[type(task)](resolution, task):
            break
    return resolution.close()


# -- the steps: each does a task; True when somebody must be asked first, and it is back on the agenda ---


def _maneuver(resolution: Resolution, task: Maneuver) -> bool:
    if task.open:
        return _ask(resolution, task)
    maneuver.go_on(resolution, task)
    return False


def _battle(resolution: Resolution, task: AwaitBattle) -> bool:
    if battle.unanswered(task):
        return _ask(resolution, task)
    battle.carry_out(resolution, task)
    return False


def _settle_round(resolution: Resolution, task: SettleRound) -> None:
    investor.settle_all(resolution, task.start)


def _ask(
    resolution: Resolution, task: AwaitTurn | AwaitForce | Maneuver | AwaitBattle | AwaitInvest | AwaitBid
) -> bool:
    """Put the task back, as a question with its own number."""
    if not task.serial:
        resolution.asked += 1
        task = replace(task, serial=resolution.asked)
    resolution.agenda.insert(0, task)
    return True


def _next_investor(resolution: Resolution, task: AwaitInvest) -> bool:
    """Ask the first of those who may buy; nobody is left when it is over."""
    for place, seat in enumerate(task.seats):
        if investor.can_buy(resolution, seat, task.only):
            return _ask(resolution, _from(task, place))
        _pass_over(resolution, seat)
    return False


def _next_bidder(resolution: Resolution, task: AwaitBid) -> bool:
    """Ask the first of those who can afford a bond of the nation; after the last, the next nation."""
    for place, seat in enumerate(task.seats):
        if any(investor.purchases_in(resolution, seat, task.nation)):
            return _ask(resolution, _from(task, place))
        _pass_over(resolution, seat)
    bidding.end_bidding(resolution, task)
    return False


def _pass_over(resolution: Resolution, seat: Seat) -> None:
    """It could not buy anything, and is told so."""
    resolution.emit(ev.NothingBought(seat=seat, why="unaffordable"))


def _from(task: Invited, place: int) -> Invited:
    """The question to the seat at this place; to another one it is another question."""
    return replace(task, seats=task.seats[place:], serial=0) if place else task


STEPS: Final[Mapping[type, Callable[[Resolution, Any], bool | None]]] = {
    AwaitTurn: _ask,
    AwaitForce: _ask,
    Maneuver: _maneuver,
    AwaitBattle: _battle,
    InvestorSteps: investor.begin_steps,
    AwaitInvest: _next_investor,
    Settle: investor.settle,
    InvestRound: rounds.begin_round,
    SettleRound: _settle_round,
    AwaitBid: _next_bidder,
    EndTurn: rounds.next_turn,
}

# -- the questions that are open ---


def decisions(state: State) -> list[Decision]:
    """Who is awaited for what; nobody after the end."""
    if not state.agenda:
        return []
    task = state.agenda[0]
    return QUESTIONS[type(task)](state, task)


def _turn_asked(state: State, task: AwaitTurn | Maneuver) -> list[Decision]:
    return [Decision(seat=_holder(state, task.nation), kind="turn", about=task.nation, serial=task.serial)]


def _swiss_asked(_: State, task: AwaitForce) -> list[Decision]:
    return [Decision(seat=seat, kind="swiss", about=task.nation, serial=task.serial) for seat in task.seats]


def _battle_asked(state: State, task: AwaitBattle) -> list[Decision]:
    asked = battle.unanswered(task)
    return [Decision(seat=_holder(state, n), kind="battle", about=n, serial=task.serial) for n in asked]


def _invest_asked(_: State, task: AwaitInvest) -> list[Decision]:
    about = None if task.only is None else task.nation
    return [Decision(seat=task.seats[0], kind="invest", about=about, serial=task.serial)]


def _bid_asked(_: State, task: AwaitBid) -> list[Decision]:
    return [Decision(seat=task.seats[0], kind="bid", about=task.nation, serial=task.serial)]


def _holder(state: State, nation: Nation) -> Seat:
    seat = state.government[nation]
    assert seat is not None, f"{nation} has no government to ask"
    return seat


QUESTIONS: Final[Mapping[type, Callable[[State, Any], list[Decision]]]] = {  # of what `run` stops at
    AwaitTurn: _turn_asked,
    Maneuver: _turn_asked,
    AwaitForce: _swiss_asked,
    AwaitBattle: _battle_asked,
    AwaitInvest: _invest_asked,
    AwaitBid: _bid_asked,
}
