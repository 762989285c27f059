"""Colours as mail programs and people write them (CSS Color 4), as far as to tell whether text stands out."""

from __future__ import annotations

import re
from colorsys import hls_to_rgb

from PIL import ImageColor

Colour = tuple[int, int, int] | str  # red, green and blue to 255; as it was written where we do not understand it

WHITE, BLACK = (255, 255, 255), (0, 0, 0)
_CALLED = re.compile(r"(rgb|hsl)a?\(([^()]*)\)")
_BARE = re.compile(r"[\da-f]{6}")  # in the old attributes
_SIMPLE = re.compile(r"#[\da-f]+|[a-z]+")
_PART = re.compile(r"[^\s,/]+")
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)%?")
_AROUND = re.compile(r"[^\s()]+(?:\([^()]*\))?")
_ALIKE = 10  # of 255: a difference in each of red, green and blue that nobody sees
_CLEAR = 0.05  # of one


def read(written: str) -> Colour:
    """The colour that is written, in lower case, with others' words about a background around it or not."""
    found = (_known(each) for each in _AROUND.findall(written))
    return next((colour for colour, _ in filter(None, found)), written)


def is_clear(written: str) -> bool:
    """Is it of no colour at all?"""
    known = _known(written)
    return written == "transparent" or (known is not None and known[1] < _CLEAR)


def alike(one: Colour | None, other: Colour | None) -> bool:
    """Would nobody see one on the other?"""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return all(abs(a - b) <= _ALIKE for a, b in zip(one, other, strict=True))
    return one is not None and one == other


def _known(written: str) -> tuple[Colour, float] | None:
    """The colour, and how much of one it covers what is behind it."""
    called = _CALLED.fullmatch(written)
    parts = _PART.findall(called[2]) if called else []
    if called is None or len(parts) < 3:
        return _simple(f"#{written}" if _BARE.fullmatch(written) else written)
    if called[1] == "rgb":
        red, green, blue = (_number(part, 255) for part in parts[:3])
    else:
        hue, saturation, light = (_number(part, 1) for part in (parts[0].removesuffix("deg"), *parts[1:3]))
        red, green, blue = (255 * part for part in hls_to_rgb(hue / 360 % 1, light, saturation))
    return (round(red), round(green), round(blue)), _number(parts[3], 1) if len(parts) == 4 else 1.0


def _simple(written: str) -> tuple[Colour, float] | None:
    """A name, or three, four, six or eight digits."""
    if not _SIMPLE.fullmatch(written):
        return None
    try:
        red, green, blue, *alpha = ImageColor.getrgb(written)
    except ValueError:
        return None
    return (red, green, blue), alpha[0] / 255 if alpha else 1.0


def _number(written: str, whole: float) -> float:
    """A number, or a share of the whole, of no more than the whole or 360; 1 of what is none."""
    if not _NUMBER.fullmatch(written):
        return 1.0
    number = float(written[:-1]) / 100 * whole if written.endswith("%") else float(written)
    return max(0.0, min(number, max(whole, 360.0)))
