"""What waits in a position for an answer: the order that hangs, its dice, and all that has been said since."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from pbem.core.seat import Seat
from pbem.games.empire.rules.orders import Order


class Question(Struct, frozen=True, kw_only=True):
    """What is asked while an order is carried out: of the moderator by `referee`, of an owner by `ask yes`."""

    seat: Seat
    kind: str  # ruling retreat scramble raid
    about: str | None = None  # the square or unit; None where not all may know it
    facts: Mapping[str, Any] = {}
    default: Order  # the answer where nobody gives one
    concerned: tuple[Seat, ...] = ()  # whose cause it is
    is_secret: bool = False  # may only some know of it?


class Heard(Struct, frozen=True, kw_only=True):
    """What was said to it: an answer, or a standing order that was given before there was one."""

    seat: Seat
    order: Order
    is_answer: bool


class Hanging(Struct, frozen=True, kw_only=True):
    """An order that is carried out only when its questions are answered: then once more from its beginning.

    Nothing is drawn or told twice: the dice are kept, and of what happens so many events are told already.
    """

    seat: Seat
    order: Order
    late: int = 0
    options: Mapping[str, str] = {}  # under which it was given
    dice: tuple[int, ...] = ()  # results from 0, in the order in which they were drawn
    told: int = 0
    heard: tuple[Heard, ...] = ()
    question: Question

    @property
    def is_secret(self) -> bool:
        """May not all know of it? Nobody knows what stands for others."""
        return self.question.is_secret or not all(each.is_answer for each in self.heard)
