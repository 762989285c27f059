"""Answers take effect: what each kind of question makes of what was said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.decision import Answer
from pbem.core.refusal import Illegal, NotAwaited, Refusal
from pbem.core.seat import Seat
from pbem.games.imperial.rules import battle, bidding, investor, maneuver
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.conditions import unmet
from pbem.games.imperial.rules.lateness import penalise
from pbem.games.imperial.rules.places import Nation
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.state import (
    AwaitBattle,
    AwaitBid,
    AwaitForce,
    AwaitInvest,
    AwaitTurn,
    EndTurn,
    Maneuver,
    Reply,
)
from pbem.games.imperial.rules.turn import begin_turn, force_stop, let_pass


def take_all(resolution: Resolution, answers: Sequence[Answer[od.Order]]) -> None:
    """The price of lateness comes first: an answer must be possible after it."""
    for answer in answers:
        if answer.late:
            penalise(resolution, answer)
    for answer in answers:
        _take(resolution, answer)


def _take(resolution: Resolution, answer: Answer[od.Order]) -> None:
    """One answer takes effect; the question it answers leaves the agenda or changes on it."""
    if type(answer.order) is od.Give:
        _give(resolution, answer.seat, answer.order)
        return
    task = resolution.agenda[0]
    taker = _TAKERS.get(type(task))
    if taker is None:
        raise NotAwaited(seat=answer.seat)
    taker(resolution, task, answer)


def _take_turn(resolution: Resolution, task: AwaitTurn, answer: Answer[od.Order]) -> None:
    order = answer.order
    if isinstance(order, od.Turn):
        resolution.agenda.pop(0)
        begin_turn(resolution, task.nation, order)
        return
    if isinstance(order, od.Plan):
        raise unmet(resolution.state, order)
    assert isinstance(order, od.Skip), "only a turn answers for a nation"
    resolution.agenda.pop(0)
    resolution.emit(ev.NationSkipped(nation=task.nation, why="lapse"))
    resolution.first(EndTurn(nation=task.nation))


def _give(resolution: Resolution, seat: Seat, gift: od.Give) -> None:
    cash = resolution.state.cash[seat]
    if gift.amount < 1:
        raise Illegal("gift.nothing", nation=gift.nation)
    if gift.amount > cash:
        raise Illegal("cash.short", needs=gift.amount, has=cash, seat=seat)
    resolution.emit(ev.GiftGiven(seat=seat, nation=gift.nation, amount=gift.amount))
    if not bidding.can_begin(resolution):
        raise Illegal("gift.last_money", seat=seat)


def _take_rest(resolution: Resolution, task: Maneuver, answer: Answer[od.Order]) -> None:
    """More lines for the units that have not moved."""
    order = answer.order
    assert isinstance(order, od.Turn), "only a turn answers for a nation"
    if not isinstance(order.work, od.Move):
        raise Illegal("order.incomplete", space="maneuver", nation=task.nation)
    go_on = maneuver.plan(replace(task, serial=0), order.work)
    trial = Resolution(resolution.board, resolution.edition, resolution.state, strict=True)
    trial.agenda = [replace(go_on, destroy=maneuver.plan(replace(task, destroy=()), order.work).destroy)]
    maneuver.rehearse(trial)
    resolution.agenda[0] = go_on


def _take_force(resolution: Resolution, task: AwaitForce, answer: Answer[od.Order]) -> None:
    resolution.agenda.pop(0)
    if isinstance(answer.order, od.Force):
        force_stop(resolution, task, answer.seat)
    else:
        let_pass(resolution, task, answer.seat)


def _take_battle(resolution: Resolution, task: AwaitBattle, answer: Answer[od.Order]) -> None:
    assert answer.decision is not None, "a battle is answered only when it is asked"
    nation = Nation(answer.decision.about or "")
    if not isinstance(answer.order, od.Fight):
        battle.reply(resolution, task, nation, Reply(pairs=0))
        return
    battle.check_fight(resolution, task, nation, answer.order)
    pairs = -1 if answer.order.pairs is None else answer.order.pairs
    battle.reply(resolution, task, nation, Reply(pairs=pairs, unit=answer.order.unit))
    if answer.order.pairs is None:
        battle.fight_every(resolution, task, nation, answer.order.unit)


def _take_invest(resolution: Resolution, task: AwaitInvest, answer: Answer[od.Order]) -> None:
    """The first choice that is possible is bought; when none is, the first one's reason is told."""
    assert isinstance(answer.order, od.Invest), "only investing answers for a seat"
    seat, refusals = answer.seat, list[Refusal]()
    for choice in answer.order.choices:
        refusal = investor.refusal(resolution, seat, choice, task.only)
        if refusal is None:
            investor.buy(resolution, seat, choice)
            break
        refusals.append(refusal)
    else:
        if refusals and not answer.order.else_none:
            raise refusals[0]
        resolution.emit(ev.NothingBought(seat=seat, why="choice"))
    resolution.agenda[0] = replace(task, seats=task.seats[1:], serial=0)


def _take_bid(resolution: Resolution, task: AwaitBid, answer: Answer[od.Order]) -> None:
    """One bond of the nation that is bid for, or none (R24)."""
    assert isinstance(answer.order, od.Bid), "only a bid answers a bid"
    seat, price = answer.seat, answer.order.price
    if price is not None:
        bond = od.Purchase(nation=task.nation, price=price)
        refusal = investor.refusal(resolution, seat, bond)
        if refusal:
            raise refusal
        investor.buy(resolution, seat, bond)
    else:
        resolution.emit(ev.NothingBought(seat=seat, why="choice"))
    resolution.agenda[0] = replace(task, seats=task.seats[1:], serial=0)


_TAKERS: Final[Mapping[type, Callable[[Resolution, Any, Answer[od.Order]], None]]] = {
    AwaitTurn: _take_turn,
    Maneuver: _take_rest,
    AwaitForce: _take_force,
    AwaitBattle: _take_battle,
    AwaitInvest: _take_invest,
    AwaitBid: _take_bid,
}
