"""The rondel with the markers of the nations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, pi, sin

from pbem.games.imperial.presentation.pictures.pieces import Spot
from pbem.games.imperial.presentation.pictures.speech import Speech
from pbem.games.imperial.rules.places import SPACES
from pbem.render.canvas import Canvas
from pbem.render.lettering import width

OUTER, HUB = 96.0, 25.0
WAY = 36.0  # px from the middle to the arcs: inside of the markers
ROOM = 62  # px for the name of a space, along its rim
SECTORS = {  # pale, so that markers stand out
    "factory": "#dcd6ca",
    "production_1": "#e9dcc3",
    "maneuver_1": "#d5e3c8",
    "investor": "#cfdff0",
    "import": "#efd6c0",
    "production_2": "#e9dcc3",
    "maneuver_2": "#d5e3c8",
    "taxation": "#f3e6ac",
}
RING = [(70, -15), (70, 0), (70, 15), (53, -8), (53, 8), (37, 0)]  # six markers in a sector: outwards, sideways

RINGS: Mapping[int, Sequence[tuple[float, float]]] = {
    1: [(56, 0)],
    2: [(56, -9), (56, 9)],
    3: [(63, -9), (63, 9), (46, 0)],
    4: [(65, -9), (65, 9), (48, -8), (48, 8)],
}


def draw_rondel(canvas: Canvas, x: float, y: float, words: Speech) -> None:
    for number, space in enumerate(SPACES):
        _sector(canvas, x, y, number, space, words)
    canvas.draw(f'<circle cx="{x}" cy="{y}" r="{HUB}" fill="#fffdf6" stroke="#a89a80"/>')


def places(x: float, y: float, markers: Mapping[str, str | None]) -> Mapping[str, Spot]:
    """Where the marker of each nation lies, on its space; those not yet on the rondel wait in the middle."""
    found: dict[str, Spot] = {}
    for number, space in enumerate(SPACES):
        here = [nation for nation, at in markers.items() if at == space]
        for nation, (out, aside) in zip(here, _ring(len(here)), strict=True):
            found[nation] = Spot(*_turned(x, y, number, out, aside), 6.6)
    waiting = [nation for nation, at in markers.items() if at is None]
    for number, nation in enumerate(waiting):
        angle = 2 * pi * number / len(waiting) - pi / 2
        r = 0 if len(waiting) == 1 else 15
        found[nation] = Spot(x + r * cos(angle), y + r * sin(angle), 6)
    return found


def draw_way(canvas: Canvas, x: float, y: float, was: str, now: str, colour: str) -> None:
    """A faint arc along which a marker has come, clockwise from space to space."""
    first, last = SPACES.index(was), SPACES.index(now)
    steps = (last - first) % len(SPACES) or len(SPACES)
    (ax, ay), (bx, by) = (_turned(x, y, number, WAY, aside) for number, aside in ((first, 6), (last, -6)))
    canvas.draw(
        f'<path d="M{ax:.1f} {ay:.1f}A{WAY} {WAY} 0 {int(steps > 4)} 1 {bx:.1f} {by:.1f}" fill="none" '
        f'stroke="{colour}" stroke-width="4" stroke-opacity=".45" stroke-linecap="round"/>'
    )


def _ring(count: int) -> Sequence[tuple[float, float]]:
    return RINGS.get(count, RING[:count])


def _turned(x: float, y: float, number: int, out: float, aside: float) -> tuple[float, float]:
    """From the middle outwards in a sector, and sideways; the first sector points up."""
    angle = number * pi / 4 - pi / 2
    return x + out * cos(angle) - aside * sin(angle), y + out * sin(angle) + aside * cos(angle)


def _sector(canvas: Canvas, x: float, y: float, number: int, space: str, words: Speech) -> None:
    first, last = (number - 0.5) * pi / 4 - pi / 2, (number + 0.5) * pi / 4 - pi / 2
    corners = [(x + r * cos(a), y + r * sin(a)) for r, a in ((HUB, first), (OUTER, first), (OUTER, last), (HUB, last))]
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    canvas.draw(
        f'<path d="M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}A{OUTER} {OUTER} 0 0 1 {cx:.1f} {cy:.1f}L{dx:.1f} {dy:.1f}'
        f'A{HUB} {HUB} 0 0 0 {ax:.1f} {ay:.1f}z" fill="{SECTORS[space]}" stroke="#a89a80"/>'
    )
    name = words.space(space)
    canvas.write_round(name, x, y, OUTER - 10.5, number * pi / 4 - pi / 2, min(9.5, 9.5 * ROOM / width(name, 9.5)))
