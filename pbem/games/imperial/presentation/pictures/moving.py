"""What a style sheet can set moving: pieces that come and go, and those that travel along the arrows.

Without one, and wherever no motion is wanted, the picture shows where everything has come to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.imperial.presentation.pictures.arrows import FIRST, Leg, path_over
from pbem.games.imperial.presentation.pictures.pieces import Piece
from pbem.games.imperial.presentation.pictures.table import Laid
from pbem.render.canvas import Box, Canvas

SCALE = 1.2  # of pieces on their way
AFTER = 0.6  # seconds till all is seen to be at rest


def draw_laid(canvas: Canvas, was: Sequence[Laid], now: Sequence[Laid], legs: Sequence[Leg]) -> None:
    """In each region everything changes at once, so that pieces never stand on one another."""
    for one in was:
        if one not in now:
            with canvas.part("was", hidden=True, at=_moment(one.region, legs)):
                one.piece.drawn(canvas, one.box)
    for one in now:
        if one in was:
            one.piece.drawn(canvas, one.box)
        else:
            with canvas.part("is", at=_moment(one.region, legs)):
                one.piece.drawn(canvas, one.box)


def _moment(region: str, legs: Sequence[Leg]) -> float:
    """When the last have left, and the last have come."""
    left = [leg.at for leg in legs if leg.way.over[0] == region]
    come = [leg.end for leg in legs if leg.way.over[-1] == region]
    return max([*left, *come], default=FIRST)


def draw_movers(canvas: Canvas, legs: Sequence[Leg], letters: Mapping[str, str]) -> None:
    """The units on their way, each at 0, 0: its path tells where that is."""
    for leg in legs:
        piece = Piece(kind=leg.way.unit, nation=leg.way.nation, letter=letters[leg.way.nation], count=leg.way.count)
        wide, high = (side * SCALE for side in piece.size)
        path, _, _ = path_over(leg.points)
        with canvas.part("mover", hidden=True, path=path, at=leg.at, lasts=leg.lasts):
            piece.drawn(canvas, Box(-wide / 2, -high / 2, wide, high))


def lasts(legs: Sequence[Leg]) -> float:
    """Seconds until everything is at rest."""
    return max([leg.end for leg in legs], default=FIRST) + AFTER
