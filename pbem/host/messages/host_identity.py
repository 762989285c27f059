"""Who we are to those who read our letters."""

from __future__ import annotations

from msgspec import Struct


class HostIdentity(Struct, frozen=True, kw_only=True):
    """What all our letters bear."""

    domain: str  # right of the @ of our Message-IDs
    operator: str  # who gets the alarms
