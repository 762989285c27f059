"""Text that was wrapped for the way (RFC 3676, format=flowed)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_SIGNATURE = "-- "


def unflowed(lines: Iterable[str], spaceless: bool) -> Iterator[str]:
    """Paragraphs as they were before they were wrapped; `spaceless` is DelSp=yes (section 4.5).

    A flowed line before an empty one, which section 4.2 would join, ends there.
    """
    held, held_depth = "", 0
    for line in lines:
        depth, text = _unstuffed(line)
        if held and (depth != held_depth or not text.strip() or text == _SIGNATURE):
            yield _marked(held_depth, held)
            held = ""
        held, held_depth = held + text, depth
        if text.endswith(" ") and text != _SIGNATURE:
            held = held[:-1] if spaceless else held
        else:
            yield _marked(depth, held)
            held = ""
    if held:
        yield _marked(held_depth, held)


def _unstuffed(line: str) -> tuple[int, str]:
    """The quote depth (section 4.5), and the text without the space put before it (section 4.4)."""
    text = line.lstrip(">")
    return len(line) - len(text), text.removeprefix(" ")


def _marked(depth: int, text: str) -> str:
    return f"{'>' * depth} {text}" if depth else text
