"""Who begins with what: no position twice at a table, for nobody one twice while others are unused.

For tables that are fixed this is an edge colouring of players × tables with the positions as colours, by alternating
paths (König 1916: it is there whenever no table has more seats, and nobody more tables, than there are positions).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations

from pbem.league.lots import shuffled

Had = Mapping[int, Mapping[int, int]]  # by person and position: how often
Edge = tuple[int, int, int]  # a player, the number of a table, the position dealt there


def fixed_positions(tables: Sequence[Sequence[int]], count: int) -> list[list[int]]:
    """For each table the position (0 … count-1) of each of its players; dealt about as often as each other."""
    deal = _Deal(tables, count)
    for number, table in enumerate(tables):
        for player in table:
            deal.give(player, number)
    deal.even_out()
    return [[deal.position(player, number) for player in table] for number, table in enumerate(tables)]


def drawn_positions(table: Sequence[int], count: int, had: Had, key: bytes, purpose: str) -> list[int]:
    """The deal with the least sum of (2 · times had + 1); of equals the first in lot order."""
    order = shuffled(range(count), key, purpose)

    def cost(deal: Iterable[int]) -> int:
        dealt = zip(table, deal, strict=True)
        return sum(2 * had.get(player, {}).get(position, 0) + 1 for player, position in dealt)

    return list(min(permutations(order, len(table)), key=cost))


class _Deal:
    """Positions on their way: what is taken at each table, and of each player."""

    def __init__(self, tables: Sequence[Sequence[int]], count: int) -> None:
        self.count = count
        self.at: list[dict[int, int]] = [{} for _ in tables]  # position: player
        self.of: dict[int, dict[int, int]] = {player: {} for table in tables for player in table}  # position: table

    def position(self, player: int, table: int) -> int:
        return next(position for position, number in self.of[player].items() if number == table)

    def give(self, player: int, table: int) -> None:
        both = self._free(self.at[table], self.of[player])
        if both is None:
            both, its = self._free(self.at[table]), self._free(self.of[player])
            if both is None or its is None:
                raise ValueError("more seats at a table, or tables of a player, than there are positions")
            self._exchange(both, its, [*self._path(player, both, its)])  # now it is free for the player, too
        self._put((player, table, both))

    def even_out(self) -> None:
        """While one position is dealt two times more often than another, exchange them along one path."""
        while True:
            often = [sum(position in dealt for dealt in self.at) for position in range(self.count)]
            most, least = often.index(max(often)), often.index(min(often))
            if often[most] - often[least] < 2:
                return
            self._exchange(most, least, next(self._odd_paths(most, least)))

    def _odd_paths(self, a: int, b: int) -> Iterator[list[Edge]]:
        """Paths that have one more of a than of b, by the numbers of their players."""
        for player in sorted(self.of):
            if a in self.of[player] and b not in self.of[player]:
                path = [*self._path(player, a, b)]
                if len(path) % 2:
                    yield path

    def _free(self, *used: Mapping[int, int]) -> int | None:
        return next((each for each in range(self.count) if not any(each in taken for taken in used)), None)

    def _path(self, player: int, a: int, b: int) -> Iterator[Edge]:
        """From a player to a table by a, on to a player by b, and so on till it ends."""
        while (table := self.of[player].get(a)) is not None:
            yield player, table, a
            following = self.at[table].get(b)
            if following is None:
                return
            player = following
            yield player, table, b

    def _exchange(self, a: int, b: int, path: Sequence[Edge]) -> None:
        for player, table, position in path:
            del self.at[table][position], self.of[player][position]
        for player, table, position in path:
            self._put((player, table, b if position == a else a))

    def _put(self, edge: Edge) -> None:
        player, table, position = edge
        self.at[table][position], self.of[player][position] = player, table
