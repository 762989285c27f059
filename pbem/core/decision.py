"""What a seat is awaited for."""

from __future__ import annotations

from typing import Generic, TypeVar

from msgspec import Struct

from pbem.core.seat import Seat

O = TypeVar("O")

TURN = "turn"  # the kind of the question that is a whole turn, in every game
MODERATOR = Seat("moderator")  # whom a game asks where the rules leave something to whoever presides; no player's name


class Decision(Struct, frozen=True, kw_only=True, gc=False):
    """One answer that is awaited from one seat; as much as one letter can say."""

    seat: Seat
    kind: str  # in the game's words, such as "turn"
    about: str | None = None  # the id of what it is about
    serial: int  # rises with every question the game asks: the same question asked again is another one

    @property
    def is_turn(self) -> bool:
        """Is it the seat's turn? Smaller questions are asked while a turn is under way."""
        return self.kind == TURN


class Answer(Struct, Generic[O], frozen=True, kw_only=True, gc=False):
    """An order and the decision it answers; an offer such as a gift answers none."""

    seat: Seat
    order: O
    decision: Decision | None = None
    late: int = 0  # whole slots; of one that closes its question
