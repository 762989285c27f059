"""The board to order from: the map alone, to be pointed at."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from msgspec.structs import asdict

from pbem.core.languages import LANGUAGES
from pbem.core.presenter import Label, Pointing
from pbem.files import resource
from pbem.games.imperial.presentation.pictures.board import names
from pbem.games.imperial.presentation.pictures.drawing import drawing
from pbem.games.imperial.presentation.pictures.pieces import NATIONS
from pbem.games.imperial.presentation.pictures.speech import speech
from pbem.games.imperial.presentation.pictures.table import Named

_GROUND = 7.7  # px from the top of a line of a name to what its letters stand on


@cache
def pointing(board: str) -> Pointing:
    """Pieces stand in the largest room of a region; fleets in harbour in their own, `REGION.harbour`."""
    drawn = drawing(board)
    rooms = {region: fields[0] for region, fields in drawn.fields.items()}
    rooms |= {f"{region}.harbour": box for region, box in drawn.harbours.items()}
    return Pointing(
        svg=_short(drawn.map),
        size=drawn.size,
        spots={place: [*map(round, box)] for place, box in rooms.items()},
        colours={nation: asdict(colours) for nation, colours in NATIONS.items()},
        letters={language: speech(language).letters for language in LANGUAGES},
        labels={language: _labels(board, language) for language in LANGUAGES},
        stock=resource("games/imperial/templates/order.txt").read_text("ascii"),
    )


def _short(svg: str) -> str:
    """Groups without names, and no space where a second point begins a number (SVG 1.1, section 8.3.9)."""
    return re.sub(r"(\.\d+) (?=\.)", r"\1", re.sub(r'<g id="\w+"', "<g", svg))


def _labels(board: str, language: str) -> Mapping[str, Label]:
    return {name.region: _label(name) for name in names(board, language)}


def _label(name: Named) -> Label:
    lines = [(line, round(box.middle[0]), round(box.y + _GROUND)) for line, box in name.lines]
    mark = None if name.mark is None else (round(name.mark.x), round(name.mark.y))
    return Label(lines, mark, int(name.hand == "slanted"))
