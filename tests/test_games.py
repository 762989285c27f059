"""Whole games by mail: bots that write letters, real servers, and daemons that die in the middle."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import create_engine, text

from pbem.adapters.clock import FastClock, SystemClock
from pbem.adapters.embedded_server import EmbeddedMailServer
from pbem.adapters.imap.mailbox import ImapMailbox
from pbem.adapters.smtp import SmtpTransport
from pbem.adapters.store.sql import SqlStore
from pbem.bootstrap import Server, sentence
from pbem.core.log import write
from pbem.daemon import Daemon
from pbem.demo import HOST, HOUR, NAMES, PASSWORD, Company, Office
from pbem.games import GAMES
from pbem.host.archive.replay import Replay
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.messages.rows import mark
from pbem.host.ports import Clock, Mail, MailTransport
from pbem.host.session.identity import Identity
from pbem.host.session.position import Position, advanced
from pbem.host.session.unit_of_work import read_entries
from tests.fakes import broken_link
from tests.servers import RealMail

OPERATOR = "operator@pbem.test"
SECRET = f"{15:064x}"  # a short game: 77 turns for six greedy bots
IDENTITY = Identity(key=b"a key for tests", address=HOST)


@pytest.fixture
def short_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lots of the game are known beforehand."""
    monkeypatch.setattr("pbem.host.session.unit_of_work.Games.new_secret", lambda _: SECRET)


@contextmanager
def embedded(clock: Clock) -> Iterator[Office]:
    with EmbeddedMailServer(dict.fromkeys(addresses(), PASSWORD), clock) as post:
        yield Office(host=post.host, imap_port=post.imap_port, smtp_port=post.smtp_port)


def addresses() -> list[str]:
    return [HOST, OPERATOR, *(f"{name}@pbem.test" for name in NAMES)]


def served(folder: Path, clock: Clock) -> Server:
    store = SqlStore(f"sqlite:///{folder / 'pbem.sqlite'}")
    return Server(store, clock, HostIdentity(domain="pbem.test", operator=OPERATOR), IDENTITY)


@contextmanager
def company_of(office: Office, server: Server, players: int) -> Iterator[Company]:
    company = Company(office, server, players=players)
    try:
        yield company
    finally:
        company.close()
        company.server.store.close()


@contextmanager
def desk_of(office: Office, clock: Clock) -> Iterator[tuple[ImapMailbox, SmtpTransport]]:
    with closing(office.mailbox(HOST)) as mailbox, closing(office.transport(HOST, clock)) as postman:
        yield mailbox, postman


class Counting:
    """A postman who remembers how many mails he carried."""

    def __init__(self, postman: MailTransport) -> None:
        self._postman = postman
        self.carried = 0

    def send(self, mail: Mail) -> None:
        self._postman.send(mail)
        self.carried += 1


def unread(office: Office, address: str) -> list[EmailMessage]:
    with closing(office.mailbox(address)) as box:
        return [message_from_bytes(raw.raw, EmailMessage, policy=policy.default) for raw in box.unread()]


# -- what must be true of every game ---


def entries_of(server: Server, tag: str) -> list[Any]:
    with server.games.work() as desk:
        return read_entries(server.games.load(desk.game(tag)).rules, desk.repository, tag)


def check_log(server: Server, tag: str, document: Mapping[str, Any]) -> None:
    """The chain holds, the record replays to the same position, and money is conserved at every entry."""
    entries = entries_of(server, tag)
    assert broken_link(map(write, entries)) is None
    played = Replay(server.app.record(tag), GAMES, sentence)
    played.run()
    assert played.document() == document
    for entry, before, after in folded(server, tag, entries):
        assert money(after) - money(before) == sum(from_bank(msgspec.to_builtins(event)) for event in entry.events), (
            entry
        )


def folded(server: Server, tag: str, entries: Sequence[Any]) -> Iterator[tuple[Any, Position, Position]]:
    with server.games.work() as desk:
        table = server.games.load(desk.game(tag))
    position = Position(state=table.rules.blank(table.terms.setup))
    for entry in entries:
        after = advanced(table.rules, position, entry)
        yield entry, position, after
        position = after


def money(position: Position) -> int:
    return int(sum(position.state.cash.values()) + sum(position.state.treasury.values()))


def from_bank(event: Mapping[str, Any]) -> int:
    """What an event brings out of the bank; less than nothing when the bank is paid."""
    match event["type"]:
        case "MarkerMoved" | "FactoryBuilt" | "UnitsImported":
            return -int(event["paid"])
        case "Taxed":
            return int(event["bonus"])
        case "LateFeePaid":
            return -int(event["amount"])
        case "TaxCollected" | "CardBonusPaid":
            return int(event["amount"])
        case "Seated":
            return int(event["money"]) * len(event["seats"])
        case _:
            return 0


def chapters(server: Server, tag: str) -> list[int]:
    """The entries that ended a chapter: each is reported once to everybody."""
    log = folded(server, tag, entries_of(server, tag))
    return [entry.seq for entry, _, after in log if after.since > entry.seq]


def check_reports(company: Company, tag: str) -> None:
    """Everybody was told each chapter once, in a letter of its own or together with others."""
    count = len(chapters(company.server, tag))
    for player in company.players:
        texts = [letter.get_body(("plain",)).get_content() for letter in player.letters]
        told = Counter(int(turn) for text in texts for turn in {*re.findall(r" · R-(\d+)\s*$", text, re.MULTILINE)})
        assert sorted(told.elements()) == [*range(1, count)]


def check_mailboxes(company: Company) -> None:
    """No letter came twice."""
    for player in company.players:
        got = Counter(str(letter["Message-ID"]) for letter in player.letters)
        assert got.most_common(1)[0][1] == 1


def check_end(company: Company, tag: str) -> None:
    document = company.state(tag)
    assert document["finished"]
    assert document["awaiting"] == []
    assert max(nation["power"] for nation in document["nations"].values()) == 25
    best = max(document["scores"].values())
    assert all(document["scores"][winner] == best for winner in document["winners"])
    check_log(company.server, tag, document)


# -- in one process ---


@pytest.mark.slow
@pytest.mark.usefixtures("short_game")
def test_six_bots_play_a_whole_game_though_the_server_is_started_anew_again_and_again(tmp_path: Path) -> None:
    clock = FastClock(int(time.time()))
    server = served(tmp_path, clock)
    with embedded(clock) as office, company_of(office, server, 6) as company, desk_of(office, clock) as desk:
        tag = company.invite()
        for round_ in range(2_000):
            if round_ % 10 == 0:
                company.server.store.close()
                company.server = served(tmp_path, clock)
                daemon = Daemon(company.server, *desk, 1.0)
            daemon.tick()
            if not company.look():
                if company.game(tag).status == "finished":
                    break
                clock.skip(6 * HOUR)
        check_end(company, tag)
        check_reports(company, tag)
        check_mailboxes(company)
        assert [str(letter) for letter in unread(office, OPERATOR)] == []


# -- over Dovecot and Postfix ---


@pytest.mark.slow
@pytest.mark.dovecot
@pytest.mark.mta
@pytest.mark.usefixtures("short_game")
def test_six_bots_play_a_whole_game_over_dovecot_and_postfix(real_mail: RealMail, tmp_path: Path) -> None:
    clock = SystemClock()
    for address in addresses():
        real_mail.open_account(address, PASSWORD)
    office = Office(host=real_mail.host, imap_port=real_mail.imap_port, smtp_port=real_mail.smtp_port)
    with company_of(office, served(tmp_path, clock), 6) as company, desk_of(office, clock) as (mailbox, direct):
        tag = company.invite()
        postman = Counting(direct)
        daemon = Daemon(company.server, mailbox, postman, 1.0)
        while True:
            daemon.tick()
            if not company.look():
                if received(company) == postman.carried and company.game(tag).status == "finished":
                    break
                mailbox.wait(0.02)
        check_end(company, tag)
        check_reports(company, tag)
        check_mailboxes(company)


def received(company: Company) -> int:
    return sum(len(player.letters) for player in company.players)


# -- a daemon that is killed ---

SETTINGS = """\
mailbox: {{host: {host}, port: {imap}, security: none, user: {user}, password_env: PBEM_TEST_PASSWORD, poll_seconds: {poll}}}
smtp: {{host: {host}, port: {smtp}, security: none, from: {user}, retry_seconds: 1, gather_seconds: 0}}
operator: {operator}
"""


class Killed:
    """`pbem run` as a process of its own, that dies when told to."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._log = (folder / "log").open("ab")
        self._process = self._start()
        self.kills = 0

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "pbem", "run", "-c", str(self._folder / "pbem.yaml")]
        environment = {**os.environ, "PBEM_VENV": "", "PBEM_TEST_PASSWORD": PASSWORD}
        return subprocess.Popen(command, env=environment, stdout=self._log, stderr=self._log)

    def kill_and_start(self) -> None:
        self.kill(signal.SIGKILL)
        self.kills += 1
        self._process = self._start()

    def kill(self, signum: signal.Signals) -> int:
        self._process.send_signal(signum)
        return self._process.wait()

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._log.close()


@contextmanager
def running(folder: Path, office: Office, poll: int = 5) -> Iterator[Killed]:
    settings = SETTINGS.format(
        host=office.host, imap=office.imap_port, smtp=office.smtp_port, user=HOST, operator=OPERATOR, poll=poll
    )
    (folder / "pbem.yaml").write_text(settings)
    process = Killed(folder)
    try:
        yield process
    finally:
        process.close()


@pytest.mark.slow
@pytest.mark.usefixtures("short_game")
def test_a_daemon_that_is_killed_again_and_again_loses_nothing_and_does_nothing_twice(tmp_path: Path) -> None:
    dice = random.Random(7)
    clock = SystemClock()
    server = served(tmp_path, clock)
    with embedded(clock) as office, company_of(office, server, 4) as company:
        tag = company.invite()
        with running(tmp_path, office) as daemon:
            next_kill = 1
            while written(company) < 36:
                company.look()
                if written(company) >= next_kill:
                    time.sleep(dice.random() * 0.15)
                    assert daemon.is_alive(), (tmp_path / "log").read_text()
                    daemon.kill_and_start()
                    next_kill = written(company) + dice.randrange(3, 7)
                time.sleep(0.01)
            settle(tmp_path, office, company)
            assert daemon.is_alive(), (tmp_path / "log").read_text()
        assert daemon.kills >= 5
        check_log(server, tag, company.state(tag))
        check_each_letter_was_dealt_with_once(tmp_path, company, tag)
        check_each_row_arrived(tmp_path, company, daemon.kills)
        assert [str(letter) for letter in unread(office, OPERATOR)] == []


@pytest.mark.slow
def test_a_daemon_that_is_told_to_stop_stops_before_its_next_poll(tmp_path: Path) -> None:
    clock = SystemClock()
    server = served(tmp_path, clock)
    with embedded(clock) as office, company_of(office, server, 2) as company:
        company.invite()
        with running(tmp_path, office, poll=3_600) as daemon:
            for player in company.players:
                while not player.look(company.server):
                    time.sleep(0.05)
            assert daemon.kill(signal.SIGTERM) == 0


def written(company: Company) -> int:
    return sum(player.written for player in company.players)


def settle(folder: Path, office: Office, company: Company) -> None:
    """Wait until every letter has been dealt with and every row has arrived; nobody writes any more."""
    while unread(office, HOST) or waiting(folder):
        time.sleep(0.1)
    for player in company.players:
        player.letters += unread(office, player.address)


def rows(folder: Path, sql: str) -> list[Any]:
    engine = create_engine(f"sqlite:///{folder / 'pbem.sqlite'}")
    with engine.connect() as connection:
        found = [*connection.execute(text(sql))]
    engine.dispose()
    return found


LATER = ("reminder", "invited_again")  # kinds of letters that were put down for a time which never came


def waiting(folder: Path) -> list[Any]:
    return rows(folder, f"select id from outbox where state = 'queued' and kind not in {LATER}")


def check_each_letter_was_dealt_with_once(folder: Path, company: Company, tag: str) -> None:
    entries = entries_of(company.server, tag)
    causes = Counter(entry.cause.letter for entry in entries if entry.cause.kind == "letter")
    assert all(count == 1 for count in causes.values())
    assert len(rows(folder, "select id from letters")) == written(company)
    answers = Counter(
        str(letter["In-Reply-To"])
        for player in company.players
        for letter in {str(each["Message-ID"]): each for each in player.letters}.values()
        if letter["Auto-Submitted"] == "auto-replied"
    )
    assert set(answers.values()) == {1}
    assert len(answers) == written(company)
    assert set(causes) <= {mark(letter) for letter in answers}


def check_each_row_arrived(folder: Path, company: Company, kills: int) -> None:
    """What arrived is what went out of the outbox.

    A letter that was under way when the daemon died may come twice; or it is put away when it is tried again, for what
    it asks has been answered meanwhile. What never arrived was answered before it could go out, or told in another letter.
    """
    under_way = 0
    for player in company.players:
        got = Counter(str(letter["Message-ID"]) for letter in player.letters)
        posted = rows(folder, f"select id, state, attempts from outbox where \"to\" = '{player.address}'")
        sent = {f"<{row.id}@pbem.test>" for row in posted if row.state == "sent"}
        put_away = {f"<{row.id}@pbem.test>" for row in posted if row.state == "dropped" and row.attempts > 1}
        assert sent <= set(got) <= sent | put_away
        under_way += sum(got.values()) - len(sent)
    assert under_way <= kills
