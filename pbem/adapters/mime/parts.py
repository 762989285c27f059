"""The parts of a letter, whose headers may be too broken to ask; signed ones that can be opened, and sealed ones.

S/MIME (RFC 8551), OpenPGP (RFC 3156, RFC 9580) and the winmail.dat of Outlook ([MS-OXTNEF]).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from email.policy import Compat32, Policy
from itertools import islice
from typing import TypeVar

from asn1crypto.cms import ContentInfo

from pbem.host.ports import Unreadable

T = TypeVar("T")
U = TypeVar("U")

_LONGEST_FIELD = 16_000  # characters
_LONGEST_OF_MIME = 2_000  # the standard library needs the square of it, and asks many times
_SMIME = ("application/pkcs7-mime", "application/x-pkcs7-mime")
_OPENPGP = ("multipart/encrypted", "application/pgp-encrypted")
_ARMOUR = "-----BEGIN PGP MESSAGE-----"
_MOST_SEARCHED = 50  # parts
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


# -- in a wrapping ---


def opened(part: Message) -> Message | None:
    """The letter inside a signature that wraps it (RFC 8551 section 3.5.2); None if there is none to be had."""
    if not _is_smime(part):
        return None
    try:
        content = ContentInfo.load(part.get_payload(decode=True))["content"]
        inner = content["encap_content_info"]["content"].native
        return parsed(inner)
    except Exception:  # noqa: BLE001 - encrypted, or no such thing at all: the library fails in many ways
        return None


def armoured(lines: Iterable[str]) -> Unreadable | None:
    """Whether the writer's own lines are encrypted."""
    return "encrypted" if _ARMOUR in lines else None


def why_unreadable(message: Message) -> Unreadable | None:
    """Why a letter without text has none."""
    for part in islice(message.walk(), _MOST_SEARCHED):
        if kind_of(part) in _OPENPGP or _is_smime(part):
            return "encrypted"
        if kind_of(part) == "application/ms-tnef" or name_of(part) == "winmail.dat":
            return "winmail"
    return None


def _is_smime(part: Message) -> bool:
    """Exchange says application/octet-stream."""
    return kind_of(part) in _SMIME or name_of(part) == "smime.p7m"
