"""Who plays for a seat that nobody plays for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias, TypeVar

from msgspec import Struct

from pbem.core.decision import Decision

R = TypeVar("R")
S = TypeVar("S")
O = TypeVar("O")

Level: TypeAlias = Literal["easy", "fair", "hard"]  # how well a bot plays; every game has one for each, or one for all
LEVELS: tuple[Level, ...] = ("easy", "fair", "hard")
SUBSTITUTE: Level = "fair"  # who sits down where no level was agreed on
Pick: TypeAlias = Callable[[int], int]  # one of 0 … n-1

# By the rules and the position it tells the order that answers, as a person could; the same picks bring the same.
# A bot of a level decides by what the seat that is asked may see.
Bot: TypeAlias = Callable[[R, S, Decision, Pick], O]


class Reason(Struct, frozen=True, kw_only=True):
    """Why a bot answered as it did: the facts of the game's sentence `reasons.CODE`, which tells nothing secret."""

    code: str
    facts: Mapping[str, Any] = {}


# How a bot came to an order that it has given: with the same picks it thinks the same once more.
Reasoning: TypeAlias = Callable[[R, S, Decision, O, Pick], Reason]
