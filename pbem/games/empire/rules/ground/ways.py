"""The cheapest ways over land (E9.1 to E9.3)."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.geography.nearest import nearest_first
from pbem.games.empire.rules.ground.terrain import beside, cost, group
from pbem.games.empire.rules.world import World

REMEMBERED = 5000  # ways over one state of what is built
Through = Callable[[str], bool]
Onward = Callable[[str], Iterable[tuple[str, Fraction]]]


class Step(NamedTuple):
    part: str
    cost: Fraction


def steps_from(w: World, kind: str, part: str) -> Sequence[tuple[int, str, Fraction]]:
    """Where a thing of that kind can go at once: direction (6 within the square), part, BTA."""
    known, key = w.ways, (w.tables.kinds[kind].moves, part)
    if key not in known:
        known[key] = tuple(_steps_from(w, kind, part))
    found: Sequence[tuple[int, str, Fraction]] = known[key]
    return found


def _steps_from(w: World, kind: str, part: str) -> Iterator[tuple[int, str, Fraction]]:
    for direction, other in beside(w, part):
        paid = cost(w, kind, part, other)
        if paid is not None:
            yield direction, other, paid
    for other in group(w, part):
        if other != part:
            yield 6, other, w.tables.joined_parts


def steps_into(w: World, kind: str, part: str) -> Iterator[tuple[str, Fraction]]:
    """From where one comes into a part at once, and for how many BTA."""
    for other in group(w, part):
        if other != part:
            yield other, w.tables.joined_parts
    for _, other in beside(w, part):
        price = cost(w, kind, other, part)
        if price is not None:
            yield other, price


def way(
    w: World, kind: str, start: str, goal: str, through: Through, most: Fraction | None = None
) -> list[Step] | None:
    """The cheapest way; of equal ones that whose directions come first. None: there is none.

    `through` tells whether the mover may pass on from a part; the goal itself is not asked.
    """
    whole = w.tables.parts_of_bta
    limit = None if most is None else int(most * whole)
    heap: list[tuple[int, tuple[int, ...], str, tuple[Step, ...]]] = [(0, (), start, ())]
    done: set[str] = set()
    while heap:
        paid, directions, part, steps = heapq.heappop(heap)
        if part == goal:
            return list(steps)
        if part in done or (part != start and not through(part)):
            continue
        done.add(part)
        for direction, other, price in steps_from(w, kind, part):
            total = paid + _in_parts(price, whole)
            if other not in done and (limit is None or total <= limit):
                heapq.heappush(heap, (total, (*directions, direction), other, (*steps, Step(other, price))))
    return None


def reach(w: World, kind: str, start: str, most: Fraction, through: Through) -> Mapping[str, Fraction]:
    """What it costs to get to each part within so many BTA; parts that may not be passed are reached all the same."""

    def onward(part: str) -> Iterable[tuple[str, Fraction]]:
        return ((other, price) for _, other, price in steps_from(w, kind, part))

    return spread(w, w.tables.kinds[kind].moves, start, onward, most, lambda part: part == start or through(part))


def spread(
    w: World, what: Hashable, start: str, onward: Onward, most: Fraction, through: Through
) -> Mapping[str, Fraction]:
    """The same by steps that `onward` tells, and that rest on nothing but `what` and the land as it is built.

    What is found is remembered by the parts that may not be passed, of all that one would reach without them.
    """

    def within(closed: frozenset[str]) -> Mapping[str, Fraction]:
        known, key = w.ways, (what, start, most, closed)
        if key not in known:
            if len(known) > REMEMBERED:
                known.clear()
            known[key] = _search(w, start, lambda part: () if part in closed else onward(part), most)
        found: Mapping[str, Fraction] = known[key]
        return found

    free = within(frozenset())
    closed = frozenset(part for part in free if not through(part))
    return within(closed) if closed else free


def _search(w: World, start: str, onward: Onward, most: Fraction) -> Mapping[str, Fraction]:
    """Reckoned in whole parts of a BTA, as in `way`, since fractions are slow."""
    whole = w.tables.parts_of_bta

    def steps(part: str) -> Iterable[tuple[str, int]]:
        return ((other, _in_parts(price, whole)) for other, price in onward(part))

    return {part: _bta(paid, whole) for part, paid in nearest_first([start], 0, steps, int(most * whole))}


@lru_cache(maxsize=1024)
def _in_parts(price: Fraction, whole: int) -> int:
    return price.numerator * whole // price.denominator


@lru_cache(maxsize=1024)
def _bta(paid: int, whole: int) -> Fraction:
    return Fraction(paid, whole)


def are_neighbours(w: World, part: str, other: str) -> bool:
    return square_of(other) in w.map.around(square_of(part)) or square_of(part) == square_of(other)
