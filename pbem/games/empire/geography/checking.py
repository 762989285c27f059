"""All that is wrong with a map file, at once (map.md, section 5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec

from pbem.games.empire.geography.board import Map, board
from pbem.games.empire.geography.grid import column_name, square_name
from pbem.games.empire.geography.ground import Ground
from pbem.games.empire.geography.line_checks import CHECKS, PUT
from pbem.games.empire.geography.map_file import TERRAINS, Line, MapFile, Mistake
from pbem.games.empire.geography.sailing import kinds_in_reach
from pbem.games.empire.geography.walking import apart, farmable

COLUMNS, ROWS = range(4, 79), range(4, 100)
APART = 12  # BTA within which no other start may be
FED, FARMS = 12, 10  # BTA within which there must be so many farmable parts
NEEDED = ("iron", "coal", "oil", "chemicals", "copper", "rubber", "wood")
WHY: Mapping[str, str] = {
    "map.word": "this begins with no word of map files",
    "map.size": "the grid does not fit its size",
    "map.sign": "there is no such sign",
    "map.square": "there is no such square or part",
    "map.chain": "these squares are no neighbours",
    "map.river": "no river runs so",
    "map.falls": "these falls are on no river",
    "map.divide": "no square is divided so",
    "map.wall": "nothing could pass there anyway",
    "map.mark": "no mark stands so",
    "map.harbor": "there is no water for a harbor",
    "map.work": "this can't stand there",
    "map.start": "that is no place for a capital",
    "map.food": "too few parts around this start can be farmed",
    "map.poor": "this start does without",
}
_ID = re.compile(r"[a-z][a-z0-9_-]*")


def told(mistake: Mistake) -> str:
    """The English sentence."""
    return f"{mistake.code}: {WHY[mistake.code]}: {mistake.read}"


def mistakes(file: MapFile) -> list[Mistake]:
    """Everything that keeps it from being a map, in the order of its lines; a file without any can be built."""
    found = [*file.mistakes, *_heads(file), *_grid(file)]
    is_drawn = len(found) == len(file.mistakes)
    good, bad = _lines(file)
    if is_drawn:
        found += _starts(board(msgspec.structs.replace(file, lines=tuple(good))), good)
    return sorted([*found, *bad], key=lambda each: each.line)


def warnings(file: MapFile) -> list[Mistake]:
    """What a file without mistakes may be blamed for all the same."""
    built = board(file)
    found: list[Mistake] = []
    for line in file.of("start"):
        for start in line.names:
            kinds = kinds_in_reach(built, start)
            missing = ", ".join(kind for kind in NEEDED if kind not in kinds)
            if missing:
                found.append(Mistake("map.poor", line.number, f"{start} has no {missing} in reach"))
    return found


def _heads(file: MapFile) -> Iterator[Mistake]:
    if not _ID.fullmatch(file.id):
        at = file.heads.get("map", 1)
        yield Mistake("map.word", at, "the first line is map ID, an id of small letters, as the file's name")
    width, height = file.size
    if width not in COLUMNS or height not in ROWS:
        yield Mistake(
            "map.size", file.heads.get("size", 1), "size is 4 to 78 columns x 4 to 99 rows, as in size 12 x 10"
        )
    if "grid" not in file.heads:
        yield Mistake("map.size", file.last, "there is no grid")
    first = min((line.number for line in file.lines), default=file.last + 1)
    late = [word for word in ("map", "size", "grid") if file.heads.get(word, 0) > first]
    for word in late:
        yield Mistake("map.word", file.heads[word], f"{word} comes before all that stands on the map")


def _grid(file: MapFile) -> Iterator[Mistake]:
    width, height = file.size
    number, letters = file.columns
    if number and letters != tuple(column_name(column) for column in range(1, width + 1)):
        yield Mistake("map.size", number, f"the columns are called A to {column_name(max(1, min(width, 702)))}")
    for row, (number, (name, *signs)) in enumerate(file.rows, 1):
        if name != str(row):
            yield Mistake("map.size", number, f"this is row {row}, and not {name}")
        if len(signs) != width:
            yield Mistake("map.size", number, f"row {row} has {len(signs)} squares, and not {width}")
        for column, sign in enumerate(signs, 1):
            if sign not in TERRAINS:
                yield Mistake("map.sign", number, f"{sign} at {square_name(column, row)}")
    if len(file.rows) != height and "grid" in file.heads:
        at = file.rows[-1][0] if file.rows else file.heads["grid"]
        yield Mistake("map.size", at, f"there are {len(file.rows)} rows, and not {height}")


def _lines(file: MapFile) -> tuple[list[Line], list[Mistake]]:
    """The good lines in their order, and what is wrong with the others."""
    ground = Ground(file)
    good: list[Line] = []
    bad: list[Mistake] = []
    for word, check in CHECKS.items():
        for line in file.of(word):
            found = dict.fromkeys(check(ground, line))
            bad += [Mistake(code, line.number, read) for code, read in found]
            if not found:
                good.append(line)
                if word in PUT:
                    PUT[word](ground, line)
    return sorted(good, key=lambda line: line.number), bad


def _starts(built: Map, good: list[Line]) -> Iterator[Mistake]:
    """Too near one another, or without food; whatever else is wrong with the file has been left away."""
    before: list[str] = []
    for line in good:
        for start in line.names if line.word == "start" else ():
            near = (each for each in before if apart(built, each, start, APART) is not None)
            for each in near:
                yield Mistake("map.start", line.number, f"{start} is within {APART} BTA of {each}")
            fields = farmable(built, start, FED)
            if len(fields) < FARMS:
                yield Mistake("map.food", line.number, f"{start} has {len(fields)} within {FED} BTA, and needs {FARMS}")
            before.append(start)
