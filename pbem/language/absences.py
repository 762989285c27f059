"""What stands behind the word `away`: from when to when and who may write meanwhile, or that it is over."""

from __future__ import annotations

import re

from msgspec import Struct

from pbem.language.tokens import fold
from pbem.language.words import HEADS, NONE, either

_DEPUTY = re.compile(
    rf"(?:^|[ ,;]){either(HEADS['deputy'])}\b ?:? ?<?(?P<who>[^\s<>,;]*)>?[ .!]*$",
    re.IGNORECASE,
)


class Leave(Struct, frozen=True, kw_only=True):
    """An absence as it was written."""

    span: str  # "3.12. to 20.12."; "" when the word stands alone: which is on file?
    back: bool = False  # the absence is over, or called off
    deputy: str | None = None  # who may write meanwhile, as written: a seat or an address; None: nobody is named


def read_leave(text: str) -> Leave:
    """What one `away` line says."""
    said = " ".join(text.split()).partition(" ")[2].strip(" :,;!")
    if fold(said).strip(" .") in {fold(word) for word in NONE}:
        return Leave(span="", back=True)
    named = _DEPUTY.search(said)
    if named is None:
        return Leave(span=said)
    return Leave(span=said[: named.start()].strip(" :,;"), deputy=named["who"].rstrip("."))
