"""Borders made fit to be drawn: the same line for both neighbours, softened, in tenths of a pixel."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from shapely import (
    LineString,
    STRtree,
    coverage_simplify,
    get_coordinates,
    line_merge,
    polygonize,
    simplify,
    unary_union,
)
from shapely.geometry.base import BaseGeometry

DETAIL = 3.0  # px; smaller wiggles are smoothed away
LEAST = 14  # px²; smaller islands are left out
Shapes = dict[str, BaseGeometry]


def softened(shapes: Mapping[str, BaseGeometry], size: tuple[float, float]) -> Shapes:
    """The shapes with round borders. Every border is softened once, between the points where three regions meet."""
    plain = dict(zip(shapes, coverage_simplify(list(shapes.values()), DETAIL, simplify_boundary=False), strict=True))
    borders = line_merge(unary_union([shape.boundary for shape in plain.values()]))
    arcs = [_soft(arc, size) for arc in borders.geoms]
    faces = polygonize(list(unary_union(arcs, grid_size=0.1).geoms)).geoms
    tree = STRtree(list(plain.values()))
    names = list(plain)
    parts: dict[str, list[BaseGeometry]] = {name: [] for name in names}
    for face in faces:
        parts[names[tree.nearest(face.representative_point())]].append(face)
    return {name: unary_union(found) for name, found in parts.items()}


def _soft(arc: LineString, size: tuple[float, float]) -> LineString:
    """Corners cut twice (Chaikin); what lies on the frame stays straight."""
    points = get_coordinates(arc)
    if _on_frame(points, size):
        return simplify(arc, 0.05)
    for _ in range(2):
        points = _cut(points, closed=arc.is_ring)
    return simplify(LineString(points), 0.12)


def _cut(points: np.ndarray, *, closed: bool) -> np.ndarray:
    first, second = points[:-1], points[1:]
    cut = np.empty((2 * len(first), 2))
    cut[0::2], cut[1::2] = first * 0.75 + second * 0.25, first * 0.25 + second * 0.75
    if closed:
        return np.vstack([cut, cut[:1]])
    return np.vstack([points[:1], cut[1:-1], points[-1:]])


def _on_frame(points: np.ndarray, size: tuple[float, float]) -> bool:
    on = [np.isclose(points[:, axis], edge, atol=0.05) for axis in (0, 1) for edge in (0, size[axis])]
    return bool(np.any(on, axis=0).all())


def path(shape: BaseGeometry) -> str:
    """The shape as the data of an SVG path, in steps of tenths."""
    rings = [ring for part in getattr(shape, "geoms", [shape]) for ring in (part.exterior, *part.interiors)]
    return "".join(_ring(get_coordinates(ring)) + "z" for ring in rings)


def line(shape: BaseGeometry) -> str:
    merged = line_merge(shape) if shape.geom_type == "MultiLineString" else shape
    return "".join(_ring(get_coordinates(part), closed=False) for part in getattr(merged, "geoms", [merged]))


def _ring(points: np.ndarray, *, closed: bool = True) -> str:
    tenths = np.rint(points * 10).astype(int)
    steps = np.diff(tenths[:-1] if closed else tenths, axis=0)
    start = f"M{_number(tenths[0][0])} {_number(tenths[0][1])}l"
    return start + "".join(_joined(_number(x), _number(y)) for x, y in steps if x or y).lstrip()


def _joined(x: str, y: str) -> str:
    return (x if x.startswith("-") else f" {x}") + (y if y.startswith("-") else f" {y}")


def _number(tenths: int) -> str:
    return f"{tenths / 10:g}".replace("0.", ".") if abs(tenths) < 10 and tenths else f"{tenths / 10:g}"
