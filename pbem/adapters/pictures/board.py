"""The board picture: the map with all pieces on it, what changed, and the panel below."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.adapters.editions import display_names
from pbem.adapters.pictures.arrows import draw_ways
from pbem.adapters.pictures.changes import Changes, Told, changes
from pbem.adapters.pictures.drawing import Drawing, drawing
from pbem.adapters.pictures.panel import PANEL, draw_panel
from pbem.adapters.pictures.paper import Paper
from pbem.adapters.pictures.pieces import draw_anchor, draw_city, draw_flag
from pbem.adapters.pictures.raster import png
from pbem.adapters.pictures.speech import Speech, speech
from pbem.adapters.pictures.table import NAME, Named, flags, laid, named, works
from pbem.adapters.positions import rules_of
from pbem.rules.imperial.board import Board, Region
from pbem.service.correspondence import View

GROUND = "#fbf7ee"  # its own paper: the picture looks the same in a dark mail program
SEA_INK, LAND_INK = "#2b5a73", "#2b2620"
FINE = 1000  # pixels across in the mail: for screens with fine dots, and still small
RIM = 2.0  # px around names


def board_svg(view: View, *, before: View | None = None, events: Sequence[Told] = (), language: str = "en") -> str:
    """A state document (language.md, section 4) as a picture of 600 by 880, complete in itself.

    `before` and `events` tell what changed: rims around what is new, arrows for moves, stars for battles, and
    differences of amounts. Cash may be hidden in the view; it is not shown.
    """
    drawn, words, happened = drawing(view["board"]), speech(language), changes(events)
    width, height = drawn.size
    paper = Paper(width, height + PANEL)
    paper.draw(f'<rect width="{width}" height="{height + PANEL}" fill="{GROUND}"/>', drawn.map)
    pieces = laid(view, drawn, happened, words.letters)
    draw_ways(paper, drawn, pieces, happened.ways)
    called = names(drawn, view, language)
    _draw_names(paper, called)
    _draw_marks(paper, view, called, words, happened)
    _draw_anchors(paper, drawn, {one.region for one in pieces if one.piece.kind == "fleet"})
    for one in pieces:
        one.piece.drawn(paper, one.box)
    draw_panel(paper, height, view, before, happened, words)
    return paper.svg(words.title(view), words.told(view))


def board_png(view: View, *, before: View | None = None, events: Sequence[Told] = (), language: str = "en") -> bytes:
    """The same picture for the mail: at most 120 kB, and the same bytes for the same position."""
    return png(board_svg(view, before=before, events=events, language=language), FINE)


def board_alt(view: View, language: str = "en") -> str:
    """What the picture shows, in a few sentences; the letter's text has the whole position."""
    return speech(language).told(view)


def names(drawn: Drawing, view: View, language: str) -> list[Named]:
    board, called = rules_of(view).board, display_names(language)["regions"]
    return [
        named(region, called[region], place, "slanted" if _is_sea(board, region) else "plain")
        for region, place in drawn.names.items()
    ]


def _is_sea(board: Board, region: str) -> bool:
    return region in board.places and board.is_sea(Region(region))


def _draw_names(paper: Paper, all_: Sequence[Named]) -> None:
    """All names twice: below them the same with a bright rim, since borders and arrows pass behind some."""

    def write() -> None:
        for name in all_:
            ink = SEA_INK if name.hand == "slanted" else LAND_INK
            for line, box in name.lines:
                paper.write(line, box.x, box.y + 7.7, NAME, hand=name.hand, ink=ink)

    rim = f' stroke="#fffdf6" stroke-opacity=".6" stroke-width="{RIM * 1000 / NAME:.0f}" stroke-linejoin="round"'
    paper.stamp("names", 0, 0, write, more=rim)
    paper.stamp("names", 0, 0, write)


def _draw_marks(paper: Paper, view: View, all_: Sequence[Named], words: Speech, happened: Changes) -> None:
    """Cities and flags beside the names."""
    board, held, built = rules_of(view).board, flags(view), works(view)
    for name in all_:
        region = Region(name.region)
        place = board.places[region]
        if name.mark is None:
            continue
        if place.makes:
            draw_city(paper, place.makes, *name.mark[:2], works=region in built, new=region in happened.works)
        if region in held:
            letter = words.letters[held[region]]
            draw_flag(paper, held[region], letter, *name.mark[:2], new=region in happened.flags)


def _draw_anchors(paper: Paper, drawn: Drawing, taken: set[str]) -> None:
    for region, box in drawn.harbours.items():
        if region not in taken:
            draw_anchor(paper, box)
