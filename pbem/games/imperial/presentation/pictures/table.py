"""What lies where on the board, and where it is drawn: names, cities, flags, pieces. Nothing of it touches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from pbem.core.presenter import View
from pbem.games.imperial.presentation.pictures.changes import Changes
from pbem.games.imperial.presentation.pictures.drawing import Drawing, NamePlace
from pbem.games.imperial.presentation.pictures.packing import LARGE, packed
from pbem.games.imperial.presentation.pictures.pieces import Piece
from pbem.render.canvas import Box
from pbem.render.lettering import Hand, width

NAME, LINE = 9.0, 9.5  # the size of a name, and from line to line
MARK, BESIDE = 11.0, 13.0  # a city or a flag, and with the gap to the name


class Print(Struct, frozen=True, kw_only=True):
    """How large the map is lettered, and the pieces on it are drawn."""

    places: str = "places"  # which of the drawing's
    grown: float = 1.0  # names and marks
    scales: tuple[float, ...] = LARGE  # of pieces, the best first

    @property
    def name(self) -> float:
        return NAME * self.grown

    @property
    def line(self) -> float:
        return LINE * self.grown

    @property
    def mark(self) -> float:
        return MARK * self.grown

    @property
    def beside(self) -> float:
        return BESIDE * self.grown


PAGE = Print()
PHONE = Print(places="large", grown=1.6, scales=(1.9, 1.75, 1.6))  # on a map 375 px across names are 9 px high


class Named(Struct, frozen=True, kw_only=True):
    """A region's name in lines, each with its box, and the place of its city or flag."""

    region: str
    hand: Hand
    lines: tuple[tuple[str, Box], ...]
    mark: Box | None


class Laid(Struct, frozen=True, kw_only=True):
    piece: Piece
    box: Box
    region: str


# -- names ---


def named(region: str, name: str, place: NamePlace, hand: Hand, size: Print = PAGE) -> Named:
    """The name in as many lines as it needs, with its mark in the middle of the room for both."""
    box = place.box
    beside = size.beside if place.lies == "beside" else 0
    lines = [] if place.lies == "alone" else _lines(name, box.w - beside + 0.5, size.name, hand)
    wide = max((width(line, size.name, hand) for line in lines), default=0)
    left = box.x + (box.w - beside - wide) / 2 + beside
    above = size.mark + 1 if place.lies == "above" else 0
    top = box.y + (box.h - above - size.line * len(lines)) / 2 + above
    boxes = [_line_box(line, left, wide, top + size.line * n, size, hand) for n, line in enumerate(lines)]
    mark = {
        "beside": Box(left - beside, box.y + (box.h - size.mark) / 2, size.mark, size.mark),
        "above": Box(box.x + (box.w - size.mark) / 2, top - above, size.mark, size.mark),
        "alone": Box(box.x, box.y, size.mark, size.mark),
    }.get(place.lies)
    return Named(region=region, hand=hand, lines=tuple(zip(lines, boxes, strict=True)), mark=mark)


def _line_box(line: str, left: float, wide: float, top: float, size: Print, hand: Hand) -> Box:
    own = width(line, size.name, hand)
    return Box(left + (wide - own) / 2, top, own, size.line)


def _lines(name: str, room: float, size: float, hand: Hand) -> list[str]:
    """Broken where it does not fit."""
    lines: list[str] = []
    for word in name.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size, hand) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


# -- pieces ---


def laid(view: View, drawing: Drawing, happened: Changes, letters: Mapping[str, str], size: Print = PAGE) -> list[Laid]:
    """Every piece with its box, region by region."""
    found: list[Laid] = []
    for region, fields in drawing.fields.items():
        pieces = list(_pieces(view, region, drawing, happened, letters))
        boxes = packed([piece.size for piece in pieces], fields, size.scales)
        found += [Laid(piece=p, box=b, region=region) for p, b in zip(pieces, boxes, strict=True)]
    return found + list(_harboured(view, drawing, happened, letters, size))


def _pieces(
    view: View, region: str, drawing: Drawing, happened: Changes, letters: Mapping[str, str]
) -> Iterator[Piece]:
    if region in happened.battles:
        yield Piece(kind="battle")
    if region in happened.ruins:
        yield Piece(kind="ruin")
    for nation, row in view["nations"].items():
        friendly = row["friendly_armies"].get(region, 0)
        counts = {"army": row["armies"].get(region, 0) - friendly, "lying": friendly}
        if region not in drawing.harbours:
            counts["fleet"] = row["fleets"].get(region, 0)
        for kind, count in counts.items():
            if count:
                yield _piece(kind, nation, region, count, happened, letters)


def _piece(kind: str, nation: str, region: str, count: int, happened: Changes, letters: Mapping[str, str]) -> Piece:
    is_new = (nation, region, kind) in happened.new
    return Piece(kind=kind, nation=nation, letter=letters[nation], count=count, new=is_new)


def _harboured(
    view: View, drawing: Drawing, happened: Changes, letters: Mapping[str, str], size: Print
) -> Iterator[Laid]:
    """Fleets in harbour, on the anchor of their port."""
    for region, box in drawing.harbours.items():
        for nation, row in view["nations"].items():
            if count := row["fleets"].get(region, 0):
                piece = _piece("fleet", nation, region, count, happened, letters)
                yield Laid(piece=piece, box=packed([piece.size], [box], size.scales)[0], region=region)


def flags(view: View) -> dict[str, str]:
    """Whose flag lies on each region."""
    return {region: nation for nation, row in view["nations"].items() for region in row["flags"]}


def works(view: View) -> set[str]:
    return {region for row in view["nations"].values() for region in row["factories"]}
