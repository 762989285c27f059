"""Small maps by lot: a patch of land and water of every terrain, with rivers, walls, marks and harbors."""

from __future__ import annotations

import random

from msgspec.structs import replace

from pbem.games.empire.geography.board import Map, board
from pbem.games.empire.geography.checking import mistakes
from pbem.games.empire.geography.grid import neighbours
from pbem.games.empire.geography.map_file import read

SIGNS = "oooooooooppffmmdas^"
MARKS = ("iron", "coal", "oil", "chemicals", "copper", "rubber", "wood", "power")


def random_map(dice: random.Random) -> Map:
    """A map without mistakes: what can't stand is left out of its file."""
    width, height = dice.randint(6, 9), dice.randint(6, 9)
    wet = dice.choice((0.25, 0.35, 0.5))
    columns = "ABCDEFGHI"[:width]
    rows = [
        [dice.choice("....=r") if dice.random() < wet else dice.choice(SIGNS) for _ in columns] for _ in range(height)
    ]
    head = ["map lots", "title Lots", f"size {width} x {height}", "grid", " ".join(columns)]
    grid = [f"{number} {' '.join(row)}" for number, row in enumerate(rows, 1)]
    names = [f"{column}{row}" for column in columns for row in range(1, height + 1)]
    text = "\n".join([*head, *grid, *_lines(dice, names)])
    file = read(text)
    while wrong := {each.line for each in mistakes(file)}:
        file = replace(file, lines=tuple(line for line in file.lines if line.number not in wrong))
    return board(file)


def _lines(dice: random.Random, names: list[str]) -> list[str]:
    def chain(count: int) -> str:
        found = [dice.choice(names)]
        for _ in range(count - 1):
            found += [dice.choice([n for n in neighbours(found[-1]) if n in names and n not in found] or names)]
        return " - ".join(found)

    return [
        *(
            f"river {kind} {name} {chain(length)}"
            for kind, name, length in (
                ("single", "Blue", 4),
                ("single", "Red", 3),
                ("double", "Great", 4),
                ("double", "Long", 5),
            )
        ),
        *(f"wall {chain(2)}" for _ in range(3)),
        *(f"mark {dice.choice(MARKS)} {dice.randint(1, 3)} {dice.choice(names)}" for _ in range(14)),
        *(f"mark fish {dice.choice(names)}" for _ in range(3)),
        *(f"harbor {dice.choice(names)}" for _ in range(2)),
        *(f"{kind} {chain(3)}" for kind in ("road", "railroad", "power line", "pipeline")),
    ]
