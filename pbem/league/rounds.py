"""The tables of a round: blocks of equals, then mending, with whole numbers only.

Each cost outweighs what one exchange can change of all below it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import NamedTuple

from msgspec import Struct

from pbem.league.lots import lot_order

Pair = tuple[int, int]  # the lower number first
Tables = list[list[int]]

APART = 10**12
AGAIN = 10**9  # × (2m-1) a pair that has met m times: the sum of m² is least
SHORT = 10**7  # × (2k+1) a player at a smaller table who sat at k such before
SCORE = 10**3  # for each half point of difference, a pair
HALF = 50  # hundredths
HOUR = 1  # of difference
ATTEMPTS = 8


class Field(Struct, frozen=True, kw_only=True):
    """What a round is drawn from."""

    players: tuple[int, ...]  # in the order of their numbers
    sizes: tuple[int, ...]  # of the tables, large ones first
    wanted: int  # seats at a table
    score: Mapping[int, int]  # hundredths; all alike where equals need not meet
    met: Mapping[Pair, int] = {}
    short: Mapping[int, int] = {}  # how often somebody sat at a smaller table
    apart: frozenset[Pair] = frozenset()
    hours: Mapping[int, int] = {}  # by which those are compared whom the season wants near each other; {}: not at all
    far: int = 0  # hours that cost nothing
    strength: Mapping[int, float] | None = None  # for pots: one of each at a table


class Drawn(NamedTuple):
    cost: int
    attempt: int  # from 0
    tables: Tables  # each in lot order


def pair(a: int, b: int) -> Pair:
    return (a, b) if a < b else (b, a)


def round_tables(field: Field, key: bytes) -> Drawn:
    """The first attempt without a bad table, else the cheapest one."""
    return _Round(field).drawn(key)


class _Round:
    def __init__(self, field: Field) -> None:
        self.field = field
        self.pot: dict[int, int] = {}

    def drawn(self, key: bytes) -> Drawn:
        best: Drawn | None = None
        for attempt in range(ATTEMPTS):
            lots = lot_order(self.field.players, key, f"order {attempt}")
            tables = self._blocks(lots) if self.field.strength is None else self._pots(lots, self.field.strength)
            self._mend(tables)
            cost = sum(map(self._table, tables))
            if best is None or cost < best.cost:
                best = Drawn(cost, attempt, [sorted(table, key=lots.__getitem__) for table in tables])
            if not any(map(self._is_bad, tables)):
                break
        assert best is not None
        return best

    def _blocks(self, lots: Mapping[int, int]) -> Tables:
        """By score, equals by lot: never by what breaks ties."""
        order = iter(sorted(self.field.players, key=lambda player: (-self.field.score[player], lots[player])))
        return [[*islice(order, size)] for size in self.field.sizes]

    def _pots(self, lots: Mapping[int, int], strength: Mapping[int, float]) -> Tables:
        """One of each pot at a table: as many pots as seats, each of as many as there are tables."""
        order = sorted(self.field.players, key=lambda player: (-strength[player], lots[player]))
        wide = len(self.field.sizes)
        self.pot = {player: place // wide for place, player in enumerate(order)}
        pots = [sorted(order[begin : begin + wide], key=lots.__getitem__) for begin in range(0, len(order), wide)]
        return [[pot[place] for pot in pots if place < len(pot)] for place in range(wide)]

    # -- costs ---

    def _pair(self, a: int, b: int) -> int:
        both, field = pair(a, b), self.field
        cost = SCORE * (abs(field.score[a] - field.score[b]) // HALF)
        if times := field.met.get(both):
            cost += AGAIN * (2 * times - 1)
        if both in field.apart:
            cost += APART
        if field.hours:
            hours = abs(field.hours.get(a, 0) - field.hours.get(b, 0))
            cost += HOUR * hours if hours > field.far else 0
        return cost

    def _seat(self, player: int, size: int) -> int:
        return SHORT * (2 * self.field.short.get(player, 0) + 1) if size < self.field.wanted else 0

    def _table(self, table: Sequence[int]) -> int:
        seats = sum(self._seat(player, len(table)) for player in table)
        return sum(self._pair(a, b) for a, b in combinations(table, 2)) + seats

    def _is_bad(self, table: Sequence[int]) -> bool:
        """Does a pair meet again, or is it apart; or is somebody at a smaller table again?"""
        pairs = (pair(a, b) for a, b in combinations(table, 2))
        if any(self.field.met.get(each) or each in self.field.apart for each in pairs):
            return True
        return len(table) < self.field.wanted and any(self.field.short.get(player) for player in table)

    # -- mending ---

    def _mend(self, tables: Tables) -> None:
        """The best exchange for each bad table, first with neighbours, then farther off; until nothing gets better."""
        reach = 2
        while True:
            improved = [self._improve(tables, number, reach) for number in range(len(tables))]
            if any(improved):
                continue
            if reach >= len(tables):
                return
            reach *= 2

    def _improve(self, tables: Tables, number: int, reach: int) -> bool:
        if not self._is_bad(tables[number]):
            return False
        near = range(max(0, number - reach), min(len(tables), number + reach + 1))
        best: tuple[int, int, int, int] | None = None
        for other in near:
            for gain, i, j in self._exchanges(tables[number], tables[other]) if other != number else ():
                if gain > (best[0] if best else 0):
                    best = gain, other, i, j
        if best is None:
            return False
        _, other, i, j = best
        tables[number][i], tables[other][j] = tables[other][j], tables[number][i]
        return True

    def _exchanges(self, here: Sequence[int], there: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """What each exchange of two players would save, and their places."""
        now = self._table(here) + self._table(there)
        for i, player in enumerate(here):
            left_here = [*here[:i], *here[i + 1 :]]
            for j, other in enumerate(there):
                if self.pot and self.pot[player] != self.pot[other]:
                    continue
                left_there = [*there[:j], *there[j + 1 :]]
                yield now - self._table([*left_here, other]) - self._table([*left_there, player]), i, j
