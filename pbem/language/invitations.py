"""Yes and no in answer to an invitation, in English, German or Italian."""

from __future__ import annotations

import re
from typing import Literal

from pbem.language.assent import assent

YES = ("join", "yes", "accept", "ja", "si")
NO = ("decline", "no", "nein")
COURTESY = {"please", "thanks", "gladly", "bitte", "danke", "gern", "gerne", "grazie", "volentieri"}


def invitation_answer(line: str) -> Literal["yes", "no"] | None:
    """Whether a line says yes or no; with thanks it does, anything else behind it might take it back."""
    said = assent(line)
    if said is not None:
        return "yes" if said[0] else "no"
    word = _word(line)
    if word in YES:
        return "yes"
    return "no" if word in NO else None


def _word(line: str) -> str:
    written = line.strip(" .!,;:").casefold().replace("ì", "i")
    word, *more = re.split(r"[\s,.!;:]+", written)
    return word if {*more} <= COURTESY else written
