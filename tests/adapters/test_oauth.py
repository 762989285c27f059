"""Logging in by token: fetched from a server, kept, fetched anew when it is over, and never told."""

from __future__ import annotations

import json
import ssl
import stat
import threading
from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from msgspec.structs import replace

from pbem.adapters.imap.mailbox import ImapMailbox, ImapSettings
from pbem.adapters.login import NoToken, OAuthSettings, Tokens
from pbem.adapters.smtp import SmtpSettings, SmtpTransport
from pbem.host.ports import MailboxDown, PostDown
from tests import servers
from tests.adapters.test_smtp import GM, MAIL, NOON, SENDER
from tests.fakes import FakeClock
from tests.scripted import SmtpScript
from tests.scripted_imap import ImapScript

SECRETS = ("refresh-0", "s3cret", "access-1")


class TokenServer:
    """Gives the tokens access-1, access-2 and so on; the newest alone is good."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self.asked: list[dict[str, str]] = []
        self.answers: list[tuple[int, Any]] = []  # instead of tokens
        self.more: dict[str, Any] = {"expires_in": 3600}
        self.revoked = False  # even the newest token is good no more
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
                status, answer = outer.answer({name: value[0] for name, value in form.items()})
                body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                if status == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self) -> None:  # Dovecot asks whose token it is
                (token,) = parse_qs(urlsplit(self.path).query)["access_token"]
                body = json.dumps({"email": GM, "active": outer.is_good(token)}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                """Not to stderr."""

        self._server = ThreadingHTTPServer((servers.HOST, 0), Handler)
        self._server.daemon_threads = True
        if context is not None:
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port: int = self._server.server_address[1]
        scheme, host = ("https", "localhost") if context else ("http", servers.HOST)
        self.url = f"{scheme}://{host}:{self.port}/token?tenant=7"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def answer(self, form: dict[str, str]) -> tuple[int, Any]:
        self.asked.append(form)
        if self.answers:
            return self.answers.pop(0)
        self.revoked = False
        return 200, {"access_token": f"access-{len(self.asked)}", "token_type": "Bearer", **self.more}

    def is_good(self, token: str) -> bool:
        return not self.revoked and token == f"access-{len(self.asked)}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def token_server() -> Iterator[TokenServer]:
    with closing(TokenServer()) as made:
        yield made


def oauth(server: TokenServer, **more: Any) -> OAuthSettings:
    plain = OAuthSettings(token_url=server.url, client_id="pbem", client_secret="s3cret", refresh_token="refresh-0")
    return replace(plain, **more)


# -- tokens ---


def test_a_token_is_asked_for_as_rfc_6749_wants_and_kept_until_it_ends(token_server: TokenServer) -> None:
    now = [0.0]
    tokens = Tokens(oauth(token_server, scope="mail"), lambda: now[0])
    assert [tokens.token(), tokens.token()] == ["access-1", "access-1"]
    asked = {"grant_type": "refresh_token", "refresh_token": "refresh-0", "client_id": "pbem"}
    assert token_server.asked == [{**asked, "client_secret": "s3cret", "scope": "mail"}]
    now[0] = 3600 - 61
    assert tokens.token() == "access-1"
    now[0] = 3600 - 59  # a minute early
    assert tokens.token() == "access-2"
    tokens.forget()
    assert tokens.token() == "access-3"


def test_without_a_secret_none_is_sent(token_server: TokenServer) -> None:
    Tokens(oauth(token_server, client_secret=None)).token()
    assert {*token_server.asked[0]} == {"grant_type", "refresh_token", "client_id"}


def test_a_token_of_unknown_length_is_kept_for_minutes(token_server: TokenServer) -> None:
    token_server.more = {}
    now = [0.0]
    tokens = Tokens(oauth(token_server), lambda: now[0])
    assert tokens.token() == "access-1"
    now[0] = 301.0
    assert tokens.token() == "access-2"


def test_a_new_refresh_token_replaces_the_old_one_also_in_its_file(token_server: TokenServer, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("refresh-0\n")
    token_server.more = {"expires_in": 0, "refresh_token": "refresh-1"}
    tokens = Tokens(oauth(token_server, keep_in=file))
    tokens.token()
    tokens.token()
    assert [form["refresh_token"] for form in token_server.asked] == ["refresh-0", "refresh-1"]
    assert file.read_text() == "refresh-1\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [*tmp_path.iterdir()] == [file]


@pytest.mark.parametrize(
    ("status", "answer", "told"),
    [
        (400, {"error": "invalid_grant", "error_description": "refresh-0 is over"}, "400 invalid_grant *** is over"),
        (401, {"error": "invalid_client"}, "401 invalid_client"),
        (500, {}, "500 no error told"),
        (200, {"token_type": "Bearer"}, "no access_token"),
        (200, {"access_token": "a\r\nb"}, "no access_token"),
        (200, ["access-1"], "no JSON object"),
        (200, b"<html>refresh-0", "Expecting value"),
        (302, {}, "302"),
    ],
)
def test_a_refusal_is_told_without_secrets(token_server: TokenServer, status: int, answer: Any, told: str) -> None:
    token_server.answers.append((status, answer))
    with pytest.raises(NoToken) as failure:
        Tokens(oauth(token_server)).token()
    assert told in str(failure.value)
    assert len(token_server.asked) == 1
    assert not any(secret in f"{failure.value!r} {oauth(token_server)!r}" for secret in SECRETS)


def test_a_token_server_that_is_not_there_is_told() -> None:
    (port,) = servers.free_ports(1)
    settings = OAuthSettings(token_url=f"http://127.0.0.1:{port}/", client_id="pbem", refresh_token="refresh-0")
    with pytest.raises(NoToken, match="refused"):
        Tokens(settings).token()


def test_the_certificate_of_the_token_server_is_verified(tmp_path: Path) -> None:
    servers.make_certificate(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    with closing(TokenServer(context)) as server:
        with pytest.raises(NoToken, match="CERTIFICATE_VERIFY_FAILED"):
            Tokens(oauth(server)).token()
        assert server.asked == []
        assert Tokens(oauth(server, ca_file=tmp_path / "cert.pem")).token() == "access-1"


# -- the mailbox ---

MECHANISMS = ["XOAUTH2", "OAUTHBEARER"]


def said(mechanism: str, response: str) -> str:
    """The token in a client's first words, which are checked."""
    words = b64decode(response).decode()
    before, after = (
        (f"n,a={GM},\1auth=Bearer ", "\1\1")
        if mechanism == "OAUTHBEARER"
        else (
            f"user={GM}\1auth=Bearer ",
            "\1\1",
        )
    )
    assert words.startswith(before)
    assert words.endswith(after)
    return words.removeprefix(before).removesuffix(after)


@contextmanager
def imap_by_token(token_server: TokenServer, mechanism: str, **more: Any) -> Iterator[tuple[ImapScript, ImapMailbox]]:
    def let_in(asked: str, response: str) -> bool:
        assert asked == mechanism
        return token_server.is_good(said(mechanism, response))

    with ImapScript(capabilities=f"IMAP4rev1 AUTH={mechanism} MOVE", let_in=let_in, **more) as server:
        settings = ImapSettings(
            host=servers.HOST, port=server.port, user=GM, oauth=oauth(token_server), security="none", timeout=5
        )
        with closing(ImapMailbox(settings)) as mailbox:
            yield server, mailbox


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_the_mailbox_is_opened_by_token_and_by_a_new_one_when_it_is_over(
    token_server: TokenServer, mechanism: str
) -> None:
    with imap_by_token(token_server, mechanism) as (server, mailbox):
        server.plant(b"Subject: 1\r\n\r\n", NOON)
        assert len(list(mailbox.unread())) == 1
        mailbox.close()
        assert len(list(mailbox.unread())) == 1
        assert len(token_server.asked) == 1
        mailbox.close()
        token_server.revoked = True
        assert len(list(mailbox.unread())) == 1
        assert len(token_server.asked) == 2


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_a_mailbox_that_refuses_new_tokens_too_is_down_and_no_secret_is_told(
    token_server: TokenServer, mechanism: str
) -> None:
    """The server says why, as a challenge; then it wants one more word (RFC 7628 section 3.2.3)."""
    last: list[bytes] = []
    with imap_by_token(token_server, mechanism) as (server, mailbox):

        def refuse(line: Any, tag: str, arguments: str) -> None:
            line.say("+ ")
            line.hear()
            line.say("+ eyJzdGF0dXMiOiI0MDAifQ==")
            last.append(line.hear())
            line.say(f"{tag} NO [AUTHENTICATIONFAILED] not with access-{len(token_server.asked)}")

        server.always("AUTHENTICATE", refuse)
        for polls in (1, 2):
            with pytest.raises(MailboxDown, match="refuses the login") as failure:
                mailbox.unread()
            assert len(token_server.asked) == polls  # it does not ask again and again for what does not help
    assert last[0] == (b"AQ==" if mechanism == "OAUTHBEARER" else b"")
    assert not any(secret in repr(failure.value) for secret in SECRETS)


def test_without_a_token_the_mailbox_is_down(token_server: TokenServer) -> None:
    token_server.answers.append((400, {"error": "invalid_grant"}))
    with imap_by_token(token_server, "XOAUTH2") as (_, mailbox):
        with pytest.raises(MailboxDown, match="invalid_grant"):
            mailbox.unread()
        assert list(mailbox.unread()) == []


@pytest.mark.dovecot
@pytest.mark.parametrize("mechanism", [MECHANISMS[0], pytest.param(MECHANISMS[1], marks=pytest.mark.slow)])
def test_dovecot_lets_us_in_by_token(token_server: TokenServer, mechanism: str) -> None:
    introspection = f"http://{servers.HOST}:{token_server.port}/who?access_token="
    with servers.dovecot(oauth=(mechanism.lower(), introspection)) as server:
        settings = ImapSettings(
            host=server.host, port=server.imap_port, user=GM, oauth=oauth(token_server), security="none", timeout=5
        )
        with closing(ImapMailbox(settings)) as mailbox:
            assert list(mailbox.unread()) == []
            mailbox.close()
            token_server.revoked = True
            assert list(mailbox.unread()) == []
            mailbox.close()
            token_server.answers.append((400, {"error": "invalid_grant"}))
            token_server.revoked = True
            with pytest.raises(MailboxDown, match="invalid_grant"):
                mailbox.unread()


# -- the mail server ---


@contextmanager
def smtp_by_token(
    token_server: TokenServer, mechanism: str, **answers: Any
) -> Iterator[tuple[SmtpScript, SmtpTransport]]:
    def let_in(words: str) -> str:
        _, asked, response = words.split()
        assert asked == mechanism
        return "235 welcome" if token_server.is_good(said(mechanism, response)) else "334 eyJzdGF0dXMiOiI0MDAifQ=="

    refusal = {"": "535 5.7.8 no", "aq==": "535 5.7.8 no"}  # to the last word
    with SmtpScript({**refusal, **answers}, offers=[f"AUTH PLAIN {mechanism}"], let_in=let_in) as server:
        settings = SmtpSettings(
            host=servers.HOST, port=server.port, sender=SENDER, user=GM, oauth=oauth(token_server), security="none"
        )
        with closing(SmtpTransport(settings, FakeClock())) as postman:
            yield server, postman


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_mail_goes_by_token_and_by_a_new_one_when_it_is_over(token_server: TokenServer, mechanism: str) -> None:
    with smtp_by_token(token_server, mechanism) as (server, postman):
        postman.send(MAIL)
        postman.close()
        postman.send(MAIL)
        assert len(token_server.asked) == 1
        postman.close()
        token_server.revoked = True
        postman.send(MAIL)
    assert (len(token_server.asked), len(server.letters)) == (2, 3)


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_a_mail_server_that_refuses_new_tokens_too_is_down_and_no_secret_is_told(
    token_server: TokenServer, mechanism: str
) -> None:
    with (
        smtp_by_token(token_server, mechanism, auth="535 5.7.8 not with access-1") as (server, postman),
        pytest.raises(PostDown, match="535") as failure,
    ):
        postman.send(MAIL)
    assert len(token_server.asked) == 1
    assert server.letters == []
    assert not any(secret in repr(failure.value) for secret in SECRETS)


def test_without_a_token_no_mail_goes_out(token_server: TokenServer) -> None:
    token_server.answers.append((400, {"error": "invalid_grant"}))
    with smtp_by_token(token_server, "XOAUTH2") as (server, postman):
        with pytest.raises(PostDown, match="invalid_grant"):
            postman.send(MAIL)
        postman.send(MAIL)
    assert len(server.letters) == 1
