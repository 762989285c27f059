"""Pieces laid into a region's fields in rows, smaller where there are many: they never touch."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, count

from pbem.render.canvas import Box

GAP = 1.5
LARGE, SHRINK = (1.2, 1.0), 0.94  # the scales of pieces where there is room; the next smaller where there is not
Size = tuple[float, float]
Row = list[int]  # numbers of the pieces that stand in it


def packed(sizes: Sequence[Size], fields: Sequence[Box], scales: Sequence[float] = LARGE) -> list[Box]:
    """A box for each piece, in order: large in one field if they can, else in several as large as they may."""
    tries = [(scale, [field]) for scale in scales for field in fields]
    for scale, some in chain(tries, ((scales[0] * SHRINK**n, fields) for n in count())):
        scaled = [(w * scale, h * scale) for w, h in sizes]
        if (found := _laid(scaled, some)) is not None:
            return found
    raise AssertionError  # anything fits when it is small enough


def _laid(sizes: Sequence[Size], fields: Sequence[Box]) -> list[Box] | None:
    boxes: list[Box] = []
    for field in fields:
        if len(boxes) == len(sizes):
            break
        boxes += _in_field(sizes[len(boxes) :], field)
    return boxes if len(boxes) == len(sizes) else None


def _in_field(sizes: Sequence[Size], field: Box) -> list[Box]:
    """As many as fit, in rows in the middle of the field."""
    rows: list[Sequence[Size]] = []
    left, room = sizes, field.h
    while left and (row := _row(left, field.w)) and _height(row) <= room:
        rows.append(row)
        room -= _height(row) + GAP
        left = left[len(row) :]
    y = field.y + (field.h - sum(map(_height, rows)) - GAP * (len(rows) - 1)) / 2
    boxes: list[Box] = []
    for row in rows:
        boxes += _row_boxes(row, field, y)
        y += _height(row) + GAP
    return boxes


def _row(sizes: Sequence[Size], room: float) -> Sequence[Size]:
    taken = 0
    while taken < len(sizes) and sizes[taken][0] <= room:
        room -= sizes[taken][0] + GAP
        taken += 1
    return sizes[:taken]


def _height(row: Sequence[Size]) -> float:
    return max(h for _, h in row)


def _row_boxes(row: Sequence[Size], field: Box, y: float) -> list[Box]:
    x = field.x + (field.w - sum(w for w, _ in row) - GAP * (len(row) - 1)) / 2
    boxes = []
    for w, h in row:
        boxes.append(Box(x, y + _height(row) - h, w, h))
        x += w + GAP
    return boxes
