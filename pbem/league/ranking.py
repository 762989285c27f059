"""Standings of a group: points, then the words that break ties; and how places of different groups compare."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Literal

from msgspec import Struct

Tie = Literal["wins", "direct", "seconds", "strength", "share", "late", "lot"]
WIN = 60  # a win, in the parts that a shared one is counted in


class Finish(Struct, frozen=True, kw_only=True):
    """One seat of a table that is over."""

    line: int | None  # whose line it counts for; None: a bot's, or a substitute's
    place: int | None  # None: the line's person left the seat, and it counts as played all the same
    points: int  # hundredths
    score: int | None = None


Table = Sequence[Finish]


class Row(Struct, frozen=True, kw_only=True):
    """A line of the standings, with all that is looked at."""

    place: int
    line: int
    played: int
    points: int  # hundredths, after what was taken off
    wins: int  # sixtieths
    direct: int  # against those who were equal so far
    seconds: int
    strength: int  # hundredths: the mean of all they met
    share: int  # thousandths of the best score, summed
    late: int  # periods

    @property
    def mean(self) -> tuple[Fraction, Fraction, Fraction]:
        """Points, wins and share, a table."""
        played = max(1, self.played)
        return Fraction(self.points, played), Fraction(self.wins, played), Fraction(self.share, played)


class Charges(Struct, frozen=True, kw_only=True):
    """What counts against a line, beside its tables."""

    off: int = 0  # hundredths
    late: int = 0  # periods


class _Sums:
    """What the tables of a line come to."""

    def __init__(self) -> None:
        self.results: list[int] = []
        self.wins = self.seconds = self.share = 0
        self.met: set[int] = set()
        self.against: dict[int, int] = {}  # by other line: tables before it, less those behind


def standings(
    lines: Sequence[int],
    tables: Sequence[Table],
    ties: Sequence[Tie],
    lots: Mapping[int, int],
    charges: Mapping[int, Charges] | None = None,
    counted: int = 0,
) -> list[Row]:
    """The rows, the best first. `lots` are the places that the lot gives; `counted` best results count, 0: all."""
    charges = charges or {}
    sums = {line: _Sums() for line in lines}
    for table in tables:
        _add(sums, table)
    off = {line: charges.get(line, Charges()).off for line in lines}
    results = {line: _points(each, counted) for line, each in sums.items()}
    points = {line: results[line] - off[line] for line in lines}
    late = {line: charges.get(line, Charges()).late for line in lines}
    strength = _strengths(sums, tables, results, off)
    values: Mapping[Tie, Callable[[int], int]] = {
        "wins": lambda line: sums[line].wins,
        "seconds": lambda line: sums[line].seconds,
        "strength": lambda line: strength[line],
        "share": lambda line: sums[line].share,
        "late": lambda line: -late[line],
        "lot": lambda line: -lots[line],
    }
    keys: dict[int, tuple[int, ...]] = {line: (points[line],) for line in lines}
    direct = dict.fromkeys(lines, 0)
    for word in ties:
        if word == "direct":
            direct = {line: _direct(sums, keys, line) for line in lines}
        value = direct.__getitem__ if word == "direct" else values[word]
        keys = {line: (*keys[line], value(line)) for line in lines}
    return [
        Row(
            place=place,
            line=line,
            played=len(sums[line].results),
            points=points[line],
            wins=sums[line].wins,
            direct=direct[line],
            seconds=sums[line].seconds,
            strength=strength[line],
            share=sums[line].share,
            late=late[line],
        )
        for place, line in enumerate(sorted(lines, key=keys.__getitem__, reverse=True), 1)
    ]


def _add(sums: Mapping[int, _Sums], table: Table) -> None:
    firsts = sum(each.place == 1 for each in table)
    top = max((each.score for each in table if each.score is not None), default=0)
    own = [each for each in table if each.line in sums]
    for each in own:
        assert each.line is not None
        line = sums[each.line]
        line.results.append(each.points)
        line.met |= {other.line for other in own if other.line is not None and other is not each}
        if each.place is None:
            continue
        line.wins += WIN // firsts if each.place == 1 else 0
        line.seconds += each.place == 2
        line.share += 1000 * each.score // top if each.score is not None and top > 0 else 0
        for other in own:
            if other is not each and other.line is not None and other.place is not None:
                ahead = (each.place < other.place) - (each.place > other.place)
                line.against[other.line] = line.against.get(other.line, 0) + ahead


def _strengths(
    sums: Mapping[int, _Sums], tables: Sequence[Table], results: Mapping[int, int], off: Mapping[int, int]
) -> dict[int, int]:
    """The mean of the points of all each one met.

    As the contract reckons: by first seat at a table, and what is taken off those who come later still counts then.
    """
    points, found = {**results}, dict.fromkeys(sums, 0)
    for line in dict.fromkeys(each.line for table in tables for each in table if each.line in sums):
        assert line is not None
        points[line] -= off[line]
        met = sums[line].met
        found[line] = sum(points[other] for other in met) // max(1, len(met))
    return found


def _points(sums: _Sums, counted: int) -> int:
    return sum(sorted(sums.results, reverse=True)[: counted or None])


def _direct(sums: Mapping[int, _Sums], keys: Mapping[int, tuple[int, ...]], line: int) -> int:
    return sum(ahead for other, ahead in sums[line].against.items() if keys[other] == keys[line])


def across(groups: Sequence[Sequence[Row]], lots: Mapping[int, int]) -> list[Row]:
    """The order of a whole division: by place, then points, wins and share a table, then by lot."""
    rows = [row for group in groups for row in group]
    return sorted(rows, key=lambda row: (row.place, *(-each for each in row.mean), lots[row.line]))
