"""What is written about a seat that somebody else is to take: who asks for that, and who would sit there."""

from __future__ import annotations

import re

from msgspec import Struct

_ASKED = re.compile(
    r"(?P<seat>[^\s:,;]+)(?:\s+(?:by|with|durch|con)\s+<?(?P<address>[^\s:,;<>]+@[^\s:,;<>]+)>?)?[\s:,;.–—-]*(?P<why>.*)",
    re.IGNORECASE,
)


class Substitution(Struct, frozen=True, kw_only=True):
    """What a petition asks for: "claudia by dora@example.org: she is silent"."""

    seat: str  # as written
    address: str  # of who is to have it, in lower case; "" when nobody is named
    why: str


def read_substitution(said: str) -> Substitution:
    """What stands behind the kind of the petition."""
    found = _ASKED.fullmatch(" ".join(said.split()))
    if found is None:
        return Substitution(seat="", address="", why=said)
    return Substitution(seat=found["seat"], address=(found["address"] or "").lower(), why=found["why"].strip())
