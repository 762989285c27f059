"""Turns written ahead that depend on what is when they are due."""

from __future__ import annotations

from typing import assert_never

from pbem.rules.imperial import orders as od
from pbem.rules.imperial.drafts import Table, is_legal
from pbem.rules.imperial.state import State
from pbem.table.decision import Answer, Decision
from pbem.table.refusal import Illegal


def chosen(game: Table, state: State, decision: Decision, plan: od.Plan) -> od.Order:
    """The turn that is meant now: the first that is possible, else the first, whose refusal is then told.

    The plan itself when none is meant: the others see of it only what is played.
    """
    meant = plan.turns
    if plan.condition is not None:
        meant = plan.turns[:1] if holds(state, plan.condition) else plan.turns[1:]
    possible = (turn for turn in meant if _is_possible(game, state, decision, turn))
    return next(possible, None) or next(iter(meant), plan)


def _is_possible(game: Table, state: State, decision: Decision, turn: od.Order) -> bool:
    return is_legal(game, state, Answer(seat=decision.seat, order=turn, decision=decision))


def holds(state: State, condition: od.Condition) -> bool:
    return _is_so(state, condition) != condition.negated


def _is_so(state: State, condition: od.Condition) -> bool:
    match condition:
        case od.Did(nation=nation, space=space):
            at = state.rondel[nation]
            return at is not None and space in (at, at.rstrip("_12"))
        case od.Has(nation=nation, amount=amount):
            return state.treasury[nation] >= amount
        case od.Stands(nation=nation, region=region):
            return state.units_at(region, nation) > 0
        case _:
            assert_never(condition)


def unmet(state: State, plan: od.Plan) -> Illegal:
    """Why nothing is played: how it is with what the plan depends on."""
    condition = plan.condition
    assert condition is not None, "without a condition some turn is always meant"
    match condition:
        case od.Did(nation=nation):
            return Illegal("advance.unmet", about="rondel", nation=nation, space=state.rondel[nation])
        case od.Has(nation=nation):
            return Illegal("advance.unmet", about="treasury", nation=nation, has=state.treasury[nation])
        case od.Stands(nation=nation, region=region):
            present = _is_so(state, condition)
            return Illegal("advance.unmet", about="units", nation=nation, region=region, present=present)
        case _:
            assert_never(condition)
