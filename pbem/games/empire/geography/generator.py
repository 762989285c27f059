"""A map from a seed (map.md, section 6)."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.empire.geography.board import board
from pbem.games.empire.geography.checking import mistakes
from pbem.games.empire.geography.generating.balance import level
from pbem.games.empire.geography.generating.coasts import STARTS, lay_land
from pbem.games.empire.geography.generating.drawing import Again, Draws
from pbem.games.empire.geography.generating.limits import broken
from pbem.games.empire.geography.generating.places import choose_starts
from pbem.games.empire.geography.generating.riches import Riches
from pbem.games.empire.geography.generating.rivers import lay_reefs, lay_rivers
from pbem.games.empire.geography.generating.sheet import Sheet
from pbem.games.empire.geography.generating.terrains import lay_terrain
from pbem.games.empire.geography.generating.writing import written
from pbem.games.empire.geography.map_file import read
from pbem.games.empire.geography.model import Map

SIZES: Mapping[str, tuple[int, int]] = {"small": (20, 24), "medium": (30, 40), "nominal": (42, 72)}
PLAYERS = range(2, 9)
EACH, IN_ALL = 60, 120  # squares a player, and in all
SPARE = 2  # starts more than players
CONTINENTS = 4
TRIES = 200


class NoMap(ValueError):
    """`map.failed`: none was found within the tries, or none can be made so small."""


def generate(id_: str, size: tuple[int, int], players: int, seed: str) -> str:
    """The file of a map that has no mistake: the same bytes for the same words. Raises `NoMap`."""
    return made(id_, size, players, seed)[0]


def made(id_: str, size: tuple[int, int], players: int, seed: str) -> tuple[str, Map]:
    """The file, and the map that it is. Raises `NoMap`."""
    width, height = size
    if not (width in range(4, 79) and height in range(4, 100)):
        raise NoMap("a map has 4 to 78 columns and 4 to 99 rows")
    if width * height < max(IN_ALL, EACH * players) or players not in PLAYERS:
        raise NoMap(
            f"a map for {players} players has {max(IN_ALL, EACH * players)} squares or more, for 2 to 8 players"
        )
    draws = Draws(seed)
    why: dict[str, int] = {}
    for _ in range(TRIES):
        try:
            return _tried(draws, id_, size, players)
        except Again as problem:
            why[str(problem)] = why.get(str(problem), 0) + 1
    most = max(why, key=lambda each: why[each])
    raise NoMap(f"map.failed: no map was found within {TRIES} tries: mostly, {most}")


def _tried(draws: Draws, id_: str, size: tuple[int, int], players: int) -> tuple[str, Map]:
    sheet = Sheet(*size)
    shares = lay_land(draws, sheet, min(players + SPARE, STARTS * CONTINENTS))
    lay_terrain(draws, sheet)
    lay_rivers(draws, sheet)
    lay_reefs(draws, sheet)
    bare = board(read(written(sheet, id_, players)))
    choose_starts(draws, sheet, bare, shares)
    riches = Riches(draws, sheet, bare, players)
    riches.lay()
    level(riches)
    text = written(sheet, id_, players)
    file = read(text)
    if found := mistakes(file):
        raise Again(found[0].code)
    map = board(file)
    if faults := broken(file, map, players):
        raise Again(faults[0])
    return text, map
