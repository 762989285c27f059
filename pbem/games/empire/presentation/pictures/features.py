"""What lies on the ground and along borders: rivers, walls, reefs, roads and all that is built in lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.empire.geography.grid import direction_to, square_of
from pbem.games.empire.presentation.forces import View
from pbem.games.empire.presentation.pictures.colours import PIPE, RAIL, RIVER, RIVER_EDGE, ROAD, ROCK, WHITE, WIRE
from pbem.games.empire.presentation.pictures.paper import APOTHEM, Paper, Point, towards
from pbem.render.canvas import Canvas

LINES = ("road", "railroad", "power_line", "pipeline")


def draw_rivers(canvas: Canvas, paper: Paper) -> None:
    for kind, chain in paper.map.rivers.values():
        if not any(paper.has(each) for each in chain):
            continue
        path = _course(paper, chain)
        wide = paper.side * (0.2 if kind == "double" else 0.085)
        if kind == "double":
            _stroke(canvas, path, RIVER_EDGE, wide)
            _stroke(canvas, path, "#8cc6ea", wide * 0.6)
        else:
            _stroke(canvas, path, RIVER, wide)


def _course(paper: Paper, chain: Sequence[str]) -> str:
    """From border to border, bending in the middle of each square; from the spring, or a lake's shore, to the mouth."""
    squares = paper.map.squares
    points: list[str] = []
    for place, here in enumerate(chain):
        is_water = squares[here].terrain in ("sea", "lake")
        before = _between(paper, chain[place - 1], here) if place else None
        after = _between(paper, here, chain[place + 1]) if place + 1 < len(chain) else None
        if is_water:
            continue
        x, y = paper.middle(here)
        first, last = before or (x, y), after or (x, y)
        if not points:
            points.append(f"M{first[0]:.1f} {first[1]:.1f}")
        points.append(f"Q{x:.1f} {y:.1f} {last[0]:.1f} {last[1]:.1f}")
    return "".join(points)


def _between(paper: Paper, one: str, other: str) -> Point:
    direction = direction_to(one, other)
    return paper.border(one, direction if direction is not None else 0)


def _stroke(canvas: Canvas, path: str, ink: str, wide: float, more: str = "") -> None:
    canvas.draw(
        f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{wide:.1f}" stroke-linecap="round" '
        f'stroke-linejoin="round"{more}/>'
    )


def draw_borders(canvas: Canvas, paper: Paper, barriers: Mapping[str, Sequence[str]]) -> None:
    """Walls, reefs and falls, by border; what splits a square by the square."""
    for kind, borders in barriers.items():
        for key in borders:
            one, other = key.split("-")
            direction = direction_to(one, other)
            if direction is not None and (paper.has(one) or paper.has(other)):
                _BARRIERS[kind](canvas, paper, one, direction)


def _along(paper: Paper, one: str, direction: int) -> tuple[Point, Point]:
    return paper.corner(one, direction), paper.corner(one, direction + 1)


def _wall(canvas: Canvas, paper: Paper, one: str, direction: int) -> None:
    (x0, y0), (x1, y1) = _along(paper, one, direction)
    _stroke(canvas, f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}", ROCK, paper.side * 0.09)
    dx, dy = towards(direction)
    teeth = paper.side * 0.15
    path = ""
    for step in (1, 3, 5):
        x, y = x0 + (x1 - x0) * step / 6, y0 + (y1 - y0) * step / 6
        ux, uy = (x1 - x0) / 10, (y1 - y0) / 10
        path += f"M{x - ux:.1f} {y - uy:.1f}L{x - dx * teeth:.1f} {y - dy * teeth:.1f}L{x + ux:.1f} {y + uy:.1f}z"
    canvas.draw(f'<path d="{path}" fill="{ROCK}"/>')


def _reef(canvas: Canvas, paper: Paper, one: str, direction: int) -> None:
    (x0, y0), (x1, y1) = _along(paper, one, direction)
    s = paper.side * 0.09
    path = ""
    for step in (1, 3, 5):
        x, y = x0 + (x1 - x0) * step / 6, y0 + (y1 - y0) * step / 6
        path += f"M{x - s:.1f} {y - s:.1f}l{2 * s:.1f} {2 * s:.1f}m0 {-2 * s:.1f}l{-2 * s:.1f} {2 * s:.1f}"
    _stroke(canvas, path, "#3c5a63", paper.side * 0.055)


def _falls(canvas: Canvas, paper: Paper, one: str, direction: int) -> None:
    x, y = paper.border(one, direction)
    dx, dy = towards(direction)
    s = paper.side * 0.16
    path = ""
    for step in (-1, 0, 1):
        mx, my = x + dx * s * 0.55 * step, y + dy * s * 0.55 * step
        path += f"M{mx - dy * s:.1f} {my + dx * s:.1f}L{mx + dy * s:.1f} {my - dx * s:.1f}"
    _stroke(canvas, path, WHITE, paper.side * 0.09)
    _stroke(canvas, path, RIVER_EDGE, paper.side * 0.045)


_BARRIERS = {"wall": _wall, "reef": _reef, "falls": _falls}


def draw_splits(canvas: Canvas, paper: Paper) -> None:
    """Ridges and straits within squares: from corner to corner where the parts' borders change."""
    for name in paper.squares:
        parts = [paper.map.land[part] for part in paper.map.squares[name].land]
        if len(parts) > 1 and parts[0].split_by in ("mountain", "sea"):
            x, y = paper.middle(name)
            sides = _sides(paper, name)
            ends = [paper.corner(name, k) for k in range(6) if sides.get(k) != sides.get((k - 1) % 6)]
            path = "".join(f"M{cx:.1f} {cy:.1f}L{x:.1f} {y:.1f}" for cx, cy in ends)
            is_ridge = parts[0].split_by == "mountain"
            _stroke(canvas, path, ROCK if is_ridge else "#7fb4d6", paper.side * 0.11)
            if is_ridge:
                _stroke(canvas, path, "#d9c9b2", paper.side * 0.04, f' stroke-dasharray="{paper.side * 0.08:.1f}"')


def _sides(paper: Paper, name: str) -> dict[int, str]:
    """Which part has each border; one to the sea goes with the border before it."""
    found: dict[int, str] = {}
    for part in paper.map.squares[name].land:
        for direction in (*paper.map.land[part].open, *paper.map.land[part].walled):
            found.setdefault(direction, part)
    for direction in (*range(6), *range(6)):
        if direction not in found and (direction - 1) % 6 in found:
            found[direction] = found[(direction - 1) % 6]
    return found


# -- what is built ---


def lines_of(paper: Paper, view: View) -> dict[str, tuple[str, ...]]:
    """By border, or by square for what joins the parts of one; the map's own where no view says otherwise."""
    found: dict[str, tuple[str, ...]] = (
        {key: tuple(works) for key, works in paper.map.works.items()} if not view else {}
    )
    for key, works in view.get("borders", {}).items():
        if works:
            found[key] = tuple(works)
    return found


def draw_lines(canvas: Canvas, paper: Paper, lines: Mapping[str, Sequence[str]]) -> None:
    """Each from middle to middle; several on one border side by side."""
    for key, works in sorted(lines.items()):
        one, _, other = key.partition("-")
        direction = direction_to(square_of(one), square_of(other)) if other else None
        if direction is None or not (paper.has(one) or paper.has(other)):
            continue
        laid = [work for work in LINES if work in works or f"underwater_{work}" in works]
        for place, work in enumerate(laid):
            _line(canvas, paper, one, direction, work, place - (len(laid) - 1) / 2)
        if "canal" in works:
            _canal(canvas, paper, one, direction)
        if "mountain_road" in works and "road" not in works:
            _line(canvas, paper, one, direction, "mountain_road", 0)


def _line(canvas: Canvas, paper: Paper, one: str, direction: int, work: str, shift: float) -> None:
    x, y = paper.middle(one)
    dx, dy = towards(direction)
    by, reach = shift * paper.side * 0.14, paper.high
    x, y = x - dy * by, y + dx * by
    path = f"M{x:.1f} {y:.1f}l{dx * reach:.1f} {dy * reach:.1f}"
    s = paper.side
    if work in ("road", "mountain_road"):
        _stroke(canvas, path, WHITE, s * 0.13)
        _stroke(canvas, path, ROAD, s * 0.08, f' stroke-dasharray="{s * 0.16:.1f}"' if work == "mountain_road" else "")
    elif work == "railroad":
        _stroke(canvas, path, WHITE, s * 0.13)
        _stroke(canvas, path, RAIL, s * 0.035)
        canvas.draw(
            f'<path d="{path}" fill="none" stroke="{RAIL}" stroke-width="{s * 0.12:.1f}" '
            f'stroke-dasharray="{s * 0.03:.1f} {s * 0.1:.1f}"/>'
        )
    elif work == "power_line":
        _stroke(canvas, path, WHITE, s * 0.08)
        _stroke(canvas, path, WIRE, s * 0.04, f' stroke-dasharray="{s * 0.12:.1f} {s * 0.09:.1f}"')
    else:
        _stroke(canvas, path, WHITE, s * 0.09)
        _stroke(canvas, path, PIPE, s * 0.07, f' stroke-dasharray="0 {s * 0.11:.1f}"')


def _canal(canvas: Canvas, paper: Paper, one: str, direction: int) -> None:
    x, y = paper.middle(one)
    dx, dy = towards(direction)
    path = f"M{x:.1f} {y:.1f}l{dx * paper.high:.1f} {dy * paper.high:.1f}"
    _stroke(canvas, path, RIVER_EDGE, paper.side * 0.16)
    _stroke(canvas, path, "#d8eefa", paper.side * 0.09)


def draw_joints(canvas: Canvas, paper: Paper, items: Mapping[str, Sequence[str]]) -> None:
    """Bridges, mountain roads and canals within squares."""
    for square, found in items.items():
        if not paper.has(square):
            continue
        x, y = paper.middle(square)
        s = paper.side
        if "canal" in found:
            dx = s * APOTHEM
            _stroke(canvas, f"M{x - dx * 0.8:.1f} {y:.1f}h{dx * 1.6:.1f}", RIVER_EDGE, s * 0.16)
            _stroke(canvas, f"M{x - dx * 0.8:.1f} {y:.1f}h{dx * 1.6:.1f}", "#d8eefa", s * 0.09)
        if "bridge" in found or "mountain_road" in found:
            rails = f"M{x - s * 0.08:.1f} {y - s * 0.24:.1f}v{s * 0.48:.1f}m{s * 0.16:.1f} 0v{-s * 0.48:.1f}"
            _stroke(canvas, rails, WHITE, s * 0.09)
            _stroke(canvas, rails, ROAD if "mountain_road" in found else RAIL, s * 0.05)
