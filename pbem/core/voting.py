"""The rules of voting that games and leagues share: which majorities there are, and when a vote is decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

Majority = Literal["all", "two_thirds", "half", "more"]  # of all electors, but for the last: more for it than against

MOST_OPEN = 3  # petitions of one person
SUSPENDED_DAYS = 14  # at the most, by one petition

_ENOUGH: Mapping[str, Callable[[int, int], bool]] = {
    "all": lambda pro, electors: pro == electors,
    "two_thirds": lambda pro, electors: 3 * pro >= 2 * electors,
    "half": lambda pro, electors: 2 * pro > electors,
}


def decided(majority: Majority, pro: int, contra: int, electors: int, silent: int) -> bool | None:
    """Has it passed or failed? None while that depends on the `silent`, who may still vote."""
    if majority == "more":
        return True if pro > contra + silent else False if pro + silent <= contra else None
    is_enough = _ENOUGH[majority]
    return True if is_enough(pro, electors) else None if is_enough(pro + silent, electors) else False
