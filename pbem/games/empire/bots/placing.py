"""The zero turn of a long game: a capital amid what its works will need."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial

from pbem.games.empire.bots import seen
from pbem.games.empire.rules.economy.developing import row
from pbem.games.empire.rules.ground import placing
from pbem.games.empire.rules.ground.ways import reach
from pbem.games.empire.rules.world import World

CARRIED = 8  # BTA over which goods are carried home
NEEDED = {"wood": 40, "iron": 30, "coal": 40, "oil": 30}  # EDU that the first mine of a kind is worth …
MORE = {"wood": 16, "iron": 10, "coal": 6, "oil": 4}  # … and each grade beyond the first, up to:
GRADES = 3
FAR = 2  # turns that settlers walk; what is a turn away counts half


def capital(w: World) -> str:
    """Of the parts that may hold one that with most around it; of equal ones the first in map order."""
    return max(placing.legal_parts(w), key=partial(_worth, w))


def _worth(w: World, part: str) -> int:
    """In halves of EDU; what lies nearer to the capital of another one is theirs."""
    theirs = list(w.state.capitals.values())
    far = reach(w, "worker", part, Fraction(w.tables.bta) * FAR, lambda _: True)
    ours = {each: bta for each, bta in far.items() if seen.is_nearest(each, part, theirs)}
    land = sum(_edu(w, each) * (2 if bta <= w.tables.bta else 1) for each, bta in ours.items())
    return land + 2 * _supplies(w, ours)


def _edu(w: World, part: str) -> int:
    """What opening all there brings."""
    field = w.tables.development["farm"].edu if w.map.land[part].terrain in w.tables.farm_terrain else 0
    return field + sum(row(w, kind, grade).edu for kind, grade in w.map.marks.get(part, {}).items())


def _supplies(w: World, far: Mapping[str, Fraction]) -> int:
    """The mines from which goods are carried home in a turn."""
    found: dict[str, int] = {}
    for part, bta in far.items():
        if 0 < bta <= CARRIED:
            for kind, grade in w.map.marks.get(part, {}).items():
                found[kind] = found.get(kind, 0) + grade
    return sum(much + MORE[kind] * (min(found[kind], GRADES) - 1) for kind, much in NEEDED.items() if kind in found)
