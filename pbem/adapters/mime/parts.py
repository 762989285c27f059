"""What the standard library tells of the parts of a letter, whose headers may be too broken to ask."""

from __future__ import annotations

from collections.abc import Callable
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from email.policy import Compat32, Policy
from typing import TypeVar

T = TypeVar("T")
U = TypeVar("U")

_LONGEST_FIELD = 16_000  # characters
_LONGEST_OF_MIME = 2_000  # the standard library needs the square of it, and asks many times
_MOST_PARTS = 200  # the letter, its texts, pictures and files, each in all the forms in which it is there


class ManyParts(Exception):
    """More parts than any program makes of what a person writes."""


class _Short(Compat32):
    """The standard library's own way to keep a letter, save that no field is longer than any program makes it."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[: _LONGEST_OF_MIME if name.lower().startswith("content-") else _LONGEST_FIELD]


_POLICY = _Short()


def parsed(raw: bytes) -> Message:
    """The message with its parts. Raises `ManyParts`, RecursionError and whatever the standard parser may choke on."""
    left = iter(range(_MOST_PARTS))

    def part(policy: Policy = _POLICY) -> Message:
        if next(left, None) is None:
            raise ManyParts
        return Message(policy=policy)

    return BytesParser(part, policy=_POLICY).parsebytes(raw)


def headers_alone(raw: bytes) -> Message:
    """The message without its parts."""
    return BytesHeaderParser(policy=_POLICY).parsebytes(raw)


def told(ask: Callable[[], T], otherwise: U) -> T | U:
    """What is told, unless the library chokes on it."""
    try:
        return ask()
    except Exception:  # noqa: BLE001 - IndexError, AttributeError, ValueError, ... it depends on the bytes
        return otherwise


def kind_of(part: Message) -> str:
    """The media type, in lower case."""
    return told(part.get_content_type, "text/plain")


def name_of(part: Message) -> str:
    """The file name in lower case; "" when there is none."""
    return str(told(part.get_filename, None) or "").lower()


def parameter(part: Message, name: str) -> str:
    """A parameter of Content-Type, in lower case."""
    return str(told(lambda: part.get_param(name), None)).lower()


def content_of(part: Message) -> bytes:
    """The content without its transfer encoding; nothing of a multipart."""
    content = told(lambda: part.get_payload(decode=True), None)
    return content if isinstance(content, bytes) else b""
