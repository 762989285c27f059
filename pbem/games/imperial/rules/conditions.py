"""Turns written ahead that depend on what is when they are due."""

from __future__ import annotations

from typing import assert_never

from pbem.core.refusal import Illegal
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.position import units_at
from pbem.games.imperial.rules.state import State


def meant(state: State, plan: od.Plan) -> tuple[od.Turn, ...]:
    """The turns that come into question now; none when the condition is not met and there is nothing behind `else`."""
    if plan.condition is None:
        return plan.turns
    return plan.turns[:1] if holds(state, plan.condition) else plan.turns[1:]


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
            return units_at(state, region, nation) > 0
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
