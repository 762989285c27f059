"""Mail as a server sees it: letters among many games, memory, a backlog, and a turn told to a table of six."""

from __future__ import annotations

import gc
import multiprocessing
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from smtplib import SMTP
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from imapclient import IMAPClient
from letter import IDENTITY, NAMES, Table, bare_commits, raw

from pbem.adapters.clock import FastClock
from pbem.adapters.composing import FromAddress as Letterbox
from pbem.adapters.embedded_server import EmbeddedMailServer
from pbem.adapters.imap.mailbox import ImapMailbox, ImapSettings
from pbem.adapters.smtp import SmtpSettings, SmtpTransport
from pbem.adapters.store.urls import file_of
from pbem.cli.serving import settle
from pbem.daemon import Daemon
from pbem.host.archive.archivist import Archivist
from pbem.host.ports import Mail

AMONG = (1, 100, 10_000)  # games
LETTERS = 100
BACKLOG = 1_000
KEPT = 400  # games in memory
US, PASSWORD, DONE = IDENTITY.address, "open sesame", "pbem-done"
PEOPLE = [f"{name}@example.org" for name in NAMES]


def crowd(table: Table, games: int) -> None:
    """So many games in the same books, as far as the first: copies of its rows."""
    copies = {
        "games": "id",
        "members": "game",
        "entries": "game",
        "slots": "game",
    }
    with table.store.statements() as books:
        for name, key in copies.items():
            found = books.run(f"SELECT * FROM {name} WHERE {key} = :tag", {"tag": table.tag})
            rows = [row._asdict() for row in found]
            for number in range(2, games + 1):
                new = [{**row, key: f"imp-{number}"} for row in rows]
                columns = ", ".join(f'"{column}"' for column in rows[0])
                values = ", ".join(f":{column}" for column in rows[0])
                books.run_all(f"INSERT INTO {name} ({columns}) VALUES ({values})", new)
    with closing(sqlite3.connect(str(file_of(table.store.url)))) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # else the first letters would wait for it


def among(games: int) -> tuple[float, float, float]:
    """Median and p99 of a letter's seconds, each to another game where there are several; and of a bare commit."""
    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(folder))
        opened(table)
        crowd(table, games)
        settle()
        times = []
        for number in range(LETTERS):
            order = table.next_order()
            assert order is not None
            times.append(table.write(*order, table.tag))
            table.tag = f"imp-{1 + (number * 7_919) % games}" if games > 1 else table.tag
        bare = bare_commits(table.store, LETTERS)
        table.store.close()
    return statistics.median(times), statistics.quantiles(times, n=100)[98], statistics.median(bare)


def opened(table: Table) -> None:
    """The opening has been told: the time of the first decision runs."""
    sender = table.server.delivery(Nowhere())
    sender.deliver()


class Nowhere:
    """A transport that throws everything away."""

    def send(self, mail: Mail) -> None:
        """It is gone."""


def memory() -> float:
    """kB of the process for each game whose position is in memory."""
    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(folder))
        opened(table)
        crowd(table, KEPT + 1)
        before = resident()
        for number in range(2, KEPT + 2):
            with table.server.games.work() as desk:
                desk.session(desk.game(f"imp-{number}"))
        grown = resident() - before
        table.store.close()
    return grown / KEPT / 1_000


def resident() -> int:
    """Bytes."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4_096


class Post(NamedTuple):
    """Mail servers in a process of their own, as everywhere."""

    line: Connection
    host: str
    imap_port: int
    smtp_port: int

    def worked(self) -> float:
        """Seconds of the processor in it."""
        self.line.send(None)
        return float(self.line.recv())


def serve(line: Connection, accounts: Mapping[str, str]) -> None:
    """What that process does."""
    with EmbeddedMailServer(accounts, FastClock(int(time.time()))) as post:
        line.send((post.host, post.imap_port, post.smtp_port))
        while True:
            line.recv()
            line.send(time.process_time())


@contextmanager
def served(accounts: Mapping[str, str]) -> Iterator[Post]:
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs, accounts), daemon=True)
    process.start()
    try:
        yield Post(ours, *ours.recv())
    finally:
        process.kill()
        process.join()


class Took(NamedTuple):
    """Seconds, and those of the processor: of this process and of the mail servers."""

    passed: float
    worked: float


def took(post: Post, act: Callable[[], object]) -> Took:
    began, worked = time.perf_counter(), time.process_time() + post.worked()
    act()
    passed = time.perf_counter() - began
    return Took(passed, time.process_time() + post.worked() - worked)


class Wire:
    """A table whose letters travel: its mailbox and its mail server are real."""

    def __init__(self, folder: Path, post: Post, *, pictures: bool = False) -> None:
        self.table, self.post = Table(folder), post
        opened(self.table)
        self.table.server.pictures = pictures
        imap = ImapSettings(
            host=post.host, port=post.imap_port, user=US, password=PASSWORD, security="none", poll=1.0, done=DONE
        )
        smtp = SmtpSettings(host=post.host, port=post.smtp_port, sender=Letterbox(address=US), security="none")
        self.mailbox, self.postman = ImapMailbox(imap), SmtpTransport(smtp, self.table.clock)
        self.daemon = self.served()

    def served(self, archivist: Archivist | None = None) -> Daemon:
        """A daemon over these servers."""
        return Daemon(self.table.server, self.mailbox, self.postman, 1.0, archivist)

    def post_letters(self, letters: Sequence[tuple[str, str]]) -> None:
        with SMTP(self.post.host, self.post.smtp_port) as smtp:
            for who, words in letters:
                self.table.uid += 1
                to = self.table._way_back(who, self.table.tag)
                letter = raw(self.table.uid, who, to, self.table.tag, words, 0)
                smtp.sendmail(f"{who}@example.org", [US], letter.raw)

    def round(self) -> Took:
        """One round of the daemon."""
        return took(self.post, self.daemon.tick)

    def close(self) -> None:
        self.mailbox.close()
        self.postman.close()
        self.table.store.close()


@contextmanager
def wired(*, pictures: bool = False) -> Iterator[Wire]:
    accounts = dict.fromkeys([US, *PEOPLE, "operator@example.net"], PASSWORD)
    with tempfile.TemporaryDirectory() as folder, served(accounts) as post:
        wire = Wire(Path(folder), post, pictures=pictures)
        wire.daemon.tick()
        settle()
        try:
            yield wire
        finally:
            wire.close()


def boxes(post: Post, address: str, folder: str) -> list[bytes]:
    with IMAPClient(post.host, post.imap_port, ssl=False) as client:
        client.login(address, PASSWORD)
        client.select_folder(folder, readonly=True)
        found = client.fetch(client.search(), ["BODY.PEEK[]"])
    return [each[b"BODY[]"] for each in found.values()]


def bare(post: Post, sent: Sequence[bytes]) -> None:
    """Fetch what lies in our mailbox and send those bytes, with nothing of ours between."""
    boxes(post, US, DONE)
    with SMTP(post.host, post.smtp_port) as smtp:
        for number, letter in enumerate(sent):
            smtp.sendmail(US, [PEOPLE[number % len(PEOPLE)]], letter)


def received(post: Post) -> list[bytes]:
    return [letter for address in PEOPLE for letter in boxes(post, address, "INBOX")]


def backlog() -> tuple[Took, Took]:
    """So many letters that wait, and the bare transport of them and of their answers."""
    with wired() as wire:
        wire.post_letters([(NAMES[number % 6], "status") for number in range(BACKLOG)])
        before, rounds = len(received(wire.post)), []
        while len(answers := received(wire.post)) - before < BACKLOG:  # a round has its limit
            rounds.append(wire.round())
        return Took(*map(sum, zip(*rounds, strict=True))), took(wire.post, lambda: bare(wire.post, answers[before:]))


def turns(*, pictures: bool) -> tuple[Took, Took, float]:
    """Medians of a letter that ends a turn, with all it makes; of bare transport; of the kB of one report."""
    ours, theirs, sizes = [], [], []
    with wired(pictures=pictures) as wire:
        for _ in range(12):
            order = wire.table.next_order()
            assert order is not None
            before = set(received(wire.post))
            wire.post_letters([order])
            ours.append(wire.round())
            new = [letter for letter in received(wire.post) if letter not in before]
            theirs.append(took(wire.post, partial(bare_turn, wire.post, new)))
            sizes += [len(letter) / 1_000 for letter in new]
    return median(ours), median(theirs), statistics.median(sizes)


def median(several: Sequence[Took]) -> Took:
    return Took(*map(statistics.median, zip(*several, strict=True)))


def bare_turn(post: Post, sent: Sequence[bytes]) -> None:
    with IMAPClient(post.host, post.imap_port, ssl=False) as client:
        client.login(US, PASSWORD)
        client.select_folder(DONE)
        client.fetch(client.search()[-1:], ["BODY.PEEK[]"])
    with SMTP(post.host, post.smtp_port) as smtp:
        for letter in sent:
            smtp.sendmail(US, ["operator@example.net"], letter)


def main() -> None:
    for games in AMONG:
        usual, worst, commit = among(games)
        told = f"median {usual * 1e3:.1f} ms, p99 {worst * 1e3:.1f} ms; a bare commit {commit * 1e3:.2f} ms"
        print(f"a letter among {games} games: {told}; ratio {usual / commit:.1f}", flush=True)
    print(f"memory for each game: {memory():.0f} kB", flush=True)
    for pictures in (False, True):
        ours, plain, size = turns(pictures=pictures)
        with_ = "with the picture" if pictures else "text and HTML"
        print(f"a turn told to six, {with_}: {compared(ours, plain)}; {size:.0f} kB each", flush=True)
    print(f"a backlog of {BACKLOG} letters: {compared(*backlog())}", flush=True)


def compared(ours: Took, plain: Took) -> str:
    told = f"{ours.passed * 1e3:.0f} ms, bare {plain.passed * 1e3:.0f} ms, ratio {ours.passed / plain.passed:.1f}"
    worked = f"{ours.worked * 1e3:.0f} and {plain.worked * 1e3:.0f} ms, {ours.worked / plain.worked:.1f}"
    return f"{told}; of the processor {worked}"


if __name__ == "__main__":
    main()
