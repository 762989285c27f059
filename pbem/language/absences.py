"""Who is away and for how long, who may write for them meanwhile, and what is written so."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.language.tokens import fold
from pbem.language.words import NONE, pattern

_DEPUTY, _AS = pattern("with_deputy"), pattern("as_seat")


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


def part_deputy(
    lines: Sequence[str], without_press: Sequence[str], seats: Sequence[str]
) -> tuple[list[str], dict[str, list[str]]]:
    """The writer's own lines, and those in the place of others by seat; lines of the other parts are empty in each.

    A part goes from its `as SEAT:` to the next one, or to the end of the letter; what is press begins none.
    """
    own: list[str] = []
    parts: dict[str, list[str]] = {}
    under = own
    for number, line in enumerate(lines):
        found = _AS.fullmatch(without_press[number])
        seat = next((seat for seat in seats if found and seat.lower() == found["seat"].lower()), None)
        if found and seat:
            under = parts.setdefault(seat, [])
            line = found["rest"]
        under += [""] * (number - len(under))
        under.append(line)
    return own, parts
