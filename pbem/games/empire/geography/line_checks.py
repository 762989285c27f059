"""What may stand in each line of a map file (map.md, sections 3 and 5).

Each check yields the codes of what is wrong with a line, and what of it; a line without any is put on the ground.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from pbem.games.empire.geography.grid import DIRECTIONS, border, neighbours
from pbem.games.empire.geography.ground import Ground
from pbem.games.empire.geography.map_file import Line
from pbem.games.empire.geography.shores import banks, divided
from pbem.games.empire.geography.walking import CAPITALS

Found: TypeAlias = Iterator[tuple[str, str]]
Check: TypeAlias = Callable[[Ground, Line], Found]
LAND_MARKS = ("iron", "coal", "oil", "chemicals", "copper", "bauxite", "rubber", "wood", "power")
GRADES = ("1", "2", "3")
UNDER_WATER = ("power line", "pipeline")
SHORTEST = {"single": 2, "double": 3}


def _chain(ground: Ground, squares: Sequence[str]) -> Found:
    """Squares of the map, each the next one's neighbour."""
    yield from (("map.square", each) for each in squares if not ground.has_square(each))
    for one, other in pairwise(squares):
        if ground.has_square(one) and ground.has_square(other) and other not in neighbours(one):
            yield "map.chain", f"{one} - {other}"


def _two(ground: Ground, line: Line, code: str) -> Found:
    """The two squares of a border."""
    if len(line.names) == 2:
        yield from _chain(ground, line.names)
    else:
        yield code, f"{line.word} needs two squares, as in {line.word} C3 - C4"


# -- water ---


def _river(ground: Ground, line: Line) -> Found:
    kind, name, *squares = (*line.names, "", "")[: max(2, len(line.names))]
    if kind not in SHORTEST or not name:
        yield "map.river", "write river single NAME or river double NAME before the squares"
        return
    found = [*_chain(ground, squares)]
    yield from found
    if len(squares) < SHORTEST[kind] or (ground.is_known(*squares) and not any(map(ground.is_land, squares))):
        yield "map.river", f"{name} is too short"
    elif not found:
        yield from _course(ground, kind, name, squares)


def _course(ground: Ground, kind: str, name: str, squares: Sequence[str]) -> Found:
    if name in ground.rivers:
        yield "map.river", f"there are two rivers {name}"
    for square, times in Counter(squares).items():
        if times > 1:
            yield "map.river", f"{name} comes twice through {square}"
        if ground.is_land(square) and ground.rivers_in(square) > 1:
            yield "map.river", f"{name} is a third river in {square}"
        if kind == "double" and square in squares[1:-1] and square in ground.split:
            yield "map.river", f"{square} is split already"
    for square in squares:
        is_end = square in (squares[0], squares[-1])
        if ground.is_known(square) and not ground.is_land(square) and not (is_end and ground.is_water(square)):
            yield "map.river", f"{name} runs over {square}"


def _put_river(ground: Ground, line: Line) -> None:
    kind, name, *squares = line.names
    ground.rivers[name] = (kind, squares)
    if kind == "double":
        for place, square in enumerate(squares[1:-1], 1):
            if ground.is_land(square):
                ground.split[square] = ("river", len(banks(squares, place)))


def _falls(ground: Ground, line: Line) -> Found:
    found = [*_two(ground, line, "map.falls")]
    yield from found
    if not found and not ground.is_on_river(*line.names):
        yield "map.falls", " - ".join(line.names)


def _reef(ground: Ground, line: Line) -> Found:
    found = [*_two(ground, line, "map.wall")]
    yield from found
    if not found and ground.is_known(*line.names) and not ground.may_sail(*line.names):
        yield "map.wall", f"reef {' - '.join(line.names)}"
    elif not found and border(*line.names) in ground.reefs:
        yield "map.wall", f"reef {' - '.join(line.names)} is there already"


def _harbor(ground: Ground, line: Line) -> Found:
    for name in line.names:
        if not ground.has_square(name):
            yield "map.square", name
        elif ground.is_known(name) and not ground.has_water(name):
            yield "map.harbor", name


# -- land ---


def _wall(ground: Ground, line: Line) -> Found:
    found = [*_two(ground, line, "map.wall")]
    yield from found
    if not found and ground.is_known(*line.names) and not _is_open(ground, line):
        yield "map.wall", f"wall {' - '.join(line.names)}"


def _is_open(ground: Ground, line: Line) -> bool:
    return all(map(ground.is_land, line.names)) and not ground.is_walled(*line.names)


def _divide(ground: Ground, line: Line) -> Found:
    if len(line.names) < 2 or line.names[1] not in ("mountain", "sea"):
        yield "map.divide", "write divide SQUARE mountain or divide SQUARE sea, and the borders of each part"
        return
    square = line.names[0]
    if not ground.has_square(square):
        yield "map.square", square
    elif ground.is_known(square) and not ground.is_land(square):
        yield "map.divide", f"{square} is no land"
    elif square in ground.split:
        yield "map.divide", f"{square} is split already"
    sides = divided(line)
    borders = [each for side in sides for each in side]
    if sorted(borders) != sorted(DIRECTIONS) or len(sides) not in (2, 3) or not all(sides):
        yield "map.divide", f"{square} needs each of N E Q S W P once, in two or three lists parted by /"


def _put_divide(ground: Ground, line: Line) -> None:
    ground.split[line.names[0]] = (line.names[1], len(divided(line)))


def _name(ground: Ground, line: Line) -> Found:
    if not line.names or not ground.has_square(line.names[0]):
        yield "map.square", line.names[0] if line.names else "name"


def _start(ground: Ground, line: Line) -> Found:
    for name in line.names:
        if not ground.has_part(name):
            yield "map.square", name
        elif ground.is_known(name) and ground.terrain(name) not in CAPITALS:
            yield "map.start", f"no capital may stand at {name}"
        elif name in ground.starts or line.names.count(name) > 1:
            yield "map.start", f"{name} is there twice"


# -- what is on it ---


def _mark(ground: Ground, line: Line) -> Found:
    kind, *rest = line.names or ("",)
    if kind not in (*LAND_MARKS, "fish", "farm"):
        yield "map.mark", f"there is no mark {kind or 'without a name'}"
        return
    if kind in LAND_MARKS:
        grade = rest.pop(0) if rest and rest[0].isdecimal() else ""
        if grade not in GRADES:
            yield "map.mark", f"{kind} needs a grade, 1 to 3"
    for place in rest:
        yield from _marked(ground, kind, place)
    if len({*rest}) < len(rest):
        yield "map.mark", f"{kind} stands twice in one square"
    if not rest:
        yield "map.mark", f"{kind} has no squares"


def _marked(ground: Ground, kind: str, place: str) -> Found:
    if not ground.has_part(place):
        parts = ground.parts(place) if ground.has_square(place) else ()
        yield "map.square", f"{place}, which has the parts {' and '.join(parts)}" if parts else place
    elif (kind, place) in ground.marks:
        yield "map.mark", f"{kind} stands twice in {place}"
    elif ground.is_known(place):
        at_sea = ground.is_water(place)
        if not (at_sea if kind == "fish" else ground.is_land(place) or (kind == "oil" and at_sea)):
            yield "map.mark", f"{kind} can't be at {place}"


def _put_mark(ground: Ground, line: Line) -> None:
    ground.marks |= {(line.names[0], place) for place in line.names[1:]}


def _along(ground: Ground, line: Line) -> Found:
    """Roads, railroads, lines and pipes."""
    found = [*_chain(ground, line.names)]
    yield from found
    if len(line.names) < 2:
        yield "map.work", f"a {line.word} needs two squares or more"
    if found or not ground.is_known(*line.names):
        return
    for one, other in pairwise(line.names):
        ends = [ground.is_land(each) or (line.word in UNDER_WATER and ground.is_water(each)) for each in (one, other)]
        blocked = ground.is_walled(one, other) and border(one, other) not in ground.mountain_roads
        if not all(ends) or blocked:
            yield "map.work", f"{line.word} {one} - {other}"


def _bridge(ground: Ground, line: Line) -> Found:
    yield from _within(ground, line, ("river", "sea"))


def _within(ground: Ground, line: Line, by: Sequence[str]) -> Found:
    """A work that joins the parts of one square."""
    names = line.names
    if len(names) != 1:
        yield "map.work", f"a {line.word} needs its square"
    elif not ground.has_square(names[0]):
        yield "map.square", names[0]
    elif ground.is_known(names[0]) and ground.split.get(names[0], ("",))[0] not in by:
        yield "map.work", f"{line.word} {names[0]}"


def _mountain_road(ground: Ground, line: Line) -> Found:
    if len(line.names) < 2:
        yield from _within(ground, line, ("mountain",))
        return
    found = [*_two(ground, line, "map.work")]
    yield from found
    if found or not ground.is_known(*line.names):
        return
    if not all(map(ground.is_land, line.names)) or not ground.is_walled(*line.names):
        yield "map.work", f"mountain road {' - '.join(line.names)}"


def _put_mountain_road(ground: Ground, line: Line) -> None:
    if len(line.names) == 2:
        ground.mountain_roads.add(border(*line.names))


def _canal(ground: Ground, line: Line) -> Found:
    names = line.names
    if len(names) not in (1, 2):
        yield "map.work", "a canal needs its square, or two"
        return
    found = [*_chain(ground, names)]
    yield from found
    if found or not ground.is_known(*names):
        return
    is_wet = any(ground.has_water(each) or each in ground.canals for each in names)
    blocked = len(names) == 2 and ground.is_walled(*names)
    if not is_wet or blocked or not all(map(ground.is_land, names)):
        yield "map.work", f"canal {' - '.join(names)}"


def _put_wall(ground: Ground, line: Line) -> None:
    (ground.walls if line.word == "wall" else ground.reefs).add(border(*line.names))


def _put_canal(ground: Ground, line: Line) -> None:
    ground.canals |= {*line.names}


def _put_start(ground: Ground, line: Line) -> None:
    ground.starts |= {*line.names}


CHECKS: Mapping[str, Check] = {  # in the order in which they rest on one another
    "river": _river,
    "divide": _divide,
    "wall": _wall,
    "mountain road": _mountain_road,
    "falls": _falls,
    "reef": _reef,
    "harbor": _harbor,
    "mark": _mark,
    "road": _along,
    "railroad": _along,
    "power line": _along,
    "pipeline": _along,
    "bridge": _bridge,
    "canal": _canal,
    "name": _name,
    "start": _start,
}
PUT: Mapping[str, Callable[[Ground, Line], None]] = {
    "river": _put_river,
    "divide": _put_divide,
    "wall": _put_wall,
    "reef": _put_wall,
    "mountain road": _put_mountain_road,
    "mark": _put_mark,
    "canal": _put_canal,
    "start": _put_start,
}
