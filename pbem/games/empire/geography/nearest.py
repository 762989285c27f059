"""What lies nearest, by steps that have prices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from heapq import heappop, heappush
from typing import TypeVar

N = TypeVar("N", int, Fraction)


def nearest_first(
    starts: Iterable[str], nothing: N, onward: Callable[[str], Iterable[tuple[str, N]]], most: N | None = None
) -> Iterator[tuple[str, N]]:
    """Parts with what the cheapest way to each costs, from the nearest start, up to the most that may be paid.

    `onward` tells the steps from a part: others and prices. Whoever has found enough may stop.
    """
    found: set[str] = set()
    ahead = [(nothing, start) for start in sorted(starts)]
    while ahead:
        paid, part = heappop(ahead)
        if part in found:
            continue
        found.add(part)
        yield part, paid
        for other, price in onward(part):
            if other not in found and (most is None or paid + price <= most):
                heappush(ahead, (paid + price, other))
