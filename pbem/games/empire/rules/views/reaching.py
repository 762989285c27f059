"""How far what a player has gets over land in his slot, if nobody is in the way: the rest is tried by a preview."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import map_order, square_of
from pbem.games.empire.rules.ground.ways import reach
from pbem.games.empire.rules.views.documents import amount
from pbem.games.empire.rules.world import World


def reaches(w: World, player: Seat | None) -> Iterator[dict[str, Any]]:
    """By square and thing: the BTA it has left, and what it takes to each place; of other squares what lies beside."""
    own = [row for country in _countries(w, player) for row in _of(w, country)]
    yield from own
    for square in {*w.map.squares} - {row["at"] for row in own}:
        yield {"at": square, "what": "", "beside": [*w.map.around(square)]}


def _countries(w: World, player: Seat | None) -> list[str]:
    return [] if player is None else w.countries_of(player)


def _of(w: World, country: str) -> Iterator[dict[str, Any]]:
    there = {*w.places_of(country), *(unit.at for unit in w.units_of(country))}
    for part in sorted(there & {*w.map.land}, key=map_order):
        for what, kind, left in _movers(w, country, part):
            ends = reach(w, kind, part, left, lambda _: True)
            told = {w.map.shown(end): amount(ends[end]) for end in sorted(ends, key=map_order) if end != part}
            start, bta = w.map.shown(part), amount(left)
            yield {"at": square_of(part), "start": start, "what": what, "left": bta, "ends": told}


def _movers(w: World, country: str, part: str) -> Iterator[tuple[str, str, Fraction]]:
    """Who may still go from there: of idle workers the one with most BTA left, then units; with their kinds."""
    idle = [c.used for c in w.held(part, country).crews if c.kind == "worker" and not c.tasks and not c.job]
    if idle:
        yield "worker", "worker", w.tables.bta - min(idle)
    for unit in sorted(w.at(part), key=w.unit_order):
        if unit.owner == country and unit.aboard is None and unit.made != w.now and w.tables.kinds[unit.kind].moves:
            yield unit.id, unit.kind, w.tables.bta - unit.used
