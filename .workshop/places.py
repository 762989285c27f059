"""Where in each region its name, its pieces and its harbour are drawn: looked for, so that nothing touches."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, hypot
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from shapely import box, contains_xy, prepare
from shapely.geometry.base import BaseGeometry

MARGIN = 1.2  # px between a border and what stands inside
LEAST = (15.0, 15.0)  # an army
FIELDS = 4  # to a region, the best first
HARBOURS = (25.0, 15.0), (19.0, 12.0)  # a fleet with its number
TRIES = 150  # places for a name
ENOUGH = 9  # pieces for which a field has room; it need not be larger
ACROSS = 3  # pieces in a row, where there is room for more

Mask = NDArray[np.bool_]


class Spot(NamedTuple):
    """A box in pixels of the picture."""

    x: float
    y: float
    w: float
    h: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.w / 2, self.y + self.h / 2


class Ground:
    """The pixels of a region that are still free."""

    def __init__(self, shape: BaseGeometry, margin: float = MARGIN, size: tuple[float, float] | None = None) -> None:
        """Inside its border by the margin, which may be negative; never outside of a picture of that size."""
        inner = shape.buffer(-margin)
        if size:
            inner = inner.intersection(box(0, 0, *size))
        prepare(inner)
        x0, y0, x1, y1 = inner.bounds
        self.corner = int(x0), int(y0)
        xs, ys = np.meshgrid(np.arange(int(x0), ceil(x1)) + 0.5, np.arange(int(y0), ceil(y1)) + 0.5)
        self.free: Mask = contains_xy(inner, xs, ys)

    def spots(self, size: tuple[float, float]) -> list[Spot]:
        """All places where a box of that size is free."""
        w, h = ceil(size[0]), ceil(size[1])
        if h > self.free.shape[0] or w > self.free.shape[1]:
            return []
        table = np.pad(self.free.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
        full = table[h:, w:] - table[:-h, w:] - table[h:, :-w] + table[:-h, :-w] == w * h
        return [Spot(float(x + self.corner[0]), float(y + self.corner[1]), *size) for y, x in np.argwhere(full)]

    def without(self, spot: Spot) -> Mask:
        left, top = int(spot.x - 1 - self.corner[0]), int(spot.y - 1 - self.corner[1])
        free = self.free.copy()
        free[max(0, top) : max(0, ceil(top + spot.h + 2)), max(0, left) : max(0, ceil(left + spot.w + 2))] = False
        return free

    def take(self, spot: Spot) -> None:
        self.free = self.without(spot)

    def best(self, free: Mask, piece: tuple[float, float], near: tuple[float, float]) -> Spot | None:
        """The free box with room for most pieces of that size; of equals the nearest, and no larger than it must be."""
        x, y = self.corner
        found = [_trimmed(Spot(float(b[0] + x), float(b[1] + y), *b[2:]), piece, near) for b in _boxes(free)]
        return max(found, key=lambda spot: _worth(spot, piece, near), default=None)


def _worth(field: Spot, piece: tuple[float, float], near: tuple[float, float]) -> float:
    room = min(ENOUGH, (field.w + 1.5) // (piece[0] + 1.5) * ((field.h + 1.5) // (piece[1] + 1.5)))
    return 40 * room + 0.02 * field.w * field.h - _apart(field, near)


def _apart(spot: Spot, point: tuple[float, float]) -> float:
    return hypot(spot.middle[0] - point[0], spot.middle[1] - point[1])


def _trimmed(field: Spot, piece: tuple[float, float], near: tuple[float, float]) -> Spot:
    """At most three pieces by three, as near as can be."""
    w, h = (min(side, ACROSS * (need + 1.5)) for side, need in zip(field[2:], piece, strict=True))
    x = min(max(near[0] - w / 2, field.x), field.x + field.w - w)
    y = min(max(near[1] - h / 2, field.y), field.y + field.h - h)
    return Spot(round(x, 1), round(y, 1), w, h)


def _boxes(free: Mask) -> Iterator[tuple[int, int, int, int]]:
    """For every pixel the widest boxes that end with it: the histogram method."""
    heights = np.zeros(free.shape[1], dtype=int)
    for y, row in enumerate(free):
        heights = np.where(row, heights + 1, 0)
        stack: list[tuple[int, int]] = []
        for x, height in enumerate([*heights.tolist(), 0]):
            start = x
            while stack and stack[-1][1] >= height:
                start, high = stack.pop()
                if x - start >= LEAST[0] and high >= LEAST[1]:
                    yield start, y - high + 1, x - start, high
            stack.append((start, height))


def harbour(province: BaseGeometry, sea: BaseGeometry, free: Ground, name: Spot, by: float) -> Spot:
    """At the coast, half in the sea if it must; near to the name of its province. Smaller where the coast is narrow."""

    def afloat(spot: Spot) -> float:
        return float(_ship(spot).intersection(sea).area / (spot.w * spot.h))

    def cost(spot: Spot) -> float:
        ashore = 1 - afloat(spot)
        far = 20 * float(province.distance(_ship(spot))) + _apart(spot, name.middle)
        return far + 400 * max(0, ashore - 0.5) + 10 * ashore

    sizes = [(wide * by, high * by) for wide, high in HARBOURS]
    best = [min(spots, key=cost) for size in sizes if (spots := free.spots(size))]
    return next((spot for spot in best if afloat(spot) >= 0.3), best[-1])


def _ship(spot: Spot) -> BaseGeometry:
    return box(spot.x, spot.y, spot.x + spot.w, spot.y + spot.h)


def label_spot(
    ground: Ground, size: tuple[float, float], piece: tuple[float, float], middle: tuple[float, float]
) -> tuple[Spot, Spot] | None:
    """Places for a label of that size and for pieces below it; None where the label does not fit in."""
    found = ground.spots(size)
    best, most = None, -1e9
    for spot in found[:: max(1, len(found) // TRIES)]:
        below = spot.middle[0], spot.y + spot.h + piece[1] + 1
        field = ground.best(ground.without(spot), piece, below)
        worth = (_worth(field, piece, below) if field else -500) - 0.5 * _apart(spot, middle)
        if worth > most:
            best, most = (spot, field or spot), worth
    return best


def fields(ground: Ground, piece: tuple[float, float], name: Spot) -> list[Spot]:
    """Boxes for pieces, the best first; they take their room."""
    found: list[Spot] = []
    below = name.middle[0], name.y + name.h + piece[1] + 1
    while len(found) < FIELDS and (spot := ground.best(ground.free, piece, below)):
        found.append(spot)
        ground.take(spot)
    return found
