"""What is written about a seat that somebody else is to take: who asks for that, and who would sit there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from pbem.language.assent import assent
from pbem.language.tokens import ends_letter

_ASKED = re.compile(
    r"(?P<seat>[^\s:,;]+)(?:\s+(?:by|with|durch|con)\s+<?(?P<address>[^\s:,;<>]+@[^\s:,;<>]+)>?)?[\s:,;.–—-]*(?P<why>.*)",
    re.IGNORECASE,
)


class Substitution(Struct, frozen=True, kw_only=True):
    """What a petition asks for: "claudia by dora@example.org: she is silent"."""

    seat: str  # as written
    address: str  # of who is to have it, in lower case; "" when nobody is named
    why: str


class Consent(Struct, frozen=True, kw_only=True):
    """Would somebody take a seat?"""

    yes: bool
    number: int | None  # of the petition; None: the one that they were asked about


def read_substitution(said: str) -> Substitution:
    """What stands behind the kind of the petition."""
    found = _ASKED.fullmatch(" ".join(said.split()))
    if found is None:
        return Substitution(seat="", address="", why=said)
    return Substitution(seat=found["seat"], address=(found["address"] or "").lower(), why=found["why"].strip())


def read_consent(lines: Sequence[str]) -> Consent | None:
    """The first line that says yes or no; None when there is none."""
    for line in lines:
        if ends_letter(line):
            return None
        said = assent(line)
        if said is not None:
            yes, number = said
            return Consent(yes=yes, number=number)
    return None
