"""Whom a letter is from and to (RFC 5322 section 3.4), read so that nobody can pass for somebody else.

The standard library decodes encoded words (RFC 2047) before it looks for addresses, so that `<=?utf-8?q?anton?=@...>`
and `=?...?= <mallory@...>` can come out as somebody else's address; here an address is what stands in the letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.headerregistry import AddressHeader
from email.message import Message
from email.policy import default
from functools import lru_cache

from pbem.adapters.mime import headers
from pbem.adapters.mime.text import clean

# No name is longer; without a limit marks that are never closed would cost the square of their number.
_QUOTED = r'"(?:[^"\\]|\\.){0,500}"'
_PLAIN = re.compile(rf'(?:[^"\\()]+|\\.|{_QUOTED}|.)', re.DOTALL)
_IN_COMMENT = re.compile(r"(?:[^\\()]+|\\.|.)", re.DOTALL)
_QUOTED_NAME = re.compile(rf"{_QUOTED}(?!\s*@)")
_ONE = re.compile(rf'(?:{_QUOTED}|<[^<>]*>|[^"<>,;:])+')  # between the commas, colons and semicolons
_BRACKETED = re.compile(rf"{_QUOTED}|<([^<>]*)>")
_ROUTE = re.compile(r" ?(?:@[^:]*|mailto):", re.IGNORECASE)  # obs-route, RFC 5322 section 4.4
_ADDRESS = re.compile(r'(?:"[^"]+"|[^\s<>()",;:@]+)@[^\s<>()",;:@]+')
_AROUND = re.compile(r" ?([@.]) ?")
_NEEDLESS_QUOTES = re.compile(r'"([\w!#$%&\'*+/=?^`{|}~.-]+)"(?=@)', re.ASCII)
_ENOUGH = 4_000  # characters of From
_ENOUGH_TO = 16_000
_MOST_FIELDS = 50
_LONGEST = 254  # characters of an address (RFC 5321 section 4.5.3.1.3)
_WRITABLE = re.compile(r"""(?!.*=\?)(?:[\w!#$%&'*+/=?^`{|}~.-]+|"[ -~]+")@[\w.-]+""", re.ASCII)

# Beside To and Cc the fields in which servers write for whom the letter came (some of RFC 9228, some of habit).
_TO = ("to", "cc", "delivered-to", "x-original-to", "x-delivered-to", "envelope-to", "x-envelope-to", "apparently-to")


def sender(message: Message) -> tuple[str, str]:
    """The first address of From (RFC 5322 section 3.6.2), its domain in lower case, and the name with it."""
    field = headers.as_written(message, "from")
    raw = field[0][:_ENOUGH] if field else ""
    first = next(iter(authors(message)), "")
    return first, _name(raw, first)


def authors(message: Message) -> tuple[str, ...]:
    """Every address in the From fields; it should be one."""
    return addresses(message, "from")


def recipients(message: Message) -> tuple[str, ...]:
    """Every address that the letter says it was sent or delivered to, the writer's first; local parts as written."""
    return _all_of(message, _TO, _ENOUGH_TO)


def sent_to(message: Message) -> tuple[str, ...]:
    """Every address that its writer sent the letter to, with copies."""
    return _all_of(message, ("to", "cc"), _ENOUGH_TO)


def addresses(message: Message, name: str) -> tuple[str, ...]:
    """Every address in the fields of that name."""
    return _all_of(message, (name,), _ENOUGH)


def is_writable(address: str) -> bool:
    """Whether letters of ours can go there, and nowhere else.

    Not where SMTPUTF8 (RFC 6531) is needed, nor where another program would read an encoded word.
    """
    return len(address) <= _LONGEST and _WRITABLE.fullmatch(address) is not None


def _all_of(message: Message, names: tuple[str, ...], enough: int) -> tuple[str, ...]:
    """Of all these fields together no more than `enough` characters are looked at."""
    fields: list[str] = []
    for field in (each for name in names for each in headers.as_written(message, name)[:_MOST_FIELDS]):
        fields.append(field[:enough])
        enough -= len(fields[-1])
    return tuple(dict.fromkeys(address for field in fields for address in _addresses(field)))


@lru_cache(_MOST_FIELDS)  # a letter's are asked for several times
def _addresses(field: str) -> tuple[str, ...]:
    return tuple(_found(field))


def _found(field: str) -> Iterator[str]:
    """The addresses of one field in order; what stands in angle brackets goes before what stands before them.

    "Ann @ work <ann@example.org>" is not RFC 5322, and is written all the same.
    """
    bare = " ".join(_QUOTED_NAME.sub(" ", _without_comments(field)).split())
    for one in _ONE.findall(bare):
        for spec in list(filter(None, _BRACKETED.findall(one))) or [one]:
            address = _AROUND.sub(r"\1", _ROUTE.sub("", spec, count=1)).strip()
            if _ADDRESS.fullmatch(address):
                yield _normal(address)


def _normal(address: str) -> str:
    """The domain in lower case, unless it is not ASCII: the Kelvin sign would become a k."""
    local, _, domain = _NEEDLESS_QUOTES.sub(r"\1", address).rpartition("@")
    return f"{local}@{domain.lower() if domain.isascii() else domain}"


def _without_comments(field: str) -> str:
    """A blank in the place of each comment; they nest, and a quotation mark in one means nothing.

    A comment that never ends is none: somebody writes ":-(" into their name.
    """
    kept: list[str] = []
    at = depth = 0
    while found := (_IN_COMMENT if depth else _PLAIN).match(field, at):
        at, piece = found.end(), found[0]
        if piece == "(" or (piece == ")" and depth):
            depth += 1 if piece == "(" else -1
            kept.append(" ")
        elif not depth:
            kept.append(piece)
    return field if depth else "".join(kept)


def _name(raw: str, address: str) -> str:
    """The display name with its encoded words read; of an ill-formed field, what stands before the bracket."""
    name, spec = _by_the_book(raw)
    if spec == address or not address:
        return name
    before, bracket, _ = raw.partition("<")
    return headers.one_line(before).strip(' "') if bracket else ""


@lru_cache(_MOST_FIELDS)
def _by_the_book(raw: str) -> tuple[str, str]:
    try:
        field = default.header_factory("from", raw)
        assert isinstance(field, AddressHeader)
        first = field.addresses[0]
        return headers.one_line(first.display_name), _normal(clean(first.addr_spec))
    except Exception:  # noqa: BLE001 - no address at all, or one the standard parser chokes on
        return "", ""
