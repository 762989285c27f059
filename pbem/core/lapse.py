"""What became of what was written, where its time was ended by others: the note on the turn sheet tells it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Lapsed(Struct, frozen=True, kw_only=True):
    """A part of it that was void, or what follows of itself from the rest."""

    void: bool
    code: str  # of the refusal; or names in the game's words what follows
    facts: Mapping[str, Any] = {}  # of the refusal
    text: str = ""  # the part, in the order language
