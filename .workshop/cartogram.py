"""Regions grown or shrunk until the pieces fit: small provinces large, Russia small, all borders kept.

The method of Dougenik, Chrisman and Niemeyer (An algorithm to construct continuous area cartograms, 1985): every
region pushes all points of all borders away from its middle, or pulls them, until it has the size it should have.
The frame is bent by that and drawn straight again at the end.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from shapely import area, centroid, get_coordinates, segmentize, set_coordinates
from shapely.geometry.base import BaseGeometry

Points = NDArray[np.float64]
STEP = 15  # the longest straight piece of a border, in the units of the shapes


def grown(
    shapes: Mapping[str, BaseGeometry], wanted: Mapping[str, float], *, rounds: int, size: tuple[float, float]
) -> dict[str, BaseGeometry]:
    """The shapes with areas near the wanted shares of the whole, in a frame of that size; y downwards."""
    parts = np.array([segmentize(shape, STEP) for shape in shapes.values()], dtype=object)
    sides = _sides(get_coordinates(parts))
    share = np.array([wanted[name] for name in shapes])
    share = share / share.sum() * area(parts).sum()
    for _ in range(rounds):
        pushes = area(parts), share, get_coordinates(centroid(parts))
        sides = [side + _push(side, *pushes) for side in sides]
        points = get_coordinates(parts)
        parts = set_coordinates(parts.copy(), points + _push(points, *pushes))
    parts = set_coordinates(parts.copy(), _straightened(get_coordinates(parts), sides) * size)
    return dict(zip(shapes, parts, strict=True))


def _push(points: Points, areas: Points, share: Points, middles: Points) -> Points:
    radius, aim = np.sqrt(areas / np.pi), np.sqrt(share / np.pi)
    damp = 1 / (1 + (np.maximum(areas, share) / np.minimum(areas, share)).mean())
    total = np.zeros_like(points)
    for middle, r, mass in zip(middles, radius, aim - radius, strict=True):
        away = points - middle
        distance = np.maximum(np.hypot(*away.T), 1e-9)
        near = distance / r
        force = np.where(near > 1, mass / np.maximum(near, 1), mass * near**2 * (4 - 3 * near))
        total += away * (force * damp / distance)[:, None]
    return total


def _sides(points: Points) -> list[Points]:
    """Points along the left, right, lower and upper side of the frame."""
    (x0, y0), (x1, y1) = points.min(0), points.max(0)
    t = np.linspace(0, 1, 400)[:, None]
    corners = [((x0, y0), (x0, y1)), ((x1, y0), (x1, y1)), ((x0, y0), (x1, y0)), ((x0, y1), (x1, y1))]
    return [np.array(a) * (1 - t) + np.array(b) * t for a, b in corners]


def _straightened(points: Points, sides: list[Points]) -> Points:
    """From 0 to 1 across and downwards between the bent sides."""
    left, right, bottom, top = sides
    x0, x1 = (np.interp(points[:, 1], side[:, 1], side[:, 0]) for side in (left, right))
    y0, y1 = (np.interp(points[:, 0], side[:, 0], side[:, 1]) for side in (bottom, top))
    across, up = (points[:, 0] - x0) / (x1 - x0), (points[:, 1] - y0) / (y1 - y0)
    return np.clip(np.column_stack([across, 1 - up]), 0, 1)
