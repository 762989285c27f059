"""Empire's map files, behind the door: checked, made from a seed, shown as text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.core.maps import Flaw
from pbem.games.empire.geography.board import board
from pbem.games.empire.geography.checking import mistakes, told, warnings
from pbem.games.empire.geography.generator import SIZES, generate
from pbem.games.empire.geography.map_file import read
from pbem.games.empire.presentation.text_map import text_map

_SIZE = re.compile(r"([0-9]{1,3})x([0-9]{1,3})")
_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_SQUARE = re.compile(r"[A-Z]{1,2}[0-9]{1,2}[A-Z]?")


class EmpireMaps:
    """The maps of Empire."""

    @property
    def sizes(self) -> Sequence[str]:
        return [*SIZES]

    def check(self, name: str, text: str) -> Sequence[Flaw]:
        file = read(text)
        flaws = [Flaw(each.line, told(each)) for each in mistakes(file)]
        if file.id != name:
            flaws.insert(0, Flaw(file.heads.get("map", 1), f"map.word: the map is called {file.id}, its file {name}"))
        return flaws or [Flaw(each.line, told(each), is_mistake=False) for each in warnings(file)]

    def generate(self, name: str, size: str, players: int, seed: str) -> str:
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name}: a map's name is of small letters, digits, - and _")
        found = _SIZE.fullmatch(size)
        if found is None and size not in SIZES:
            raise ValueError(f"{size}: write columns and rows, as in 30x40, or {', '.join(SIZES)}")
        return generate(name, (int(found[1]), int(found[2])) if found else SIZES[size], players, seed)

    def shown(self, text: str, around: Sequence[str]) -> str:
        built = board(read(text))
        squares = [each.upper() for each in around]
        for each in squares:
            if not _SQUARE.fullmatch(each) or each not in built.squares:
                raise ValueError(f"There is no {each} on this map.")
        return text_map(built, around=squares)


MAPS = EmpireMaps()
