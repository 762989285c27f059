"""What all acts of a season are."""

from __future__ import annotations

from msgspec import Struct


class BaseAct(Struct, frozen=True, kw_only=True):
    pass
