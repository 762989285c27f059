"""The one part of a letter that a person would look at, as lines (RFC 2045-2047, 2183, 3676, 9580)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from functools import partial

from pbem.adapters.mime.html import page_lines
from pbem.adapters.mime.parts import content_of, kind_of, name_of, opened, parameter, told
from pbem.adapters.mime.text import LINE_BREAK, MARKS, Line, TooLong, clean, decode, in_lines, unflowed

_STRIKING = re.compile(rb"<(?:del|s|strike)\b|line-through", re.IGNORECASE)
_DASH_ESCAPED = re.compile(r"^- ", re.MULTILINE)
_MOST_BYTES = 5_000_000  # some programs put whole pictures into HTML
_MOST_LINES = 6_000  # with all that is quoted


def body_lines(message: Message) -> list[Line]:
    """The lines of the first inline text, plain rather than HTML; none if there is no such text. Raises `TooLong`.

    Plain text does not show what was struck out: where something was, the HTML beside it is read.
    """
    size = breaks = 0
    for part, beside in _by_preference(message):
        content = content_of(part)
        size, breaks = size + len(content), breaks + content.count(b"\n") + content.count(b"\r")
        if size > _MOST_BYTES or breaks > 2 * _MOST_LINES:
            raise TooLong
        lines = _lines_of(part, content)
        if len(lines) > _MOST_LINES:
            raise TooLong
        if any(line.text for line in lines):
            return _struck_lines(beside) or lines
    return []


def _struck_lines(beside: Message | None) -> list[Line]:
    """Of the HTML alternative, if the writer has struck something out in it."""
    pages = (part for part, _ in _by_preference(beside) if kind_of(part) == "text/html") if beside else iter(())
    page = next(pages, None)
    content = content_of(page) if page else b""
    if page is None or len(content) > _MOST_BYTES or not _STRIKING.search(content):
        return []
    lines: list[Line] = told(partial(_lines_of, page, content), [])
    is_struck = any(why == "struck" for line in lines for why, _ in line.unseen)
    return lines if is_struck and len(lines) <= _MOST_LINES else []


def _by_preference(message: Message) -> Iterator[tuple[Message, Message | None]]:
    """The readable parts, the likeliest first, plain text with what stands beside it as another form of it.

    Only among alternatives (RFC 2046 section 5.1.4) is plain text preferred: beside an HTML letter it may be
    no more than the advertisement of a virus scanner. Attachments and whole messages are never looked into.
    """
    waiting: list[tuple[Message, Message | None]] = [(message, None)]
    while waiting:
        part, beside = waiting.pop()
        kind = kind_of(part)
        if kind.startswith("multipart/"):
            children = _children(part, kind)
            other = children[-1] if kind == "multipart/alternative" and len(children) > 1 else None
            waiting.extend((each, None if each is other else other) for each in reversed(children))
        elif kind in ("text/plain", "text/html") and not _is_attached(part):
            yield part, beside if kind == "text/plain" else None
        elif inner := opened(part):
            waiting.append((inner, None))


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
    """None of a text that can't be read. Raises `TooLong`."""
    try:
        return _read(part, content)
    except TooLong:
        raise
    except Exception:  # noqa: BLE001 - it depends on the bytes
        return []


def _read(part: Message, content: bytes) -> list[Line]:
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
