"""Handing mail over by SMTP: RFC 5321, 4954 and 8314."""

from __future__ import annotations

import re
import smtplib
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Literal

from pbem.adapters.composing import FromAddress, compose, one_line
from pbem.adapters.login import Account, Bearer, Login, NoToken, mechanism
from pbem.host.ports import Clock, Mail, PostDown, Undelivered

_LONGEST_LOCAL = 64  # RFC 5321 section 4.5.3.1.1
_SLOWER = 4  # a letter may take that many times longer than a command: some servers look into it before they say 250
_FRESH = 2.0  # seconds in which a session is taken to be there that has just taken a letter
_LEAVING = 421  # RFC 5321 section 3.8
_LONGEST_SESSION = 100  # mails; some servers refuse the next one (OpenSMTPD: 452)

# Where mail that can't be delivered comes back to (RFC 5321 section 4.5.5): our address; nowhere, if it is an answer
# (many servers for submission refuse that); or our address with a tag that only we could write (RFC 5233).
Bounces = Literal["from", "nowhere", "tagged"]


class SmtpSettings(Account, frozen=True, kw_only=True):
    """The server that takes our mail, and in whose name it goes out."""

    sender: FromAddress
    bounces: Bounces = "from"


def return_path(mail: Mail, sender: FromAddress, bounces: Bounces) -> str:
    """The envelope's sender; a tag that makes it too long is left out: what is in the letter vouches for it, too."""
    local, _, domain = sender.address.rpartition("@")
    if bounces == "nowhere" and mail.answers:
        return ""
    tagged = f"{local}+{mail.returns}"
    fits = mail.returns is not None and len(tagged) <= _LONGEST_LOCAL
    return f"{tagged}@{domain}" if bounces == "tagged" and fits else sender.address


class _Session(smtplib.SMTP):
    """One that knows how far the last mail came."""

    has_begun = False  # was its sender accepted?

    def mail(self, sender: str, options: Sequence[str] = ()) -> tuple[int, bytes]:
        self.has_begun = False
        code, words = super().mail(sender, options)
        self.has_begun = code == 250
        return code, words


class _SealedSession(_Session, smtplib.SMTP_SSL):
    """Through TLS."""


class SmtpTransport:
    """Hands mail over to one server; fulfils `ports.MailTransport`.

    One session carries many mails and is opened afresh when the server has closed it.
    """

    def __init__(self, settings: SmtpSettings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._login = Login(settings)
        self._smtp: _Session | None = None
        self._carried = 0
        self._used = 0.0  # when it took a letter last

    def send(self, mail: Mail) -> None:
        """Hand the mail over; raises `Undelivered`, or `PostDown` when the server lets us in no further than MAIL."""
        settings = self._settings
        try:
            letter = compose(mail, settings.sender, self._clock.now())
        except ValueError as fault:
            raise Undelivered(str(fault), permanent=True) from fault
        try:
            self._hand_over(return_path(mail, settings.sender, settings.bounces), mail.to, letter)
        except smtplib.SMTPRecipientsRefused as refusal:  # the session is as good as before
            raise self._failed(refusal) from refusal
        except (smtplib.SMTPException, OSError) as failure:
            self._drop()
            raise self._failed(failure) from failure
        self._carried += 1
        self._used = time.monotonic()

    def _hand_over(self, path: str, to: str, letter: bytes) -> None:
        """In the middle of many letters the server is not asked each time whether it is still there.

        Where it has left before it let us begin, nothing of the letter was taken, and it goes out in a new session.
        """
        is_trusted, smtp = self._is_fresh, self.session()
        try:
            smtp.sendmail(path, [to], letter)
        except (smtplib.SMTPServerDisconnected, smtplib.SMTPSenderRefused) as failure:
            has_left = isinstance(failure, smtplib.SMTPServerDisconnected) or failure.smtp_code == _LEAVING
            if smtp.has_begun or not (is_trusted and has_left):
                raise
            self._drop()
            self.session().sendmail(path, [to], letter)

    @property
    def _is_fresh(self) -> bool:
        """Has it taken a letter just now?"""
        return self._smtp is not None and time.monotonic() - self._used < _FRESH

    def close(self) -> None:
        """Leave the server; the next mail opens a session again."""
        if self._smtp is not None:
            with suppress(smtplib.SMTPException, OSError):
                self._smtp.quit()
        self._drop()

    def _drop(self) -> None:
        """Without a word: a server that doesn't answer would keep us waiting once more."""
        smtp, self._smtp = self._smtp, None
        if smtp is not None:
            smtp.close()

    def session(self) -> _Session:
        """A session in which mail can be handed over; raises `PostDown`."""
        known = self._smtp
        if known is not None and self._carried < _LONGEST_SESSION and (self._is_fresh or _is_alive(known)):
            return known
        self.close()
        try:
            self._smtp, self._carried = self._dial(), 0
            self._introduce(self._smtp)
        except (smtplib.SMTPException, OSError, NoToken) as failure:
            self._drop()
            raise PostDown(self._told(_said(failure))) from failure
        return self._smtp

    def _dial(self) -> _Session:
        settings = self._settings
        # Our domain, because smtplib's default asks a name server, which may take long.
        domain = settings.sender.address.rpartition("@")[2]
        if settings.security == "tls":
            context = settings.certificates()
            return _SealedSession(settings.host, settings.port, domain, timeout=settings.timeout, context=context)
        return _Session(settings.host, settings.port, domain, timeout=settings.timeout)

    def _introduce(self, smtp: smtplib.SMTP) -> None:
        settings = self._settings
        if settings.security == "starttls":
            smtp.starttls(context=settings.certificates())
        smtp.ehlo_or_helo_if_needed()
        if settings.user is not None:
            try:
                by_token = partial(_log_in_by_token, smtp, settings.user)
                self._login.perform(partial(smtp.login, settings.user), by_token, smtplib.SMTPAuthenticationError)
            except UnicodeError:  # it would carry the password along
                raise smtplib.SMTPException("user and password must be ASCII") from None
        if smtp.sock is not None:
            smtp.sock.settimeout(settings.timeout * _SLOWER)

    def _failed(self, failure: Exception) -> Undelivered | PostDown:
        told, (code, words) = self._told(_said(failure)), _answer(failure)
        match failure:
            case smtplib.SMTPRecipientsRefused():
                return Undelivered(told, permanent=_is_final(code, words))
            case smtplib.SMTPSenderRefused() if code != 552:  # too long a mail (RFC 1870 section 6.1)
                return PostDown(told)
            case smtplib.SMTPSenderRefused() | smtplib.SMTPDataError():
                return Undelivered(told, permanent=code >= 500)
            case _:
                return Undelivered(told, permanent=False)

    def _told(self, said: str) -> str:
        return f"{self._settings.host}:{self._settings.port}: {self._login.hide(said)}"


def _is_alive(smtp: smtplib.SMTP) -> bool:
    try:
        return smtp.noop()[0] == 250
    except (smtplib.SMTPException, OSError):
        return False


def _log_in_by_token(smtp: smtplib.SMTP, user: str, token: str) -> None:
    way = mechanism(smtp.esmtp_features.get("auth", "").upper().split())
    smtp.auth(way, Bearer(way, user, token))


def _is_final(code: int, words: str) -> bool:
    """Is this recipient refused for good?

    Not by a full mailbox (RFC 5321 section 4.5.3.1.10, RFC 3463 X.2.2), nor by policy (X.7), which is as often about
    us: a relay that has forgotten who we are, a limit that we have reached.
    """
    return code >= 500 and code not in (530, 552) and not re.match(r"5\.(7\.|2\.2\b)", words)


def _said(failure: Exception) -> str:
    code, words = _answer(failure)
    return f"{code} {words}" if code else words


def _answer(failure: Exception) -> tuple[int, str]:
    """The server's code and words; 0 where it gave no answer."""
    words: bytes | str
    match failure:
        case smtplib.SMTPRecipientsRefused():
            code, words = next(iter(failure.recipients.values()))
        case smtplib.SMTPResponseException():
            code, words = failure.smtp_code, failure.smtp_error
        case _:
            return 0, str(failure) or type(failure).__name__
    return code, one_line(words.decode("utf-8", "replace") if isinstance(words, bytes) else words)
