"""Squares of a grid of hexes by their names: map.md, sections 1 and 2."""

from __future__ import annotations

import re
from functools import cache, lru_cache

DIRECTIONS = "NEQSWP"  # clockwise, E1.2
_NAME = re.compile(r"([A-Z]{1,2})([1-9][0-9]?)([a-z]?)")
_ODD = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1))  # columns A, C, E …, half a square higher
_EVEN = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))


def column_name(column: int) -> str:
    """1 is A, 27 is AA."""
    tens, ones = divmod(column - 1, 26)
    return (chr(64 + tens) if tens else "") + chr(65 + ones)


def square_name(column: int, row: int) -> str:
    return f"{column_name(column)}{row}"


@cache
def place_of(name: str) -> tuple[int, int, str]:
    """Column and row from 1, and the letter of the part. Raises `ValueError` for what names no square."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise ValueError(f"{name!r} names no square")
    letters, row, part = found.groups()
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return column, int(row), part


def square_of(part: str) -> str:
    """The square of a part."""
    return part[:-1] if part[-1] > "9" else part


@cache
def map_order(part: str) -> tuple[int, int, str]:
    """Row 1 from left to right, row 2 …; the parts of a square by letter."""
    column, row, letter = place_of(part)
    return row, column, letter


@cache
def neighbour(square: str, direction: int) -> str:
    """The square in that direction (0 to 5, clockwise from N), whether the map has it or not."""
    column, row, _ = place_of(square)
    across, down = (_ODD if column % 2 else _EVEN)[direction]
    column, row = column + across, row + down
    return square_name(column, row) if column > 0 and row > 0 else ""


@cache
def neighbours(square: str) -> tuple[str, ...]:
    """In the order N E Q S W P; empty where the grid can't go on."""
    return tuple(neighbour(square, direction) for direction in range(6))


def direction_to(square: str, other: str) -> int | None:
    """From a square to its neighbour; None when it is none."""
    around = neighbours(square)
    return around.index(other) if other and other in around else None


NEAR = 3  # squares that are told around one that is asked for


@lru_cache(maxsize=1 << 16)
def distance(one: str, other: str) -> int:
    """The fewest borders between two squares or parts, whatever lies between."""
    (column, row, _), (column2, row2, _) = place_of(one), place_of(other)
    # Cube coordinates: columns count across; the rows of even columns stand half a square lower.
    low, low2 = row - (column - 1) // 2, row2 - (column2 - 1) // 2
    across, down = column2 - column, low2 - low
    return max(abs(across), abs(down), abs(across + down))


def border(one: str, other: str) -> str:
    """The border between two squares, both in map order: `C3-C4`."""
    first, second = sorted((one, other), key=map_order)
    return f"{first}-{second}"
