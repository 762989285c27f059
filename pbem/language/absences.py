"""What stands behind the word `away`: from when to when, and who plays meanwhile."""

from __future__ import annotations

import re

from msgspec import Struct

from pbem.language.commands import WORDS
from pbem.language.signs import fold

_DEPUTY = re.compile(r"[\s,;:]+(?:deputy|vertreter|vertreterin|vertretung|sostituto|sostituta|supplente)[\s:]+", re.I)


class Leave(Struct, frozen=True, kw_only=True):
    """An absence as it was written."""

    span: str  # "3.12. to 20.12."; "" when the word stands alone: which is on file?
    deputy: str = ""  # the name or the address of who plays meanwhile
    back: bool = False  # the absence is over, or called off


def read_leave(text: str) -> Leave:
    """What one `away` line says."""
    said = text.strip().partition(" ")[2].strip(" \t:,;!")
    if fold(said).strip(" .") in {fold(word) for word in WORDS["K_NONE"]}:
        return Leave(span="", back=True)
    span, *deputy = _DEPUTY.split(said, maxsplit=1)
    return Leave(span=span.strip(), deputy="".join(deputy).strip(" \t.,;:<>"))
