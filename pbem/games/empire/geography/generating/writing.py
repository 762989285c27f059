"""A made map as the text of its file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.games.empire.geography.generating.sheet import Sheet
from pbem.games.empire.geography.grid import column_name, map_order, square_name
from pbem.games.empire.geography.line_checks import LAND_MARKS

_NAMES = (
    "Alder Amber Apple Ash Aspen Badger Barley Beaver Beech Birch Bracken Briar Brook Cedar Cherry Clover Crane Curlew "
    "Elder Elm Falcon Fern Finch Flint Fox Gorse Grouse Hare Hawthorn Hazel Heather Heron Holly Ivy Juniper Kite Larch "
    "Lark Lime Linden Lynx Maple Marten Moss Oak Osier Otter Pike Pine Plover Poplar Quail Raven Reed Rook Rowan Rush "
    "Sable Salmon Sedge Sorrel Spruce Stoat Swan Teal Thistle Thorn Trout Vine Walnut Willow Wren Yarrow Yew"
)
NAMES = tuple(_NAMES.split())


def written(sheet: Sheet, id_: str, players: int) -> str:
    return (
        "\n".join(
            [*_head(sheet, id_, players), *_grid(sheet), *_water(sheet), *_land(sheet), *_marks(sheet), *_starts(sheet)]
        )
        + "\n"
    )


def _head(sheet: Sheet, id_: str, players: int) -> Iterator[str]:
    yield f"# {sheet.width} x {sheet.height} for {players} players, made by pbem map generate."
    yield f"map   {id_}"
    yield f"title {id_.replace('_', ' ').replace('-', ' ').capitalize()}"
    yield f"size  {sheet.width} x {sheet.height}"
    yield ""


def _grid(sheet: Sheet) -> Iterator[str]:
    columns = range(1, sheet.width + 1)
    wide = len(column_name(sheet.width))
    yield "grid"
    yield " ".join(["    ", *(column_name(column).rjust(wide) for column in columns)])
    for row in range(1, sheet.height + 1):
        yield " ".join(
            [f"{row:4} ", *(sheet.signs[square_name(column, row)].rjust(wide) for column in columns)]
        ).rstrip()


def _water(sheet: Sheet) -> Iterator[str]:
    yield ""
    for place, (kind, way) in enumerate(sheet.rivers):
        again = "" if place < len(NAMES) else f"_{place // len(NAMES) + 1}"
        yield f"river {kind} {NAMES[place % len(NAMES)]}{again} {' - '.join(way)}"
    yield from _pairs("falls", sheet.falls)
    yield from _pairs("reef ", sheet.reefs)


def _land(sheet: Sheet) -> Iterator[str]:
    yield from _pairs("wall ", sheet.walls)


def _pairs(word: str, pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    ordered = [sorted(pair, key=map_order) for pair in pairs]
    for one, other in sorted(ordered, key=lambda pair: [map_order(each) for each in pair]):
        yield f"{word} {one} - {other}"


def _marks(sheet: Sheet) -> Iterator[str]:
    yield ""
    for kind in (*LAND_MARKS, "fish"):
        for grade in (1, 2, 3):
            places = [place for (each, place), its in sheet.marks.items() if (each, its) == (kind, grade)]
            if places:
                told = "fish" if kind == "fish" else f"{kind} {grade}"
                yield f"mark {told} {', '.join(sorted(places, key=map_order))}"


def _starts(sheet: Sheet) -> Iterator[str]:
    yield ""
    yield f"start {', '.join(sheet.starts)}"
