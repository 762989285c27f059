"""Words of a deputy: `as claudia:` above what they write in the place of another, and whether they would at all."""

from __future__ import annotations

import re
from collections.abc import Sequence

_AS = re.compile(r"\s*(?:as|als|für|al\s+posto\s+di|per)\s+(?P<seat>[\w-]+)\s*:\s*(?P<rest>.*)", re.IGNORECASE)


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
