"""Who judges, after a game, what was answered in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

from pbem.core.bot import Pick
from pbem.core.decision import Answer

R = TypeVar("R")
S = TypeVar("S")
O = TypeVar("O")


class Judged(Struct, Generic[O], frozen=True, kw_only=True):
    """An answer beside the best that was thought of: by what the seat that gave it could see."""

    best: O  # the answer itself where nothing better was found
    lost: float = 0.0  # points, as the game scores them, so much less than that one promised; never below 0


# By the rules, the position and an answer that has a decision: None where there was no choice, or none that could be
# judged. It may look at so many positions, and the same picks bring the same judgement.
Critic: TypeAlias = Callable[[R, S, Answer[O], Pick, int], Judged[O] | None]
