"""Mail that goes out: composing it (RFC 5322, 2045, 2387, 3834) and handing it over by SMTP (RFC 5321, 4954)."""

from __future__ import annotations

import re
import smtplib
import ssl
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from hashlib import sha256
from typing import Any, Literal

from msgspec import Struct

from pbem.service.ports import Attachment, Clock, Mail, Undelivered

LOOP_HEADER = "X-PBEM-Loop"

_ID_HEADERS = frozenset({"message-id", "in-reply-to", "references", "content-id"})
_ID = re.compile(r"<[!-;=?-~]+>")  # printable ASCII in angle brackets, with no bracket or blank inside
_MEDIA = re.compile(r"[\w!#$&^.+-]+/[\w!#$&^.+-]+", re.ASCII)  # RFC 6838 section 4.2
_LONGEST_SESSION = 100  # mails; some servers refuse the next one (OpenSMTPD: 452)


class Sender(Struct, frozen=True, kw_only=True):
    """Who our mail comes from, and where answers go."""

    address: str
    name: str = ""


class SmtpSettings(Struct, frozen=True, kw_only=True):
    """The server that takes our mail, and in whose name it goes out."""

    host: str
    sender: Sender
    port: int = 587
    user: str | None = None
    password: str | None = None
    security: Literal["none", "starttls", "tls"] = "starttls"  # verified against the system's certificates
    timeout: float = 30.0  # seconds for the server's answer to one command

    def __repr__(self) -> str:
        return f"SmtpSettings({self.user or 'nobody'} at {self.host}:{self.port}, {self.security})"


class _Policy(EmailPolicy):
    """The standard library's SMTP policy, save that message ids are never folded inside.

    It would turn an id longer than a line (Outlook's are) into encoded words, and no mail program could
    thread the answer.
    """

    def fold(self, name: str, value: Any) -> str:
        if name.lower() not in _ID_HEADERS:
            return str(super().fold(name, value))
        return f"{name}: " + f"{self.linesep} ".join(str(value).split()) + self.linesep

    def fold_binary(self, name: str, value: Any) -> bytes:
        if name.lower() not in _ID_HEADERS:
            return super().fold_binary(name, value)
        return self.fold(name, value).encode("ascii")


# 76: quoted-printable lines may be no longer (RFC 2045 section 6.7); the default is 78.
_POLICY = _Policy(linesep="\r\n", max_line_length=76)


def compose(mail: Mail, sender: Sender, at: int) -> EmailMessage:
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
    message["Reply-To"] = _address(sender.address)
    message["To"] = _address(mail.to)
    message["Subject"] = _one_line(mail.subject)
    _thread(message, mail)
    message["Auto-Submitted"] = "auto-replied" if mail.answers else "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message[LOOP_HEADER] = sender.address
    _fill(message, mail)
    return message


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
    parsed = _POLICY.header_factory("Content-Type", _one_line(file.type))
    if parsed.defects or not _MEDIA.fullmatch(parsed.content_type):
        raise ValueError(f"{file.type!r} is no media type")
    type_, subtype = parsed.content_type.split("/")
    return {"maintype": type_, "subtype": subtype, "params": dict(parsed.params), "filename": _one_line(file.name)}


def _bound(message: EmailMessage, message_id: str) -> None:
    """Left alone, the generator draws lots; `=_` can't occur in quoted-printable (RFC 2045 section 6.7) or base64."""
    for number, part in enumerate(part for part in message.walk() if part.is_multipart()):
        part.set_boundary("=_" + sha256(f"{message_id} {number}".encode()).hexdigest()[:24])


def _address(address: str, name: str = "") -> Address:
    if not (address.isascii() and address.isprintable() and "@" in address):
        raise ValueError(f"{address!r} is no address we can write to")
    try:
        return Address(display_name=_one_line(name), addr_spec=address)
    except (ValueError, MessageError, IndexError) as fault:
        raise ValueError(f"{address!r} is no address: {fault}") from fault


def _the_id(id_: str, header: str = "Message-ID") -> str:
    if not _ID.fullmatch(id_):
        raise ValueError(f"{id_!r} is no {header}")
    return id_


def _one_line(text: str) -> str:
    """The text with blanks for line breaks and control characters, so that it can't begin another header."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


class SmtpPostman:
    """Hands mail over to one server; fulfils `ports.Postman`.

    One session carries many mails and is opened afresh when the server has closed it.
    """

    def __init__(self, settings: SmtpSettings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._smtp: smtplib.SMTP | None = None
        self._carried = 0

    def send(self, mail: Mail) -> None:
        """Hand the mail over; raises `Undelivered`.

        It is permanent when this mail or its recipient is refused for good (5xx to RCPT or DATA), not when
        the server can't be reached, doesn't let us in, or asks for patience (4xx).
        """
        try:
            letter = bytes(compose(mail, self._settings.sender, self._clock.now()))
        except ValueError as fault:
            raise Undelivered(str(fault), permanent=True) from fault
        try:
            self._session().sendmail(self._settings.sender.address, [mail.to], letter)
        except (smtplib.SMTPException, OSError) as failure:
            self.close()
            raise self._undelivered(failure) from failure
        self._carried += 1

    def close(self) -> None:
        """Leave the server; the next mail opens a session again."""
        smtp, self._smtp = self._smtp, None
        if smtp is not None:
            with suppress(smtplib.SMTPException, OSError):
                smtp.quit()
            smtp.close()

    def _session(self) -> smtplib.SMTP:
        if self._smtp is None or self._carried >= _LONGEST_SESSION or not _is_alive(self._smtp):
            self.close()
            self._smtp, self._carried = self._dial(), 0
            self._introduce(self._smtp)
        return self._smtp

    def _dial(self) -> smtplib.SMTP:
        settings = self._settings
        # Our domain, because smtplib's default asks a name server, which may take long.
        domain = settings.sender.address.rpartition("@")[2]
        if settings.security == "tls":
            return smtplib.SMTP_SSL(
                settings.host,
                settings.port,
                domain,
                timeout=settings.timeout,
                context=ssl.create_default_context(),
            )
        return smtplib.SMTP(settings.host, settings.port, domain, timeout=settings.timeout)

    def _introduce(self, smtp: smtplib.SMTP) -> None:
        settings = self._settings
        if settings.security == "starttls":
            smtp.starttls(context=ssl.create_default_context())
        if settings.user is None:
            return
        try:
            smtp.login(settings.user, settings.password or "")
        except UnicodeError:  # it would carry the password along
            raise smtplib.SMTPException("user and password must be ASCII") from None

    def _undelivered(self, failure: Exception) -> Undelivered:
        permanent, said = _verdict(failure)
        said = said.replace(self._settings.password or "\0", "***")
        return Undelivered(f"{self._settings.host}:{self._settings.port}: {said}", permanent=permanent)


def _is_alive(smtp: smtplib.SMTP) -> bool:
    try:
        return smtp.noop()[0] == 250
    except (smtplib.SMTPException, OSError):
        return False


def _verdict(failure: Exception) -> tuple[bool, str]:
    """Whether it is for good, and what the server said."""
    match failure:
        case smtplib.SMTPRecipientsRefused():
            code, words = next(iter(failure.recipients.values()))
            return code >= 500, _reply(code, words)
        case smtplib.SMTPDataError():
            return failure.smtp_code >= 500, _reply(failure.smtp_code, failure.smtp_error)
        case smtplib.SMTPResponseException():
            return False, _reply(failure.smtp_code, failure.smtp_error)
        case _:
            return False, str(failure) or type(failure).__name__


def _reply(code: int, words: bytes | str) -> str:
    text = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
    return f"{code} {_one_line(text)}"
