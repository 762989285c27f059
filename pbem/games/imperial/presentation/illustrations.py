"""The pictures that stand in our letters: the board as it is now, and charts of how it came to that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from pbem.games.imperial.presentation.pictures import board_alt, board_png, chart_alt, chart_png, series
from pbem.games.imperial.presentation.pictures.charts import Kind
from pbem.host.messages import View
from pbem.host.ports import Attachment

KINDS: tuple[Kind, ...] = ("power", "treasury", "score")
FEWEST = 2  # rounds; of fewer there is no chart


class Illustration(Struct, frozen=True, kw_only=True):
    """A picture within the HTML of a letter."""

    name: str
    letter: str  # the Message-ID of the letter it stands in, without its brackets
    alt: str  # the same in words
    wide: int  # px it wants
    png: bytes

    @property
    def cid(self) -> str:
        """No other picture in the world has it (RFC 2045, section 7)."""
        return f"{self.name}.{self.letter}"

    @property
    def url(self) -> str:
        """How the HTML names it (RFC 2392)."""
        return f"cid:{quote(self.cid, safe='@')}"

    @property
    def attachment(self) -> Attachment:
        return Attachment(name=f"{self.name}.png", type="image/png", data=self.png, cid=self.cid)


def board(
    view: View, before: View | None, events: Sequence[Mapping[str, Any]], language: str, letter: str
) -> Illustration:
    png = board_png(view, before=before, events=events, language=language)
    return Illustration(name="board", letter=letter, alt=board_alt(view, language), wide=600, png=png)


def charts(resolution: Sequence[View], language: str, letter: str) -> list[Illustration]:
    """One for each of power, treasuries and scores, when there is something to compare."""
    if len({view["round"] for view in resolution}) < FEWEST:
        return []
    return [_chart(kind, resolution, language, letter) for kind in KINDS]


def _chart(kind: Kind, resolution: Sequence[View], language: str, letter: str) -> Illustration:
    over = series(kind, resolution)
    alt, png = chart_alt(kind, over, language), chart_png(kind, over, language)
    return Illustration(name=kind, letter=letter, alt=alt, wide=360, png=png)
