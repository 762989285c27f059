"""The embedded post office and the clocks it may be given."""

from __future__ import annotations

import smtplib
import socket
import threading
import time
from datetime import UTC, datetime

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientAbortError, LoginError

from pbem.adapters.clock import FastClock, SystemClock
from pbem.adapters.embedded_server import EmbeddedMailServer
from tests.fakes import FakeClock

LETTER = b"From: anna@pbem.test\r\nSubject: Hello\r\n\r\nGr\xc3\xbc\xc3\x9fe\r\n.\r\nFrom me\r\n"


def send(office: EmbeddedMailServer, *to: str, letter: bytes = LETTER) -> None:
    with smtplib.SMTP(office.host, office.smtp_port, "localhost") as smtp:
        smtp.sendmail("anna@pbem.test", to, letter)


def log_in(office: EmbeddedMailServer, address: str, password: str) -> IMAPClient:
    client = IMAPClient(office.host, office.imap_port, ssl=False, timeout=5)
    client.normalise_times = False
    client.plain_login(address, password)
    client.select_folder("INBOX")
    return client


def inbox(office: EmbeddedMailServer, address: str) -> list[tuple[datetime, bytes]]:
    with log_in(office, address, office.accounts[address]) as client:
        letters = client.fetch(client.search("ALL"), ["BODY.PEEK[]", "INTERNALDATE"])
        return [(letter[b"INTERNALDATE"], letter[b"BODY[]"]) for letter in letters.values()]


def test_a_letter_comes_in_unchanged_and_stamped_by_the_clock(
    post_office: EmbeddedMailServer, clock: FakeClock
) -> None:
    post_office.open_account("gm@pbem.test", "pw")
    clock.set(86_400)
    send(post_office, "gm@pbem.test")
    clock.set(2_000_000_000)
    send(post_office, "gm@pbem.test")
    raw = b"Return-Path: <anna@pbem.test>\r\n" + LETTER
    assert inbox(post_office, "gm@pbem.test") == [
        (datetime(1970, 1, 2, tzinfo=UTC), raw),
        (datetime(2033, 5, 18, 3, 33, 20, tzinfo=UTC), raw),
    ]


def test_an_unknown_recipient_is_refused_at_rcpt_and_the_others_get_theirs(post_office: EmbeddedMailServer) -> None:
    post_office.open_account("gm@pbem.test", "pw")
    with smtplib.SMTP(post_office.host, post_office.smtp_port, "localhost") as smtp:
        refused = smtp.sendmail("anna@pbem.test", ["nobody@pbem.test", "gm@pbem.test"], LETTER)
    assert refused["nobody@pbem.test"][0] == 550
    assert len(inbox(post_office, "gm@pbem.test")) == 1


def test_an_address_is_found_in_any_spelling_and_gets_one_copy(post_office: EmbeddedMailServer) -> None:
    post_office.open_account("Game.Master@pbem.test", "pw")
    send(post_office, "game.master@PBEM.test", "Game.Master@pbem.test")
    assert len(inbox(post_office, "Game.Master@pbem.test")) == 1


def test_accounts_are_given_at_the_start_or_opened_later(clock: FakeClock) -> None:
    with EmbeddedMailServer({"gm@pbem.test": "pw"}, clock) as office:
        office.open_account("anna@pbem.test", "secret")
        assert office.accounts == {"gm@pbem.test": "pw", "anna@pbem.test": "secret"}
        send(office, "gm@pbem.test", "anna@pbem.test")
        assert len(inbox(office, "anna@pbem.test")) == len(inbox(office, "gm@pbem.test")) == 1


def test_an_address_has_one_account(post_office: EmbeddedMailServer) -> None:
    post_office.open_account("gm@pbem.test", "pw")
    with pytest.raises(ValueError, match="has an account"):
        post_office.open_account("GM@pbem.test", "other")


@pytest.mark.parametrize("who", [("gm@pbem.test", "wrong"), ("nobody@pbem.test", "pw")])
def test_a_wrong_name_or_password_is_refused(post_office: EmbeddedMailServer, who: tuple[str, str]) -> None:
    post_office.open_account("gm@pbem.test", "pw")
    client = IMAPClient(post_office.host, post_office.imap_port, ssl=False, timeout=5)
    with client, pytest.raises(LoginError):
        client.plain_login(*who)


def test_idle_tells_of_a_letter_that_came_just_before_it(post_office: EmbeddedMailServer) -> None:
    post_office.open_account("gm@pbem.test", "pw")
    with (
        socket.create_connection((post_office.host, post_office.imap_port), 5) as line,
        line.makefile("rb") as said,
    ):
        line.sendall(b"a LOGIN gm@pbem.test pw\r\nb SELECT INBOX\r\n")
        assert any(answer.startswith(b"b OK") for answer in said)
        send(post_office, "gm@pbem.test")
        line.sendall(b"c IDLE\r\n")
        assert said.readline().startswith(b"+")
        assert said.readline() == b"* 1 EXISTS\r\n"


def test_it_opens_and_closes_with_clients_connected(clock: FakeClock) -> None:
    before = {*threading.enumerate()}
    with EmbeddedMailServer({f"player{n}@pbem.test": "pw" for n in range(50)}, clock) as office:
        idler, smtp = (
            log_in(office, "player1@pbem.test", "pw"),
            smtplib.SMTP(office.host, office.smtp_port, "x"),
        )
        idler.idle()
    assert {*threading.enumerate()} <= before
    with pytest.raises(IMAPClientAbortError):
        idler.idle_done()
    idler.shutdown()
    smtp.close()


def test_an_account_it_cannot_open_closes_it_again(clock: FakeClock) -> None:
    before = {*threading.enumerate()}
    with (
        pytest.raises(ValueError, match="has an account"),
        EmbeddedMailServer({"a@x.test": "", "A@x.test": ""}, clock),
    ):
        pass
    assert {*threading.enumerate()} <= before


def test_the_system_clock_tells_whole_seconds() -> None:
    assert 0 <= time.time() - SystemClock().now() < 2


def test_a_fast_clock_hurries_and_can_skip() -> None:
    clock = FastClock(1_000_000, speed=10_000)
    time.sleep(0.02)
    hurried = clock.now()
    assert 1_000_200 <= hurried < 1_000_000 + 10_000 * 5
    clock.skip(86_400)
    assert clock.now() >= hurried + 86_400


def test_a_fast_clock_may_stand_still_but_not_run_back() -> None:
    clock = FastClock(1_000_000, speed=0)
    assert clock.now() == 1_000_000
    clock.skip(5)
    assert clock.now() == 1_000_005
    with pytest.raises(ValueError, match="backwards"):
        clock.skip(-1)
    with pytest.raises(ValueError, match="backwards"):
        FastClock(0, speed=-1)
