"""Workers, each in a process of its own, with a Dovecot for letters and a sink for mail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress

from books import KEY, OPERATOR, US, Books, First

from tests import servers
from tests.worker import CHECKOUT, PASSWORD

PATIENCE = 3_600.0  # seconds for what is to be done at one instant
GLANCE = 0.05  # seconds between two looks whether it is


class Post:
    """A Dovecot with our mailbox, and a sink for what goes out."""

    def __init__(self, dovecot: servers.Dovecot, smtp_port: int) -> None:
        self.host, self.imap, self.smtp = dovecot.host, dovecot.imap_port, smtp_port
        self._maildir = dovecot.home / "mail" / US / "Maildir"
        dovecot.open_account(US, PASSWORD)
        dovecot.deliver(US, b"Auto-Submitted: auto-generated\r\n\r\n")  # it makes the folders
        self._owner = self._maildir.stat()
        self._number = 0

    def add(self, letters: Sequence[tuple[int, bytes]]) -> None:
        """They arrive, each at its instant."""
        for at, raw in letters:
            self._number += 1
            waiting = self._maildir / "tmp" / f"{at}.{self._number}.bench"
            waiting.write_bytes(raw)
            os.utime(waiting, (at, at))
            os.chown(waiting, self._owner.st_uid, self._owner.st_gid)
            waiting.rename(self._maildir / "new" / waiting.name)

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

    def __init__(self, books: Books, office: Post, workers: int) -> None:
        life = {
            "database": books.url,
            "host": office.host,
            "imap": office.imap,
            "smtp": office.smtp,
            "us": US,
            "operator": OPERATOR,
            "key": KEY,
            "now": books.clock.now(),
        }
        command = [sys.executable, "-m", "tests.worker", json.dumps(life)]
        self._books, self._office = books, office
        self._workers = [
            subprocess.Popen(command, cwd=CHECKOUT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for _ in range(workers)
        ]
        self.told = self._say({})

    def _say(self, what: dict[str, int]) -> Counter[str]:
        """To each, once its round is over; what all have done so far."""
        for each in self._workers:
            assert each.stdin
            each.stdin.write(json.dumps(what) + "\n")
            each.stdin.flush()
        told = Counter[str]()
        for each in self._workers:
            assert each.stdout
            told.update(json.loads(each.stdout.readline()))
        return told

    def work(self, now: int) -> Mapping[str, float]:
        """Until nothing waits any more at that instant.

        What was done, with the seconds of it: by the `clock`, of the `processor`, and of it in the `database`.
        """
        began, database = time.perf_counter(), self._books.processor()
        self._say({"now": now})
        while self._office.waiting() or self._books.due(now):
            assert time.perf_counter() - began < PATIENCE, (self._office.waiting(), self._books.due(now))
            time.sleep(GLANCE)
        clock = time.perf_counter() - began
        before, self.told = self.told, self._say({})
        done = defaultdict[str, float](int, {key: count - before[key] for key, count in self.told.items()})
        done |= {"database": self._books.processor() - database, "clock": clock}
        return done

    def close(self) -> None:
        for each in self._workers:
            with suppress(OSError):
                each.stdin.close()  # type: ignore[union-attr]
        for each in self._workers:
            each.wait()


@contextmanager
def staged(
    first: Sequence[First], games: int, played: int, workers: int, puts_off: float = 0.0
) -> Iterator[tuple[Books, Post, Crew]]:
    """All of it; nothing waits."""
    with servers.postgres(durable=True) as url, post() as office:
        books = Books(url, first, games, played, puts_off)
        with closing(books.store), closing(Crew(books, office, workers)) as crew:
            crew.work(books.clock.now())
            yield books, office, crew
