"""Tables that time ends: places by the running standing, and who waited too long to be first."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import TypeVar

from pbem.core.outcome import ranks

Seat = TypeVar("Seat", bound=str | int)


def places_by_time(
    scores: Mapping[Seat, int], waited: Mapping[Seat, int], stall: float, by_right: Collection[Seat] = ()
) -> dict[Seat, int]:
    """Who is where when time ends a table; equals share a place.

    Who has the best standing and waited more than `stall` times the mean of all seats, in counted seconds, takes the
    place behind the best of the others, unless they were away by right for the excess. 0: nobody does.
    """
    places = ranks(scores, ())
    limit = Fraction(stall) * Fraction(sum(waited.values()), len(waited))
    stalled = {seat for seat in scores if stall and waited[seat] > limit and places[seat] == 1} - {*by_right}
    others = {seat: score for seat, score in scores.items() if seat not in stalled}
    if not stalled or not others:
        return places
    best = max(others.values())
    first = {seat for seat, score in others.items() if score == best}
    worth = {seat: (1, 0) if seat in stalled else (2 if seat in first else 0, score) for seat, score in scores.items()}
    return {seat: 1 + sum(other > own for other in worth.values()) for seat, own in worth.items()}
