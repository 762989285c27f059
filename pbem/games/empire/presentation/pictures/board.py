"""The hex board as a picture: an excerpt for the mail, all of it for the archive."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.geography.model import Map
from pbem.games.empire.presentation.forces import View
from pbem.games.empire.presentation.pictures.colours import PAPER
from pbem.games.empire.presentation.pictures.control import draw_control, draw_forts
from pbem.games.empire.presentation.pictures.features import (
    draw_borders,
    draw_joints,
    draw_lines,
    draw_rivers,
    draw_splits,
    lines_of,
)
from pbem.games.empire.presentation.pictures.ground import draw_ground, draw_names
from pbem.games.empire.presentation.pictures.legend import ROW, draw_legend, rows
from pbem.games.empire.presentation.pictures.moves import draw_moves
from pbem.games.empire.presentation.pictures.paper import Paper
from pbem.games.empire.presentation.pictures.standing import Standing, draw_standing
from pbem.render.canvas import Canvas
from pbem.render.raster import CRISP, SMOOTH, Layer, png

PHONE = 740  # pixels across in the mail: nearly twice those of a phone
JOINTS = ("bridge", "mountain_road", "canal")


def hex_board(
    map: Map,
    view: View,
    *,
    around: Collection[str] | None = None,
    wide: int = PHONE,
    before: View | None = None,
    words: Mapping[str, str] | None = None,
    title: str = "",
    alt: str = "",
) -> str:
    """A state document (language.md, section 9) as SVG: the whole map, or the squares around these.

    `before` tells what moved and what is new. A view of `{}` shows the bare map. With `words` (`WORDS` has the English
    ones) all terrains and signs are explained below.
    """
    paper = Paper(map, around, wide)
    standing = Standing(map, view, before)
    lines = rows(standing.sides, {map.squares[name].terrain for name in paper.squares}, words, wide)
    canvas = Canvas(paper.width, round(paper.height + ROW * len(lines)))
    canvas.draw(f'<rect width="{canvas.width:g}" height="{canvas.height:g}" fill="{PAPER}"/>')
    clip = f'<clipPath id="sheet"><path d="{_outline(paper)}"/></clipPath><g clip-path="url(#sheet)">'
    canvas.draw(clip if len(paper.squares) < len(map.squares) else "<g>")
    draw_ground(canvas, paper)
    draw_control(canvas, paper, view, standing.sides)
    draw_rivers(canvas, paper)
    draw_splits(canvas, paper)
    draw_lines(canvas, paper, lines_of(paper, view))
    draw_joints(canvas, paper, _joints(map, view))
    draw_borders(canvas, paper, map.barriers)
    draw_forts(canvas, paper, view, standing.sides)
    draw_moves(canvas, paper, view, before, standing.sides)
    canvas.draw("</g>")
    draw_names(canvas, paper)
    if not paper.is_tiny:
        draw_standing(canvas, paper, standing)
    draw_legend(canvas, paper.height, lines)
    return canvas.svg(title or map.title, alt)


def hex_png(
    map: Map,
    view: View,
    *,
    around: Collection[str] | None = None,
    before: View | None = None,
    wide: int = PHONE,
    words: Mapping[str, str] | None = None,
) -> bytes:
    """The same for the mail, in few colours."""
    drawn = hex_board(map, view, around=around, wide=wide, before=before, words=words)
    return png((Layer(drawn, shades=SMOOTH if Paper(map, around, wide).is_small else CRISP),), wide)


def _outline(paper: Paper) -> str:
    """Of all squares shown: nothing of what lies beyond them is seen."""
    hexes = ([paper.corner(name, number, inset=-1) for number in range(6)] for name in paper.squares)
    return "".join("M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in corners) + "z" for corners in hexes)


def _joints(map: Map, view: View) -> dict[str, list[str]]:
    """What joins parts within squares, and canals in squares."""
    found: dict[str, list[str]] = {}
    for place, square in view.get("squares", {}).items():
        items = [item for item in square.get("items", ()) if item in JOINTS]
        if items:
            found.setdefault(square_of(place), []).extend(items)
    if not view:
        found |= {key: [*works] for key, works in map.works.items() if "-" not in key}
    return found
