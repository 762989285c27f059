"""Colours as mail programs and people write them (CSS Color 4), as far as to tell whether text stands out."""

from __future__ import annotations

import re
from colorsys import hls_to_rgb

Colour = tuple[int, int, int] | str  # red, green and blue to 255; as it was written where we do not understand it

WHITE, BLACK = (255, 255, 255), (0, 0, 0)
_NAMED: dict[str, Colour] = {
    "white": WHITE,
    "black": BLACK,
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "whitesmoke": (245, 245, 245),
    "ghostwhite": (248, 248, 255),
    "floralwhite": (255, 250, 240),
    "red": (255, 0, 0),
    "lime": (0, 255, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "aqua": (0, 255, 255),
    "fuchsia": (255, 0, 255),
    "maroon": (128, 0, 0),
    "green": (0, 128, 0),
    "navy": (0, 0, 128),
    "olive": (128, 128, 0),
    "teal": (0, 128, 128),
    "purple": (128, 0, 128),
    "silver": (192, 192, 192),
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
}
_CALLED = re.compile(r"(rgb|hsl)a?\(([^()]*)\)")
_HEXADECIMAL = re.compile(r"#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})")
_BARE = re.compile(r"[\da-f]{6}")  # in the old attributes
_PART = re.compile(r"[^\s,/]+")
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)%?")
_AROUND = re.compile(r"[^\s()]+(?:\([^()]*\))?")
_ALIKE = 10  # of 255: a difference in each of red, green and blue that nobody sees
_CLEAR = 0.05  # of one


def read(written: str) -> Colour:
    """The colour that is written, in lower case, with others' words about a background around it or not."""
    found = (_known(each) for each in _AROUND.findall(written))
    return next((colour for colour in found if colour is not None), written)


def is_clear(written: str) -> bool:
    """Is it of no colour at all?"""
    if written == "transparent":
        return True
    found = _HEXADECIMAL.fullmatch(written)
    if found and len(found[1]) in (4, 8):
        alpha = found[1][3:] * 2 if len(found[1]) == 4 else found[1][6:]
        return int(alpha, 16) / 255 < _CLEAR
    called = _CALLED.fullmatch(written)
    parts = _PART.findall(called[2]) if called else []
    return len(parts) == 4 and _number(parts[3], 1) < _CLEAR


def alike(one: Colour | None, other: Colour | None) -> bool:
    """Would nobody see one on the other?"""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return all(abs(a - b) <= _ALIKE for a, b in zip(one, other, strict=True))
    return one is not None and one == other


def _known(written: str) -> Colour | None:
    if _BARE.fullmatch(written):
        written = f"#{written}"
    found = _HEXADECIMAL.fullmatch(written)
    if found:
        digits = found[1] if len(found[1]) > 4 else "".join(2 * digit for digit in found[1])
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
    called = _CALLED.fullmatch(written)
    parts = _PART.findall(called[2]) if called else []
    if called is None or len(parts) < 3:
        return _NAMED.get(written)
    if called[1] == "rgb":
        red, green, blue = (round(_number(part, 255)) for part in parts[:3])
        return red, green, blue
    hue, saturation, light = _number(parts[0].removesuffix("deg"), 1) / 360, _number(parts[1], 1), _number(parts[2], 1)
    red, green, blue = (round(255 * part) for part in hls_to_rgb(hue % 1, light, saturation))
    return red, green, blue


def _number(written: str, whole: float) -> float:
    """A number, or a share of the whole, of no more than the whole or 360; 1 of what is none."""
    if not _NUMBER.fullmatch(written):
        return 1.0
    number = float(written[:-1]) / 100 * whole if written.endswith("%") else float(written)
    return max(0.0, min(number, max(whole, 360.0)))
