"""What the standard library tells of the parts of a letter, whose headers may be too broken to ask."""

from __future__ import annotations

from collections.abc import Callable
from email.message import Message
from typing import TypeVar

T = TypeVar("T")
U = TypeVar("U")


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
