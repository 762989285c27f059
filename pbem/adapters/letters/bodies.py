"""The one part of a letter that a person would look at, as lines (RFC 2045-2047, 2183, 3676, 9580)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from functools import partial

from pbem.adapters.letters.flowed import unflowed
from pbem.adapters.letters.pages import page_lines
from pbem.adapters.letters.parts import content_of, kind_of, name_of, parameter, told
from pbem.adapters.letters.sealed import opened
from pbem.adapters.letters.text import LINE_BREAK, MARKS, Line, clean, decode, in_lines

_DASH_ESCAPED = re.compile(r"^- ", re.MULTILINE)
_MOST_BYTES = 5_000_000  # some programs put whole pictures into HTML
_MOST_LINES = 100_000


class TooLong(Exception):
    """More text than a person writes, or a person would look at."""


def body_lines(message: Message) -> list[Line]:
    """The lines of the first inline text, plain rather than HTML; none if there is no such text. Raises `TooLong`."""
    size = breaks = 0
    for part in _by_preference(message):
        content = content_of(part)
        size, breaks = size + len(content), breaks + content.count(b"\n") + content.count(b"\r")
        if size > _MOST_BYTES or breaks > 2 * _MOST_LINES:
            raise TooLong
        lines: list[Line] = told(partial(_lines_of, part, content), [])
        if len(lines) > _MOST_LINES:
            raise TooLong
        if any(line.text for line in lines):
            return lines
    return []


def _by_preference(message: Message) -> Iterator[Message]:
    """The readable parts, the likeliest first.

    Only among alternatives (RFC 2046 section 5.1.4) is plain text preferred: beside an HTML letter it may be
    no more than the advertisement of a virus scanner. Attachments and whole messages are never looked into.
    """
    waiting = [message]
    while waiting:
        part = waiting.pop()
        kind = kind_of(part)
        if kind.startswith("multipart/"):
            waiting.extend(reversed(_children(part, kind)))
        elif kind in ("text/plain", "text/html") and not _is_attached(part):
            yield part
        elif inner := opened(part):
            waiting.append(inner)


def _children(part: Message, kind: str) -> list[Message]:
    children = [each for each in part.get_payload() if isinstance(each, Message)] if part.is_multipart() else []
    if kind == "multipart/alternative":
        children.sort(key=lambda each: kind_of(each) != "text/plain")
    return children


def _is_attached(part: Message) -> bool:
    """RFC 2183: said to be an attachment, or a file by its name."""
    disposition = told(part.get_content_disposition, "attachment")
    return disposition == "attachment" or name_of(part) != ""


def _lines_of(part: Message, content: bytes) -> list[Line]:
    charset = told(part.get_content_charset, None)
    text = decode(content, charset)
    if kind_of(part) == "text/html":
        return page_lines(clean(text))
    return [Line(line, line.startswith(MARKS)) for line in _plain_lines(part, _unescaped(text))]


def _plain_lines(part: Message, text: str) -> list[str]:
    if parameter(part, "format") != "flowed":
        return in_lines(text)
    spaceless = parameter(part, "delsp") == "yes"
    return in_lines("\n".join(unflowed(LINE_BREAK.split(text), spaceless)))


def _unescaped(text: str) -> str:
    """In a cleartext signature (RFC 9580 section 7.2) a line that begins with a dash has one more."""
    return _DASH_ESCAPED.sub("", text) if "-----BEGIN PGP SIGNED MESSAGE-----" in text else text
