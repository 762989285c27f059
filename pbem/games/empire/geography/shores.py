"""How water and divisions cut a square: runs of its borders (map.md, section 4)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pbem.games.empire.geography.grid import direction_to, neighbours
from pbem.games.empire.geography.map_file import Line
from pbem.games.empire.geography.model import WATERS


def divided(line: Line) -> list[list[str]]:
    """The borders of each part, as the line lists them."""
    _, _, borders = line.rest.partition(line.names[1])
    return [[each for each in re.split(r"[\s,]+", side) if each] for side in borders.split("/")]


def shore_runs(terrains: Mapping[str, str], square: str) -> list[frozenset[int]]:
    """Borders with water, in cyclic runs without a gap; the run with the first border first."""
    wet = [terrains.get(each) in WATERS for each in neighbours(square)]
    if all(wet):
        return [frozenset(range(6))]
    runs: list[set[int]] = []
    for direction in range(6):
        if wet[direction]:
            if direction and wet[direction - 1]:
                runs[-1].add(direction)
            else:
                runs.append({direction})
    if len(runs) > 1 and wet[0] and wet[5]:
        runs[0] |= runs.pop()
    return [frozenset(run) for run in runs]


def banks(chain_: Sequence[str], place: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The borders of the left and the right bank where a double river passes through the square at that place."""
    come, go = direction_to(chain_[place], chain_[place - 1]), direction_to(chain_[place], chain_[place + 1])
    assert come is not None, "a chain is of neighbours"
    assert go is not None, "a chain is of neighbours"
    left = tuple((come + step) % 6 for step in range(1, (go - come) % 6))
    right = tuple((go + step) % 6 for step in range(1, (come - go) % 6))
    return (*left, come, go), (*right, come, go)
