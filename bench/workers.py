"""Several workers on one PostgreSQL: how many letters they deal with, and a day of many games.

Everything is real: PostgreSQL, Dovecot, processes of their own, and Postfix's `smtp-sink` that takes the mail; only the
instant is said to the workers. `throughput`: letters that wait, each of them orders in a game of its own that end a
turn, told to six. `day`: people as in `season.py` play some of the games for a day of simulated time, while the others
only lie in the books; what was measured is reckoned up to all of them.
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from msgspec import Struct
from season import PEOPLE, Person
from sqlalchemy import text

from pbem.adapters.store.schema import metadata
from pbem.adapters.store.sql import SqlStore
from pbem.bootstrap import Server
from pbem.core.seat import Setup
from pbem.games.imperial.bots import BOTS
from pbem.host.calendar.zones import DAY, HOUR
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.ports import Mail, RawLetter
from pbem.host.session.identity import Identity, Place
from pbem.host.session.terms import Terms
from tests import servers
from tests.fakes import FakeClock
from tests.worker import CHECKOUT, PASSWORD

US, OPERATOR, KEY = "pbem@example.net", "operator@example.net", "a key for the bench"
NAMES = ("anton", "bert", "claudia", "daniel", "emma", "fritz")
IDENTITY = Identity(key=KEY.encode(), address=US)
SUNDAY = 1_789_257_600  # 13 September 2026, 00:00 UTC
START = SUNDAY - 3_600
PLAYED = 45  # orders, so that the games are in their middle
PATIENCE = 600.0  # seconds for what is to be done at one instant
NUMBERED = "'imp-' || n"
COPIED = {  # what is another in the copy of that number
    "people": {"id": "id + 6 * n", "address": "replace(address, '.1@', '.' || n || '@')"},
    "addresses": {"person": "person + 6 * n", "address": "replace(address, '.1@', '.' || n || '@')"},
    "games": {"id": NUMBERED},
    "members": {"game": NUMBERED, "person": "person + 6 * n"},
    "entries": {"game": NUMBERED},
    "slots": {"game": NUMBERED},
}


class Nowhere:
    """A transport that throws everything away."""

    def send(self, mail: Mail) -> None:
        """It is gone."""


class Books:
    """A database with many games, all copies of one in its middle, each with people of its own."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.store = SqlStore(url)
        self.clock = FakeClock(START)
        host = HostIdentity(domain="example.net", operator=OPERATOR)
        self.server = Server(self.store, self.clock, host, IDENTITY, secrets=random.Random(3))
        self.dice = random.Random(7)
        self.uid = 0
        self.first = self._begin()

    def _begin(self) -> str:
        tag = self.server.new_game(Terms(setup=Setup()), [f"{n}={n}.1@example.org" for n in NAMES]).id
        inbox, delivery = self.server.inbox(), self.server.delivery(Nowhere())
        for name in NAMES:
            inbox.take(self._raw(self.letter(tag, name, "join")))
        for _ in range(PLAYED):
            delivery.deliver()
            seat, order = self.order(tag)
            inbox.take(self._raw(self.letter(tag, seat, order)))
        delivery.deliver()
        with self.store._engine.begin() as connection:
            for table in ("outbox", "letters", "raws", "marks", "tallies"):
                connection.execute(text(f"DELETE FROM {table}"))
        return tag

    def _raw(self, letter: bytes) -> RawLetter:
        return RawLetter(uid=self.uid, uidvalidity=1, arrived=self.clock.now(), raw=letter, size=len(letter))

    def order(self, tag: str) -> tuple[str, str]:
        """Who is asked first in that game, and what a greedy bot says."""
        with self.server.games.work() as work:
            session = work.session(work.game(tag))
            rules: Any = session.rules
            decision = session.pending()[0]
            order = BOTS["greedy"](rules, session.state, decision, self.dice.randrange)
            return decision.seat, rules.notation.write(order)

    def letter(self, tag: str, name: str, words: str) -> bytes:
        self.uid += 1
        address = f"{name}.{tag.partition('-')[2]}@example.org"
        with self.store.transaction() as repository:
            person, last = repository.person_at(address), len(repository.entries(tag)) - 1
        assert person is not None
        place = Place(turn=0, seq=last, serial=None) if last >= 0 else None
        to = IDENTITY.reply_to(IDENTITY.ticket(tag, person, issued=self.clock.now(), place=place))
        quoted = "\r\n".join(f"> line {n} of the report that is quoted below the orders" for n in range(60))
        head = (
            f"From: {address}\r\nTo: {to}\r\nSubject: Re: [{tag}] Your move\r\nMessage-ID: <{self.uid}@example.org>\r\n"
        )
        return f"{head}\r\n{words}\r\n\r\nOn Monday the adjudicator wrote:\r\n{quoted}\r\n".encode()

    def crowd(self, games: int) -> None:
        """So many games in all."""
        with self.store._engine.begin() as connection:
            for table, made in COPIED.items():
                names = [column.name for column in metadata.tables[table].columns]
                columns = ", ".join(f'"{name}"' for name in names)
                values = ", ".join(made.get(name, f'"{name}"') for name in names)
                source = f"(SELECT * FROM {table}) AS first, generate_series(2, :games) AS n"
                connection.execute(
                    text(f"INSERT INTO {table} ({columns}) SELECT {values} FROM {source}"), {"games": games}
                )
            connection.execute(
                text("SELECT setval(pg_get_serial_sequence('people', 'id'), (SELECT max(id) FROM people))")
            )
        with self.store._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("VACUUM ANALYZE"))

    def rest(self, played: int) -> None:
        """Nobody is asked anything in the games behind so many."""
        with self.store._engine.begin() as connection:
            number = "CAST(split_part(game, '-', 2) AS integer)"
            connection.execute(text(f"DELETE FROM slots WHERE {number} > :played"), {"played": played})

    def due(self, now: int) -> int:
        """Rows that wait to go out now."""
        with self.store._engine.connect() as connection:
            found = connection.execute(
                text("SELECT count(*) FROM outbox WHERE state = 'queued' AND due <= :now"), {"now": now}
            )
            return int(found.scalar_one())

    def count(self, table: str, where: str = "true") -> int:
        with self.store._engine.connect() as connection:
            return int(connection.execute(text(f"SELECT count(*) FROM {table} WHERE {where}")).scalar_one())

    def processor(self) -> float:
        """Seconds of it that the database server has used."""
        with self.store._engine.connect() as connection:
            pid = connection.execute(text("SELECT pg_backend_pid()")).scalar_one()
        postmaster = int(_stat(pid)[1])
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        own = sum(int(each) for each in _stat(postmaster)[11:15])  # with children that have ended
        return (own + sum(int(each) for pid in children for each in _stat(int(pid))[11:13])) / os.sysconf("SC_CLK_TCK")


def _stat(pid: int) -> list[str]:
    """proc(5), from the state on."""
    with suppress(FileNotFoundError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return ["0"] * 20


# -- the servers, and the workers ---


class Post:
    """A Dovecot with our mailbox, and a sink for what goes out."""

    def __init__(self, dovecot: servers.Dovecot, smtp_port: int) -> None:
        self.host, self.imap, self.smtp = dovecot.host, dovecot.imap_port, smtp_port
        self._maildir = dovecot.home / "mail" / US / "Maildir"
        dovecot.open_account(US, PASSWORD)
        dovecot.deliver(US, b"Auto-Submitted: auto-generated\r\n\r\n")  # it makes the folders
        self._owner = self._maildir.stat()
        self._number = 0

    def add(self, letters: Sequence[bytes]) -> None:
        """They arrive."""
        for raw in letters:
            self._number += 1
            name = f"{START + self._number}.{self._number}.bench"
            waiting = self._maildir / "tmp" / name
            waiting.write_bytes(raw)
            os.chown(waiting, self._owner.st_uid, self._owner.st_gid)
            waiting.rename(self._maildir / "new" / name)

    def waiting(self) -> int:
        return sum(1 for folder in ("new", "cur") for _ in (self._maildir / folder).iterdir())


@contextmanager
def post() -> Iterator[Post]:
    with servers.dovecot() as dovecot:
        (port,) = servers.free_ports(1)
        sink = subprocess.Popen(["/usr/sbin/smtp-sink", "-u", "nobody", f"127.0.0.1:{port}", "100"])
        try:
            yield Post(dovecot, port)
        finally:
            sink.kill()
            sink.wait()


class Crew:
    """Some workers."""

    def __init__(self, books: Books, office: Post, workers: int, now: int) -> None:
        life = {
            "database": books.url,
            "host": office.host,
            "imap": office.imap,
            "smtp": office.smtp,
            "us": US,
            "operator": OPERATOR,
            "key": KEY,
            "now": now,
        }
        command = [sys.executable, "-m", "tests.worker", json.dumps(life)]
        self._books, self._office = books, office
        self._workers = [
            subprocess.Popen(command, cwd=CHECKOUT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for _ in range(workers)
        ]
        self.rest()

    def rest(self) -> Counter[str]:
        """All finish their rounds; what they have done so far."""
        return self._say({})

    def _say(self, what: dict[str, int]) -> Counter[str]:
        for each in self._workers:
            assert each.stdin
            each.stdin.write(json.dumps(what) + "\n")
            each.stdin.flush()
        told = Counter[str]()
        for each in self._workers:
            assert each.stdout
            told.update(json.loads(each.stdout.readline()))
        return told

    def work(self, now: int) -> float:
        """Seconds until nothing waits any more at that instant."""
        began = time.perf_counter()
        self._say({"now": now})
        while self._office.waiting() or self._books.due(now):
            assert time.perf_counter() - began < PATIENCE, (self._office.waiting(), self._books.due(now))
            time.sleep(0.02)
        took = time.perf_counter() - began
        self.rest()
        return took

    def close(self) -> None:
        for each in self._workers:
            with suppress(OSError):
                each.stdin.close()  # type: ignore[union-attr]
        for each in self._workers:
            each.wait()


# -- throughput ---


def throughput(letters: int, games: int, crews: Sequence[int]) -> None:
    alone = 0.0
    for workers in crews:
        with staged(games) as (books, office), closing(Crew(books, office, workers, books.clock.now())) as crew:
            crew.work(books.clock.now())
            seat, order = books.order(books.first)
            office.add([books.letter(f"imp-{number}", seat, order) for number in range(1, letters + 1)])
            before, database = crew.rest(), books.processor()
            took = crew.work(books.clock.now() + 60)
            done, database = crew.rest() - before, books.processor() - database
            mails, rate = done["letter handed over"], letters / took
            alone = alone or rate
            print(
                f"{workers} workers among {games} games: {letters} letters and {mails} mails in {took:.1f} s: "
                f"{rate:.2f} letters and {mails / took:.1f} mails a second, {rate / alone:.2f} times one; processor: "
                f"workers {done['processor'] / letters * 1e3:.0f} ms and database {database / letters * 1e3:.0f} ms a "
                f"letter; {done['before commit']} transactions, {done['conflict']} refused",
                flush=True,
            )


@contextmanager
def staged(games: int) -> Iterator[tuple[Books, Post]]:
    with servers.postgres(durable=True) as url, post() as office:
        books = Books(url)
        with closing(books.store):
            books.crowd(games)
            yield books, office


# -- a day ---


class Step(Struct, frozen=True):
    """A few minutes of it."""

    at: int
    letters: int
    mails: int
    workers: float  # seconds of the processor
    database: float


class Day:
    """People play some of the games, from a Sunday at 00:00 UTC on, when all are in their middle."""

    def __init__(self, books: Books, office: Post, crew: Crew, played: int) -> None:
        self._books, self._office, self._crew = books, office, crew
        self._tags = [f"imp-{number}" for number in range(1, played + 1)]
        self._dice = random.Random(11)
        self._plans: list[tuple[int, str, str]] = []  # who writes when about which game
        self._asked: set[tuple[str, str]] = set()
        self._people = {
            (tag, name): Person(name, PEOPLE[name], number, place)
            for place, tag in enumerate(self._tags)
            for number, name in enumerate(NAMES)
        }

    def run(self, hours: int, step: int) -> Iterator[Step]:
        self._plan(first=True)
        for at in range(SUNDAY + step, SUNDAY + hours * HOUR + 1, step):
            self._books.clock.set(at)
            letters = [*self._written(at)]
            self._office.add(letters)
            before, database = self._crew.rest(), self._books.processor()
            self._crew.work(at)
            done, database = self._crew.rest() - before, self._books.processor() - database
            yield Step(at, len(letters), done["letter handed over"], done["processor"], database)
            self._plan()

    def _plan(self, *, first: bool = False) -> None:
        """Who has been asked something will answer it; at first as if they had been asked at any time of a day ago."""
        with self._books.store.transaction() as repository:
            found = [(tag, slot) for tag in self._tags for slot in repository.slots(tag) if slot.started]
        for tag, slot in found:
            if (tag, slot.key) in self._asked:
                continue
            self._asked.add((tag, slot.key))
            person, at = self._people[tag, slot.seat], 0
            while at < (SUNDAY if first else 1):
                at = person.answers(SUNDAY - self._dice.randrange(DAY) if first else slot.started or 0)
            heapq.heappush(self._plans, (at, tag, slot.seat))

    def _written(self, now: int) -> Iterator[bytes]:
        while self._plans and self._plans[0][0] <= now:
            _, tag, name = heapq.heappop(self._plans)
            with self._books.server.games.work() as work:
                session = work.session(work.game(tag))
                rules: Any = session.rules
                pending = [decision for decision in session.pending() if decision.seat == name]
                dice = self._people[tag, name].dice.randrange
                orders = [BOTS["greedy"](rules, session.state, decision, dice) for decision in pending]
            if orders:
                yield self._books.letter(tag, name, "\n".join(rules.notation.write(each) for each in orders))


def day(games: int, played: int, workers: int, hours: int, minutes: int) -> None:
    with staged(games) as (books, office), closing(Crew(books, office, workers, SUNDAY)) as crew:
        books.rest(played)
        crew.work(SUNDAY)
        size = books.store.size()
        steps = [*Day(books, office, crew, played).run(hours, minutes * 60)]
        grown = books.store.size() - size
        conflicts = crew.rest()["conflict"]
    letters, mails = sum(each.letters for each in steps), sum(each.mails for each in steps)
    own, theirs = sum(each.workers for each in steps), sum(each.database for each in steps)
    print(
        f"{hours} hours of {played} games played among {games}, {workers} workers: {letters} letters, {mails} mails, "
        f"{letters / played:.1f} and {mails / played:.1f} a game; processor: workers {own / letters * 1e3:.0f} ms and "
        f"database {theirs / letters * 1e3:.0f} ms a letter with its mails; the database grew by "
        f"{grown / played / 1e3:.0f} kB a game; {conflicts} transactions refused"
    )
    reckoned(steps, games / played, minutes * 60)


def reckoned(steps: Sequence[Step], times: float, seconds: int) -> None:
    """What so many times the games would be on so many cores: what is not done in one step waits for the next."""
    by_hour = Counter[int]()
    for each in steps:
        by_hour[(each.at - SUNDAY - 1) // HOUR] += each.letters
    hour, most = by_hour.most_common(1)[0]
    print(
        f"reckoned to {times:.0f} times as many: {sum(by_hour.values()) * times / (steps[-1].at - SUNDAY):.2f} letters "
        f"a second in the mean, {most * times / HOUR:.2f} at the peak ({hour}:00 UTC)"
    )
    for cores in (1, 2, 4, 8):
        behind, waits = 0.0, []
        for each in steps:
            work = (each.workers + each.database) * times / cores
            whole, evenly = behind + work, min(work / seconds, 0.95)
            one = (each.workers + each.database) / max(1, each.letters)
            # evenly over the step: what a queue makes one wait (M/D/1), and what was left of the steps before
            waits += [behind + one * (1 + evenly / (2 * (1 - evenly)))] * each.letters
            behind = max(0.0, whole - seconds)
        late = statistics.quantiles(waits, n=100)[98] if len(waits) > 1 else waits[0]
        busy = sum(each.workers + each.database for each in steps) * times / cores / (steps[-1].at - SUNDAY)
        print(
            f"  {cores} cores: busy {busy:.0%}; what follows from a letter is out after "
            f"{statistics.median(waits):.1f} s (median), {late:.1f} s (p99); backlog at the end {behind:.0f} s of work"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    kinds = parser.add_subparsers(dest="kind", required=True)
    through = kinds.add_parser("throughput")
    through.add_argument("--letters", type=int, default=200)
    through.add_argument("--games", type=int, default=1_000)
    through.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    whole = kinds.add_parser("day")
    whole.add_argument("--games", type=int, default=10_000, help="in the books")
    whole.add_argument("--played", type=int, default=50, help="of them; the figures are reckoned up")
    whole.add_argument("--workers", type=int, default=2)
    whole.add_argument("--hours", type=int, default=24)
    whole.add_argument("--minutes", type=int, default=30, help="of simulated time between two looks")
    said = parser.parse_args()
    if said.kind == "throughput":
        throughput(said.letters, said.games, said.workers)
    else:
        day(said.games, said.played, said.workers, said.hours, said.minutes)


if __name__ == "__main__":
    main()
