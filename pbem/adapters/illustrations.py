"""The pictures that stand in our letters: the board as it is now, and charts of how it came to that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from pbem.adapters.pictures import board_alt, board_png, chart_png, series
from pbem.adapters.pictures.charts import Kind
from pbem.service.letters.correspondence import View
from pbem.service.ports import Attachment

KINDS: tuple[Kind, ...] = ("power", "treasury", "score")
FEWEST = 2  # rounds; of fewer there is no chart


class Illustration(Struct, frozen=True, kw_only=True):
    """A picture within the HTML of a letter."""

    name: str
    alt: str  # the same in words
    wide: int  # px it wants
    png: bytes

    @property
    def attachment(self) -> Attachment:
        return Attachment(name=f"{self.name}.png", type="image/png", data=self.png, cid=f"{self.name}@pbem")


def board(view: View, before: View | None, events: Sequence[Mapping[str, Any]], language: str) -> Illustration:
    png = board_png(view, before=before, events=events, language=language)
    return Illustration(name="board", alt=board_alt(view, language), wide=600, png=png)


def charts(course: Sequence[View], language: str, titles: Mapping[Kind, str]) -> list[Illustration]:
    """One for each of power, treasuries and scores, when there is something to compare."""
    if len({view["round"] for view in course}) < FEWEST:
        return []
    return [
        Illustration(name=kind, alt=titles[kind], wide=360, png=chart_png(kind, series(kind, course), language))
        for kind in KINDS
    ]
