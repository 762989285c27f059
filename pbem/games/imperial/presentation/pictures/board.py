"""The board picture: the map with all pieces on it, what changed, and the panel below."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from functools import cache
from xml.sax.saxutils import quoteattr

from pbem.core.presenter import View
from pbem.games.imperial.data.editions import board as load_board
from pbem.games.imperial.data.editions import display_names, printed
from pbem.games.imperial.presentation.pictures.arrows import FIRST, draw_legs, legs
from pbem.games.imperial.presentation.pictures.changes import Changes, Told, changes
from pbem.games.imperial.presentation.pictures.drawing import drawing
from pbem.games.imperial.presentation.pictures.moving import draw_laid, draw_movers, lasts
from pbem.games.imperial.presentation.pictures.panel import PANEL, draw_panel, draw_printed
from pbem.games.imperial.presentation.pictures.pieces import draw_anchor, draw_city, draw_flag
from pbem.games.imperial.presentation.pictures.speech import speech
from pbem.games.imperial.presentation.pictures.table import (
    NAME,
    PAGE,
    PHONE,
    Laid,
    Named,
    Print,
    flags,
    laid,
    named,
    works,
)
from pbem.games.imperial.presentation.tables import board_of
from pbem.games.imperial.rules.places import Region
from pbem.render.canvas import Canvas
from pbem.render.raster import CRISP, Layer, png

GROUND = "#fbf7ee"  # its own canvas: the picture looks the same in a dark mail program
SEA_INK, LAND_INK = "#2b5a73", "#2b2620"
FINE = 740  # pixels across in the mail: nearly twice those of a phone
NAMES = 3  # shades of names in the mail: they are the smallest
RIM = (  # around names, 2 px
    f' stroke="#fffdf6" stroke-opacity=".6" stroke-width="{2000 / NAME:.0f}" stroke-linejoin="round"'
)


def board_svg(view: View, *, before: View | None = None, events: Sequence[Told] = (), language: str = "en") -> str:
    """A state document (docs/reference/state-document.md) as a picture of 600 by 920, complete in itself.

    `before` and `events` tell what changed: rims around what is new, arrows for moves, stars for battles, and
    differences of amounts. Cash may be hidden in the view; it is not shown.
    """
    scene = Scene(view, before, events, language)
    canvas = scene.canvas()
    draw_ground(canvas, view["edition"], view["board"], language)
    scene.draw_ways(canvas)
    draw_names(canvas, view["board"], language)
    scene.draw_pieces(canvas)
    scene.draw_panel(canvas)
    return canvas.svg(scene.words.title(view), scene.words.told(view))


def map_png(view: View, *, before: View | None = None, events: Sequence[Told] = (), language: str = "en") -> bytes:
    """The map alone in large print, for the mail: the same bytes for the same position."""
    scene, board = Scene(view, before, events, language, PHONE), view["board"]
    pieces = scene.canvas()
    scene.draw_pieces(pieces)
    layers = (
        Layer(map_svg(board), is_kept=True, shades=CRISP),
        *(_moves(scene, language) if scene.legs else ()),
        Layer(_words_svg(board, language), is_kept=True, shades=NAMES),
        *pieces.apart(),
    )
    return png(layers, FINE, is_plain=True)


def _moves(scene: Scene, language: str) -> tuple[Layer, Layer]:
    """The arrows, and upon them the rims of names."""
    ways = scene.canvas()
    scene.draw_ways(ways)
    rims = _words_svg(scene.view["board"], language, RIM)
    arrows = Layer(ways.svg("", ""), shades=CRISP)
    return arrows, Layer(rims, is_kept=True, shades=CRISP, is_upon=True)


def board_on_page(
    view: View, *, before: View | None, events: Sequence[Told], language: str, alt: str, ground: str, names: str
) -> str:
    """The same picture to stand in a page, over the files with `ground_svg` and `names_svg`; a style sheet may move it.

    Made less high it shows the map alone. Its groups have the classes `way`, `mover`, `was`, `is` and `slid`, with the
    numbers that their motion needs.
    """
    scene = Scene(view, before, events, language)
    canvas = scene.canvas(lively=True)
    whole = f'width="{canvas.width:g}" height="{canvas.height:g}"'
    canvas.draw(f"<image href={quoteattr(ground)} {whole}/>")
    scene.draw_ways(canvas)
    canvas.draw(f"<image href={quoteattr(names)} {whole}/>")
    scene.draw_pieces(canvas)
    scene.draw_panel(canvas)
    draw_movers(canvas, scene.legs, scene.words.letters)
    size = f'viewBox="0 0 {canvas.width:g} {canvas.height:g}" preserveAspectRatio="xMidYMin slice"'
    size += f' style="--lasts:{lasts(scene.legs):.4g}"'
    return f'<svg {size} role="img" aria-label={quoteattr(alt)}>{canvas.inside()}</svg>'


def board_alt(view: View, language: str = "en") -> str:
    """What the picture shows, in a few sentences; the letter's text has the whole position."""
    return speech(language).told(view)


# -- what is the same in every position ---


@cache
def map_svg(board: str) -> str:
    """The map alone, in plain colours: every line more makes the file larger."""
    canvas = _canvas(board, PHONE)
    canvas.draw("<style>#shallows{display:none}</style>", drawing(board).map)
    return canvas.svg("", "")


@cache
def ground_svg(edition: str, board: str, language: str) -> str:
    """The map, and the panel without what lies on it."""
    canvas = _canvas(board)
    draw_ground(canvas, edition, board, language)
    return canvas.svg("", "")


@cache
def names_svg(board: str, language: str) -> str:
    """The names alone, to lie above the arrows."""
    canvas = _canvas(board)
    draw_names(canvas, board, language)
    return canvas.svg("", "")


@cache
def _words_svg(board: str, language: str, rim: str = "") -> str:
    """The names in large print, or only the rim around them."""
    canvas = _canvas(board, PHONE)
    draw_words(canvas, board, language, PHONE, rim)
    return canvas.svg("", "")


def _canvas(board: str, size: Print = PAGE, *, lively: bool = False) -> Canvas:
    """A sheet for the map, and for the panel where there is one."""
    width, height = drawing(board).size
    return Canvas(width, height + (PANEL if size is PAGE else 0), lively=lively)


def draw_ground(canvas: Canvas, edition: str, board: str, language: str) -> None:
    canvas.draw(f'<rect width="{canvas.width}" height="{canvas.height}" fill="{GROUND}"/>', drawing(board).map)
    draw_printed(canvas, canvas.height - PANEL, printed(edition), speech(language))


def draw_names(canvas: Canvas, board: str, language: str, size: Print = PAGE) -> None:
    """All names twice: below them the same with a bright rim, since borders and arrows pass behind some."""
    draw_words(canvas, board, language, size, RIM)
    draw_words(canvas, board, language, size)


def draw_words(canvas: Canvas, board: str, language: str, size: Print, rim: str = "") -> None:
    all_ = names(board, language, size)

    def write() -> None:
        for name in all_:
            ink = SEA_INK if name.hand == "slanted" else LAND_INK
            for line, box in name.lines:
                canvas.write(line, box.x, box.y + 7.7 * size.grown, size.name, hand=name.hand, ink=ink)

    canvas.stamp("names", 0, 0, write, more=rim)


@cache
def names(board: str, language: str, size: Print = PAGE) -> Sequence[Named]:
    called, drawn = display_names(language)["regions"], drawing(board, size.places)
    return tuple(
        named(region, called[region], place, "slanted" if _is_sea(board, region) else "plain", size)
        for region, place in drawn.names.items()
    )


def _is_sea(board: str, region: str) -> bool:
    known = load_board(board)
    return region in known.places and known.is_sea(Region(region))


# -- what is not ---


class Scene:
    """What lies on the board, and what changed."""

    def __init__(
        self, view: View, before: View | None, events: Sequence[Told], language: str, size: Print = PAGE
    ) -> None:
        self.view, self.before, self.size = view, before, size
        self.happened = changes(events)
        self.words = speech(language)
        self.drawn = drawing(view["board"], size.places)
        self.pieces = laid(view, self.drawn, self.happened, self.words.letters, size)
        self.legs = legs(self.drawn, self.pieces, self.happened.ways)
        self._names = names(view["board"], language, size)

    def canvas(self, *, lively: bool = False) -> Canvas:
        return _canvas(self.view["board"], self.size, lively=lively)

    def draw_ways(self, canvas: Canvas) -> None:
        draw_legs(canvas, self.legs)

    def draw_pieces(self, canvas: Canvas) -> None:
        self._draw_marks(canvas)
        taken = {one.region for one in self.pieces if one.piece.kind == "fleet"}
        for region, box in self.drawn.harbours.items():
            if region not in taken:
                draw_anchor(canvas, box)
        draw_laid(canvas, self._laid_before() if canvas.lively else self.pieces, self.pieces, self.legs)

    def draw_panel(self, canvas: Canvas) -> None:
        draw_panel(canvas, canvas.height - PANEL, self.view, self.before, self.happened, self.words)

    def _laid_before(self) -> list[Laid]:
        """What lay there when this began."""
        return laid(self.before or self.view, self.drawn, Changes(), self.words.letters, self.size)

    def _draw_marks(self, canvas: Canvas) -> None:
        """Cities and flags beside the names."""
        board, held, built = board_of(self.view), flags(self.view), works(self.view)
        for name in self._names:
            region = Region(name.region)
            place = board.places[region]
            if name.mark is None:
                continue
            x, y, new, by = *name.mark[:2], self.happened, self.size.grown
            with canvas.part("is", at=FIRST) if region in new.works | new.flags else nullcontext():
                if place.makes:
                    draw_city(canvas, place.makes, x, y, works=region in built, new=region in new.works, scale=by)
                if region in held:
                    letter = self.words.letters[held[region]]
                    draw_flag(canvas, held[region], letter, x, y, new=region in new.flags, scale=by)
