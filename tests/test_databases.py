"""Both kinds of database under a whole server: they end up alike, and two daemons on one do nothing twice."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url, select

from pbem.adapters.clock import SystemClock
from pbem.adapters.store.migrations import engine_at
from pbem.adapters.store.schema import metadata
from pbem.adapters.store.sql import SqlStore
from pbem.bootstrap import Server
from pbem.daemon import Daemon
from pbem.demo import HOST, Company, Office
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.ports import StoreDown
from tests import test_games as games
from tests.databases import DATABASES, books_of
from tests.servers import HOST as HOST_OF_WIRES
from tests.servers import Wire, wire
from tests.service.bureau import DAY, HOUR, Bureau
from tests.test_crash import PLAYERS, SECRET, begin, phases_of

LETTERS = 24  # that the bots write, at least


def rows(url: str, table: str) -> list[Any]:
    with engine_at(url).connect() as connection:
        return [dict(row) for row in connection.execute(select(metadata.tables[table])).mappings()]


# -- the walk of a letter ---


def walked(url: str) -> dict[str, list[str]]:
    """Invitations, orders, press, a petition, lapses, an outage; then all that is in the tables."""
    with closing(SqlStore(url)) as store:
        bureau = Bureau(store)
        bureau.clock.set(1_700_000_000)
        begin(bureau)
        for phase in phases_of(bureau):
            bureau.clock.set(max(phase.now, bureau.clock.now()))
            for raw in phase.letters:
                bureau.mailbox.add(raw, bureau.clock.now(), cut=100_000)
            bureau.tick()
        bureau.write(PLAYERS["anton"], "petition clarify Railways\nDo they end at the sea?")
        bureau.write(PLAYERS["claudia"], "press to all: Grüße = € 你好")
        bureau.write(PLAYERS["bert"], "for P-1\nreports round\nstatus")
        bureau.asleep = True
        bureau.tick(after=3 * DAY)
        bureau.tick(after=HOUR)
        with store.transaction() as repository:
            counts = repository.vitals(bureau.clock.now()).letters
    tables = {name: sorted(map(repr, rows(url, name))) for name in metadata.tables}
    return {**tables, "tallies": [repr(counts)]}  # which rows they are counted in is the database's business


@pytest.mark.slow
def test_a_game_leaves_the_same_in_either_database(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.host.session.unit_of_work.Games.new_secret", lambda _: SECRET)
    in_a_file, on_a_server = (walked(books_of(kind, request)) for kind in DATABASES)
    assert on_a_server == in_a_file
    assert all(in_a_file[table] for table in ("entries", "letters", "outbox", "papers", "press", "slots", "raws"))


# -- a server that is away ---


@pytest.fixture
def line(request: pytest.FixtureRequest) -> Iterator[tuple[SqlStore, Wire]]:
    """A store on PostgreSQL, by a wire that can be cut."""
    url = make_url(books_of("postgres", request))
    with wire(url.port or 5432) as cable:
        there = url.set(host=HOST_OF_WIRES, port=cable.port).render_as_string(hide_password=False)
        with closing(SqlStore(there)) as store:
            yield store, cable


def test_a_database_that_hung_up_while_nothing_was_done_is_asked_again(line: tuple[SqlStore, Wire]) -> None:
    store, cable = line
    with store.transaction() as repository:
        repository.set_polled(5)
    cable.cut()
    with store.transaction() as repository:
        assert repository.polled() == 5


def test_a_database_that_hangs_up_in_the_middle_has_done_nothing(line: tuple[SqlStore, Wire]) -> None:
    store, cable = line

    def cut_off() -> None:
        with store.transaction() as repository:
            repository.set_polled(7)
            cable.cut()
            repository.set_polled(8)

    with pytest.raises(StoreDown):
        cut_off()
    with store.transaction() as repository:
        assert repository.polled() is None


@pytest.mark.slow
@pytest.mark.parametrize("when", ["looking for letters", "handing mail over"])
def test_a_daemon_outlives_its_database_server(line: tuple[SqlStore, Wire], when: str) -> None:
    """The round breaks off; what it has not done is done in the next, and nothing twice."""
    store, cable = line
    bureau = Bureau(store)
    bureau.open(3)
    letter = bureau.drop(bureau.awaited[0][0], "austria: import A lemberg")
    if when == "looking for letters":
        bureau.mailbox.before_unread = cable.cut
    else:
        bureau.postman.delay = lambda mail: cable.cut()
    for _ in range(20):
        bureau.tick(after=400)
    assert bureau.mailbox.inbox == []
    assert letter in [each for each, _ in bureau.mailbox.shelved]
    assert bureau.document["nations"]["austria_hungary"]["armies"] == {"lemberg": 1}
    assert len([entry for entry in bureau.entries if entry["cause"]["kind"] == "letter"]) == 1
    assert set(Counter(mail.message_id for mail in bureau.postman.sent).values()) == {1}


def test_without_its_database_server_a_daemon_leaves_letters_where_they_are(line: tuple[SqlStore, Wire]) -> None:
    store, cable = line
    bureau = Bureau(store)
    bureau.open(3)
    letter = bureau.drop(bureau.awaited[0][0], "austria: import A lemberg")
    cable.close()
    assert not bureau.daemon.tick()
    assert bureau.mailbox.inbox == [letter]


# -- two daemons ---


class Both:
    """Two daemons that know nothing of each other, each with connections of its own, until told to stop."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._faults: list[BaseException] = []
        self.postmen: list[games.Counting] = []
        self._threads: list[threading.Thread] = []

    def start(self, url: str, office: Office) -> None:
        thread = threading.Thread(target=self._serve, args=(url, office))
        self._threads.append(thread)
        thread.start()

    def _serve(self, url: str, office: Office) -> None:
        clock = SystemClock()
        try:
            with closing(SqlStore(url)) as store, games.desk_of(office, clock) as (mailbox, direct):
                self.postmen.append(games.Counting(direct))
                daemon = Daemon(served(store), mailbox, self.postmen[-1], 1.0)
                while not self._stopped.is_set():
                    daemon.tick()
                    time.sleep(0.005)
        except BaseException as fault:  # noqa: BLE001 - told by the test
            self._faults.append(fault)

    @property
    def well(self) -> bool:
        return not self._faults

    def stop(self) -> None:
        self._stopped.set()
        for thread in self._threads:
            thread.join()
        assert self._faults == []


def served(store: SqlStore) -> Server:
    host = HostIdentity(domain="pbem.test", operator=games.OPERATOR)
    return Server(store, SystemClock(), host, games.IDENTITY)


@contextmanager
def two_daemons(url: str, office: Office) -> Iterator[Both]:
    both = Both()
    for _ in range(2):
        both.start(url, office)
    try:
        yield both
    finally:
        both.stop()


def play_on(company: Company, both: Both, url: str, office: Office) -> None:
    """Until enough has been written and all of it is dealt with: no letter, and then no answer, is left."""
    while games.written(company) < LETTERS and both.well:
        company.look()
        time.sleep(0.005)
    while (games.unread(office, HOST) or waits(url)) and both.well:
        time.sleep(0.05)
    for player in company.players:
        player.letters += games.unread(office, player.address)


def waits(url: str) -> bool:
    return any(row["state"] == "queued" and row["kind"] not in games.LATER for row in rows(url, "outbox"))


@pytest.mark.slow
@pytest.mark.usefixtures("short_game")
def test_two_daemons_on_one_database_do_everything_once(database: str, tmp_path: Path) -> None:
    with ExitStack() as stack:
        office = stack.enter_context(games.embedded(SystemClock()))
        store = stack.enter_context(closing(SqlStore(database)))
        company = stack.enter_context(games.company_of(office, served(store), 3))
        tag = company.invite()
        with two_daemons(database, office) as both:
            play_on(company, both, database, office)
        assert all(postman.carried for postman in both.postmen)
        games.check_log(company.server, tag, company.state(tag))
        check_letters(company, database)
        games.check_mailboxes(company)
        assert games.unread(office, games.OPERATOR) == []


def check_letters(company: Company, url: str) -> None:
    """Each has been dealt with once, and answered once."""
    entries = games.entries_of(company.server, "imp-1")
    causes = Counter(entry.cause.letter for entry in entries if entry.cause.kind == "letter")
    assert set(causes.values()) == {1}
    assert LETTERS <= games.written(company) == len(rows(url, "letters"))
    answers = Counter(
        str(letter["In-Reply-To"])
        for player in company.players
        for letter in player.letters
        if letter["Auto-Submitted"] == "auto-replied"
    )
    assert set(answers.values()) == {1}
    assert len(answers) == games.written(company)


short_game = games.short_game
