"""Several workers on one PostgreSQL: how many letters they deal with, and a day of many games.

Everything is real: PostgreSQL, Dovecot, processes of their own, and Postfix's `smtp-sink` that takes the mail; only the
instant is said to the workers. `throughput`: letters that wait, each of them orders in a game of its own that end a
turn, told to six. `day`: people as in `season.py` play some of the games for a day of simulated time, while the others
only lie in the books; what was measured is reckoned up to all of them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sqlalchemy import text

from pbem.adapters.store.sql import SqlStore
from pbem.bootstrap import Server
from pbem.core.seat import Setup
from pbem.games.imperial.bots import BOTS
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
START = 1_790_000_000
PLAYED = 45  # orders, so that the games are in their middle
PATIENCE = 600.0  # seconds for what is to be done at one instant
COPIED = {"games": "id", "members": "game", "entries": "game", "slots": "game"}


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
            rows = {
                name: [dict(row._mapping) for row in connection.execute(text(f"SELECT * FROM {name}"))]
                for name in (*COPIED, "people", "addresses")
            }
            for number in range(2, games + 1):
                shift = 6 * number
                new: dict[str, list[dict[str, Any]]] = {}
                for name in ("people", *COPIED, "addresses"):
                    new[name] = [_copy(name, row, number, shift) for row in rows[name]]
                for name, those in new.items():
                    columns = ", ".join(f'"{column}"' for column in those[0])
                    values = ", ".join(f":{column}" for column in those[0])
                    connection.execute(text(f"INSERT INTO {name} ({columns}) VALUES ({values})"), those)
        with self.store._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(
                text("SELECT setval(pg_get_serial_sequence('people', 'id'), (SELECT max(id) FROM people))")
            )
            connection.execute(text("VACUUM ANALYZE"))

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


def _copy(table: str, row: dict[str, Any], number: int, shift: int) -> dict[str, Any]:
    key, made = COPIED.get(table), dict(row)
    if key:
        made[key] = f"imp-{number}"
    if table == "people":
        made["id"] += shift
    if "person" in made:
        made["person"] += shift
    if "address" in made:
        made["address"] = made["address"].replace(".1@", f".{number}@")
    return made


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
        command = [sys.executable, str(CHECKOUT / "tests" / "worker.py"), json.dumps(life)]
        self._books, self._office = books, office
        self._workers = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(workers)
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
        with ExitStack() as stack:
            url = stack.enter_context(servers.postgres(durable=True))
            office = stack.enter_context(post())
            books = Books(url)
            stack.enter_context(closing(books.store))
            books.crowd(games)
            seat, order = books.order(books.first)
            crew = stack.enter_context(closing(Crew(books, office, workers, books.clock.now())))
            crew.work(books.clock.now())
            office.add([books.letter(f"imp-{number}", seat, order) for number in range(1, letters + 1)])
            before = crew.rest()
            took = crew.work(books.clock.now() + 60)
            done = crew.rest() - before
            sent = done["letter handed over"]
            rate = letters / took
            alone = alone or rate
            print(
                f"{workers} workers: {letters} letters and {sent} mails in {took:.1f} s: {rate:.1f} letters and "
                f"{sent / took:.0f} mails a second, {rate / alone:.2f} times one worker; processor of the workers "
                f"{done['processor'] / letters * 1e3:.0f} ms a letter; {done['before commit']} transactions, "
                f"{done['conflict']} of them again",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    kinds = parser.add_subparsers(dest="kind", required=True)
    through = kinds.add_parser("throughput")
    through.add_argument("--letters", type=int, default=200)
    through.add_argument("--games", type=int, default=1_000)
    through.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    said = parser.parse_args()
    throughput(said.letters, said.games, said.workers)


if __name__ == "__main__":
    main()
