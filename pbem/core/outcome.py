"""How a game came out, or stands: who came where."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

from msgspec import Struct

from pbem.core.seat import Seat

Whose = TypeVar("Whose", bound=str | int)


class Result(Struct, frozen=True, kw_only=True):
    """Of every seat; equals share a place (1 2 2 4), and the winners are those in the first."""

    places: Mapping[Seat, int]
    scores: Mapping[Seat, int] | None = None  # None: the game counts none

    @property
    def winners(self) -> tuple[Seat, ...]:
        return tuple(sorted(seat for seat, place in self.places.items() if place == 1))


def ranks(scores: Mapping[Whose, int], winners: Collection[Whose]) -> dict[Whose, int]:
    """Who came where, 1 the best: by score, of equals winners first; who is still equal shares a place."""
    worth = {seat: (score, seat in winners) for seat, score in scores.items()}
    return {seat: 1 + sum(other > own for other in worth.values()) for seat, own in worth.items()}
