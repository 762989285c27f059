"""Moves as arrows: from where the units stood to where they stand, over the seas that carried them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import hypot

from msgspec import Struct

from pbem.games.imperial.presentation.pictures.changes import Way
from pbem.games.imperial.presentation.pictures.drawing import Drawing
from pbem.games.imperial.presentation.pictures.pieces import NATIONS
from pbem.games.imperial.presentation.pictures.table import Laid
from pbem.render.canvas import Box, Canvas

Point = tuple[float, float]
SHORT = 3.0  # px between an arrow's head and its piece
BEND = 0.12  # how far an arrow bows, as a share of its length


FIRST, APART, LONGEST = 0.6, 0.4, 2.8  # seconds until the first sets out, between two, and until the last does
STEP, SEA = 0.9, 0.35  # seconds for a way, and for each region more that it leads over


class Leg(Struct, frozen=True, kw_only=True):
    """A way as it is drawn, and when it is gone where moves are shown one after another."""

    way: Way
    points: tuple[Point, ...]
    at: float  # seconds from the beginning
    lasts: float

    @property
    def end(self) -> float:
        return self.at + self.lasts


def legs(drawn: Drawing, pieces: Sequence[Laid], ways: Sequence[Way]) -> list[Leg]:
    found = [(way, points) for way in dict.fromkeys(ways) if len(points := _points(drawn, pieces, way)) > 1]
    apart = min(APART, (LONGEST - FIRST) / max(1, len(found)))
    return [
        Leg(way=way, points=tuple(points), at=FIRST + apart * number, lasts=STEP + SEA * (len(points) - 2))
        for number, (way, points) in enumerate(found)
    ]


def draw_legs(canvas: Canvas, all_: Sequence[Leg]) -> None:
    for leg in all_:
        with canvas.part("way", at=leg.at, lasts=leg.lasts):
            draw_arrow(canvas, leg.points, leg.way.nation)


def _points(drawn: Drawing, pieces: Sequence[Laid], way: Way) -> list[Point]:
    boxes = [_box(drawn, pieces, way, region) for region in way.over]
    points = [box.middle for box in boxes]
    return [*points[:-1], _edge(points[-2], boxes[-1])] if len(points) > 1 else points


def _box(drawn: Drawing, pieces: Sequence[Laid], way: Way, region: str) -> Box:
    """Where the units stand in the region, or would stand; armies at sea go by the fleets of their nation."""
    if way.unit == "fleet" and region in drawn.harbours:
        return drawn.harbours[region]
    own = [one.box for one in pieces if (one.region, one.piece.nation) == (region, way.nation)]
    x, y = drawn.fields[region][0].middle
    return own[0] if own else Box(x - 6, y - 6, 12, 12)


def _edge(start: Point, box: Box) -> Point:
    """Where a line from the start reaches the box, and a little before."""
    x, y = box.middle
    dx, dy = start[0] - x, start[1] - y
    length = hypot(dx, dy) or 1
    inside = min(box.w / 2 / abs(dx) if dx else 9e9, box.h / 2 / abs(dy) if dy else 9e9)
    share = min(0.8, inside + SHORT / length)
    return x + dx * share, y + dy * share


def draw_arrow(canvas: Canvas, points: Sequence[Point], nation: str) -> None:
    """In the colours of the nation, on a pale rim; the head is at the last point."""
    fill, edge = NATIONS[nation].fill, NATIONS[nation].edge
    path, (x, y), (tx, ty) = path_over(points)
    path = f'{path}" pathLength="1' if canvas.lively else path
    length = hypot(tx, ty) or 1
    ux, uy = tx / length, ty / length
    head = (
        f"M{x:.1f} {y:.1f}L{x - 7 * ux + 4 * uy:.1f} {y - 7 * uy - 4 * ux:.1f}"
        f"L{x - 5 * ux:.1f} {y - 5 * uy:.1f}L{x - 7 * ux - 4 * uy:.1f} {y - 7 * uy + 4 * ux:.1f}z"
    )
    canvas.draw(
        '<g fill="none" stroke-linecap="round" stroke-linejoin="round">'
        f'<path d="{path}" stroke="#fffdf6" stroke-width="4.6" stroke-opacity=".9"/>'
        f'<path d="{path}" stroke="{edge}" stroke-width="2.8"/>'
        f'<path d="{path}" stroke="{fill}" stroke-width="1.4"/>'
        f'<path d="{head}" fill="{fill}" stroke="{edge}" stroke-width=".9"/></g>'
    )


def path_over(points: Sequence[Point]) -> tuple[str, Point, Point]:
    """A bow, or a soft line through all points; its end, and the direction there."""
    if len(points) == 2:
        (x0, y0), (x1, y1) = points
        bow = (x0 + x1) / 2 + (y1 - y0) * BEND, (y0 + y1) / 2 - (x1 - x0) * BEND
        return _start(points[0]) + _bow(bow, points[1]), points[1], (x1 - bow[0], y1 - bow[1])
    path = _start(points[0])
    for here, after in pairwise(points[1:]):
        halfway = ((here[0] + after[0]) / 2, (here[1] + after[1]) / 2) if after != points[-1] else after
        path += _bow(here, halfway)
    last, end = points[-2], points[-1]
    return path, end, (end[0] - last[0], end[1] - last[1])


def _start(point: Point) -> str:
    return f"M{point[0]:.1f} {point[1]:.1f}"


def _bow(over: Point, to: Point) -> str:
    return f"Q{over[0]:.1f} {over[1]:.1f} {to[0]:.1f} {to[1]:.1f}"
