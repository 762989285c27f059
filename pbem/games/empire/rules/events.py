"""What happens: dice, notes for the reader, and what is then another in the position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from msgspec import Struct


class Rolled(Struct, frozen=True, kw_only=True, tag="Rolled"):
    """Dice of one purpose, with what followed."""

    purpose: str  # what is rolled, without slot and number
    faces: tuple[int, ...]
    result: str = ""
    only: tuple[str, ...] | None = None  # seats that learn of it; None: everybody


class Noted(Struct, frozen=True, kw_only=True, tag="Noted"):
    """Something that is told: `what` names its sentence."""

    what: str
    facts: Mapping[str, Any] = {}
    country: str | None = None
    only: tuple[str, ...] | None = None


class Changed(Struct, frozen=True, kw_only=True, tag="Changed"):
    """The new values of what is changed: fields of the position; of its tables by key, null for what is gone."""

    to: Mapping[str, Any]
    can_undo: bool = False
    why: str = "nothing"  # why it can't be taken back
    only: tuple[str, ...] | None = None


class Undone(Struct, frozen=True, kw_only=True, tag="Undone"):
    """The last order is taken back."""

    only: tuple[str, ...] | None = None  # who had learned of it, where not all had


class Veiled(Struct, frozen=True, kw_only=True, tag="Veiled"):
    """What these seats alone learn beside the events: the order, or lots by their places among those of the entry."""

    only: tuple[str, ...]
    order: bool = False
    draws: tuple[int, ...] = ()


Event: TypeAlias = Rolled | Noted | Changed | Undone | Veiled
