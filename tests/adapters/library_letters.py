"""The message for a mail as the standard library makes it, one header after another: what `compose` must equal."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from hashlib import sha256
from typing import Any

from pbem.adapters.composing import (
    _BRACKETS,
    _ID,
    _MEDIA,
    _POLICY,
    LOOP_HEADER,
    UNSUBSCRIBE,
    FromAddress,
    _address,
    _letter_to,
    _the_id,
    one_line,
)
from pbem.host.ports import Attachment, Mail


def by_the_library(mail: Mail, sender: FromAddress, at: int) -> bytes:
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
    return bytes(message)


def _list(message: EmailMessage, mail: Mail, game: str, address: str) -> None:
    named = _BRACKETS.match(mail.subject)
    tag = named[0] if named else f"[{game}]"
    message["List-Id"] = f"<{game}.{message['From'].addresses[0].domain}>"
    message["List-Help"] = _letter_to(address, f"{tag} help", "help")
    message["List-Unsubscribe"] = _letter_to(address, f"{tag} reports", UNSUBSCRIBE)
    message["List-Post"] = "NO"


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
    _, html = message.iter_parts()
    for picture in pictures:
        cid = _the_id(f"<{picture.cid}>", "Content-ID")
        html.add_related(picture.data, cid=cid, disposition="inline", **_described(picture))
    if pictures:
        html.set_param("type", "text/html")  # RFC 2387 section 3.1 asks what the first part is


def _described(file: Attachment) -> dict[str, Any]:
    parsed = _POLICY.header_factory("Content-Type", one_line(file.type))
    if parsed.defects or not _MEDIA.fullmatch(parsed.content_type):
        raise ValueError(f"{file.type!r} is no media type")
    type_, subtype = parsed.content_type.split("/")
    return {"maintype": type_, "subtype": subtype, "params": dict(parsed.params), "filename": one_line(file.name)}


def _bound(message: EmailMessage, message_id: str) -> None:
    for number, part in enumerate(part for part in message.walk() if part.is_multipart()):
        part.set_boundary("=_" + sha256(f"{message_id} {number}".encode()).hexdigest()[:24])
