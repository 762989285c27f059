"""What one seat does for another in a game, as whoever leads a league may want to know."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pbem.core.seat import Seat


class Favour(NamedTuple):
    kind: Literal["gift", "purchase"]  # given for nothing, or bought of what the other has the good of
    by: Seat
    to: Seat
    worth: int  # in the game's own money
