"""Pieces on the board: how many of each nation stand in each place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.games.imperial.rules.places import Nation, Region

Stacks = Mapping[Region, Mapping[Nation, int]]  # never a zero, never an empty inner mapping
_NOBODY: Final[Mapping[Nation, int]] = {}


def at(stacks: Stacks, region: Region, nation: Nation) -> int:
    """How many units of the nation stand there."""
    stack = stacks.get(region)
    return stack.get(nation, 0) if stack else 0


def shifted(stacks: Stacks, region: Region, nation: Nation, by: int) -> Stacks:
    """The stacks with so many units more (or fewer)."""
    if not by:
        return stacks
    stack = stacks.get(region) or _NOBODY
    count = stack.get(nation, 0) + by
    assert count >= 0, f"fewer than no units of {nation} in {region}"
    changed = {**stacks}
    if count:
        changed[region] = {**stack, nation: count} if stack else {nation: count}
    elif len(stack) > 1:
        changed[region] = _without(stack, nation)
    else:
        del changed[region]
    return changed


def moved(stacks: Stacks, nation: Nation, count: int, origin: Region, target: Region) -> Stacks:
    """The stacks with so many units gone from one place to another."""
    changed, here, there = {**stacks}, stacks[origin], stacks.get(target)
    left = here[nation] - count
    assert left >= 0, f"fewer than no units of {nation} in {origin}"
    if left:
        changed[origin] = {**here, nation: left} if len(here) > 1 else {nation: left}
    elif len(here) > 1:
        changed[origin] = _without(here, nation)
    else:
        del changed[origin]
    changed[target] = {nation: count} if there is None else {**there, nation: there.get(nation, 0) + count}
    return changed


def _without(stack: Mapping[Nation, int], nation: Nation) -> Mapping[Nation, int]:
    others = {**stack}
    del others[nation]
    return others


def total(stacks: Stacks, nation: Nation) -> int:
    """How many units of the nation there are."""
    units = 0
    for stack in stacks.values():
        if nation in stack:
            units += stack[nation]
    return units
