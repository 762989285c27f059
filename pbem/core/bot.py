"""Who plays for a seat that nobody plays for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from pbem.core.decision import Decision

R = TypeVar("R")
S = TypeVar("S")
O = TypeVar("O")

SUBSTITUTE = "substitute"  # the bot of every game that decides by what the seat that is asked may see
Pick: TypeAlias = Callable[[int], int]  # one of 0 … n-1

# By the rules and the position it tells the order that answers, as a person could; the same picks bring the same.
Bot: TypeAlias = Callable[[R, S, Decision, Pick], O]
