"""A season as others may see it: who sits at an anonymous table is told to nobody but themselves, until it is over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from pbem.league import acts
from pbem.league.log import Entry
from pbem.league.state import Draw, Season, Table


def is_veiled(season: Season, table: Table) -> bool:
    return table.draw in season.draws and season.draws[table.draw].is_sealed and not table.is_over


def veiled(season: Season, reader: int | None = None) -> Season:
    """With the reader's own chairs alone at tables that are not over, and without what sealed draws followed from."""
    if not any(draw.is_sealed for draw in season.draws.values()):
        return season
    tables = {
        number: _veiled(table, reader) if is_veiled(season, table) else table for number, table in season.tables.items()
    }
    draws = {number: _closed(draw) if draw.is_sealed else draw for number, draw in season.draws.items()}
    hidden = {draw.link for draw in season.draws.values() if draw.is_sealed}
    return replace(season, tables=tables, draws=draws, links=tuple(each for each in season.links if each not in hidden))


def _veiled(table: Table, reader: int | None) -> Table:
    drawn = None
    if table.drawn is not None and reader in table.seated:
        own = next(each for each in table.drawn.chairs if table.holders.get(each.person, each.person) == reader)
        drawn = replace(table.drawn, chairs=(replace(own, person=reader),))
    return replace(table, drawn=drawn, holders={}, left=())


def _closed(draw: Draw) -> Draw:
    return replace(draw, link="", drawings=())


def next_unsealed(season: Season) -> int | None:
    """The first draw that is sealed still, when its last table is over: each link leads back to those before it."""
    sealed = sorted(number for number, draw in season.draws.items() if draw.is_sealed)
    if not sealed or not all(season.tables[number].is_over for number in season.draws[sealed[0]].tables):
        return None
    return sealed[0]


# -- the log ---


def withheld(season: Season, entries: Sequence[Entry]) -> frozenset[int]:
    """Of which acts the digests alone are published now: sealed drawings, and who comes to sit at their tables."""
    return frozenset([*_drawings(season, entries), *_hands(season, entries)])


def _drawings(season: Season, entries: Sequence[Entry]) -> Iterator[int]:
    """A drawing that another took the place of is told in its turn, too."""
    newest: dict[int, int] = {}
    sealed: list[tuple[int, int]] = []  # the number of the act, and of the draw
    for before, entry in pairwise(entries):
        if isinstance(before.act, acts.Sealed) and isinstance(entry.act, acts.Drawn):
            sealed.append((entry.seq, entry.act.number))
            newest[entry.act.number] = entry.seq
    is_hidden = False
    for seq, number in sealed:
        is_hidden = is_hidden or (newest[number] == seq and season.draws[number].is_sealed)
        if is_hidden:
            yield seq


def _hands(season: Season, entries: Sequence[Entry]) -> Iterator[int]:
    for entry in entries:
        if isinstance(entry.act, acts.ChangedHands | acts.Late):
            table = season.tables.get(entry.act.table)
            if table is not None and is_veiled(season, table):
                yield entry.seq
