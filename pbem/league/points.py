"""What a table is worth to each of its seats, in hundredths of a point.

Every system gives each seat the same mean whatever the size of the table, so that small ones are no gift.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Literal, TypeVar

System = Literal["places", "share", "squares", "winner", "tribute"]
Seat = TypeVar("Seat", bound=str | int)

HUNDRED = 100
MEAN: Mapping[System, int] = {"places": 500, "share": 2500, "squares": 2500, "winner": 500, "tribute": 500}
NEED_SCORES: tuple[System, ...] = ("share", "squares", "tribute")


def points(
    system: System, places: Mapping[Seat, int], scores: Mapping[Seat, int] | None, lists: Mapping[int, Sequence[int]]
) -> dict[Seat, int]:
    """The points of each seat; `lists` are those of `places`, in whole points by the size of a table.

    Raises `ValueError` for a system that needs scores where a game has none.
    """
    if system == "places":
        return by_places(places, lists[len(places)])
    winners = {seat for seat, place in places.items() if place == 1}
    if system == "winner":
        return by_winner(places, winners)
    if scores is None:
        raise ValueError(f"{system} needs scores")
    return by_tribute(scores, winners) if system == "tribute" else by_share(scores, 1 if system == "share" else 2)


def by_places(places: Mapping[Seat, int], worth: Sequence[int]) -> dict[Seat, int]:
    """Who shares places shares their points; hundredths that can't be shared evenly are dropped."""
    found = {}
    for seat, place in places.items():
        same = sum(other == place for other in places.values())
        found[seat] = HUNDRED * sum(worth[place - 1 : place - 1 + same]) // same
    return found


def by_share(scores: Mapping[Seat, int], power: int) -> dict[Seat, int]:
    """What is each one's of all that was scored; with power 2 of the sum of squares. Rounded down."""
    pool = MEAN["share"] * len(scores)
    parts = {seat: max(0, score) ** power for seat, score in scores.items()}
    whole = sum(parts.values())
    return {seat: pool * part // whole if whole else pool // len(scores) for seat, part in parts.items()}


def by_winner(seats: Collection[Seat], winners: Collection[Seat]) -> dict[Seat, int]:
    pool = MEAN["winner"] * len(seats)
    return {seat: pool // len(winners) if seat in winners else 0 for seat in seats}


def by_tribute(scores: Mapping[Seat, int], winners: Collection[Seat]) -> dict[Seat, int]:
    """Everybody has the mean and pays the winners the share of the best score that they are behind."""
    own, top = MEAN["tribute"], max(scores.values())
    pays = {
        seat: 0 if seat in winners or top <= 0 else own * (top - max(0, score)) // top for seat, score in scores.items()
    }
    pot = sum(pays.values())
    return {seat: own + pot // len(winners) if seat in winners else own - paid for seat, paid in pays.items()}


def is_fair(lists: Mapping[int, Sequence[int]]) -> bool:
    """Have all sizes the same mean?"""
    return len({Fraction(sum(worth), size) for size, worth in lists.items()}) <= 1
