"""Who of those that wait sit down together: the nearest in strength, the wider the longer somebody has waited."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from pbem.league.lots import lot_order
from pbem.league.rounds import Pair, pair

MILLION = 10**6


class Waiting(Struct, frozen=True, kw_only=True):
    """Somebody below their load, who waits for a table."""

    person: int
    days: int  # that they have waited
    mu: int  # millionths: nothing that is drawn hangs on the last bits of a float
    lately: frozenset[int] = frozenset()  # with whom they sat in their last so many games


class Matching(Struct, frozen=True, kw_only=True):
    wanted: int  # seats at a table
    allowed: tuple[int, ...]
    spread: int  # widest difference of mu, millionths; it grows by a quarter each day
    wait_days: int  # after so many a smaller table will do


def match(waiting: Sequence[Waiting], rules: Matching, apart: Collection[Pair], key: bytes) -> list[int] | None:
    """One table, who waits longest first; None when nobody can be seated. Equals go by lot.

    Each match is a draw of its own: the next one is made of those who are left, with another key.
    """
    lots = lot_order(sorted(each.person for each in waiting), key, "waiting")
    for first in sorted(waiting, key=lambda each: (-each.days, lots[each.person])):
        table = _around(first, waiting, rules, apart, lots)
        if table is not None:
            return table
    return None


def _around(
    first: Waiting, waiting: Sequence[Waiting], rules: Matching, apart: Collection[Pair], lots: Mapping[int, int]
) -> list[int] | None:
    """Who waits longest, and the nearest; each of them may sit with all others of the table."""
    width = rules.spread * (1 + Fraction(first.days, 4))
    near = sorted(waiting, key=lambda each: (abs(each.mu - first.mu), lots[each.person]))
    table = [first]
    for other in near:
        is_near = abs(other.mu - first.mu) <= width
        if len(table) < rules.wanted and is_near and all(_may_sit(other, each, apart) for each in table):
            table.append(other)
    if len(table) < rules.wanted:
        smaller = [size for size in rules.allowed if size <= len(table)] if first.days >= rules.wait_days else []
        if not smaller:
            return None
        table = table[: max(smaller)]
    return [each.person for each in table]


def _may_sit(one: Waiting, other: Waiting, apart: Collection[Pair]) -> bool:
    if one.person == other.person or pair(one.person, other.person) in apart:
        return False
    return one.person not in other.lately and other.person not in one.lately
