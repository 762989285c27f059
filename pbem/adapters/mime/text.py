"""Characters: bytes to text, text without what no writer typed on purpose, and lines as they were before the way."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class TooLong(Exception):
    """More text than a person writes, or a person would look at."""


class Line(NamedTuple):
    """A line of a body, stripped, with what its format says about it."""

    text: str
    quoted: bool = False  # marked as somebody else's words
    attributed: bool = False  # marked by the mail program as the heading of a quote
    unseen: tuple[tuple[str, str], ...] = ()  # what stands in it struck out or hidden: the reason and the words


MARKS = (">", "|", "&gt")  # what a quoted line begins with

# A line break in a mail body; the vertical ones and Unicode's own come out of word processors.
LINE_BREAK = re.compile("\r\n|[\r\n\v\f\x85\u2028\u2029]")

# Latin-1 in mail is in truth windows-1252 (so the WHATWG Encoding Standard too).
_IN_TRUTH = {"iso-8859-1": "windows-1252", "latin-1": "windows-1252", "latin1": "windows-1252"}
# Codecs of Python that are no charset of mail.
_NO_CHARSET = {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"}

_ODD_KINDS = {"Zs": " ", "Cc": None, "Cf": None, "Cs": None}  # spaces; control, invisible and half characters
_ODD: dict[int, str | None] = {
    code: _ODD_KINDS[kind]
    for code in range(0x10000)
    if (kind := unicodedata.category(chr(code))) in _ODD_KINDS and chr(code) not in "\t\n\v\f\r\x85"
}
_ODD |= {0xFFFC: None, 0xFE0E: None, 0xFE0F: None}  # where a phone put a picture, or made one of an arrow


def decode(content: bytes, charset: str | None) -> str:
    """Text in its declared charset, else in UTF-8, else in windows-1252, in which nearly nothing is wrong."""
    for attempt in (charset, "utf-8"):
        text = _decoded(content, attempt)
        if text is not None:
            return text
    return content.decode("windows-1252", "replace")


def _decoded(content: bytes, charset: str | None) -> str | None:
    name = (charset or "").strip().lower().replace("_", "-")
    if not name or name in _NO_CHARSET:
        return None
    try:
        return content.decode(_IN_TRUTH.get(name, name))
    except (LookupError, ValueError):
        return None


def clean(text: str) -> str:
    """Every space a plain one, and no invisible, control or half characters."""
    return text if text.isascii() and text.isprintable() else text.translate(_ODD)


def in_lines(text: str) -> list[str]:
    """Clean lines, stripped; blank ones are kept, for they end a paragraph."""
    return [line.strip() for line in LINE_BREAK.split(clean(text))]


# -- wrapped for the way (RFC 3676, format=flowed) ---

_SIGNATURE = "-- "


def unflowed(lines: Iterable[str], spaceless: bool) -> Iterator[str]:
    """Paragraphs as they were before they were wrapped; `spaceless` is DelSp=yes (section 4.5).

    A flowed line before an empty one, which section 4.2 would join, ends there.
    """
    held: list[str] = []
    held_depth = 0
    for line in lines:
        depth, text = _unstuffed(line)
        if held and (depth != held_depth or not text.strip() or text == _SIGNATURE):
            yield _marked(held_depth, held)
            held = []
        flowed = text.endswith(" ") and text != _SIGNATURE
        held.append(text[:-1] if flowed and spaceless else text)
        held_depth = depth
        if not flowed:
            yield _marked(depth, held)
            held = []
    if held:
        yield _marked(held_depth, held)


def _unstuffed(line: str) -> tuple[int, str]:
    """The quote depth (section 4.5), and the text without the space put before it (section 4.4)."""
    text = line.lstrip(">")
    return len(line) - len(text), text.removeprefix(" ")


def _marked(depth: int, held: list[str]) -> str:
    text = "".join(held)
    return f"{'>' * depth} {text}" if depth else text
