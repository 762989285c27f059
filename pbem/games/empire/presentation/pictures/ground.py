"""The ground: each terrain with a colour and a pattern of its own, so that neither is needed alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import cos, pi, sin

from pbem.games.empire.presentation.pictures.colours import FAINT, GRID, GROUND, INK
from pbem.games.empire.presentation.pictures.paper import Paper
from pbem.render.canvas import Canvas

TREE = "#5f8f4a"
HALO = ' stroke="#fffdf6" stroke-opacity=".65" stroke-width="{:.0f}" stroke-linejoin="round"'  # around names
SPOTS = ((-0.62, 0.05), (-0.3, -0.55), (0.3, -0.55), (0.62, 0.05), (-0.34, 0.6), (0.34, 0.6), (0.0, 0.72), (0.0, -0.1))


def draw_ground(canvas: Canvas, paper: Paper) -> None:
    for name in paper.squares:
        terrain = paper.map.squares[name].terrain
        canvas.stamp(f"ground.{terrain}", *paper.middle(name), lambda terrain=terrain: _hex(canvas, paper, terrain))  # type: ignore[misc]


def _hex(canvas: Canvas, paper: Paper, terrain: str) -> None:
    thick = f'stroke="{GRID}" stroke-width="1"'
    fine = f'stroke="{INK}" stroke-opacity=".16" stroke-width=".7"'
    _draw_hex(canvas, terrain, paper.side, fine if paper.is_small else thick)


def swatch(canvas: Canvas, terrain: str, x: float, y: float, side: float) -> None:
    """A small square of that terrain."""
    line = f'stroke="{GRID}" stroke-width="1"'
    canvas.stamp(f"swatch.{terrain}", x, y, lambda: _draw_hex(canvas, terrain, side, line))


def _draw_hex(canvas: Canvas, terrain: str, side: float, line: str) -> None:
    corners = " ".join(f"{side * cos(pi / 3 * k):.1f},{side * sin(pi / 3 * k):.1f}" for k in range(6))
    canvas.draw(f'<polygon points="{corners}" fill="{GROUND[terrain]}" {line}/>')
    pattern = PATTERNS.get(terrain)
    if pattern:
        canvas.draw(pattern(side))


def _forest(side: float) -> str:
    return _trees(side, SPOTS[:7])


def _grove(side: float) -> str:
    return _trees(side, (SPOTS[2], SPOTS[3], SPOTS[5]))


def _trees(side: float, spots: tuple[tuple[float, float], ...]) -> str:
    s = side * 0.15
    trees = "".join(f"M{x * side - s:.1f} {y * side + s:.1f}h{2 * s:.1f}l{-s:.1f}{-2.3 * s:.1f}z" for x, y in spots)
    return f'<path d="{trees}" fill="{TREE}" fill-opacity=".75"/>'


def _desert(side: float) -> str:
    dots = "".join(f"M{x * side:.1f} {y * side:.1f}h.01m{side * 0.14:.1f} {side * 0.1:.1f}h.01" for x, y in SPOTS)
    return f'<path d="{dots}" stroke="#c79a4b" stroke-width="{side * 0.06:.1f}" stroke-linecap="round"/>'


def _oasis(side: float) -> str:
    s = side * 0.16
    x, y = side * 0.5, side * 0.28
    palm = (
        f'<path d="M{x} {y}v{-2 * s:.1f}m{-s:.1f} {s * 0.4:.1f}q{s * 0.3:.1f} {-s:.1f} {s:.1f} {-s * 0.4:.1f}'
        f'q{s * 0.7:.1f} {-s * 0.6:.1f} {s:.1f} {s * 0.4:.1f}" fill="none" stroke="{TREE}" '
        f'stroke-width="{s * 0.42:.1f}"/>'
    )
    pond = f'<ellipse cx="{x:.1f}" cy="{y + s * 0.35:.1f}" rx="{s * 1.3:.1f}" ry="{s * 0.5:.1f}" fill="#3f8fc4"/>'
    return _desert(side) + pond + palm


def _swamp(side: float) -> str:
    s = side * 0.13
    reeds = "".join(
        f"M{x * side - s:.1f} {y * side:.1f}h{2 * s:.1f}m{-s:.1f} 0v{-1.3 * s:.1f}m{-s * 0.6:.1f} {s * 0.5:.1f}"
        f"l{s * 0.3:.1f} {s * 0.8:.1f}m{s * 0.9:.1f} {-s * 0.8:.1f}l{-s * 0.3:.1f} {s * 0.8:.1f}"
        for x, y in SPOTS[:7]
    )
    return f'<path d="{reeds}" fill="none" stroke="#4a8087" stroke-width="{side * 0.035:.1f}"/>'


def _hills(side: float) -> str:
    return _peaks(side, 0.17, (SPOTS[1], SPOTS[2], SPOTS[5]), "#a98d68")


def _mountain(side: float) -> str:
    return _peaks(side, 0.3, ((-0.34, 0.2), (0.3, 0.2), (0.0, -0.25), (0.0, 0.62)), "#6b594b")


def _peaks(side: float, size: float, spots: tuple[tuple[float, float], ...], fill: str) -> str:
    s = side * size
    peaks = "".join(
        f"M{x * side - s:.1f} {y * side + s * 0.6:.1f}l{s:.1f}{-1.5 * s:.1f} {s:.1f} {1.5 * s:.1f}z" for x, y in spots
    )
    snow = "".join(
        f"M{x * side - s * 0.33:.1f} {y * side - s * 0.4:.1f}l{s * 0.33:.1f}{-s * 0.5:.1f} "
        f"{s * 0.33:.1f} {s * 0.5:.1f}z"
        for x, y in spots
    )
    return f'<path d="{peaks}" fill="{fill}"/><path d="{snow}" fill="#fffdf6"/>'


def _waves(side: float) -> str:
    s = side * 0.14
    waves = "".join(
        f"M{x * side - s:.1f} {y * side:.1f}q{s / 2:.1f}{-s * 0.7:.1f} {s:.1f} 0t{s:.1f} 0"
        for x, y in (SPOTS[1], SPOTS[3], SPOTS[4])
    )
    return f'<path d="{waves}" fill="none" stroke="#5d9cc0" stroke-width="{side * 0.035:.1f}"/>'


def _rocks(side: float) -> str:
    s = side * 0.1
    crosses = "".join(
        f"M{x * side - s:.1f} {y * side - s:.1f}l{2 * s:.1f} {2 * s:.1f}m0 {-2 * s:.1f}l{-2 * s:.1f} {2 * s:.1f}"
        for x, y in SPOTS
    )
    return f'<path d="{crosses}" fill="none" stroke="#3c5a63" stroke-width="{side * 0.05:.1f}"/>'


PATTERNS: Mapping[str, Callable[[float], str]] = {
    "forest": _forest,
    "partial_forest": _grove,
    "desert": _desert,
    "oasis": _oasis,
    "swamp": _swamp,
    "mountains": _hills,
    "full_mountain": _mountain,
    "lake": _waves,
    "reef": _rocks,
}


def draw_names(canvas: Canvas, paper: Paper) -> None:
    """Columns and rows at the edge; in large print each square has its name at the top."""
    size = max(9.0, min(17.0, paper.side * 0.4))
    for name, x in paper.headings():
        for y in (paper.lines * 0.5 + size * 0.35, paper.height - paper.lines * 0.5 + size * 0.35):
            canvas.write(name, x, y, size, hand="bold", ink=FAINT, at="middle")
    for row in paper.rows:
        _, y = paper.middle(f"{paper.headings()[0][0]}{row}")
        y = y if paper.columns.start % 2 else y - paper.high / 2
        for x in (paper.margin * 0.45, paper.width - paper.margin * 0.45):
            canvas.write(str(row), x, y + paper.high * 0.25 + size * 0.35, size, hand="bold", ink=FAINT, at="middle")
    if not paper.is_small:
        size = max(10.0, paper.side * 0.24)
        canvas.stamp("names", 0, 0, lambda: _write_names(canvas, paper, size), more=HALO.format(190))
        canvas.stamp("names", 0, 0, lambda: None)


def _write_names(canvas: Canvas, paper: Paper, size: float) -> None:
    for name in paper.squares:
        x, y = paper.middle(name)
        canvas.write(name, x, y - paper.side * 0.58, size, ink=INK, at="middle")
