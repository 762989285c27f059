"""The postman before servers that say no, say nothing, or hang up: what is lost, what is tried again, what is told."""

from __future__ import annotations

import ssl
from base64 import b64decode
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.adapters.composing import compose
from pbem.adapters.smtp import SmtpSettings, SmtpTransport
from pbem.host.ports import Mail, PostDown, Undelivered
from tests import servers
from tests.adapters.test_smtp import ANNA, GM, MAIL, NOON, SENDER, read
from tests.fakes import FakeClock
from tests.scripted import CLOSE, HANG, SmtpScript

SOON, LONG = 0.1, 600.0  # seconds: of a server that falls silent, and of one that may just be slow


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOON)


def settings_for(server: SmtpScript, **more: Any) -> SmtpSettings:
    plain = SmtpSettings(host="localhost", port=server.port, sender=SENDER, security="none", timeout=LONG)
    return replace(plain, **more)


def patience(told: str | None) -> float:
    """Seconds to wait for a server that answers so: a slow machine must not be taken for a silent server."""
    return SOON if told == HANG else LONG


@contextmanager
def postman_to(server: SmtpScript, clock: FakeClock, **more: Any) -> Iterator[SmtpTransport]:
    with closing(SmtpTransport(settings_for(server, **more), clock)) as postman:
        yield postman


def refused(server: SmtpScript, clock: FakeClock, mail: Mail = MAIL, **more: Any) -> Undelivered:
    with postman_to(server, clock, **more) as postman, pytest.raises(Undelivered) as failure:
        postman.send(mail)
    return failure.value


def down(server: SmtpScript, clock: FakeClock, **more: Any) -> str:
    with postman_to(server, clock, **more) as postman, pytest.raises(PostDown) as failure:
        postman.send(MAIL)
    return str(failure.value)


def delivered_ids(server: SmtpScript) -> list[str]:
    return [str(read(letter.raw)["Message-ID"]) for letter in server.letters]


# -- refusals ---


@pytest.mark.parametrize(
    ("command", "answer", "permanent"),
    [
        ("rcpt", "550 5.1.1 no such user", True),
        ("rcpt", "553 mailbox name not allowed", True),
        ("rcpt", "551 5.1.6 he has moved", True),
        ("rcpt", "450 4.2.0 greylisted", False),
        ("rcpt", "421 too busy", False),
        ("rcpt", "552 5.2.2 mailbox full", False),
        ("rcpt", "550 5.2.2 over quota", False),
        ("rcpt", "554 5.7.1 relay access denied", False),
        ("rcpt", "530 authentication required", False),
        ("data", "451 try again", False),
        ("data", "554 no", True),
        ("end", "554 5.7.1 we don't like it", True),
        ("end", "452 disk full", False),
        ("mail", "552 5.3.4 too long", True),
    ],
)
def test_only_what_is_refused_for_good_is_permanent(
    clock: FakeClock, command: str, answer: str, permanent: bool
) -> None:
    with SmtpScript({command: answer}) as server:
        failure = refused(server, clock)
    assert failure.permanent is permanent
    assert answer in str(failure)


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("greeting", "554 go away"),
        ("greeting", "421 too busy"),
        ("ehlo", "550 who are you?"),
        ("mail", "530 5.7.0 authentication required"),
        ("mail", "451 try again"),
        ("mail", "550 not in your name"),
    ],
)
def test_a_server_that_does_not_let_us_in_is_no_fault_of_the_mail(clock: FakeClock, command: str, answer: str) -> None:
    with SmtpScript({command: answer, "helo": answer}) as server:
        assert answer in down(server, clock)


def test_a_mail_that_cannot_be_composed_is_refused_for_good(clock: FakeClock) -> None:
    with SmtpScript() as server:
        assert refused(server, clock, replace(MAIL, to="nobody")).permanent
        failure = refused(server, clock, replace(MAIL, to="ännä@pbem.test"))
    assert failure.permanent
    assert "plain ASCII" in str(failure)
    assert server.said == []


def test_after_a_refused_recipient_the_same_session_carries_the_next_mail(clock: FakeClock) -> None:
    with SmtpScript({"rcpt": ["550 no such user"]}) as server, postman_to(server, clock) as postman:
        with pytest.raises(Undelivered):
            postman.send(MAIL)
        postman.send(MAIL)
    assert (len(server.lines), len(server.letters)) == (1, 1)


# -- silence and broken lines ---


@pytest.mark.parametrize("what", [HANG, CLOSE])
@pytest.mark.parametrize("when", ["greeting", "ehlo"])
def test_a_server_that_falls_silent_at_the_door_is_down(clock: FakeClock, when: str, what: str) -> None:
    with SmtpScript({when: what}) as server:
        assert down(server, clock, timeout=patience(what))


@pytest.mark.slow
@pytest.mark.parametrize("what", [HANG, CLOSE])
def test_a_mail_cut_off_on_its_way_goes_again_with_the_same_id(what: str) -> None:
    """After its end the server may have it already: then it comes twice, and the ids tell."""
    points = ("mail", "rcpt", "data", "inside", "end")
    with ThreadPoolExecutor() as side_by_side:  # so that one waits for all silent ones at once
        assert [*side_by_side.map(partial(sent_twice, what), points)] == [*points]


def sent_twice(what: str, when: str) -> str:
    """A mail that is cut off in that way and at that point comes as it should the next time."""
    clock, failure = FakeClock(NOON), None
    with SmtpScript({when: [what]}) as server:
        while failure is None:
            with suppress(PostDown):  # a machine that is too slow for our patience lets us in no further than MAIL
                failure = refused(server, clock, timeout=3 * SOON if what == HANG else LONG)
        assert not failure.permanent
        clock.advance(300)
        with postman_to(server, clock) as postman:
            postman.send(MAIL)
    assert delivered_ids(server) == [MAIL.message_id] * (2 if when == "end" else 1)
    return when


def test_a_server_that_is_not_there_is_down(clock: FakeClock) -> None:
    (port,) = servers.free_ports(1)
    settings = SmtpSettings(host=servers.HOST, port=port, sender=SENDER, security="none", timeout=1)
    with closing(SmtpTransport(settings, clock)) as postman, pytest.raises(PostDown, match="refused"):
        postman.send(MAIL)


def test_a_session_that_was_dropped_is_opened_again(clock: FakeClock) -> None:
    with SmtpScript({"noop": [CLOSE, "421 closing"]}) as server, postman_to(server, clock) as postman:
        for _ in range(4):
            postman.send(MAIL)
            postman._used = 0.0  # long ago
    assert (len(server.letters), len(server.lines)) == (4, 3)


def test_a_session_that_was_dropped_between_two_mails_is_opened_again(clock: FakeClock) -> None:
    """The server is not asked before each mail whether it is there; each of them comes once all the same."""
    mails = [replace(MAIL, message_id=f"<{number}@pbem.test>") for number in range(4)]
    script: Any = {"mail": ["250 ok", CLOSE, "250 ok", "421 closing", "250 ok"]}
    with SmtpScript(script) as server, postman_to(server, clock) as postman:
        for mail in mails:
            postman.send(mail)
    assert delivered_ids(server) == [mail.message_id for mail in mails]
    assert len(server.lines) == 3


def test_a_server_that_leaves_each_time_is_down(clock: FakeClock) -> None:
    with SmtpScript({"mail": ["250 ok", CLOSE, CLOSE]}) as server, postman_to(server, clock) as postman:
        postman.send(MAIL)
        with pytest.raises(Undelivered) as failure:
            postman.send(MAIL)
    assert not failure.value.permanent
    assert len(server.letters) == 1


def test_one_session_carries_a_hundred_mails(clock: FakeClock) -> None:
    with SmtpScript() as server, postman_to(server, clock) as postman:
        for _ in range(101):
            postman.send(MAIL)
    assert [line.said.count(b"DATA") + line.said.count(b"data") for line in server.lines] == [100, 1]


# -- login ---


@pytest.mark.parametrize("answer", ["535 5.7.8 no", "454 4.7.0 not now", "534 5.7.9 too weak", CLOSE, HANG])
@pytest.mark.parametrize("password", ["wrong-password", "falsches-Paßwort"])
def test_a_refused_login_is_no_fault_of_the_mail_and_tells_no_password(
    clock: FakeClock, password: str, answer: str
) -> None:
    with SmtpScript({"auth": answer}, offers=["AUTH PLAIN"]) as server:
        settings = settings_for(server, user=GM, password=password, timeout=patience(answer))
        with closing(SmtpTransport(settings, clock)) as postman, pytest.raises(PostDown) as failure:
            postman.send(MAIL)
    assert password not in f"{failure.value!r} {failure.value.__cause__!r} {settings!r}"
    assert server.letters == []


def test_a_right_password_lets_us_in(clock: FakeClock) -> None:
    def let_in(words: str) -> str:
        right = b64decode(words.split()[2]) == b"\0gm\0pw"
        return "235 welcome" if right else "535 no"

    with (
        SmtpScript(offers=["AUTH PLAIN"], let_in=let_in) as server,
        postman_to(server, clock, user="gm", password="pw") as postman,
    ):
        postman.send(MAIL)
        postman.send(MAIL)
    assert (len(server.lines), len(server.letters)) == (1, 2)


# -- TLS ---


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    servers.make_certificate(tmp_path)
    return tmp_path / "cert.pem"


def served_with(certificate: Path) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, certificate.with_name("key.pem"))
    return context


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_certificate_nobody_vouches_for_is_refused(clock: FakeClock, certificate: Path, security: Any) -> None:
    with SmtpScript(
        context=served_with(certificate), tls_at_once=security == "tls", offers=["STARTTLS", "AUTH PLAIN"]
    ) as server:
        told = down(server, clock, security=security, user="gm", password="pw")
        with postman_to(server, clock, security=security, ca_file=certificate) as postman:
            postman.send(MAIL)
        other = down(server, clock, security=security, ca_file=certificate, host=servers.HOST)
    assert "CERTIFICATE_VERIFY_FAILED" in told
    assert "IP address mismatch" in other  # the certificate is made out to localhost
    assert len(server.letters) == 1
    assert not any(b"AUTH" in said.upper() for said in server.said)


@pytest.mark.parametrize(
    ("answers", "offers", "told"),
    [
        ({}, ["AUTH PLAIN"], "STARTTLS"),  # somebody on the way has taken it out
        ({"starttls": "454 not now"}, ["STARTTLS", "AUTH PLAIN"], "454"),
        ({"starttls": CLOSE}, ["STARTTLS", "AUTH PLAIN"], "closed"),
        ({"starttls": HANG}, ["STARTTLS", "AUTH PLAIN"], "timed out"),
        ({}, ["STARTTLS", "AUTH PLAIN"], "_ssl.c"),  # it says it will, and goes on in clear
    ],
)
def test_without_starttls_nothing_is_told_in_clear(
    clock: FakeClock, answers: dict[str, str], offers: Sequence[str], told: str
) -> None:
    with SmtpScript(answers, offers=offers) as server:
        failure = down(
            server, clock, security="starttls", user="gm", password="pw", timeout=patience(answers.get("starttls"))
        )
    assert told in failure
    assert not any(word in said.upper() for said in server.said for word in (b"AUTH", b"MAIL", b"DATA"))


# -- what goes over the wire ---


def test_eight_bits_are_never_asked_of_a_server(clock: FakeClock) -> None:
    """Quoted-printable goes through all of them (RFC 6152 section 3)."""
    with SmtpScript(offers=[]) as server, postman_to(server, clock) as postman:
        postman.send(MAIL)
    (letter,) = server.letters
    assert letter.raw == compose(MAIL, SENDER, NOON)
    assert letter.raw.isascii()


@pytest.mark.parametrize(
    ("bounces", "answers", "path"),
    [
        ("from", True, GM),
        ("from", False, GM),
        ("nowhere", True, ""),
        ("nowhere", False, GM),
        ("tagged", True, "gm+bounce.imp-1.abcdefgh2345@pbem.test"),
        ("tagged", False, "gm+bounce.imp-1.abcdefgh2345@pbem.test"),
    ],
)
def test_what_cannot_be_delivered_comes_back_where_the_settings_say(
    clock: FakeClock, bounces: Any, answers: bool, path: str
) -> None:
    with SmtpScript() as server, postman_to(server, clock, bounces=bounces) as postman:
        postman.send(replace(MAIL, answers=answers, returns="bounce.imp-1.abcdefgh2345"))
    (letter,) = server.letters
    assert (letter.sender, letter.recipients) == (path, (ANNA,))


@pytest.mark.parametrize("returns", [None, f"bounce.imp-1.{'a' * 60}"])
def test_without_a_tag_or_with_one_that_is_too_long_it_comes_back_to_us(clock: FakeClock, returns: str | None) -> None:
    with SmtpScript() as server, postman_to(server, clock, bounces="tagged") as postman:
        postman.send(replace(MAIL, returns=returns))
    assert server.letters[0].sender == GM
