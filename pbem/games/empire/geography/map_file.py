"""A map as one text file: map.md, section 3. It reads what stands there; `checking` says what may."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

TERRAINS: Mapping[str, str] = {
    ".": "sea",
    "=": "lake",
    "o": "open",
    "p": "partial_forest",
    "f": "forest",
    "r": "reef",
    "d": "desert",
    "a": "oasis",
    "s": "swamp",
    "m": "mountains",
    "^": "full_mountain",
}
HEADS = ("map", "title", "size", "grid")
WORDS = ("river", "falls", "reef", "wall", "divide", "harbor", "mark", "road", "railroad", "power line", "pipeline",
         "bridge", "mountain road", "canal", "name", "start")  # fmt: skip
_SIZE = re.compile(r"([0-9]{1,3}) *x *([0-9]{1,3})")
_PLACE = re.compile(r"[A-Za-z]{1,2}[1-9][0-9]?[A-Za-z]?")


class Mistake(NamedTuple):
    """What is wrong with a map file, and where."""

    code: str
    line: int
    read: str


class Line(Struct, frozen=True, kw_only=True):
    """One line below the grid: its word, and what follows."""

    number: int
    word: str
    rest: str

    @property
    def names(self) -> tuple[str, ...]:
        """The words behind it, without commas and hyphens; squares as they are called, in whatever case written."""
        return tuple(_called(each) for each in re.split(r"[\s,]+", self.rest) if each and each != "-")


class MapFile(Struct, frozen=True, kw_only=True):
    """All that a file says."""

    id: str = ""
    title: str = ""
    size: tuple[int, int] = (0, 0)  # columns and rows
    rows: tuple[tuple[int, tuple[str, ...]], ...] = ()  # of the grid: the line's number, and its words
    columns: tuple[int, tuple[str, ...]] = (0, ())  # the line with the column letters
    lines: tuple[Line, ...] = ()
    heads: Mapping[str, int] = {}  # on which line each stands
    last: int = 1  # line
    mistakes: tuple[Mistake, ...] = ()  # lines that begin with no known word

    def of(self, word: str) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.word == word)


def read(text: str) -> MapFile:
    """What a map file says. It raises nothing: what can't be read is among the `mistakes`."""
    fields: dict[str, str] = {}
    heads: dict[str, int] = {}
    grid: list[tuple[int, tuple[str, ...]]] = []
    lines: list[Line] = []
    mistakes: list[Mistake] = []
    in_grid = False
    for number, written in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        said = written.split("#")[0].strip()
        if not said:
            continue
        first = said.split()[0]
        if in_grid and (first.isdigit() or not grid):
            grid.append((number, tuple(said.split())))
            continue
        in_grid = first == "grid"
        word = next((each for each in (*WORDS, *HEADS) if said == each or said.startswith(each + " ")), None)
        if word is None:
            mistakes.append(Mistake("map.word", number, said))
        elif word in HEADS:
            fields[word] = said[len(word) :].strip()
            heads[word] = number
        else:
            lines.append(Line(number=number, word=word, rest=said[len(word) :].strip()))
    said_size = _SIZE.fullmatch(fields.get("size", ""))
    return MapFile(
        id=fields.get("map", ""),
        title=fields.get("title", ""),
        size=(int(said_size[1]), int(said_size[2])) if said_size else (0, 0),
        columns=grid[0] if grid else (0, ()),
        rows=tuple(grid[1:]),
        lines=tuple(lines),
        heads=heads,
        last=max(1, len(text.splitlines())),
        mistakes=tuple(mistakes),
    )


def _called(word: str) -> str:
    """A square or part by its name."""
    if not _PLACE.fullmatch(word):
        return word
    return word.upper() if word[-1].isdigit() else word[:-1].upper() + word[-1].lower()
