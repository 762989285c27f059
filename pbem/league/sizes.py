"""How many tables of which size, how many groups, and how many of them in each division."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import count

from pbem.core.refusal import Illegal

Sizes = tuple[int, ...]


def table_sizes(players: int, wanted: int, allowed: Sequence[int]) -> Sizes:
    """The least sum of squared differences from the wanted size; of equals the one with more tables. Large ones first.

    Raises `Illegal` where nothing fits.
    """
    best: dict[int, tuple[int, int, Sizes]] = {0: (0, 0, ())}
    for total in range(1, players + 1):
        found = [_with(best[total - size], size, wanted) for size in sorted(allowed) if total - size in best]
        if found:
            best[total] = min(found)
    if players not in best:
        raise _misfit(players, lambda number: _is_sum(number, allowed))
    return best[players][2]


def _with(before: tuple[int, int, Sizes], size: int, wanted: int) -> tuple[int, int, Sizes]:
    off, tables, sizes = before
    return off + (size - wanted) ** 2, tables - 1, tuple(sorted((*sizes, size), reverse=True))


def _is_sum(number: int, allowed: Sequence[int]) -> bool:
    sums = {0}
    for total in range(1, number + 1):
        sums |= {total} if any(total - size in sums for size in allowed) else set()
    return number in sums and number > 0


def group_sizes(players: int, wanted: int, least: int, most: int) -> Sizes:
    """As even as can be; the number of groups whose mean is nearest to the wanted size, of equals the larger number.

    Raises `Illegal` where they can't be parted.
    """
    counts = [groups for groups in range(1, players + 1) if least * groups <= players <= most * groups]
    if not counts:
        raise _misfit(players, lambda number: any(least * k <= number <= most * k for k in range(1, number + 1)))
    groups = min(counts, key=lambda groups: (abs(Fraction(players, groups) - wanted), -groups))
    small, more = divmod(players, groups)
    return (*[small + 1] * more, *[small] * (groups - more))


def _misfit(players: int, fits: Callable[[int], bool]) -> Illegal:
    fewer = next((number for number in range(players - 1, 0, -1) if fits(number)), None)
    more = next(number for number in count(players + 1) if fits(number))
    return Illegal("league.sizes", players=players, fewer=fewer, more=more)


def division_sizes(groups: Sizes, shape: Sequence[int]) -> tuple[Sizes, ...]:
    """The groups of each division, from the top; the last number of the shape is doubled on as needed.

    What is left is the lowest division.
    """
    divisions: list[Sizes] = []
    place, wide = 0, 0
    while place < len(groups):
        wide = shape[len(divisions)] if len(divisions) < len(shape) else 2 * wide
        divisions.append(groups[place : place + wide])
        place += wide
    return tuple(divisions)
