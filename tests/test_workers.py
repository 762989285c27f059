"""Several workers on one PostgreSQL: they part the work, each thing is done once, and what is sent is the same bytes."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from smtplib import SMTP
from typing import Any, NamedTuple

import pytest
from imapclient import IMAPClient

from pbem.adapters.embedded_server import EmbeddedMailServer
from pbem.adapters.store.sql import SqlBooks, SqlStore
from pbem.bootstrap import Server
from pbem.core.seat import Setup
from pbem.games.imperial.bots import BOTS
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.ports import Conflict, FiledOrder, Mail, RawLetter, Taken, held, waited_for
from pbem.host.session.identity import Identity, Place
from pbem.host.session.terms import Terms
from tests.databases import books_of
from tests.fakes import FakeClock, FakePostman
from tests.test_databases import rows
from tests.worker import CHECKOUT, PASSWORD

US, OPERATOR, KEY = "pbem@pbem.test", "operator@pbem.test", "a key for tests"
IDENTITY = Identity(key=KEY.encode(), address=US)
NOON = 1_700_000_000
GAMES = 4
NAMES = ("anton", "bert", "claudia")
PATIENCE = 300.0  # seconds, of a busy machine


@pytest.fixture
def url(request: pytest.FixtureRequest) -> str:
    return books_of("postgres", request)


@pytest.fixture
def pair(url: str) -> Iterator[tuple[SqlStore, SqlStore]]:
    with closing(SqlStore(url)) as one, closing(SqlStore(url)) as other:
        yield one, other


# -- locks ---


@pytest.mark.slow
def test_what_one_worker_has_in_hand_no_other_takes(pair: tuple[SqlStore, SqlStore]) -> None:
    one, other = (each.locks for each in pair)
    with held(one, "a", "b") as is_ours:
        assert is_ours
        assert not other.take(["b", "c"])
        assert one.take(["c"]), "what was not to be had with the rest is nobody's"
        assert one.take(["a"]), "whoever has it may have it once more"
        one.release(["a"])
        assert not other.take(["a"])
    assert other.take(["a", "b"])


def test_a_worker_that_is_gone_has_let_go(pair: tuple[SqlStore, SqlStore]) -> None:
    one, other = pair
    assert one.locks.take(["a"])
    assert other.locks.workers() == 2
    one.close()
    with waited_for(other.locks, "a"):
        assert other.locks.workers() == 1


def test_books_in_a_file_have_one_worker(tmp_path: Any) -> None:
    with closing(SqlStore(f"sqlite:///{tmp_path / 'pbem.db'}")) as store:
        assert store.locks.is_alone
        assert store.locks.take(["a"])
        assert store.locks.workers() == 1


# -- deciding ---


class Stage:
    """A server over a database, with games that have begun, each among people of its own."""

    def __init__(self, url: str, games: int) -> None:
        self.url, self.clock = url, FakeClock(NOON - 3_600)
        self.store, self.postman = SqlStore(url), FakePostman()
        host = HostIdentity(domain="pbem.test", operator=OPERATOR)
        self.server = Server(self.store, self.clock, host, IDENTITY, secrets=random.Random(5))
        self._dice = random.Random(7)
        self._letters = 0
        self.tags = [self._begun(number) for number in range(1, games + 1)]
        self.server.delivery(self.postman).deliver()
        self.clock.set(NOON)

    def _begun(self, number: int) -> str:
        tag = self.server.new_game(Terms(setup=Setup()), [f"{n}={n}{number}@pbem.test" for n in NAMES]).id
        for name in NAMES:
            self.server.inbox().take(self._raw(self.letter(tag, name, "join")))
        return tag

    def _raw(self, raw: bytes) -> RawLetter:
        return RawLetter(uid=self._letters, uidvalidity=1, arrived=self.clock.now(), raw=raw, size=len(raw))

    def letter(self, tag: str, name: str, words: str) -> bytes:
        self._letters += 1
        address = f"{name}{tag.partition('-')[2]}@pbem.test"
        with self.store.transaction() as repository:
            person, last = repository.person_at(address), len(repository.entries(tag)) - 1
        assert person is not None
        place = Place(turn=0, seq=last, serial=None) if last >= 0 else None
        to = IDENTITY.reply_to(IDENTITY.ticket(tag, person, issued=self.clock.now(), place=place))
        id_ = f"{self._letters}@players.test"
        return f"From: {address}\r\nTo: {to}\r\nSubject: Re: [{tag}]\r\nMessage-ID: <{id_}>\r\n\r\n{words}\r\n".encode()

    def answer(self, tag: str) -> bytes:
        """What is asked first in that game is answered."""
        with self.server.games.work() as work:
            session = work.session(work.game(tag))
            rules: Any = session.rules
            decision = session.pending()[0]
            order = BOTS["greedy"](rules, session.state, decision, self._dice.randrange)
        return self.letter(tag, decision.seat, rules.notation.write(order))

    def close(self) -> None:
        self.store.close()


def test_of_two_that_decide_in_one_game_at_once_one_begins_again(url: str) -> None:
    """Even without the locks: an order is filed by what the game was, and meanwhile it is another."""
    with closing(Stage(url, 2)) as stage, closing(SqlStore(url)) as other:
        order = FiledOrder(seat="anton", kind="standing", key="fight", text="fight", at=NOON)

        def decide(*, elsewhere: str) -> None:
            with stage.store.transaction() as repository:
                repository.entries("imp-1")
                with other.transaction() as meanwhile:
                    meanwhile.append(elsewhere, len(meanwhile.entries(elsewhere)), b"{}")
                repository.file("imp-1", order)

        decide(elsewhere="imp-2")
        with pytest.raises((Conflict, Taken)):
            decide(elsewhere="imp-1")


def test_a_game_in_memory_is_stale_once_another_worker_has_decided(url: str) -> None:
    with closing(Stage(url, 1)) as stage, closing(SqlStore(url)) as store:
        host = HostIdentity(domain="pbem.test", operator=OPERATOR)
        other = Server(store, stage.clock, host, IDENTITY)
        for _ in range(6):
            letter = stage._raw(stage.answer("imp-1"))
            (other if stage._letters % 2 else stage.server).inbox().take(letter)
        with stage.server.games.work() as ours, other.games.work() as theirs:
            seen = [work.session(work.game("imp-1")).document() for work in (ours, theirs)]
            assert len(ours.repository.entries("imp-1")) >= 6
        assert seen[0] == seen[1]


# -- processes ---


class Ended(NamedTuple):
    """What some workers leave."""

    sent: Mapping[str, Sequence[bytes]]  # by its reader
    tables: Mapping[str, Sequence[str]]
    done: Sequence[Counter[str]]


# Where a row lies and which process counted it is nobody's business; the orders in which games take numbers, too.
APART = {"number", "attempts", "uid", "uidvalidity"}
COMPARED = ("games", "entries", "papers", "press", "slots", "letters", "raws", "outbox", "members", "people")


class Office:
    """Mailboxes for us and everybody who plays."""

    def __init__(self, server: EmbeddedMailServer) -> None:
        self.server = server

    def post(self, letters: Sequence[bytes]) -> None:
        with SMTP(self.server.host, self.server.smtp_port) as smtp:
            for letter in letters:
                smtp.sendmail("anybody@pbem.test", [US], letter)

    def lies_in(self, address: str) -> list[bytes]:
        with IMAPClient(self.server.host, self.server.imap_port, ssl=False) as client:
            client.login(address, PASSWORD)
            client.select_folder("INBOX", readonly=True)
            return [each[b"BODY[]"] for each in client.fetch(client.search(), ["BODY.PEEK[]"]).values()]


def addresses() -> list[str]:
    return [f"{name}{number}@pbem.test" for number in range(1, GAMES + 1) for name in NAMES]


@contextmanager
def crew(stage: Stage, office: Office, dies_at: Sequence[tuple[str, int] | None]) -> Iterator[list[Any]]:
    """So many workers at work."""
    life = {
        "database": stage.url,
        "host": office.server.host,
        "imap": office.server.imap_port,
        "smtp": office.server.smtp_port,
        "us": US,
        "operator": OPERATOR,
        "key": KEY,
        "now": NOON,
        "in_hand": 1,  # so that there is something for each
        "lease": 0,  # what was under way when one died goes out at the same instant
    }
    with ExitStack() as stack:
        workers = []
        for each in dies_at:
            command = [sys.executable, "-m", "tests.worker", json.dumps({**life, "dies_at": each})]
            process = subprocess.Popen(command, cwd=CHECKOUT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            stack.enter_context(process)
            stack.callback(process.kill)
            workers.append(process)
        for said in ({}, {"now": NOON}):
            for each in workers:
                say(each, said)
            for each in workers:
                each.stdout.readline()
        yield workers


def say(worker: Any, what: Mapping[str, int]) -> None:
    with suppress(OSError):  # it may be dead
        os.write(worker.stdin.fileno(), json.dumps(what).encode() + b"\n")


def played(url: str, dies_at: Sequence[tuple[str, int] | None], per_game: int = 1) -> Ended:
    """Each game gets as many letters, and the workers deal with all of them."""
    with ExitStack() as stack:
        stage = stack.enter_context(closing(Stage(url, GAMES)))
        accounts = dict.fromkeys([US, OPERATOR, *addresses()], PASSWORD)
        office = Office(stack.enter_context(EmbeddedMailServer(accounts, stage.clock)))
        asides = ("standing fight", "press to all: Guten Tag", "standing peace")
        office.post([stage.answer(tag) for tag in stage.tags])
        for aside in asides[: per_game - 1]:
            office.post([stage.letter(tag, NAMES[-1], aside) for tag in stage.tags])
        workers = stack.enter_context(crew(stage, office, dies_at))
        end = time.monotonic() + PATIENCE
        while office.lies_in(US) or any(row["state"] == "queued" and row["due"] <= NOON for row in rows(url, "outbox")):
            assert time.monotonic() < end
            time.sleep(0.5)
        for each in workers:
            say(each, {})
        done = [Counter(json.loads(each.stdout.readline() or "{}")) for each in workers]
        sent = {address: sorted(office.lies_in(address)) for address in addresses()}
        assert office.lies_in(OPERATOR) == []
        kept = {name: sorted(repr(_compared(row)) for row in rows(url, name)) for name in COMPARED}
    return Ended(sent, kept, done)


def check_same(ended: Ended, one: Ended) -> None:
    assert ended.tables == one.tables
    assert {to: len(mails) for to, mails in ended.sent.items()} == {to: len(mails) for to, mails in one.sent.items()}
    assert ended.sent == one.sent


def _compared(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key: value for key, value in row.items() if key not in APART}


@pytest.fixture(scope="module")
def one(request: pytest.FixtureRequest) -> Ended:
    """What a single worker leaves."""
    return played(books_of("postgres", request), [None])


@pytest.mark.slow
def test_two_workers_send_the_same_bytes_as_one(request: pytest.FixtureRequest, one: Ended) -> None:
    two = played(books_of("postgres", request), [None, None])
    assert sum(len(mails) for mails in one.sent.values()) >= 2 * GAMES
    check_same(two, one)
    assert sum(each["letter dealt with"] for each in two.done) >= GAMES


# One dies with a letter in hand that it is deciding, or has decided and not shelved, or with mail in hand.
DEATHS = (("before commit", 6), ("letter dealt with", 1), ("before mail", 1))


@pytest.mark.slow
@pytest.mark.parametrize("death", DEATHS, ids=[death[0] for death in DEATHS])
def test_what_a_worker_has_in_hand_when_it_is_killed_another_does(
    request: pytest.FixtureRequest, one: Ended, death: tuple[str, int]
) -> None:
    """Nothing is lost, nothing is done twice, and each game is decided by one."""
    check_same(played(books_of("postgres", request), [death, None]), one)


@pytest.mark.slow
def test_letters_about_one_game_are_dealt_with_in_their_order_by_however_many(request: pytest.FixtureRequest) -> None:
    three = played(books_of("postgres", request), [None, None, None], per_game=4)
    assert len(three.tables["letters"]) == (len(NAMES) + 4) * GAMES
    assert len(three.tables["press"]) == len(three.tables["papers"]) == GAMES
    assert all("peace" in paper for paper in three.tables["papers"]), "what was written last counts"


class Interrupted(SqlStore):
    """Before each transaction something else is done."""

    def __init__(self, url: str) -> None:
        self.meanwhile: Callable[[], object] = lambda: None
        super().__init__(url)

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[SqlBooks]:
        self.meanwhile()
        with super().transaction(durable=durable) as books:
            yield books


def test_the_mail_of_one_game_is_sent_to_its_end_by_one_worker(url: str) -> None:
    """Between two letters, too: what begins with the first is written down before the next is worded."""
    with closing(Stage(url, 2)) as stage, closing(Interrupted(url)) as store:
        for tag in stage.tags:
            stage.server.inbox().take(stage._raw(stage.answer(tag)))
        ours, theirs = FakePostman(), FakePostman()
        server = Server(store, stage.clock, HostIdentity(domain="pbem.test", operator=OPERATOR), IDENTITY)
        other = stage.server.delivery(theirs)
        store.meanwhile = lambda: ours.sent and other.deliver()
        server.delivery(ours).deliver()
        first, second = ({mail.to.partition("@")[0][-1] for mail in each.sent} for each in (ours, theirs))  # the games
        assert len(ours.sent) + len(theirs.sent) >= 2 * len(NAMES)
        assert first
        assert second
        assert first.isdisjoint(second)


def test_what_bots_do_is_told_with_the_answer_whichever_worker_sends_it(url: str) -> None:
    """One deals with the letter and lets the bots answer, another has a look at the outbox all the while."""
    with closing(Stage(url, 0)) as stage, closing(SqlStore(url)) as store:
        terms = Terms(setup=Setup(), bots="fair", bot_seats=3)
        tag = stage.server.new_game(terms, ["anton=anton1@pbem.test"]).id
        sender = Server(store, stage.clock, HostIdentity(domain="pbem.test", operator=OPERATOR), IDENTITY)
        delivery, clocks = sender.delivery(stage.postman), stage.server.clock_service()

        def closed() -> list[Mail]:
            """What goes out meanwhile; then the bots answer, and it is looked again."""
            stage.clock.advance(1)
            delivery.deliver()
            clocks.reached(stage.clock.now())
            clocks.polled(stage.clock.now())
            too_early = len(stage.postman.sent)
            stage.clock.advance(1)
            delivery.deliver()
            return stage.postman.sent[too_early:]

        stage.server.inbox().take(stage._raw(stage.letter(tag, "anton", "yes")))
        closed()
        for _ in range(3):
            before = len(stage.postman.sent)
            stage.server.inbox().take(stage._raw(stage.answer(tag)))
            (lap,) = closed()
            assert len(stage.postman.sent) == before + 1
            assert all(f"bot{number}" in lap.text for number in (1, 2, 3))
            assert "Please answer by" in " ".join(lap.text.split())
