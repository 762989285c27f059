"""What became of what was written, where its time was ended by others: the note on the turn sheet tells it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct

O = TypeVar("O")


class Lapsed(Struct, frozen=True, kw_only=True):
    """A part of it that was void, or what follows of itself from the rest."""

    void: bool
    code: str  # of the refusal; or names in the game's words what follows
    facts: Mapping[str, Any] = {}  # of the refusal
    text: str = ""  # the part, in the order language


class Lapse(Struct, Generic[O], frozen=True, kw_only=True):
    """What answers where nobody has: what was written stands as far as it is legal, and nothing new is made up."""

    order: O  # always legal
    notes: Sequence[Lapsed] = ()  # what of the written was left out, and what follows of itself from the rest
    left: Sequence[O] = ()  # of the written: what is to be looked at when this one has left the question open
