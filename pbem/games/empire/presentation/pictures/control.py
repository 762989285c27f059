"""Who controls the land: a rim in the player's colour where his land ends, and forts along borders."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.empire.geography.grid import DIRECTIONS, neighbours, square_of
from pbem.games.empire.presentation.forces import View, controllers
from pbem.games.empire.presentation.pictures.colours import INK, NOBODY
from pbem.games.empire.presentation.pictures.paper import Paper, towards
from pbem.games.empire.presentation.pictures.standing import Sides
from pbem.render.canvas import Canvas

RIM = 0.095  # of a hex's side


def draw_control(canvas: Canvas, paper: Paper, view: View, sides: Sides) -> None:
    held = dict(controllers(view))
    for place, country in held.items():
        if paper.has(place):
            _tint(canvas, paper, place, sides.of(country).fill)
    for place, country in held.items():
        if paper.has(place):
            _rim(canvas, paper, place, country, held, sides)


def _tint(canvas: Canvas, paper: Paper, place: str, fill: str) -> None:
    square = square_of(place)
    if place != square:
        return
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in (paper.corner(square, k) for k in range(6)))
    canvas.draw(f'<polygon points="{corners}" fill="{fill}" fill-opacity="{0.45 if paper.is_tiny else 0.22}"/>')


def _rim(canvas: Canvas, paper: Paper, place: str, country: str, held: Mapping[str, str], sides: Sides) -> None:
    """Along borders to what is not the country's; a part has only its own borders."""
    square, colours = square_of(place), sides.of(country)
    land = paper.map.land.get(place)
    own = range(6) if place == square or land is None else sorted({*land.open, *land.walled})
    wide = paper.side * RIM
    for direction in own:
        other = neighbours(square)[direction]
        found = paper.map.squares.get(other)
        if found is not None and any(held.get(part) == country for part in (*found.land, other)):
            continue
        points = [
            paper.corner(square, k, inset)
            for k, inset in ((direction, 0), (direction + 1, 0), (direction + 1, wide), (direction, wide))
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        canvas.draw(f'<polygon points="{path}" fill="{colours.fill}" stroke="{colours.edge}" stroke-width=".6"/>')


def draw_forts(canvas: Canvas, paper: Paper, view: View, sides: Sides) -> None:
    """On the border they face: a wall with battlements, or the round front of a pillbox; pale while nobody mans it."""
    for place, square in view.get("squares", {}).items():
        for side, fort in square.get("forts", {}).items() if paper.has(place) else ():
            colours = sides.of(square.get("control")) if fort.get("manned") else NOBODY
            _fort(canvas, paper, place, DIRECTIONS.index(side), fort, colours.fill)


def _fort(canvas: Canvas, paper: Paper, place: str, direction: int, fort: Mapping[str, object], fill: str) -> None:
    x, y = paper.border(place, direction, 0.86)
    s = paper.side
    dx, dy = towards(direction)
    turn = f"matrix({-dy:.3f} {dx:.3f} {-dx:.3f} {-dy:.3f} {x:.1f} {y:.1f})"
    if fort.get("kind") == "fort":
        w, h, t = s * 0.34, s * 0.1, s * 0.09
        teeth = "".join(f"v{rise:.1f}h{w * 0.4:.1f}" for rise in (t, -t, t, -t))
        shape = f"M{-w:.1f} {h:.1f}V{-h - t:.1f}h{w * 0.4:.1f}{teeth}V{h:.1f}z"
    else:
        w = s * 0.2
        shape = f"M{-w:.1f} {w * 0.5:.1f}a{w:.1f} {w:.1f} 0 0 1 {2 * w:.1f} 0z"
    canvas.draw(f'<path d="{shape}" transform="{turn}" fill="{fill}" stroke="{INK}" stroke-width="{s * 0.025:.1f}"/>')
    if fort.get("damaged"):
        w = s * 0.12
        canvas.draw(
            f'<path d="M{x - w:.1f} {y - w:.1f}l{2 * w:.1f} {2 * w:.1f}m0 {-2 * w:.1f}l{-2 * w:.1f} {2 * w:.1f}" '
            f'stroke="#a3160c" stroke-width="{s * 0.05:.1f}"/>'
        )
