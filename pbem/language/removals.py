"""What is written about a moderator whom the players would not have any more: "moderator zoe: she never answers"."""

from __future__ import annotations

import re

from msgspec import Struct

# English, German, Italian
_ASKED = re.compile(
    r"(?:(?:the|den|die|il|la)\s+)?(?:moderators?|moderatorin|moderation|moderatore|moderatrice)\b"
    r"(?P<who>[^:]*)(?::\s*(?P<why>.*))?",
    re.IGNORECASE,
)


class Removal(Struct, frozen=True, kw_only=True):
    who: str  # as written; "" when nobody is named
    why: str


def read_removal(said: str) -> Removal | None:
    """What stands behind the kind of the petition; None when it is about no moderator."""
    found = _ASKED.fullmatch(" ".join(said.split()))
    return None if found is None else Removal(who=found["who"].strip(" ,;"), why=(found["why"] or "").strip())
