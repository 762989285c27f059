"""Yes and no as people say them when asked, in English, German or Italian: "I'd love to!", "Ja, gerne", "no grazie".

A line counts that says yes or no, and else thanks only: anything more might take it back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.language.tokens import fold

YES = (
    *("yes", "accept", "i accept", "i do accept", "i agree", "agreed", "sure", "of course", "ok", "okay"),
    *("id love to", "i would love to", "id like to", "i would like to", "id be glad to", "id be happy to"),
    *("im in", "i am in", "count me in", "ill do it", "i will", "ill take it", "ill join", "happy to", "with pleasure"),
    *("ja", "annehmen", "ich nehme an", "ich nehme ihn an", "einverstanden", "ich bin dabei", "bin dabei"),
    *("ich mache mit", "ich mache es", "ich machs", "ich ubernehme", "ich sage zu", "gern", "gerne", "mit vergnugen"),
    *("si", "accetto", "io accetto", "volentieri", "con piacere", "daccordo", "ci sto", "va bene", "certo", "gladly"),
)
NO = (
    *("no", "decline", "i decline", "id rather not", "i would rather not", "i cant", "i cannot", "sorry i cant"),
    *("nein", "ablehnen", "ich lehne ab", "lieber nicht", "leider nicht", "ich kann nicht", "leider nein"),
    *("rifiuto", "preferisco di no", "non posso", "purtroppo no", "purtroppo non posso"),
)
THANKS = (
    *("please", "thanks", "thank you", "very", "much", "sorry", "for asking", "for the invitation", "very gladly"),
    *("bitte", "danke", "sehr", "vielen dank", "herzlich", "leider", "fur die einladung"),
    *("grazie", "mille", "molto", "per linvito", "mi dispiace", "purtroppo"),
    *("to", "join", "play", "take over", "take the seat", "the seat", "den platz", "il posto", "mit"),
)

_STRANGE = re.compile(r"[^\w\s.,!;:'’‘\"“”*()–—-]")  # no question is an answer, and no quoted line


def _ways(words: Sequence[str]) -> str:
    return "|".join(sorted((re.escape(fold(word)) for word in words), key=len, reverse=True))


_PART = re.compile(
    rf"(?:(?P<yes>{_ways(YES)})|(?P<no>{_ways(NO)})|(?P<thanks>{_ways(THANKS)})|p ?(?P<number>\d{{1,4}}))(?: |\Z)"
)


def assent(line: str) -> tuple[bool, int | None] | None:
    """Does it say yes or no, and to which petition if it names one? None when it says neither, or more."""
    left = "" if _STRANGE.search(line) else " ".join(re.sub(r"[^\w\s]|_", " ", fold(line)).split())
    said: set[bool] = set()
    number, place = None, 0
    while place < len(left):
        found = _PART.match(left, place)
        if found is None:
            return None
        if found["yes"] or found["no"]:
            said.add(bool(found["yes"]))
        number = int(found["number"]) if found["number"] else number
        place = found.end()
    return (said == {True}, number) if len(said) == 1 else None
