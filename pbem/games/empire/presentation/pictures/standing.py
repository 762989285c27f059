"""What stands in each part, as chips, and where in the hex there is room for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.geography.model import Map
from pbem.games.empire.presentation.forces import Stack, View, letters, player_of, seats, stacks
from pbem.games.empire.presentation.pictures.chips import Chip, city, counter, factories, item, mark, more, workers
from pbem.games.empire.presentation.pictures.colours import NOBODY, PIRATE, PLAYERS, Colours
from pbem.games.empire.presentation.pictures.paper import Paper, Point, towards
from pbem.render.canvas import Canvas

GAP = 3.0
SPARSE = 60.0  # px of chips that are drawn larger, because there is room
PILE = 3  # ships shown one by one on a shore


class Sides(Struct, frozen=True):
    """Who plays, and how they look."""

    colours: Mapping[str, Colours]  # by country
    letters: Mapping[str, str]
    players: Mapping[str, Colours]

    def of(self, country: str | None) -> Colours:
        return self.colours.get(country or "", NOBODY)

    def letter(self, country: str | None) -> str:
        return self.letters.get(country or "", "")


def sides(view: View) -> Sides:
    players = {seat: PLAYERS[place % len(PLAYERS)] for place, seat in enumerate(seats(view))}
    countries = view.get("countries", {})
    colours = {country: players.get(player_of(view, country), PIRATE) for country in countries}
    return Sides({"pirate": PIRATE, **colours}, letters(view), players)


class Standing:
    """All that is to be shown of a view."""

    def __init__(self, map: Map, view: View, before: View | None) -> None:
        self.map, self.view = map, view
        self.sides = sides(view)
        self.stacks = stacks(view)
        self.old = {*before["units"]} if before else None
        self.cities = {at for at, square in before["squares"].items() if square.get("city")} if before else None
        self.capitals = {country.get("capital") for country in view.get("countries", {}).values()}

    def is_new(self, unit: str) -> bool:
        return self.old is not None and unit not in self.old

    def town(self, place: str) -> Iterator[Chip]:
        """What is built there."""
        square: Mapping[str, Any] = self.view.get("squares", {}).get(place, {})
        owner = square.get("control")
        if square.get("city"):
            new = self.cities is not None and place not in self.cities
            yield city(self.sides.of(owner), self.sides.letter(owner), capital=place in self.capitals, new=new)
        elif square.get("site"):
            yield item("site")
        count = sum(len(each) for each in square.get("factories", {}).values())
        if count:
            yield factories(count)
        yield from (item(kind) for kind in ("dock", "airport", "warehouse") if kind in square.get("items", ()))
        if square_of(place) in self.map.harbors and "dock" not in square.get("items", ()) and place in self.map.land:
            yield item("dock")
        if square.get("installed"):
            yield item("gun")

    def people(self, place: str) -> Iterator[Chip]:
        square: Mapping[str, Any] = self.view.get("squares", {}).get(place, {})
        all_, officials = square.get("workers", {}), square.get("officials", {})
        for country in sorted({*all_, *officials}):
            yield workers(self.sides.of(country), all_.get(country, 0), officials=len(officials.get(country, ())))
        if any(square.get("goods", {}).values()):
            yield item("goods")

    def ground(self, place: str) -> Iterator[Chip]:
        """Marks, and a farm."""
        square: Mapping[str, Any] = self.view.get("squares", {}).get(place, {})
        if square.get("farm"):
            yield item("farm")
        for kind, grade in self.map.marks.get(place, {}).items():
            by = square.get("marks", {}).get(kind, {}).get("by")
            worked = any(kind in tasks for tasks in square.get("tasks", {}).values())
            yield mark(kind, 0 if kind in ("fish", "farm") else grade, self.sides.of(by) if by and worked else None)

    def counters(self, stack: Stack, most: int) -> Iterator[Chip]:
        """Unit by unit; where there are more, each kind with its number."""
        look = self.sides.letter(stack.owner), self.sides.of(stack.owner)
        if len(stack.ids) <= most:
            yield from (counter(stack.sort, *look, id_, new=self.is_new(id_)) for id_ in stack.ids)
            return
        codes: dict[str, list[str]] = {}
        for id_ in stack.ids:
            codes.setdefault(id_[:3], []).append(id_)
        for code, ids in codes.items():
            new = any(map(self.is_new, ids))
            text = f"{len(ids)} {code}" if len(ids) > 1 else ids[0]
            yield counter(stack.sort, *look, text, new=new)

    def tally(self, stack: Stack) -> Chip:
        """Only how many they are."""
        new = any(map(self.is_new, stack.ids))
        return counter(
            stack.sort, self.sides.letter(stack.owner), self.sides.of(stack.owner), str(len(stack.ids)), new=new
        )


def draw_standing(canvas: Canvas, paper: Paper, standing: Standing) -> None:
    for name in paper.squares:
        square = paper.map.squares[name]
        parts = square.land or (name,)
        for part in parts:
            _part(canvas, paper, standing, part, len(parts))
        for water in square.water if square.is_land else ():
            _ships(canvas, paper, standing, water)


def _part(canvas: Canvas, paper: Paper, standing: Standing, part: str, count: int) -> None:
    here = [stack for stack in standing.stacks.get(part, []) if stack.sort != "fleet" or not _is_wet(paper, part)]
    if paper.is_large:
        units = [chip for stack in here for chip in standing.counters(stack, 3)]
        chips = [*standing.town(part), *units, *standing.people(part), *standing.ground(part)]
        scale = paper.side / (60 if sum(chip.wide + GAP for chip in chips) > SPARSE else 48)
    else:
        chips = [*[chip for chip in standing.town(part) if chip.key.startswith("city")], *map(standing.tally, here)]
        if paper.is_middling:
            chips += [*standing.people(part), *([] if chips else standing.ground(part))]
        scale = paper.side / (44 if sum(chip.wide + GAP for chip in chips) < SPARSE else 58)
    x, y = _centre(paper, part, count)
    rows: Sequence[tuple[float, float]] = _ROWS
    if count > 1:
        scale, rows = min(scale, paper.side / 68), _ROWS_OF_PART
    _flow(canvas, chips, (x, y), scale, rows)


def _is_wet(paper: Paper, part: str) -> bool:
    """Has it a shore or a river, where its ships are drawn?"""
    square = paper.map.squares[square_of(part)]
    return square.is_land and bool(square.water)


_ROWS = ((-30, 84), (-10, 106), (10, 98), (30, 72))  # of a hex of 60 px: how far below its middle, and how wide
_ROWS_OF_PART = ((-30, 72), (-10, 80), (10, 66))


def _flow(
    canvas: Canvas, chips: Sequence[Chip], middle: Point, scale: float, rows: Sequence[tuple[float, float]]
) -> None:
    """Row by row, each in the middle; what there is no room for is counted."""
    filled: list[list[Chip]] = [[]]
    left = [*chips]
    while left:
        room = rows[len(filled) - 1][1]
        taken = sum(chip.wide + GAP for chip in filled[-1])
        if not filled[-1] or taken + left[0].wide <= room:
            filled[-1].append(left.pop(0))
        elif len(filled) < len(rows):
            filled.append([])
        else:
            filled[-1][-1] = more(len(left) + 1)
            break
    shift = (len(rows) - len(filled)) * 21 / 2 if len(filled) < len(rows) else 0
    for (dy, _), row in zip(rows, filled, strict=False):
        x = middle[0] - scale * (sum(chip.wide for chip in row) + GAP * (len(row) - 1)) / 2
        for chip in row:
            chip.put(canvas, x, middle[1] + (dy + shift) * scale, scale)
            x += (chip.wide + GAP) * scale


def _centre(paper: Paper, part: str, count: int) -> Point:
    """Of a whole square its middle; of a part the middle of its borders."""
    x, y = paper.middle(part)
    if count == 1:
        return x, y
    found = _directions(paper, part)
    vectors = [towards(direction) for direction in found] or [(0.0, 0.0)]
    dx, dy = (sum(each[axis] for each in vectors) / len(vectors) for axis in (0, 1))
    return x + dx * paper.side * 0.62, y + dy * paper.side * 0.62


def _directions(paper: Paper, part: str) -> list[int]:
    """The borders that are its alone."""
    land = paper.map.land
    own = {*land[part].open, *land[part].walled}
    others = {
        d
        for each in paper.map.squares[square_of(part)].land
        if each != part
        for d in (*land[each].open, *land[each].walled)
    }
    return sorted(own - others) or sorted(own)


def _ships(canvas: Canvas, paper: Paper, standing: Standing, water: str) -> None:
    """On the water side of a shore, or on the river."""
    names = [water, paper.map.shown(water)]
    if water == paper.map.squares[square_of(water)].water[0]:
        names.append(square_of(water))
    here = [stack for name in dict.fromkeys(names) for stack in standing.stacks.get(name, []) if stack.sort == "fleet"]
    if not here:
        return
    scale = paper.side / 60
    chips = (
        [chip for stack in here for chip in standing.counters(stack, PILE)]
        if paper.is_large
        else [*map(standing.tally, here)]
    )
    toward = sorted(paper.map.water[water].toward)
    x, y = paper.middle(water)
    if toward:
        x, y = paper.border(water, toward[len(toward) // 2], 0.86)
    y -= len(chips) * 10 * scale
    for chip in chips:
        chip.put(canvas, x - chip.wide * scale / 2, y, scale)
        y += 20 * scale
