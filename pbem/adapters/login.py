"""Logging in to mail servers: by password, or by token.

OAuth 2.0 (RFC 6749), OAUTHBEARER (RFC 7628), and XOAUTH2, which came before it.
"""

from __future__ import annotations

import json
import math
import ssl
import time
from collections.abc import Callable, Container
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode, urlsplit

from msgspec import Struct

from pbem.files import beside

_EARLY = 60.0  # seconds before its end at which a token counts as over
_BRIEF = 300.0  # seconds that a token lasts whose server says nothing of it
_TIMEOUT = 30.0  # seconds
_LONGEST = 65_536  # bytes of an answer


class OAuthSettings(Struct, frozen=True, kw_only=True):
    """Where tokens for one account come from."""

    token_url: str
    client_id: str
    refresh_token: str
    client_secret: str | None = None  # programs on people's own machines have none (RFC 6749 section 2.1)
    scope: str | None = None
    keep_in: Path | None = None  # where a new refresh token is kept, when the server gives one
    ca_file: Path | None = None

    def __repr__(self) -> str:
        return f"OAuthSettings({self.client_id} at {self.token_url})"


class Account(Struct, frozen=True, kw_only=True):
    """A mail server, and how we log in there."""

    host: str
    port: int
    user: str | None = None
    password: str | None = None
    oauth: OAuthSettings | None = None  # instead of a password
    security: Literal["none", "starttls", "tls"] = "tls"  # certificates are always verified
    ca_file: Path | None = None  # certificates of the authorities we trust, in PEM, instead of the system's
    timeout: float = 30.0  # seconds for the server's answer to one command

    def certificates(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.ca_file)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.user or 'nobody'} at {self.host}:{self.port}, {self.security})"


class NoToken(Exception):
    """The token server gives none, or can't be reached."""


class Tokens:
    """Fetches access tokens and keeps each until it ends (RFC 6749 section 6)."""

    def __init__(self, settings: OAuthSettings, now: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings
        self._now = now
        self._refresh_token = settings.refresh_token
        self._token = ""
        self._ends = -math.inf

    @property
    def is_fresh(self) -> bool:
        """Is there one that has not ended, as far as we know?"""
        return self._now() < self._ends

    def token(self) -> str:
        """A token that should be good. Raises `NoToken`, which tells no secret."""
        if not self.is_fresh:
            answer = self._ask()
            self._token = _text(answer, "access_token")
            seconds = answer.get("expires_in")
            self._ends = self._now() + (float(seconds) - _EARLY if isinstance(seconds, int | float) else _BRIEF)
            self._keep(answer)
        return self._token

    def forget(self) -> None:
        """The mail server has refused the token: the next one is a new one."""
        self._ends = -math.inf

    def present(self, log_in: Callable[[str], object], refusal: type[Exception]) -> None:
        """Log in with a token, and if one that was kept is refused, once more with a new one. Raises `NoToken`."""
        was_kept = self.is_fresh
        try:
            log_in(self.token())
        except refusal:
            self.forget()
            if not was_kept:
                raise
            log_in(self.token())

    def hide(self, text: str) -> str:
        """The text without any secret of ours."""
        settings = self._settings
        for secret in (self._token, self._refresh_token, settings.refresh_token, settings.client_secret):
            text = text.replace(secret or "\0", "***")
        return text

    def _keep(self, answer: dict[str, object]) -> None:
        """Some servers give a new refresh token each time, and take the old one no more."""
        new, file = answer.get("refresh_token"), self._settings.keep_in
        if not isinstance(new, str) or not new or new == self._refresh_token:
            return
        self._refresh_token = new
        if file is not None:
            with beside(file) as fresh:
                fresh.write_text(f"{new}\n", "utf-8")
                fresh.replace(file)

    def _ask(self) -> dict[str, object]:
        settings = self._settings
        asked = {
            "grant_type": "refresh_token",
            "refresh_token": self._refresh_token,
            "client_id": settings.client_id,
            "client_secret": settings.client_secret,
            "scope": settings.scope,
        }
        try:
            status, raw = self._post(urlencode({name: value for name, value in asked.items() if value}))
            answer = json.loads(raw)
        except (OSError, HTTPException, ValueError) as failure:
            raise NoToken(self.hide(f"{settings.token_url}: {failure}")) from None
        if not isinstance(answer, dict) or status != 200:
            raise NoToken(self.hide(f"{settings.token_url}: {status} {_fault(answer)}"))
        return answer

    def _post(self, form: str) -> tuple[int, bytes]:
        """No redirection is followed: it would carry the secrets who knows where."""
        url = urlsplit(self._settings.token_url)
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        with closing(self._line(url.scheme, url.hostname or "", url.port)) as line:
            line.request("POST", f"{url.path or '/'}{'?' + url.query if url.query else ''}", form, headers)
            answer = line.getresponse()
            return answer.status, answer.read(_LONGEST)

    def _line(self, scheme: str, host: str, port: int | None) -> HTTPConnection:
        if scheme == "http":  # on one's own machine; the settings see to it
            return HTTPConnection(host, port, timeout=_TIMEOUT)
        context = ssl.create_default_context()
        if self._settings.ca_file is not None:  # beside the system's: the token server may be somebody else's
            context.load_verify_locations(self._settings.ca_file)
        return HTTPSConnection(host, port, timeout=_TIMEOUT, context=context)


class Login:
    """Logs in to one server, and keeps what proves who we are out of sight."""

    def __init__(self, account: Account) -> None:
        self._password = account.password or ""
        self._tokens = Tokens(account.oauth) if account.oauth else None

    def perform(
        self, by_password: Callable[[str], object], by_token: Callable[[str], object], refusal: type[Exception]
    ) -> None:
        """Raises what they raise, and `NoToken`."""
        if self._tokens is None:
            by_password(self._password)
        else:
            self._tokens.present(by_token, refusal)

    def hide(self, text: str) -> str:
        """The text without any secret of ours."""
        text = text.replace(self._password or "\0", "***")
        return self._tokens.hide(text) if self._tokens else text


class Bearer:
    """What a client says in a login by token: who they are, then a last word should the server not like it."""

    def __init__(self, mechanism: str, user: str, token: str) -> None:
        self._words = [_first(mechanism, user, token), "\1" if mechanism == "OAUTHBEARER" else ""]

    def __call__(self, challenge: bytes | None = None) -> str:
        return self._words.pop(0) if self._words else ""


def mechanism(offered: Container[str]) -> str:
    """The better one of those that the server offers."""
    return "OAUTHBEARER" if "OAUTHBEARER" in offered else "XOAUTH2"


def _first(mechanism: str, user: str, token: str) -> str:
    if mechanism == "OAUTHBEARER":
        name = user.replace("=", "=3D").replace(",", "=2C")  # RFC 5801 section 4
        return f"n,a={name},\1auth=Bearer {token}\1\1"
    return f"user={user}\1auth=Bearer {token}\1\1"


def _text(answer: dict[str, object], name: str) -> str:
    found = answer.get(name)
    if not isinstance(found, str) or not found.isascii() or not found.isprintable() or not found:
        raise NoToken(f"the token server's answer has no {name}")
    return found


def _fault(answer: object) -> str:
    """RFC 6749 section 5.2."""
    if not isinstance(answer, dict):
        return "no JSON object"
    return " ".join(str(answer[name]) for name in ("error", "error_description") if name in answer) or "no error told"
