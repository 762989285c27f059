"""A place at the table: a person may be replaced in it, the seat never."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NewType, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

Seat = NewType("Seat", str)


class Sight(Enum):
    """Who looks at a game from no seat of it, and may see more than a stranger."""

    ALL = "all"  # the adjudicator, and whoever they show it to


Viewer: TypeAlias = Seat | Sight | None  # None: a stranger


class Setup(Struct, frozen=True, kw_only=True):
    """What is agreed on before a game begins; the header of a play file. What it leaves empty is as usual."""

    game: str = ""
    edition: str = ""
    board: str = ""
    setup: str = ""
    seats: tuple[Seat, ...] = ()  # in seating order, clockwise
    lots: Mapping[str, str] = {}  # lots that are already drawn, by their header word, as written
    options: Mapping[str, str] = {}

    def filled(self, usual: Setup) -> Setup:
        """With what it leaves empty."""
        return replace(
            self,
            game=self.game or usual.game,
            edition=self.edition or usual.edition,
            board=self.board or usual.board,
            setup=self.setup or usual.setup,
        )
