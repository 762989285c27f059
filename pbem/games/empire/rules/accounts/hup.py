"""The HUP sheet: what of each good a country had, used and produced in a game turn (E6.1).

Closing is had + produced - used: what comes from others counts as produced, what is given or lost as used. It is
counted between the steps of a slot, so that what only changes its place is neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec.structs import replace

from pbem.games.empire.rules.held import NOTHING, Held, amounts
from pbem.games.empire.rules.state import Hup
from pbem.games.empire.rules.world import NO_PART, World

_Sums = dict[tuple[str, str], Fraction]  # by country and good


def count(w: World) -> None:
    """Enter what has changed since the last count. Before the first turn, and of what is given, it is simply had."""
    for (country, good), more in _gained(w).items():
        row = sheet_row(w.hup, country, w.state.turn, good)
        if w.state.turn == 0 or w.is_given:
            row = replace(row, had=row.had + more)
        elif more > 0:
            row = replace(row, produced=row.produced + more)
        else:
            row = replace(row, used=row.used - more)
        w.hup[_key(country, w.state.turn, good)] = row


def sheet_row(rows: Mapping[str, Hup], country: str, turn: int, good: str) -> Hup:
    """Of a turn in which nothing has changed yet: with what the one before closed with."""
    for past in range(turn, -1, -1):
        row = rows.get(_key(country, past, good))
        if row is not None:
            return row if past == turn else Hup(had=row.closing)
    return Hup()


def sheet(rows: Mapping[str, Hup], country: str, turn: int) -> dict[str, Hup]:
    """All goods that the country has ever had, by their ids."""
    goods = sorted({good for owner, _, good in map(str.split, rows) if owner == country})
    found = {good: sheet_row(rows, country, turn, good) for good in goods}
    return {good: row for good, row in found.items() if row != Hup()}


def _key(country: str, turn: int, good: str) -> str:
    return f"{country} {turn} {good}"


def _gained(w: World) -> _Sums:
    """How much more of a good a country has than at the last count; only what has changed is looked at."""
    parts, units = w.counted
    more: _Sums = {}
    for name in {*parts, *w.parts}:
        old, new = parts.get(name, NO_PART), w.part(name)
        if old is not new:
            _add(more, old.held, -1)
            _add(more, new.held, 1)
    for id_ in {*units, *w.units}:
        was, now = units.get(id_), w.units.get(id_)
        if was is not now:
            _add(more, was.holds if was else {}, -1)
            _add(more, now.holds if now else {}, 1)
    w.counted = (dict(w.parts), dict(w.units))
    return {key: more[key] for key in sorted(more) if more[key]}


def _add(sums: _Sums, held: Mapping[str, Held], sign: int) -> None:
    for country, each in held.items():
        for good, amount in amounts(each):
            sums[country, good] = sums.get((country, good), NOTHING) + sign * amount
