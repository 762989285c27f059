"""A clock, a mailbox and a postman that do as a test tells them, and a store in memory."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cache
from itertools import count
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Table

from pbem.adapters.mime import read_letter
from pbem.adapters.store.connections import connect
from pbem.adapters.store.rows import value
from pbem.adapters.store.schema import letters, outbox
from pbem.adapters.store.sql import SqlBooks, SqlStore
from pbem.core.log import START, BrokenLink, check_link
from pbem.host.ports import (
    Mail,
    MailboxDown,
    MailFolder,
    OutboxRow,
    PostDown,
    RawLetter,
    StoreDown,
    Undelivered,
)

_NUMBERS = count()  # of stores in memory


class FakeClock:
    """A clock that stands still until the test moves it."""

    def __init__(self, now: int = 1_800_000_000) -> None:
        self._now = now
        self._elapsed = 0.0

    def now(self) -> int:
        """The instant last set."""
        return self._now

    def set(self, now: int) -> None:
        """Let time pass up to this instant, or put the hands back to it."""
        self._elapsed += max(0, now - self._now)
        self._now = now

    def elapsed(self) -> float:
        """What has gone by, wherever the hands were put."""
        return self._elapsed

    def leap(self, seconds: int) -> None:
        """Put the hands forward or back, while no time passes."""
        self._now += seconds

    def advance(self, seconds: int) -> int:
        """Let time pass; returns the new instant."""
        self._now += seconds
        self._elapsed += seconds
        return self._now


class FakeMailbox:
    """An inbox that tests put letters into; `shelved` tells where they went."""

    def __init__(self) -> None:
        self.inbox: list[RawLetter] = []
        self.shelved: list[tuple[RawLetter, MailFolder]] = []
        self.waits: list[float] = []
        self.down = False
        self.stuck: str | None = None  # a reason why no letter leaves the inbox
        self.before_unread: Callable[[], object] = lambda: None
        self._last_uid = 0

    def add(self, raw: bytes, arrived: int, *, cut: int | None = None) -> RawLetter:
        """Let a letter arrive; one of more than `cut` bytes with its header alone."""
        self._last_uid += 1
        letter = RawLetter(uid=self._last_uid, uidvalidity=1, arrived=arrived, raw=raw, size=len(raw))
        if cut is not None and len(raw) > cut:
            letter = replace(letter, raw=raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n", cut=cut)
        self.inbox.append(letter)
        return letter

    def unread(self) -> Sequence[RawLetter]:
        """The letters in the inbox, by filing time, then UID."""
        self.before_unread()
        self._check_up()
        return sorted(self.inbox, key=lambda letter: (letter.arrived, letter.uid))

    def heads(self) -> Sequence[RawLetter]:
        """The same, of each its header alone."""
        return [replace(each, raw=each.raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n") for each in self.unread()]

    def fetch(self, heads: Sequence[RawLetter]) -> Sequence[RawLetter]:
        """Those of these letters that are there."""
        self._check_up()
        uids = [head.uid for head in heads]
        return [letter for letter in self.inbox if letter.uid in uids]

    def shelve(self, letters: Sequence[tuple[RawLetter, MailFolder]]) -> None:
        """Move the letters out of the inbox; done twice, they stay where they are."""
        self._check_up()
        for letter, shelf in letters:
            if letter in self.inbox and self.stuck is None:
                self.inbox.remove(letter)
                self.shelved.append((letter, shelf))

    def expire(self, shelf: MailFolder, before: int, known: Callable[[str], bool]) -> int:
        """Forget old letters on that shelf."""
        self._check_up()
        over = [each for each in self.on(shelf) if each.arrived < before and known(read_letter(each.raw).id)]
        self.shelved = [(each, where) for each, where in self.shelved if where is not shelf or each not in over]
        return len(over)

    def wait(self, seconds: float) -> None:
        """Return at once, and remember how long it might have been."""
        self._check_up()
        self.waits.append(seconds)

    def on(self, shelf: MailFolder) -> list[RawLetter]:
        """The letters on this shelf, in the order in which they came there."""
        return [letter for letter, where in self.shelved if where is shelf]

    def _check_up(self) -> None:
        if self.down:
            raise MailboxDown("the test took the mailbox down")


class FakePostman:
    """Collects what it is given, in `sent`, unless told to fail."""

    def __init__(self) -> None:
        self.sent: list[Mail] = []
        self._failures: list[tuple[str, bool, int]] = []  # why, for good or not, and of how many mails
        self._unreachable: dict[str, Undelivered] = {}
        self.down = False

    def send(self, mail: Mail) -> None:
        """Hand the mail over; raises `Undelivered` or `PostDown` when the test wants it so."""
        if self.down:
            raise PostDown("the test took the server down")
        if self._failures:
            reason, permanent, times = self._failures[0]
            self._failures[:1] = [(reason, permanent, times - 1)] if times > 1 else []
            raise Undelivered(reason, permanent=permanent)
        if mail.to in self._unreachable:
            raise self._unreachable[mail.to]
        self.sent.append(mail)

    def fail(self, reason: str = "451 try again", *, permanent: bool = False, times: int = 1) -> None:
        """Refuse the next mails."""
        self._failures.append((reason, permanent, times))

    def refuse(self, address: str, reason: str = "550 unknown", *, permanent: bool = True) -> None:
        """Refuse everything to this address from now on."""
        self._unreachable[address] = Undelivered(reason, permanent=permanent)

    @property
    def failures_left(self) -> int:
        """How many of the next mails will be refused."""
        return sum(times for _, _, times in self._failures)

    def mend(self) -> None:
        """Take everything again."""
        self._failures.clear()
        self._unreachable.clear()

    def to(self, address: str) -> list[Mail]:
        """The mails that went to this address."""
        return [mail for mail in self.sent if mail.to == address]


class MemoryStore(SqlStore):
    """The books in memory, for one process: a database as any other, which another can begin as a copy of."""

    def __init__(self, books: sqlite3.Connection | None = None) -> None:
        """With these books to begin with; without any, as a new database."""
        file = f"file:/pbem{next(_NUMBERS)}?vfs=memdb"
        with closing(sqlite3.connect(file, uri=True)) as begun:  # it is there for as long as anybody has it open
            (books or new_books()).backup(begun)
            super().__init__(f"sqlite:///{file}")
        self._one_writer = threading.RLock()  # a database in memory waits for nobody
        self.down = False

    def _bring_up(self) -> None:
        """They begin up to date; one connection holds them open from now on."""
        self._idle.append(connect(self.url))

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[SqlBooks]:
        """The books, for as long as the block lasts: all of it happens, or nothing."""
        if self.down:
            raise StoreDown("the test took the books away")
        with self._one_writer, super().transaction(durable=durable) as repository:
            yield repository

    def copy(self) -> MemoryStore:
        """Another store that holds the same now."""
        return MemoryStore(self._idle[0].own)

    def rows(self, table: Table) -> dict[Any, Any]:
        """All that a table holds, by its key; while no transaction is open."""
        names = [column.name for column in table.primary_key]
        order = ", ".join(f'"{name}"' for name in names)
        with self.statements() as books:
            found = books.run(f"SELECT * FROM {table.name} ORDER BY {order}")
        keys = ([getattr(row, name) for name in names] for row in found)
        return {tuple(key) if len(key) > 1 else key[0]: row for key, row in zip(keys, found, strict=True)}

    def fates(self) -> Mapping[str, str]:
        """What became of each letter."""
        return {letter: row.fate for letter, row in self.rows(letters).items()}

    def posted(self, to: str = "", kind: str = "") -> Sequence[OutboxRow]:
        """Every row that was ever put into the outbox, to anybody or to this address, in the order of their keys."""
        rows = (value(OutboxRow, row) for row in self.rows(outbox).values())
        return [row for row in rows if to in ("", row.to) and row.id.startswith(kind)]


@cache
def new_books() -> sqlite3.Connection:
    """The tables as a store makes them in a new database: SQLite copies them faster than anybody creates them."""
    file = f"file:/pbem{next(_NUMBERS)}?vfs=memdb"
    made = sqlite3.connect(file, uri=True, check_same_thread=False)
    SqlStore(f"sqlite:///{file}").close()
    return made


def broken_link(raws: Iterable[bytes]) -> int | None:
    """The number of the first stored entry that is not the one that was written, if any."""
    prev = START
    for place, raw in enumerate(raws):
        try:
            prev = check_link(raw, place, prev)
        except BrokenLink:
            return place
    return None
