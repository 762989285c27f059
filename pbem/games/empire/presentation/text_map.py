"""The map as text: a line for each row, and a key below (play.md, section 5)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pbem.games.empire.geography.grid import NEAR, column_name, distance, place_of, square_name, square_of
from pbem.games.empire.geography.map_file import TERRAINS
from pbem.games.empire.geography.model import Map
from pbem.games.empire.presentation.forces import View, controllers, letters, stacks

SIGNS = {terrain: sign for sign, terrain in TERRAINS.items()}
ENGLISH: Mapping[str, str] = {
    "sea": "sea",
    "lake": "lake",
    "open": "open land",
    "partial_forest": "partial forest",
    "forest": "full forest",
    "reef": "full reef",
    "desert": "desert",
    "oasis": "oasis",
    "swamp": "swamp",
    "mountains": "open land with mountains",
    "full_mountain": "full mountain",
    "columns": "Columns B, D, F … stand half a square lower.",
    "cells": "Behind a terrain's sign: who controls the square, and how many land units (at sea: ships) stand there.",
    "cities": "Cities",
    "marks": "What can be developed",
    "grade": "grade",
    "asked": "“board” tells what the signs mean, and what can be developed where.",
    "sign_city": "city",
    "sign_capital": "capital",
    "sign_factories": "factories",
    "sign_dock": "dock",
    "sign_airport": "airport",
    "sign_warehouse": "warehouse",
    "sign_goods": "goods",
    "sign_farm": "farm",
    "sign_workers": "workers",
    "sign_officials": "with an official",
    "sign_army": "army",
    "sign_fleet": "ships",
    "sign_wings": "aircraft",
    "sign_wheels": "vehicles",
}


def text_map(
    map: Map,
    view: View | None = None,
    *,
    around: Collection[str] = (),
    words: Mapping[str, str] = ENGLISH,
    explained: bool = True,
) -> str:
    """The whole map, or what lies near these squares; `words` names the terrains and says how to read it.

    Where it is not `explained` the key tells names and cities alone.
    """
    view = view or {}
    shown = _shown(map, around)
    places = [place_of(name) for name in shown]
    columns = range(min(column for column, *_ in places), max(column for column, *_ in places) + 1)
    rows = range(min(row for _, row, _ in places), max(row for _, row, _ in places) + 1)
    cells = _cells(map, view, shown)
    wide = max(len(each) for each in (*cells.values(), *(column_name(column) for column in columns)))
    lines = [" ".join(["   ", *(column_name(column).ljust(wide) for column in columns)])]
    for row in rows:
        line = (cells.get(square_name(column, row), "").ljust(wide) for column in columns)
        lines.append(" ".join([f"{row:3}", *line]))
    return "\n".join(line.rstrip() for line in [*lines, "", *_key(map, view, shown, words, explained=explained)])


def _shown(map: Map, around: Collection[str]) -> list[str]:
    near = [square_of(name) for name in around]
    return [name for name in map.squares if not near or any(distance(name, each) <= NEAR for each in near)]


def _cells(map: Map, view: View, shown: Collection[str]) -> dict[str, str]:
    """The terrain's sign, the letter of who controls the square or stands there, and the count."""
    letter = letters(view)
    owners = {square_of(place): country for place, country in controllers(view)}
    counts: dict[str, int] = {}
    for place, all_ in stacks(view).items():
        square = square_of(place)
        sort = "army" if map.squares[square].is_land else "fleet"
        for stack in all_:
            if stack.sort == sort:
                counts[square] = counts.get(square, 0) + len(stack.ids)
                owners.setdefault(square, stack.owner)
    return {
        name: SIGNS[map.squares[name].terrain]
        + (letter.get(owners[name], "") if name in owners else "")
        + (str(counts[name]) if name in counts else "")
        for name in shown
    }


def _key(map: Map, view: View, shown: Collection[str], words: Mapping[str, str], *, explained: bool) -> list[str]:
    there = {map.squares[name].terrain for name in shown}
    signs = ", ".join(f"{sign} {words[terrain]}" for sign, terrain in TERRAINS.items() if terrain in there)
    lines = [f"{signs}.", words["columns"]] if explained else []
    if view.get("countries"):
        lines += [words["cells"]] if explained else []
        lines.append(", ".join(f"{letter} {country}" for country, letter in letters(view).items()) + ".")
    cities = [
        place for place, square in view.get("squares", {}).items() if square.get("city") and square_of(place) in shown
    ]
    if cities:
        lines.append(f"{words['cities']}: {', '.join(cities)}.")
    marks = _marks(map, shown, words)
    return [*lines, *marks] if explained else [*lines, words["asked"]]


def _marks(map: Map, shown: Collection[str], words: Mapping[str, str]) -> list[str]:
    """What can be developed where, by kind; the grade where it is above the lowest."""
    found: dict[str, list[str]] = {}
    for place, marks in map.marks.items():
        for kind, grade in marks.items() if square_of(place) in shown else ():
            found.setdefault(kind, []).append(f"{place} ({words['grade']} {grade})" if grade > 1 else place)
    told = "; ".join(f"{words.get(kind, kind)} {', '.join(places)}" for kind, places in found.items())
    return [f"{words['marks']}: {told}."] if told else []
