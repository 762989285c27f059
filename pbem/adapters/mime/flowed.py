"""Text that was wrapped for the way (RFC 3676, format=flowed)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
