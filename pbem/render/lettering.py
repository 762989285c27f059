"""Words drawn as outlines: a renderer without fonts would silently draw none.

The outlines are those of Fira Sans Condensed (SIL Open Font License, `templates/pictures/OFL.txt`), cut by
`.workshop/cut_letters.py`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal

import msgspec

from pbem.files import resource

Hand = Literal["plain", "bold", "slanted"]
Letter = tuple[int, str]  # its width, and its outline, in thousandths of the size; y downwards
UNKNOWN = "·"
CAP = 0.69  # the height of a capital, as a share of the size


@cache
def letters(hand: Hand) -> Mapping[str, Letter]:
    return _hands()[hand]


@cache
def _hands() -> Mapping[str, Mapping[str, Letter]]:
    text = (resource("templates") / "pictures" / "letters.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, dict[str, Letter]])


def width(text: str, size: float, hand: Hand = "plain") -> float:
    """How wide a line of text is drawn."""
    return sum(letters(hand)[letter][0] for letter in _known(text, hand)) * size / 1000


def _known(text: str, hand: Hand) -> Iterator[str]:
    """Letters there are outlines of: others without their accents, or as a dot."""
    table = letters(hand)
    for letter in text:
        plain = unicodedata.normalize("NFKD", letter)[0]
        yield next(one for one in (letter, plain, UNKNOWN) if one in table)


def reaches(text: str, hand: Hand) -> Iterator[tuple[str, int]]:
    """Each letter with the way from the beginning of the line to it, in thousandths of the size."""
    way = 0
    for letter in _known(text, hand):
        yield letter, way
        way += letters(hand)[letter][0]
