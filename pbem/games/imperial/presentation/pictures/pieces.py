"""The pieces as they are drawn: told apart by shape, letter and colour, so that no one of them is needed alone.

Every piece is drawn in a box that begins at 0, 0; `Piece.drawn` moves and scales it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from msgspec import Struct

from pbem.render.canvas import INK, Box, Canvas
from pbem.render.lettering import width


class Colours(Struct, frozen=True):
    fill: str
    ink: str  # of the letter on it
    edge: str


# The colours of the wooden pieces, apart in lightness, too: for colour-blind eyes and for print.
NATIONS: Mapping[str, Colours] = {
    "austria_hungary": Colours("#f7bf16", "#241c00", "#7d5f00"),
    "italy": Colours("#1f8f66", "#ffffff", "#0b4a32"),
    "france": Colours("#5aa5ea", "#06233f", "#14508c"),
    "great_britain": Colours("#da3c30", "#ffffff", "#6b120b"),
    "germany": Colours("#222529", "#ffffff", "#0b0c0d"),
    "russia": Colours("#7a3aa6", "#ffffff", "#421a5f"),
}
NEW = "#ff8a00"  # the rim of what is new this turn
BROWN, BLUE = "#8a4b1f", "#1d5f9e"  # the cities: armaments and shipyards


class Piece(Struct, frozen=True, kw_only=True):
    """Units of one kind in one place, or a mark among them."""

    kind: str  # army lying fleet battle ruin
    nation: str = ""
    letter: str = ""
    count: int = 1
    new: bool = False

    @property
    def size(self) -> tuple[float, float]:
        wide, high = _SIZES[self.kind]
        return wide + (_tag(self.count) if self.count > 1 else 0), high

    def drawn(self, canvas: Canvas, box: Box) -> None:
        id_ = f"{self.kind}.{self.nation}.{self.count}{'.new' if self.new else ''}"
        canvas.stamp(id_, box.x, box.y, partial(self._draw, canvas), box.w / self.size[0], size=self.size)

    def _draw(self, canvas: Canvas) -> None:
        if self.kind in _MARKS:
            canvas.draw(_MARKS[self.kind])
        else:
            _DRAWN[self.kind](canvas, self)
        if self.count > 1:
            _count(canvas, self)


_SIZES = {"army": (12, 15), "lying": (15, 12), "fleet": (18, 15), "battle": (15, 15), "ruin": (14, 14)}


def _tag(count: int) -> float:
    return width(str(count), 10, "bold") + 3


def _count(canvas: Canvas, piece: Piece) -> None:
    wide, high = _SIZES[piece.kind]
    tag = _tag(piece.count)
    canvas.draw(
        f'<rect x="{wide - 1}" y="{high - 12.5:g}" width="{tag + 1:.1f}" height="12" rx="2" fill="#fffdf6" '
        f'stroke="{NATIONS[piece.nation].edge}" stroke-width=".7"/>'
    )
    canvas.write(str(piece.count), wide + tag / 2 - 0.5, high - 3, 10, hand="bold", at="middle")


def _rim(piece: Piece, colours: Colours) -> str:
    return f'stroke="{NEW}" stroke-width="2"' if piece.new else f'stroke="{colours.edge}" stroke-width=".9"'


def _army(canvas: Canvas, piece: Piece) -> None:
    """A standing soldier's stone: higher than wide, round at the top."""
    colours = NATIONS[piece.nation]
    canvas.draw(f'<path d="M1 14.3V6a5 5 0 0 1 10 0v8.3z" fill="{colours.fill}" {_rim(piece, colours)}/>')
    canvas.write(piece.letter, 6, 11.6, 9.5, hand="bold", ink=colours.ink, at="middle")


def _lying(canvas: Canvas, piece: Piece) -> None:
    """The same stone on its side, and pale: a friendly army."""
    colours = NATIONS[piece.nation]
    rim = _rim(piece, colours) if piece.new else f'stroke="{colours.edge}" stroke-width="1.2"'
    canvas.draw(f'<path d="M.8 1.2H9.2a4.9 4.9 0 0 1 0 9.8H.8z" fill="#fffdf6" {rim}/>')
    canvas.write(piece.letter, 6.6, 9.3, 9, hand="bold", ink=colours.edge, at="middle")


def _fleet(canvas: Canvas, piece: Piece) -> None:
    """A ship with a square sail."""
    colours = NATIONS[piece.nation]
    canvas.draw(
        f'<path d="M3.4 .7h11.2q-1.2 4.8 0 9.4H3.4q1.2-4.6 0-9.4z M.7 10.9h16.6l-3 3.5H3.9z" '
        f'fill="{colours.fill}" {_rim(piece, colours)} stroke-linejoin="round"/>'
    )
    canvas.write(piece.letter, 9, 8.6, 9, hand="bold", ink=colours.ink, at="middle")


_DRAWN = {"army": _army, "lying": _lying, "fleet": _fleet}
_MARKS = {
    "battle": (  # two crossed blades on a star
        '<path d="M7.5 0 9.4 3.3 13 2 11.8 5.6 15 7.5 11.8 9.4 13 13 9.4 11.7 7.5 15 5.6 11.7 2 13 3.2 9.4 0 7.5 '
        '3.2 5.6 2 2 5.6 3.3z" fill="#fff3c4" stroke="#a3160c" stroke-width=".8"/>'
        '<path d="M4.6 4.6 10.4 10.4M10.4 4.6 4.6 10.4" stroke="#a3160c" stroke-width="1.6" stroke-linecap="round"/>'
    ),
    "ruin": (  # a factory struck through
        f'<path d="M2 12V6l3 2V6l3 2V3h3v9z" fill="#cfc6b8" stroke="{INK}" stroke-width=".8"/>'
        '<path d="M1 13 13 1" stroke="#a3160c" stroke-width="1.8" stroke-linecap="round"/>'
    ),
}


# -- beside the names: a city, a flag; discs on the tracks ---


def draw_city(canvas: Canvas, makes: str, x: float, y: float, *, works: bool, new: bool, scale: float = 1) -> None:
    """11 by 11: brown and square for armaments, blue and round for shipyards; hollow and small without a factory."""
    rim = f'stroke="{NEW}" stroke-width="1.8"' if new else 'stroke="#fffdf6" stroke-width=".6"'
    drawn = _CITIES[makes, works].replace("RIM", rim)
    id_ = f"city.{makes}{'.works' if works else ''}{'.new' if new else ''}"
    canvas.stamp(id_, x, y, lambda: canvas.draw(drawn), scale, size=(11, 11))


_CITIES = {
    ("army", False): f'<rect x="3" y="3" width="5" height="5" fill="#fffdf6" stroke="{BROWN}" stroke-width="1.3"/>',
    ("fleet", False): f'<circle cx="5.5" cy="5.5" r="2.8" fill="#fffdf6" stroke="{BLUE}" stroke-width="1.3"/>',
    ("army", True): (
        f'<rect x=".3" y=".3" width="10.4" height="10.4" rx="1" fill="{BROWN}" RIM/>'
        '<path d="M2 9.2V5l2.3 1.5V5l2.3 1.5V1.8h2.2v7.4z" fill="#fff"/>'
    ),
    ("fleet", True): (
        f'<circle cx="5.5" cy="5.5" r="5.3" fill="{BLUE}" RIM/>'
        '<path d="M5.5 2.2V8.6M3.8 3.9h3.4M2.6 6.4q.4 2.4 2.9 2.4t2.9-2.4" fill="none" stroke="#fff" '
        'stroke-width="1.1"/>'
    ),
}


def draw_flag(canvas: Canvas, nation: str, letter: str, x: float, y: float, *, new: bool, scale: float = 1) -> None:
    """11 by 11: a banner with the nation's letter."""
    colours = NATIONS[nation]

    def draw() -> None:
        rim = f'stroke="{NEW}" stroke-width="1.8"' if new else f'stroke="{colours.edge}" stroke-width=".7"'
        canvas.draw(
            f'<path d="M1 0V11.5" stroke="{INK}" stroke-width="1.2"/>'
            f'<path d="M1.4 .6h9.8l-1.6 3.7 1.6 3.7H1.4z" fill="{colours.fill}" {rim}/>'
        )
        canvas.write(letter, 5.4, 7.1, 7.6, hand="bold", ink=colours.ink, at="middle")

    canvas.stamp(f"flag.{nation}{'.new' if new else ''}", x, y, draw, scale, size=(11, 12))


def draw_anchor(canvas: Canvas, box: Box) -> None:
    """Where a port lies: an anchor in the sea."""
    x, y = box.middle
    canvas.stamp("anchor", x - 5.5, y - 5.5, lambda: canvas.draw(_ANCHOR), size=(11, 11))


_ANCHOR = (
    '<path d="M5.5 3V10M3.6 4.6h3.8M1.8 7q.6 3 3.7 3t3.7-3M5.5 3a1.1 1.1 0 1 1 .01 0" '
    'fill="none" stroke="#4d7f99" stroke-width="1.1" stroke-linecap="round"/>'
)


class Spot(NamedTuple):
    """The middle of a round marker, and its radius."""

    x: float
    y: float
    r: float


def slid(canvas: Canvas, nation: str, letter: str, to: Spot, from_: Spot, *, new: bool) -> None:
    """A marker that has come from elsewhere, or from where it is."""
    if to == from_:
        disc(canvas, nation, letter, *to, new=new)
        return
    with canvas.part("slid", dx=from_.x - to.x, dy=from_.y - to.y):
        disc(canvas, nation, letter, *to, new=new)


def disc(canvas: Canvas, nation: str, letter: str, x: float, y: float, r: float = 6.5, *, new: bool = False) -> None:
    """A nation's round marker on the rondel and on the tracks; x, y is its middle."""
    colours = NATIONS[nation]

    def draw() -> None:
        rim = f'stroke="{NEW}" stroke-width="2.2"' if new else f'stroke="{colours.edge}" stroke-width=".9"'
        canvas.draw(f'<circle r="{r}" fill="{colours.fill}" {rim}/>')
        canvas.write(letter, 0, r * 0.48, r * 1.4, hand="bold", ink=colours.ink, at="middle")

    canvas.stamp(f"disc.{nation}.{r:g}{'.new' if new else ''}", x, y, draw)
