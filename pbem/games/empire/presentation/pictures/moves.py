"""Moves since the view before, as arrows from where units stood to where they stand."""

from __future__ import annotations

from math import hypot

from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.presentation.forces import View
from pbem.games.empire.presentation.pictures.colours import WHITE, Colours
from pbem.games.empire.presentation.pictures.paper import Paper, Point
from pbem.games.empire.presentation.pictures.standing import Sides
from pbem.render.canvas import Canvas

BEND = 0.14  # how far an arrow bows, as a share of its length


def ways(before: View | None, view: View) -> list[tuple[str, str, str]]:
    """Country, from, to: each once, what is carried by its carrier's."""
    found: dict[tuple[str, str, str], None] = {}
    old = before.get("units", {}) if before else {}
    for id_, unit in view.get("units", {}).items():
        was = old.get(id_)
        if was and was.get("at") and unit.get("at") and not unit.get("aboard"):
            one, other = square_of(was["at"]), square_of(unit["at"])
            if one != other:
                found[unit.get("owner") or "", one, other] = None
    return [*found]


def draw_moves(canvas: Canvas, paper: Paper, view: View, before: View | None, sides: Sides) -> None:
    for country, one, other in ways(before, view):
        if paper.has(one) or paper.has(other):
            _arrow(canvas, paper, paper.middle(one), paper.middle(other), sides.of(country))


def _arrow(canvas: Canvas, paper: Paper, start: Point, end: Point, colours: Colours) -> None:
    s = paper.side
    (x0, y0), (x1, y1) = start, end
    length = hypot(x1 - x0, y1 - y0)
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    x0, y0, x1, y1 = x0 + ux * s * 0.3, y0 + uy * s * 0.3, x1 - ux * s * 0.62, y1 - uy * s * 0.62
    bx, by = (x0 + x1) / 2 + (y1 - y0) * BEND, (y0 + y1) / 2 - (x1 - x0) * BEND
    tx, ty = x1 - bx, y1 - by
    long = hypot(tx, ty) or 1
    tx, ty = tx / long, ty / long
    h = s * 0.24
    ex, ey = x1 - tx * h, y1 - ty * h
    path = f"M{x0:.1f} {y0:.1f}Q{bx:.1f} {by:.1f} {ex:.1f} {ey:.1f}"
    wx, wy = -ty * h * 0.6, tx * h * 0.6
    head = f"M{x1:.1f} {y1:.1f}L{ex + wx:.1f} {ey + wy:.1f}L{ex - wx:.1f} {ey - wy:.1f}z"
    canvas.draw(
        '<g fill="none" stroke-linecap="round" stroke-linejoin="round">'
        f'<path d="{path}" stroke="{WHITE}" stroke-width="{s * 0.17:.1f}"/>'
        f'<path d="{path}" stroke="{colours.edge}" stroke-width="{s * 0.11:.1f}"/>'
        f'<path d="{path}" stroke="{colours.fill}" stroke-width="{s * 0.065:.1f}"/>'
        f'<path d="{head}" fill="{colours.fill}" stroke="{colours.edge}" stroke-width="{s * 0.03:.1f}"/></g>'
    )
