"""The pictures that stand in our letters: the board as it is now, and charts of how it came to that."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from pbem.core.presenter import Event, Picture, Series, View
from pbem.games.imperial.presentation.pictures import board_alt, chart_alt, chart_png, map_png, series
from pbem.games.imperial.presentation.pictures.changes import changes
from pbem.games.imperial.presentation.pictures.charts import Kind

KINDS: tuple[Kind, ...] = ("power", "treasury", "score")
_SHOWN = ("edition", "board", "round", "nation", "finished", "nations")  # on a picture of the board
FEWEST = 2  # rounds; of fewer there is no chart


def board(view: View, before: View | None, events: Sequence[Event], language: str) -> Picture:
    """Drawn once for all who get the letter: it shows nothing that not all may see."""
    views = [each and {key: each[key] for key in _SHOWN} for each in (view, before)]
    return _board(msgspec.json.encode([*views, events]), language)


@lru_cache(maxsize=16)
def _board(shown: bytes, language: str) -> Picture:
    view, before, events = msgspec.json.decode(shown)
    png = map_png(view, before=before, events=events, language=language)
    return Picture(name="board", alt=board_alt(view, language), wide=600, png=png)


def is_board_changed(view: View, before: View, events: Sequence[Event]) -> bool:
    """Taxes and interest move nothing on the map."""
    return _lying(view) != _lying(before) or bool(changes(events).battles)


def _lying(view: View) -> list[list[object]]:
    kinds = "armies", "friendly_armies", "fleets", "factories", "flags"
    return [[row[kind] for kind in kinds] for row in view["nations"].values()]


def charts(course: Sequence[View], language: str) -> list[Picture]:
    """One for each of power, treasuries and scores, when there is something to compare."""
    if len({view["round"] for view in course}) < FEWEST:
        return []
    return [_chart(kind, series(kind, course), language) for kind in KINDS]


def _chart(kind: Kind, over: Series, language: str) -> Picture:
    return Picture(name=kind, alt=chart_alt(kind, over, language), wide=360, png=chart_png(kind, over, language))
