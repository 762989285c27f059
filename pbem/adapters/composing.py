"""Composing the mail that goes out: RFC 5322, 2045, 2369, 2387, 2919 and 3834."""

from __future__ import annotations

import re
from binascii import b2a_base64
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email.errors import MessageError
from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.quoprimime import body_encode
from functools import lru_cache
from hashlib import sha256
from itertools import count
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from pbem.host.ports import Attachment, Mail

LOOP_HEADER = "X-PBEM-Loop"
UNSUBSCRIBE = "reports mine"  # what we understand to mean so

_UNFOLDED = frozenset(
    {"message-id", "in-reply-to", "references", "content-id", "list-id", "list-help", "list-unsubscribe"}
)
# Printable ASCII in angle brackets, with no bracket or blank inside; a line has at most 998 octets (RFC 5322, 2.1.1).
_ID = re.compile(r"<[!-;=?-~]{1,900}>")
_BRACKETS = re.compile(r"\[[^\[\]\s]+\]")
_MEDIA = re.compile(r"[\w!#$&^.+-]+/[\w!#$&^.+-]+", re.ASCII)  # RFC 6838 section 4.2
# An address that needs no parsing to be known as one, and fits into a line with the name of its field.
_PLAIN_ADDRESS = re.compile(r"[\w+-]+(?:\.[\w+-]+)*@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_SHORT = 60  # characters of a value that fits into a line
_LONGEST_ADDRESS = 254  # RFC 5321 section 4.5.3.1.3, without the angle brackets


class FromAddress(Struct, frozen=True, kw_only=True):
    """Who our mail comes from, and where answers go."""

    address: str
    name: str = ""


class _Policy(EmailPolicy):
    """The standard library's SMTP policy, save for two things that it does badly.

    Message ids and list addresses are never folded inside: it would turn an id longer than a line (Outlook's are) into
    encoded words, and no mail program could thread the answer. And of a subject it loses the blank between two encoded
    words, which readers skip (RFC 2047 section 6.2).
    """

    def fold(self, name: str, value: Any) -> str:
        if name.lower() == "subject":
            return f"{name}: {_encoded(name, str(value), self.linesep)}{self.linesep}"
        if name.lower() not in _UNFOLDED:
            return str(super().fold(name, value))
        return f"{name}: " + f"{self.linesep} ".join(str(value).split()) + self.linesep

    def fold_binary(self, name: str, value: Any) -> bytes:
        if name.lower() != "subject" and name.lower() not in _UNFOLDED:
            return super().fold_binary(name, value)
        return self.fold(name, value).encode("ascii")


def _encoded(name: str, text: str, linesep: str) -> str:
    """Plain words as they are, and all from the first to the last that is not plain as one text in encoded words."""
    words = text.split(" ")
    odd = [at for at, word in enumerate(words) if not word.isascii() or "=?" in word]
    first, last = (odd[0], odd[-1] + 1) if odd else (len(words), len(words))
    header = Header(maxlinelen=_LINE, header_name=name, continuation_ws=" ")
    for part, charset in ((words[:first], "us-ascii"), (words[first:last], "utf-8"), (words[last:], "us-ascii")):
        if part:
            header.append(" ".join(part), charset)
    return header.encode(linesep=linesep, splitchars=" ")


_EOL = "\r\n"
_LINE = 76  # quoted-printable lines may be no longer (RFC 2045 section 6.7); the default is 78
_ASKED = 500  # fields that are remembered
_PICTURES = 8  # that are remembered in base64
_VERSION = f"MIME-Version: 1.0{_EOL}".encode()
_NO_ID = "<->"  # in the place of a Content-ID
_POLICY = _Policy(linesep=_EOL, max_line_length=_LINE)


def compose(mail: Mail, sender: FromAddress, at: int) -> bytes:
    """The message for a mail, dated `at` (seconds UTC): the same three give the same bytes.

    The text is the first part and the HTML, if any, an alternative to it, both UTF-8 in quoted-printable; with
    the HTML go the pictures it shows, and after both what is attached for keeping.
    The headers tell other programs not to answer (RFC 3834 section 5) and mark the mail as ours.
    Raises ValueError when an address, an id or a media type can't stand in a header.
    """
    answers_to = mail.reply_to or sender.address
    fields = [
        _field("Date", datetime.fromtimestamp(at, UTC)),
        _field("Message-ID", _the_id(mail.message_id)),
        _address_field("From", sender.address, sender.name),
        _address_field("Reply-To", answers_to),
        _address_field("To", mail.to),
        _field("Subject", one_line(mail.subject)),
        *_thread(mail),
        _field("Auto-Submitted", "auto-replied" if mail.answers else "auto-generated"),
        _field("X-Auto-Response-Suppress", "All"),
        _field(LOOP_HEADER, sender.address),
        *([] if mail.game is None else _list(mail, mail.game, sender.address.rpartition("@")[2], answers_to)),
    ]
    return b"".join((*fields, *_content(mail)))


def _list(mail: Mail, game: str, domain: str, address: str) -> list[bytes]:
    """The letters of a game are a list of their own, to be sorted by and to be left (RFC 2369, RFC 2919).

    Who leaves it plays on: from then on only what they are asked is mailed to them. What proves an answer to be
    theirs stands in the address, or in the brackets of the subject.
    """
    named = _BRACKETS.match(mail.subject)
    tag = named[0] if named else f"[{game}]"
    return [
        _field("List-Id", f"<{game}.{domain}>"),
        _field("List-Help", _letter_to(address, f"{tag} help", "help")),
        _field("List-Unsubscribe", _letter_to(address, f"{tag} reports", UNSUBSCRIBE)),
        _field("List-Post", "NO"),
    ]


def _letter_to(address: str, subject: str, body: str) -> str:
    """A mailto URI (RFC 6068) in the angle brackets that RFC 2369 wants."""
    return f"<mailto:{quote(address, safe='@')}?subject={quote(subject)}&body={quote(body)}>"


def _thread(mail: Mail) -> list[bytes]:
    answered = _ID.findall(mail.in_reply_to or "")
    references = _ID.findall(" ".join(mail.references)) or answered
    fields = {"In-Reply-To": answered[:1], "References": references}
    return [_field(name, " ".join(ids)) for name, ids in fields.items() if ids]


# -- fields ---


def _field(name: str, value: Any) -> bytes:
    """One field, folded. Most are plain and need not be parsed, and others stand in all letters to one reader."""
    if name.lower() in _UNFOLDED:
        return f"{name}: {(_EOL + ' ').join(value.split())}{_EOL}".encode("ascii")
    if name == "Subject" and len(value) <= _SHORT and value.isascii() and "=?" not in value:
        return f"{name}: {value}{_EOL}".encode("ascii")
    return _folded_value(name, value)


def _address_field(name: str, address: str, called: str = "") -> bytes:
    if not called and len(address) <= _SHORT and _PLAIN_ADDRESS.fullmatch(address):
        return f"{name}: {address}{_EOL}".encode("ascii")
    return _folded_address(name, address, called)


@lru_cache(_ASKED)
def _folded_address(name: str, address: str, called: str) -> bytes:
    return _folded(name, _address(address, called))


@lru_cache(_ASKED)
def _folded_value(name: str, value: Any) -> bytes:
    return _folded(name, value)


def _folded(name: str, value: Any) -> bytes:
    return _POLICY.fold_binary(name, _POLICY.header_store_parse(name, value)[1])


# -- contents ---


def _content(mail: Mail) -> list[bytes]:
    """The fields of the content, and it."""
    boundary = (f"=_{sha256(f'{mail.message_id} {number}'.encode()).hexdigest()[:24]}" for number in count())
    files = [one for one in mail.attachments if one.cid is None or mail.html is None]
    if not files and mail.html is None:
        return [*_text(mail.text, "plain", _VERSION)]
    mixed = next(boundary) if files else None
    whole = _written(mail, mail.html, boundary) if mail.html is not None else [*_text(mail.text, "plain")]
    if mixed is not None:
        whole = _multipart(f'mixed; boundary="{mixed}"', mixed, [whole, *(_file(one, "attachment") for one in files)])
    return [_VERSION, *whole]


def _written(mail: Mail, html: str, boundary: Iterator[str]) -> list[bytes]:
    """The text and, as an alternative, the HTML with the pictures that it shows: a reader of the text gets none."""
    pictures = [one for one in mail.attachments if one.cid is not None]
    outer = next(boundary)
    if not pictures:
        laid_out = [*_text(html, "html", _VERSION)]
    else:
        inner = next(boundary)  # RFC 2387 section 3.1 asks what the first part is
        shown = [[*_text(html, "html")], *(_file(one, "inline") for one in pictures)]
        laid_out = [_VERSION, *_multipart(f'related; type="text/html";{_EOL} boundary="{inner}"', inner, shown)]
    return _multipart(f'alternative; boundary="{outer}"', outer, [[*_text(mail.text, "plain")], laid_out])


def _multipart(kind: str, boundary: str, parts: Sequence[Sequence[bytes]]) -> list[bytes]:
    """`=_` can't occur in quoted-printable (RFC 2045 section 6.7) or base64."""
    between = f"--{boundary}{_EOL}".encode()
    inside = [piece for part in parts for piece in (between, *part, _EOL.encode())]
    return [f"Content-Type: multipart/{kind}{_EOL}{_EOL}".encode(), *inside, f"--{boundary}--{_EOL}".encode()]


def _text(text: str, subtype: str, version: bytes = b"") -> Iterator[bytes]:
    yield f'Content-Type: text/{subtype}; charset="utf-8"{_EOL}'.encode()
    yield f"Content-Transfer-Encoding: quoted-printable{_EOL}".encode()
    yield version + _EOL.encode()
    lines = b"\n".join(text.encode().splitlines()) + b"\n"
    yield body_encode(lines.decode("latin-1"), _LINE).replace("\n", _EOL).encode("ascii")


def _file(file: Attachment, disposition: str) -> list[bytes]:
    """A picture goes to several readers, and only its id is another each time."""
    cid = None if file.cid is None or disposition != "inline" else _the_id(f"<{file.cid}>", "Content-ID")
    fields = _described(file.name, file.type, disposition, is_shown=cid is not None)
    if cid is not None:
        fields = fields.replace(_field("Content-ID", _NO_ID), _field("Content-ID", cid))
    return [fields, _base64(file.data)]


@lru_cache(_ASKED)
def _described(name: str, type_: str, disposition: str, *, is_shown: bool) -> bytes:
    """Its fields, as the standard library writes them; the data goes in base64."""
    parsed = _POLICY.header_factory("Content-Type", one_line(type_))
    if parsed.defects or not _MEDIA.fullmatch(parsed.content_type):
        raise ValueError(f"{type_!r} is no media type")
    kind, subtype = parsed.content_type.split("/")
    part = EmailMessage(policy=_POLICY)
    part.set_content(
        b"",
        maintype=kind,
        subtype=subtype,
        params=dict(parsed.params),
        filename=one_line(name),
        disposition=disposition,
        cid=_NO_ID if is_shown else None,
    )
    return bytes(part)


@lru_cache(_PICTURES)
def _base64(data: bytes) -> bytes:
    whole = b2a_base64(data, newline=False)
    lines = [whole[at : at + _LINE] for at in range(0, len(whole), _LINE)]
    return _EOL.encode().join([*lines, b""])


# -- what may stand in a field ---


def check_address(address: str) -> None:
    """Can our mail go there? Raises ValueError, which says why not."""
    if not address.isascii():  # that would take SMTPUTF8 (RFC 6531) of every server on the way
        raise ValueError(f"{address!r} is no address we can write to: it must be in plain ASCII (a domain as xn--…)")
    # An encoded word (RFC 2047) would be read as another address by some program on the way.
    if not (address.isprintable() and "@" in address and "=?" not in address and len(address) <= _LONGEST_ADDRESS):
        raise ValueError(f"{address!r} is no address we can write to")
    try:
        Address(addr_spec=address)
    except (ValueError, MessageError, IndexError) as fault:
        raise ValueError(f"{address!r} is no address: {fault}") from fault


def _address(address: str, name: str = "") -> Address:
    check_address(address)
    return Address(display_name=one_line(name), addr_spec=address)


def _the_id(id_: str, header: str = "Message-ID") -> str:
    if not _ID.fullmatch(id_):
        raise ValueError(f"{id_!r} is no {header}")
    return id_


def one_line(text: str) -> str:
    """The text with blanks for line breaks and control characters, so that it can't begin another header."""
    printable = text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)
    return " ".join(printable.split())
