"""Places for capitals: fed, near an ocean, and far enough from one another (map.md, section 6, points 8 and 9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.empire.geography.generating.drawing import Again, Draws
from pbem.games.empire.geography.generating.sheet import Sheet
from pbem.games.empire.geography.grid import distance, square_of
from pbem.games.empire.geography.model import Map
from pbem.games.empire.geography.sailing import squares_near
from pbem.games.empire.geography.walking import CAPITALS, FARMABLE, walk

APART = 12  # BTA within which no other may be
FED, FARMS = 6, 10  # BTA, and the farmable parts within
SHORE = 3  # squares to an ocean
FIRSTS = 12  # tried as the first on a continent
COMPARED = 24  # places drawn of which the one farthest from all others is taken


def choose_starts(draws: Draws, sheet: Sheet, map: Map, shares: Sequence[int]) -> None:
    """So many on each continent; the list goes round the continents, so that its first ones are spread, too."""
    ocean = frozenset().union(*map.oceans)
    chosen: list[list[str]] = []
    for body, count in zip(sheet.bodies, shares, strict=False):
        parts = [part for square in body for part in map.squares[square].land if map.land[part].terrain in CAPITALS]
        chosen.append(_choose(map, ocean, draws.shuffled("starts", parts), count))
    order = draws.shuffled("order", range(len(chosen)))
    sheet.starts = [chosen[place][turn] for turn in range(max(shares)) for place in order if turn < len(chosen[place])]


def _choose(map: Map, ocean: frozenset[str], parts: Sequence[str], count: int) -> list[str]:
    good: list[str] = []
    for part in parts:
        if len(good) == COMPARED * count:
            break
        if _is_good(map, ocean, part):
            good.append(part)
    near = {part: {*walk(map, part, APART)} for part in good}
    for first in good[:FIRSTS]:
        chosen = _spread(near, first, count)
        if len(chosen) == count:
            return chosen
    raise Again("no room for a start")


def _spread(near: Mapping[str, set[str]], first: str, count: int) -> list[str]:
    """The first, then always the one farthest from those before; fewer where no more have room."""
    chosen = [first]
    while len(chosen) < count:
        left = [part for part in near if not any(part in near[each] or each in near[part] for each in chosen)]
        if not left:
            break
        chosen.append(max(left, key=lambda each: min(distance(each, other) for other in chosen)))
    return chosen


def _is_good(map: Map, ocean: frozenset[str], part: str) -> bool:
    if not any(square in ocean for square in squares_near(map, square_of(part), SHORE)):
        return False
    return sum(map.land[each].terrain in FARMABLE for each in walk(map, part, FED)) >= FARMS
