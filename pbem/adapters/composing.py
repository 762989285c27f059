"""Composing the mail that goes out: RFC 5322, 2045, 2369, 2387, 2919 and 3834."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from email.errors import MessageError
from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from hashlib import sha256
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


_LINE = 76  # quoted-printable lines may be no longer (RFC 2045 section 6.7); the default is 78
_POLICY = _Policy(linesep="\r\n", max_line_length=_LINE)


def compose(mail: Mail, sender: FromAddress, at: int) -> EmailMessage:
    """The message for a mail, dated `at` (seconds UTC): the same three give the same bytes.

    The text is the first part and the HTML, if any, an alternative to it, both UTF-8 in quoted-printable; with
    the HTML go the pictures it shows, and after both what is attached for keeping.
    The headers tell other programs not to answer (RFC 3834 section 5) and mark the mail as ours.
    Raises ValueError when an address, an id or a media type can't stand in a header.
    """
    message = EmailMessage(policy=_POLICY)
    message["Date"] = datetime.fromtimestamp(at, UTC)
    message["Message-ID"] = _the_id(mail.message_id)
    message["From"] = _address(sender.address, sender.name)
    message["Reply-To"] = _address(mail.reply_to or sender.address)
    message["To"] = _address(mail.to)
    message["Subject"] = one_line(mail.subject)
    _thread(message, mail)
    message["Auto-Submitted"] = "auto-replied" if mail.answers else "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message[LOOP_HEADER] = sender.address
    if mail.game is not None:
        _list(message, mail, mail.game, mail.reply_to or sender.address)
    _fill(message, mail)
    return message


def _list(message: EmailMessage, mail: Mail, game: str, address: str) -> None:
    """The letters of a game are a list of their own, to be sorted by and to be left (RFC 2369, RFC 2919).

    Who leaves it plays on: from then on only what they are asked is mailed to them. What proves an answer to be
    theirs stands in the address, or in the brackets of the subject.
    """
    named = _BRACKETS.match(mail.subject)
    tag = named[0] if named else f"[{game}]"
    message["List-Id"] = f"<{game}.{message['From'].addresses[0].domain}>"
    message["List-Help"] = _letter_to(address, f"{tag} help", "help")
    message["List-Unsubscribe"] = _letter_to(address, f"{tag} reports", UNSUBSCRIBE)
    message["List-Post"] = "NO"


def _letter_to(address: str, subject: str, body: str) -> str:
    """A mailto URI (RFC 6068) in the angle brackets that RFC 2369 wants."""
    return f"<mailto:{quote(address, safe='@')}?subject={quote(subject)}&body={quote(body)}>"


def _thread(message: EmailMessage, mail: Mail) -> None:
    answered = _ID.findall(mail.in_reply_to or "")
    if answered:
        message["In-Reply-To"] = answered[0]
    references = _ID.findall(" ".join(mail.references)) or answered
    if references:
        message["References"] = " ".join(references)


def _fill(message: EmailMessage, mail: Mail) -> None:
    message.set_content(mail.text, cte="quoted-printable")
    if mail.html is not None:
        message.add_alternative(mail.html, subtype="html", cte="quoted-printable")
        _illustrate(message, [one for one in mail.attachments if one.cid is not None])
    for one in mail.attachments:
        if one.cid is None or mail.html is None:
            message.add_attachment(one.data, **_described(one))
    _bound(message, mail.message_id)


def _illustrate(message: EmailMessage, pictures: Sequence[Attachment]) -> None:
    """Put the pictures beside the HTML that shows them, so that a reader of the text gets none of them."""
    _, html = message.iter_parts()
    for picture in pictures:
        cid = _the_id(f"<{picture.cid}>", "Content-ID")
        html.add_related(picture.data, cid=cid, disposition="inline", **_described(picture))
    if pictures:
        html.set_param("type", "text/html")  # RFC 2387 section 3.1 asks what the first part is


def _described(file: Attachment) -> dict[str, Any]:
    """Its headers, as the standard library takes them; the data goes in base64."""
    parsed = _POLICY.header_factory("Content-Type", one_line(file.type))
    if parsed.defects or not _MEDIA.fullmatch(parsed.content_type):
        raise ValueError(f"{file.type!r} is no media type")
    type_, subtype = parsed.content_type.split("/")
    return {"maintype": type_, "subtype": subtype, "params": dict(parsed.params), "filename": one_line(file.name)}


def _bound(message: EmailMessage, message_id: str) -> None:
    """Left alone, the generator draws lots; `=_` can't occur in quoted-printable (RFC 2045 section 6.7) or base64."""
    for number, part in enumerate(part for part in message.walk() if part.is_multipart()):
        part.set_boundary("=_" + sha256(f"{message_id} {number}".encode()).hexdigest()[:24])


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
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
