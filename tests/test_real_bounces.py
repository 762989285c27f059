"""A letter that Postfix can't deliver: its own report comes back by Dovecot, and is believed."""

from __future__ import annotations

import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from pbem.adapters.clock import SystemClock
from pbem.adapters.composing import FromAddress
from pbem.adapters.smtp import SmtpSettings, SmtpTransport
from pbem.core.seat import Setup
from pbem.daemon import Daemon
from pbem.demo import HOST, PASSWORD, Office
from pbem.host.session.terms import Terms
from tests import servers
from tests import test_games as games

GONE = "anton@pbem.test"  # Postfix takes letters to him, and Dovecot knows nothing of him


@pytest.mark.slow
@pytest.mark.dovecot
@pytest.mark.mta
@pytest.mark.parametrize("way", ["from", "tagged"])
def test_a_letter_that_did_not_arrive_is_counted(real_mail: servers.RealMail, tmp_path: Path, way: Any) -> None:
    clock = SystemClock()
    for address in (HOST, games.OPERATOR, "bert@pbem.test"):
        real_mail.open_account(address, PASSWORD)
    real_mail.postfix.open_account(GONE)
    office = Office(host=real_mail.host, imap_port=real_mail.imap_port, smtp_port=real_mail.smtp_port)
    settings = SmtpSettings(
        host=office.host, port=office.smtp_port, sender=FromAddress(address=HOST), security="none", bounces=way
    )
    with ExitStack() as stack:
        server = games.served(tmp_path, clock)
        stack.callback(server.store.close)
        mailbox = stack.enter_context(closing(office.mailbox(HOST)))
        postman = stack.enter_context(closing(SmtpTransport(settings, clock)))
        server.new_game(Terms(setup=Setup()), [f"anton={GONE}", "bert=bert@pbem.test"])
        daemon = Daemon(server, mailbox, postman, 1.0)
        while not failures(server):
            daemon.tick()
            mailbox.wait(0.1)
        daemon.tick()
        assert failures(server) == 1
        (alarm,) = awaited(office, games.OPERATOR)
        assert "A letter about a game has come back" in str(alarm.get_content())


def failures(server: Any) -> int:
    with server.store.transaction() as repository:
        person = repository.person_at(GONE)
        return sum(each.failures for each in repository.addresses(person.id))


def awaited(office: Office, address: str) -> list[Any]:
    while not (found := games.unread(office, address)):
        time.sleep(0.1)
    return [each.get_body(("plain",)) for each in found]
