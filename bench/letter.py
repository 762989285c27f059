"""One letter of orders, from fetched to answer and report jobs committed."""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sqlalchemy import create_engine, delete, event, insert
from sqlalchemy.pool import QueuePool

from pbem.adapters.clock import FastClock
from pbem.adapters.store.connections import connect
from pbem.adapters.store.schema import marks
from pbem.adapters.store.sql import SqlStore
from pbem.bootstrap import Server
from pbem.core.seat import Setup
from pbem.games.imperial.bots import BOTS
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.ports import RawLetter
from pbem.host.session.identity import Identity, Place
from pbem.host.session.terms import Terms

NAMES = ("anton", "bert", "claudia", "daniel", "emma", "fritz")
LETTERS = 250
IDENTITY = Identity(key=b"a key for the bench", address="pbem@example.net")


def raw(uid: int, name: str, to: str, tag: str, text: str, at: int) -> RawLetter:
    quoted = "\r\n".join(f"> line {n} of the report that is quoted below the orders" for n in range(60))
    head = f"From: {name}@example.org\r\nTo: {to}\r\nSubject: Re: [{tag}] Your move\r\n"
    body = f"Message-ID: <{uid}@example.org>\r\n\r\n{text}\r\n\r\nOn Monday the adjudicator wrote:\r\n{quoted}\r\n"
    return RawLetter(uid=uid, uidvalidity=1, arrived=at, raw=(head + body).encode())


class Table:
    """A game whose players write one letter after another."""

    def __init__(self, folder: Path) -> None:
        self.clock = FastClock(int(time.time()))
        self.store = SqlStore(f"sqlite:///{folder / 'bench.sqlite'}")
        host = HostIdentity(domain="example.net", operator="operator@example.net")
        self.server = Server(self.store, self.clock, host, IDENTITY)
        self.inbox = self.server.inbox()
        self.dice = random.Random(7)
        self.uid = 0
        self.tag = self._begin()

    def _begin(self) -> str:
        game = self.server.new_game(Terms(setup=Setup()), [f"{n}@example.org" for n in NAMES])
        for name in NAMES:
            self.write(name, "join", game.id)
        return game.id

    def _way_back(self, name: str, tag: str) -> str:
        with self.store.transaction() as repository:
            person, last = repository.person_at(f"{name}@example.org"), len(repository.entries(tag)) - 1
        assert person is not None
        place = Place(turn=0, seq=last, serial=None) if last >= 0 else None
        return IDENTITY.reply_to(IDENTITY.ticket(tag, person, issued=self.clock.now(), place=place))

    def write(self, name: str, text: str, tag: str) -> float:
        """Seconds the letter took."""
        self.uid += 1
        letter = raw(self.uid, name, self._way_back(name, tag), tag, text, self.clock.now())
        began = time.perf_counter()
        self.inbox.take(letter)
        return time.perf_counter() - began

    def next_order(self) -> tuple[str, str] | None:
        with self.server.games.work() as desk:
            session = desk.session(desk.game(self.tag))
            rules: Any = session.rules
            if rules.finished(session.state):
                return None
            decision = session.pending()[0]
            order = BOTS["greedy"](rules, session.state, decision, self.dice.randrange)
            return decision.seat, rules.notation.write(order)


def bare_commits(store: SqlStore, count: int) -> list[float]:
    """Seconds of transactions in which SQLAlchemy puts one row in the place of another, with nothing of ours."""
    engine = create_engine("sqlite://", creator=lambda: connect(store.url).own, poolclass=QueuePool)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    times = []
    for number in range(count):
        began = time.perf_counter()
        with engine.begin() as connection:
            connection.execute(delete(marks).where(marks.c.name == "bench"))
            connection.execute(insert(marks), {"name": "bench", "at": number})
        times.append(time.perf_counter() - began)
    engine.dispose()
    return times


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(folder))
        times = []
        while len(times) < LETTERS and (order := table.next_order()) is not None:
            times.append(table.write(*order, table.tag))
        bare = statistics.median(bare_commits(table.store, 100))
        table.store.close()
    median, worst = statistics.median(times), statistics.quantiles(times, n=100)[98]
    print(
        f"{len(times)} letters at a table of six: median {median * 1e3:.2f} ms, p99 {worst * 1e3:.2f} ms; "
        f"a bare commit {bare * 1e3:.2f} ms; ratio {median / bare:.1f}"
    )


if __name__ == "__main__":
    main()
