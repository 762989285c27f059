"""What stands behind the word `away`: from when to when, or that it is over."""

from __future__ import annotations

from msgspec import Struct

from pbem.language.commands import WORDS
from pbem.language.signs import fold


class Leave(Struct, frozen=True, kw_only=True):
    """An absence as it was written."""

    span: str  # "3.12. to 20.12."; "" when the word stands alone: which is on file?
    back: bool = False  # the absence is over, or called off


def read_leave(text: str) -> Leave:
    """What one `away` line says."""
    said = text.strip().partition(" ")[2].strip(" \t:,;!")
    if fold(said).strip(" .") in {fold(word) for word in WORDS["K_NONE"]}:
        return Leave(span="", back=True)
    return Leave(span=said)
