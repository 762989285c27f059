"""The tables of a group: a cyclic design, which needs no search and gives everybody the same number of tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations


@cache
def base_block(group: int, seats: int) -> tuple[int, ...]:
    """The block {0, …} of residues whose differences are spread most evenly; of equals the first one."""
    blocks = ((0, *rest) for rest in combinations(range(1, group), seats - 1))
    return min(blocks, key=lambda block: (_unevenness(block, group), block))


def _unevenness(block: Sequence[int], group: int) -> tuple[int, int]:
    times = [0] * group
    for a, b in combinations(block, 2):
        times[(a - b) % group] += 1
        times[(b - a) % group] += 1
    return sum(each * each for each in times[1:]), max(times[1:])


def cyclic_tables(players: Sequence[int], seats: int) -> list[tuple[int, ...]]:
    """As many tables as players: everybody sits at `seats` of them, once in each place of the list."""
    group = len(players)
    block = base_block(group, seats)
    return [tuple(players[(place + turn) % group] for place in block) for turn in range(group)]


def meetings(tables: Sequence[Sequence[int]]) -> dict[tuple[int, int], int]:
    """How often each pair meets, the lower number first."""
    found: dict[tuple[int, int], int] = {}
    for table in tables:
        for pair in combinations(sorted(table), 2):
            found[pair] = found.get(pair, 0) + 1
    return found
