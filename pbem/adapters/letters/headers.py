"""Header fields of letters that need not be well-formed (RFC 5322, RFC 2047)."""

from __future__ import annotations

import re
from email.headerregistry import AddressHeader
from email.message import Message
from email.policy import default
from hashlib import sha256

from pbem.adapters.letters.text import clean, decode

_ADDRESS = re.compile(r'(?:"[^"]+"|(?<![^\s<>()",;:@])[^\s<>()",;:@]+)@[^\s<>()",;:@]+')
_IN_BRACKETS = re.compile(rf"<\s*({_ADDRESS.pattern})\s*>")
_MESSAGE_ID = re.compile(r"<[^<>]+>")
_QUOTED_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"(?!@)|\([^()]*\)')
_BLANKS = re.compile(r"\s+")
_ENOUGH = 4000  # characters of a field; the standard parser needs the square of their number


def values(message: Message, name: str) -> list[str]:
    """All fields of that name as they stand in the letter, unfolded, topmost first."""
    return [_unfolded(str(value)) for field, value in message.raw_items() if field.lower() == name]


def value(message: Message, name: str) -> str:
    """The topmost field of that name; "" when there is none."""
    return next(iter(values(message, name)), "")


def names(message: Message) -> set[str]:
    return {field.lower() for field, _ in message.raw_items()}


def addresses(message: Message, name: str) -> set[str]:
    """Every address in fields of that name, in lower case."""
    return {found[0].lower() for field in values(message, name) for found in _ADDRESS.finditer(field)}


def decoded(message: Message, name: str) -> str:
    """An unstructured field with its encoded words (RFC 2047) read, on one line."""
    raw = value(message, name)[:_ENOUGH]
    try:
        return _one_line(str(default.header_factory("subject", raw)))
    except Exception:  # noqa: BLE001 - the standard parser fails in many ways on broken encoded words
        return raw


def sender(message: Message) -> tuple[str, str]:
    """The first address of From (RFC 5322 section 3.6.2), its domain in lower case, and the name with it."""
    raw = value(message, "from")[:_ENOUGH]
    name, spec = _first_mailbox(raw)
    # "Ann @ work <ann@example.org>" is not RFC 5322, and is written all the same: the brackets decide
    bracketed = _IN_BRACKETS.search(_QUOTED_OR_COMMENT.sub(" ", raw))
    if bracketed and bracketed[1] != spec:
        name, spec = _one_line(raw[: raw.find(bracketed[0])]).strip(' "'), bracketed[1]
    if not _ADDRESS.fullmatch(spec):
        return "", name
    local, _, domain = spec.rpartition("@")
    return f"{local}@{domain.lower()}", name


def identity(message: Message, raw: bytes) -> str:
    """The Message-ID, else a digest of the whole letter: the same letter twice has one identity."""
    return value(message, "message-id") or "sha256:" + sha256(raw).hexdigest()


def references(message: Message) -> tuple[str, ...]:
    """The letters this one answers (RFC 5322 section 3.6.4), oldest first."""
    fields = values(message, "references") + values(message, "in-reply-to")
    found = (_BLANKS.sub("", each) for field in fields for each in _MESSAGE_ID.findall(field))
    return tuple(dict.fromkeys(found))


def _first_mailbox(raw: str) -> tuple[str, str]:
    try:
        field = default.header_factory("from", raw)
        assert isinstance(field, AddressHeader)
        first = field.addresses[0]
        return _one_line(first.display_name), clean(first.addr_spec)
    except Exception:  # noqa: BLE001 - no address at all, or one the standard parser chokes on
        found = _ADDRESS.search(raw)
        return "", found[0] if found else ""


def _unfolded(field: str) -> str:
    """Raw bytes in headers, which the parser keeps as surrogates, are read as if RFC 6532 allowed them."""
    return _one_line(decode(field.encode("utf-8", "surrogateescape"), None))


def _one_line(text: str) -> str:
    return clean(_BLANKS.sub(" ", text)).strip()
