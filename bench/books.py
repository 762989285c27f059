"""A PostgreSQL with the books of many games in their middle, as those of `season.py` come to, and all that was written.

Fifty games, of all ways of playing and all kinds of reports, are played up to one instant in memory, each from
another day on; the others are copies of them, with people of their own.
"""

from __future__ import annotations

import multiprocessing
import os
import random
from collections.abc import Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

from msgspec import Struct
from season import MODES, PEOPLE, WAYS, Blank, Person, Season, lines
from sqlalchemy import Boolean

from pbem.adapters.mail_renderer import AllPages
from pbem.adapters.store.connections import Transaction, connect
from pbem.adapters.store.schema import metadata
from pbem.adapters.store.sql import SqlStore
from pbem.bootstrap import Server
from pbem.host.calendar.zones import DAY
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.session.identity import Identity, Place
from tests.fakes import FakeClock

US, OPERATOR, KEY = "pbem@example.net", "operator@example.net", "a key for the bench"
IDENTITY = Identity(key=KEY.encode(), address=US)
FIRST = 50  # games that are played; the others are copies
SEATS = len(PEOPLE)
LASTS = (30, 19, 12)  # days, in each of the ways of playing
FAR = 40 * DAY  # so much later everything is due in games that nobody plays
NOW = 1_789_270_200  # Sunday, 13 September 2026, 03:30 UTC

# What is another in the game of number g, of those of a game whose number was 1; the rest stays as it is.
GAME, PERSON = "'imp-' || g", "{} + :seats * (g - 1)"
ADDRESS = "replace({}, '@', '.' || g || '@')"
LATER = "CASE WHEN g > :played THEN due + :far ELSE due END"
COPIED = {
    "people": {"id": PERSON.format("id"), "address": ADDRESS.format("address")},
    "addresses": {"person": PERSON.format("person"), "address": ADDRESS.format("address")},
    "games": {"id": GAME},
    "members": {"game": GAME, "person": PERSON.format("person")},
    "entries": {"game": GAME},
    "papers": {"game": GAME},
    "slots": {"game": GAME, "due": LATER},
    "letters": {"id": "id || '.' || g", "game": GAME, "sender": ADDRESS.format("sender"), "uidvalidity": "1"},
    "raws": {"letter": "letter || '.' || g"},
    "outbox": {
        "id": "CASE WHEN starts_with(id, 'imp-1.') THEN 'imp-' || g || substr(id, 6) ELSE id || '.' || g END",
        "to": ADDRESS.format('"to"'),
        "game": GAME,
        "due": LATER,
    },
}


class First(Struct, frozen=True):
    """A game that was played up to the instant."""

    way: str
    standing: dict[str, set[str]]  # what its people have on file
    rows: dict[str, list[dict[str, Any]]]  # by their tables


def played_first(games: int, puts_off: float = 0.0) -> Sequence[First]:
    """What the first of so many have come to."""
    count = min(FIRST, games)
    assert games % count == 0, f"{games} games are no copies of {count}"
    with multiprocessing.Pool() as pool:
        return pool.map(partial(_played, puts_off=puts_off), range(count), chunksize=1)


def _played(number: int, puts_off: float) -> First:
    """It has gone on for some days by then, and does not end before."""
    way, mode, dice = WAYS[number % len(WAYS)], MODES[number % len(MODES)], random.Random(number)
    days = dice.uniform(0, LASTS[number % len(WAYS)])
    with mock.patch.object(AllPages, "mail", Blank().mail):
        while True:
            season = Season(SEATS, way, mode, number, start=NOW - int(days * DAY), puts_off=puts_off)
            if season.play_until(NOW):
                break
            days *= 0.8
    with season.store.statements() as books:
        rows = {name: [plain(name, row._asdict()) for row in books.run(f"SELECT * FROM {name}")] for name in COPIED}
    return First(way, {name: person.standing for name, person in season.people.items()}, rows)


def plain(table: str, row: dict[str, Any]) -> dict[str, Any]:
    """SQLite's truth is a number, and PostgreSQL's is not."""
    truths = [each.name for each in metadata.tables[table].c if isinstance(each.type, Boolean)]
    return {**row, **{name: bool(row[name]) for name in truths if row[name] is not None}}


class Books:
    """A database with many games; nothing is due in those behind the first so many that are `played`."""

    def __init__(self, url: str, first: Sequence[First], games: int, played: int, puts_off: float = 0.0) -> None:
        self.url, self.first, self.played, self._puts_off = url, first, played, puts_off
        self.store, self.clock = SqlStore(url), FakeClock(NOW)
        host = HostIdentity(domain="example.net", operator=OPERATOR)
        self.server = Server(self.store, self.clock, host, IDENTITY, secrets=random.Random(3))
        self.uid = 0
        self._people: dict[tuple[int, str], Person] = {}
        with self.store.statements() as books:
            self._fill(books, games // len(first))
        with closing(connect(url)) as connection:
            connection.run("VACUUM ANALYZE")

    def _fill(self, books: Transaction, times: int) -> None:
        for name, made in COPIED.items():
            names = [each.name for each in metadata.tables[name].columns if (name, each.name) != ("outbox", "number")]
            columns = ", ".join(f'"{each}"' for each in names)
            books.run(f"CREATE TEMP TABLE first ON COMMIT DROP AS SELECT *, 0 AS k FROM {name} LIMIT 0")
            rows = [{**row, "k": k} for k, one in enumerate(self.first, 1) for row in one.rows[name]]
            marks = ", ".join(f":{each}" for each in names)
            books.run_all(f"INSERT INTO first ({columns}, k) VALUES ({marks}, :k)", rows)
            values = ", ".join(made.get(each, f'"{each}"') for each in names)
            source = "(SELECT *, k + :first * n AS g FROM first, generate_series(0, :times - 1) AS n) AS each"
            facts = {"first": len(self.first), "times": times, "seats": SEATS, "played": self.played, "far": FAR}
            used = {key: value for key, value in facts.items() if f":{key}" in values + source}
            books.run(f"INSERT INTO {name} ({columns}) SELECT {values} FROM {source}", used)
            books.run("DROP TABLE first")
        books.run("SELECT setval(pg_get_serial_sequence('people', 'id'), (SELECT max(id) FROM people))")

    # -- those who play ---

    def person(self, number: int, name: str) -> Person:
        """Who sits there in the game of that number."""
        if (number, name) not in self._people:
            made = Person(name, PEOPLE[name], [*PEOPLE].index(name), number, puts_off=self._puts_off)
            made.standing = set(self._like(number).standing[name])
            self._people[number, name] = made
        return self._people[number, name]

    def _like(self, number: int) -> First:
        return self.first[(number - 1) % len(self.first)]

    def asked(self, since: int) -> Sequence[tuple[int, str, str, int]]:
        """Who was asked what since when, since an instant, in the games that are played: number, key, seat, instant."""
        number = "CAST(split_part(game, '-', 2) AS integer)"
        asked = (
            f"SELECT {number}, key, seat, started FROM slots WHERE started >= :since AND {number} <= :played "
            f"ORDER BY {number}, key"
        )
        with self.store.statements() as books:
            found = books.run(asked, {"since": since, "played": self.played})
            return [tuple(row) for row in found]

    def written(self, number: int, name: str) -> bytes | None:
        """What they write now, if there is anything to write."""
        tag, person = f"imp-{number}", self.person(number, name)
        address = f"{name}.{number}@example.org"
        with self.server.games.work() as work:
            session, reader = work.session(work.game(tag)), work.repository.person_at(address)
            words = "\r\n".join(lines(session, person, self._like(number).way))
        assert reader is not None
        if not words:
            return None
        self.uid += 1
        place = Place(turn=0, seq=session.position.seq, serial=None)
        to = IDENTITY.reply_to(IDENTITY.ticket(tag, reader, issued=self.clock.now(), place=place))
        quoted = "\r\n".join(f"> line {n} of the report that is quoted below the orders" for n in range(60))
        head = (
            f"From: {address}\r\nTo: {to}\r\nSubject: Re: [{tag}] Your move\r\nMessage-ID: <{self.uid}@example.org>\r\n"
        )
        return f"{head}\r\n{words}\r\n\r\nOn Monday the adjudicator wrote:\r\n{quoted}\r\n".encode()

    # -- what is measured ---

    def count(self, where: str, **facts: int) -> int:
        """Mails of ours."""
        with self.store.statements() as books:
            return int(books.run(f"SELECT count(*) FROM outbox WHERE {where}", facts).scalar())

    def due(self, now: int) -> int:
        """Those that wait to go out now."""
        return self.count("state = 'queued' AND due <= :now", now=now)

    def sizes(self) -> dict[str, int]:
        """Bytes of each table with its indexes, and of what was written ahead."""
        with self.store.statements() as books:
            found = books.run("SELECT relname, pg_total_relation_size(relid) FROM pg_stat_user_tables")
            sizes = {name: int(size) for name, size in found}
            ahead = "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')"
            return {**sizes, "write-ahead log": int(books.run(ahead).scalar())}

    def processor(self) -> float:
        """Seconds of it that the database server has used."""
        with self.store.statements() as books:
            pid = books.run("SELECT pg_backend_pid()").scalar()
        postmaster = int(_stat(pid)[1])
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        own = sum(int(each) for each in _stat(postmaster)[11:15])  # with children that have ended
        return (own + sum(int(each) for pid in children for each in _stat(int(pid))[11:13])) / os.sysconf("SC_CLK_TCK")


def _stat(pid: int) -> list[str]:
    """proc(5), from the state on."""
    with suppress(FileNotFoundError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return ["0"] * 20
