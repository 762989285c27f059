"""Oil through pipelines: 1 BTA a border, no carrier (E9.10)."""

from __future__ import annotations

import itertools
from fractions import Fraction

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.ground.who import check_has, country_for, land_part, with_goods_at
from pbem.games.empire.rules.orders import Pipe
from pbem.games.empire.rules.world import World

LINES = ("pipeline", "underwater_pipeline")


def pipe(w: World, player: Seat, order: Pipe) -> None:
    parts = [land_part(w, name) for name in order.way]
    start, goal = parts[0], parts[-1]
    country = country_for(w, player, order, with_goods_at(w, start, "oil"), start)
    borders = sum(_length(w, one, other) for one, other in itertools.pairwise(parts))
    bta = w.tables.pipeline_oil * borders
    has = w.held(start, country).amount("oil")
    check_has(start, "oil", has, order.count)
    lots = w.take_goods(start, country, "oil", order.count)
    if lots[-1][0] + bta > w.tables.bta:
        raise Illegal("bta.short", what="oil", left=str(w.tables.bta - lots[-1][0]), square=goal, needs=str(bta))
    w.put_lots(goal, country, "oil", [(used + Fraction(bta), amount) for used, amount in lots])
    w.note("piped", country, count=order.count, start=start, to=goal)


def _length(w: World, one: str, other: str) -> int:
    """Borders of the shortest pipeline between. Raises `Illegal` (`way.none`)."""
    edge, seen, steps = [square_of(one)], {square_of(one)}, 0
    while edge:
        if square_of(other) in edge:
            return steps
        onward = [n for s in edge for n in w.map.around(s) if any(line in w.border(s, n).lines for line in LINES)]
        edge = [square for square in dict.fromkeys(onward) if square not in seen]
        seen |= set(edge)
        steps += 1
    raise Illegal("way.none", what="oil", square=one, to=other, why="no_pipeline")
