"""What the reference calculation of the contract gives, as data: draws, deals, points, standings, movement."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

VECTORS: dict[str, Any] = json.loads((Path(__file__).parent / "vectors.json").read_text("utf-8"))


def by_number(plain: dict[str, Any]) -> dict[int, Any]:
    """JSON has no numbers for keys."""
    return {int(key): value for key, value in plain.items()}


# -- the worked example: a group of seven, their links, tables, nations and invented results ---

NAMES = ("anton", "bert", "claudia", "daniel", "emil", "frieda", "greta")
NUMBER = {name: number for number, name in enumerate(NAMES, 1)}
LUCK = ("banana", "", "7", "", "x", "", "moon")
NATIONS = ("austria_hungary", "italy", "france", "great_britain", "germany", "russia")
INPUTS = {
    "draw": 1,
    "entries": [[name, luck] for name, luck in zip(NAMES, LUCK, strict=True)],
    "group": "1a",
    "league": "euro-1",
}
TABLES = [  # seat by seat: who, with what, their final score, their points in hundredths
    "anton france 62 1000, bert italy 55 450, emil austria_hungary 55 450, daniel germany 31 100",
    "bert russia 48 600, emil italy 44 300, claudia austria_hungary 61 1000, frieda great_britain 20 100",
    "emil russia 39 100, claudia germany 58 1000, daniel france 41 450, greta great_britain 41 450",
    "claudia france 70 1000, daniel italy 33 100, frieda austria_hungary 52 600, anton great_britain 44 300",
    "daniel russia 51 600, frieda italy 36 100, greta austria_hungary 47 300, bert germany 60 1000",
    "frieda russia 45 450, greta italy 45 450, anton austria_hungary 30 100, emil great_britain 66 1000",
    "greta russia 28 100, anton germany 57 1000, bert france 49 300, claudia great_britain 50 600",
]
WORKED = [[(name, nation, int(score), int(points)) for name, nation, score, points in (seat.split() for seat in table.split(", "))] for table in TABLES]  # fmt: skip
STANDINGS = [  # tables, points, wins in sixtieths, direct, seconds, strength, share, late
    ("claudia", 4, 3600, 180, 0, 1, 1716, 3877, 0),
    ("anton", 4, 2400, 120, 0, 0, 1933, 3082, 0),
    ("bert", 4, 2350, 60, 0, 2, 1941, 3532, 2),
    ("emil", 4, 1750, 60, 0, 1, 2025, 3280, 0),
    ("greta", 4, 1300, 0, 0, 2, 2100, 2661, 0),
    ("daniel", 4, 1250, 0, 0, 2, 2108, 2527, 0),
    ("frieda", 4, 1250, 0, 0, 2, 2108, 2350, 0),
]
