"""How long games take and how many letters they make, among people who have jobs, beds and time zones.

Whole games through the real service, over a clock, a mailbox and a postman that live in memory. Nothing is worded:
letters are counted. The same seeds give the same games.
"""

from __future__ import annotations

import argparse
import heapq
import json
import math
import multiprocessing
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any
from unittest import mock
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from msgspec import Struct
from msgspec.structs import replace

from pbem.adapters.mail_renderer import AllPages
from pbem.bootstrap import Server
from pbem.core.chance import NoLots
from pbem.core.decision import Answer, Decision
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat, Setup
from pbem.daemon import Daemon
from pbem.games.imperial.bots import greedy_bot
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.position import governed_by
from pbem.games.imperial.rules.state import AwaitInvest, AwaitTurn
from pbem.host.calendar.zones import DAY, HOUR, daily
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.messages.rows import DigestJob, Job, QuestionJob, ReminderJob, ReportJob, jobs_of, read_job
from pbem.host.ports import Mail, OutboxRow
from pbem.host.session.identity import Identity, Place
from pbem.host.session.session import Session
from pbem.host.session.terms import Terms
from pbem.mail.mail_writer import Envelope
from tests.fakes import FakeClock, FakeMailbox, FakePostman, MemoryStore

PLAYERS = (3, 4, 6)
WAYS = ("answers only", "standing orders", "standing and advance orders")
MODES = ("all", "round", "mine", "digest 18:00")
SEEDS = (1, 2, 3)

PEOPLE = {  # of a table of n the first n
    "anton": "Europe/Berlin",
    "bert": "America/New_York",
    "claudia": "Australia/Sydney",
    "daniel": "Europe/Rome",
    "emma": "Europe/London",
    "fritz": "Europe/Athens",
}
MEDIAN = 3 * HOUR  # from a letter to its answer
SIGMA = 1.05  # of its logarithm: one answer of forty takes longer than 24 hours
WAKES, SLEEPS = 7, 23  # o'clock
SUNDAY = 6  # of a week that begins on Monday
DAWDLES = HOUR  # at most, till he looks at his letters after waking
KNOWS = 0.6  # how often somebody knows already what a nation of his will do next
EVENING = 20  # o'clock, in the mean: when those write who have put it off
START = 1_790_000_000  # Mon 21 Sep 2026; the clocks are put back while the games go on
KINDS = ("asked", "reports", "daily", "answers", "reminders", "unused")


class Person:
    """Somebody at the table: when he answers, and what he has on file."""

    def __init__(self, name: str, zone: str, number: int, seed: int, *, puts_off: float = 0.0) -> None:
        """`puts_off`: how often he leaves till Sunday evening what he would write on Sunday before."""
        self.name = name
        self.zone = zone
        self.bold = number % 2 == 0  # fights, and stops nations on Investor
        self.decided = number % 3 > 0  # buys what is on his list or nothing
        self.puts_off = puts_off
        self.dice = random.Random(f"{seed} {name}")
        self.written = 0
        self.standing: set[str] = set()

    def answers(self, now: int) -> int:
        """When he writes after a letter came now: later, but not from his bed."""
        at = self._awake(now + int(self.dice.lognormvariate(math.log(MEDIAN), SIGMA)))
        wall = datetime.fromtimestamp(at, ZoneInfo(self.zone))
        if wall.weekday() != SUNDAY or not self.puts_off or self.dice.random() >= self.puts_off:
            return at
        evening = wall.replace(hour=EVENING, minute=0, second=0) + timedelta(seconds=self.dice.gauss(0, HOUR))
        return max(at, int(evening.timestamp()))

    def _awake(self, at: int) -> int:
        if WAKES <= datetime.fromtimestamp(at, ZoneInfo(self.zone)).hour < SLEEPS:
            return at
        return daily(self.zone, WAKES * HOUR, at - 1) + self.dice.randrange(DAWDLES)


class Blank:
    """Letters without a word."""

    pictures = False

    def mail(self, content: object, envelope: Envelope) -> Mail:
        return Mail(message_id=envelope.message_id, to=envelope.to, subject="", text="")


class Figures(Struct, frozen=True, kw_only=True):
    """What one game came to."""

    days: float
    turns: int
    written: float  # letters by each player
    got: dict[str, float]  # letters to each player, by kind
    causes: dict[str, int]  # of what was decided


class Season:
    """One game."""

    def __init__(
        self, players: int, way: str, mode: str, seed: int, *, start: int = START, puts_off: float = 0.0
    ) -> None:
        names = [*PEOPLE][:players]
        self.people = {name: Person(name, PEOPLE[name], n, seed, puts_off=puts_off) for n, name in enumerate(names)}
        self.way, self.mode, self.start = way, mode, start
        self.clock, self.store = FakeClock(start), MemoryStore()
        self.mailbox, self.postman = FakeMailbox(), FakePostman()
        self.identity = Identity(key=b"a key for the bench", address="pbem@example.net")
        host = HostIdentity(domain="example.net", operator="operator@example.net")
        dice = random.Random(f"{seed} secret")
        self.server = Server(self.store, self.clock, host, self.identity, secrets=dice)
        self.daemon = Daemon(self.server, self.mailbox, self.postman, 60.0)
        self.plans: list[tuple[int, str]] = []  # who writes when
        self.asked: set[str] = set()  # slots he will answer
        self._begin()

    # -- the course of it ---

    def _begin(self) -> None:
        self.tag = self.server.new_game(Terms(setup=Setup()), [f"{n}={n}@example.org" for n in self.people]).id
        for person in self.people.values():
            self._write(person, f"join\nzone {person.zone}\nreports {self.mode}")
            person.written = 0
            if self.way != WAYS[0]:
                heapq.heappush(self.plans, (person.answers(self.start), person.name))
        self.daemon.tick()
        self.before = len(self.postman.sent)

    def play(self) -> Figures:
        self.play_until(sys.maxsize)
        return self._figures()

    def play_until(self, end: int) -> bool:
        """Up to that instant; does it go on then?"""
        while is_running := self._is_running():
            self._plan()
            at = max(self._next_instant(), self.clock.now() + 1)
            if at > end:
                break
            self.clock.set(at)
            while self.plans and self.plans[0][0] <= at:
                _, name = heapq.heappop(self.plans)
                self._sit_down(self.people[name])
            with self.store.transaction() as repository:
                repository.set_polled(at - 1)  # letters are looked for all the while: no time is held
            self.daemon.tick()
        return is_running

    def _next_instant(self) -> int:
        """When somebody writes, time runs out, or a letter of ours is due."""
        with self.store.transaction() as repository:
            ours = (repository.next_due(), repository.next_post())
        return min([at for at in ours if at is not None] + [at for at, _ in self.plans[:1]])

    def _is_running(self) -> bool:
        with self.store.transaction() as repository:
            game = repository.game(self.tag)
        return game is not None and game.status == "running"

    def _plan(self) -> None:
        """Who has been asked something will answer it."""
        with self.store.transaction() as repository:
            slots = [slot for slot in repository.slots(self.tag) if slot.started and slot.key not in self.asked]
        for slot in slots:
            self.asked.add(slot.key)
            heapq.heappush(self.plans, (self.people[slot.seat].answers(slot.started or 0), slot.seat))

    def _sit_down(self, person: Person) -> None:
        with self.server.games.work() as desk:
            written = [*lines(desk.session(desk.game(self.tag)), person, self.way)]
        if written:
            self._write(person, "\n".join(written))

    def _write(self, person: Person, text: str) -> None:
        person.written += 1
        with self.store.transaction() as repository:
            found = repository.person_at(f"{person.name}@example.org")
            last = len(repository.entries(self.tag)) - 1
        assert found is not None, "they were invited"
        place = Place(turn=0, seq=last, serial=None) if last >= 0 else None  # of the newest letter, to no question
        to = self.identity.reply_to(self.identity.ticket(self.tag, found, issued=self.clock.now(), place=place))
        head = f"From: {found.address}\r\nTo: {to}\r\nSubject: Re: [{self.tag}]\r\n"
        raw = f"{head}Message-ID: <{self.clock.now()}.{found.address}>\r\n\r\n{text}\r\n"
        self.mailbox.add(raw.encode(), self.clock.now())

    # -- what it came to ---

    def _figures(self) -> Figures:
        with self.store.transaction() as repository:
            entries = [json.loads(entry) for entry in repository.entries(self.tag)]
        rows = {f"<{row.id}@example.net>": row for row in self.store.posted()}
        got = Counter(_kind(rows[mail.message_id]) for mail in self.postman.sent[self.before :])
        count = len(self.people)
        return Figures(
            days=(entries[-1]["at"] - self.start) / DAY,
            turns=sum(1 for entry in entries for event in entry["events"] if event["type"] == "TurnBegan"),
            written=sum(person.written for person in self.people.values()) / count,
            got={kind: got[kind] / count for kind in KINDS},
            causes=Counter(entry["cause"]["kind"] for entry in entries),
        )


def _kind(row: OutboxRow) -> str:
    """Of several that go together the first of the kinds."""
    return min((_kind_of(job, row) for job in jobs_of(read_job(row))), key=KINDS.index)


def _kind_of(job: Job, row: OutboxRow) -> str:
    match job:
        case QuestionJob():
            return "asked"
        case ReportJob(starts=starts):
            return "asked" if starts else "reports"
        case DigestJob():
            return "daily"
        case ReminderJob():
            return "reminders"
        case _:
            return "answers" if row.id.startswith("answer.") else "unused"


# -- what is written ---


def lines(session: Session, person: Person, way: str) -> Iterator[str]:
    """Answers to all that is asked of him now, and in some ways of playing orders for later."""
    rules: Any = session.rules
    state, pending = session.state, [d for d in session.pending() if d.seat == person.name]
    orders = [(d, greedy_bot(rules, state, d, person.dice.randrange)) for d in pending]
    yield from _written(rules, (order for _, order in orders))
    if way != WAYS[0] and (orders or not person.standing):
        wanted = {*_standing(rules, state, person)}
        yield from sorted(wanted - person.standing)
        person.standing = wanted
    if way == WAYS[2] and orders:
        after = _after(rules, state, orders)
        yield from (f"advance {text}" for text in _written(rules, _ahead(rules, after, person)))


def _written(rules: Any, orders: Iterable[od.Order]) -> Iterator[str]:
    for order in orders:
        if not isinstance(order, od.Skip):  # nobody can write that: the clock must run out
            yield rules.notation.write(order)


def _standing(rules: Any, state: Any, person: Person) -> Iterator[str]:
    """What he wants on file now: battles, Swiss Banks, and the bonds he would like best."""
    yield "standing fight" if person.bold else "standing peace"
    if person.bold:
        yield "standing force"
    found = [_best(rules, state, person, nation) for nation in (None, *_strongest(state))]
    choices = tuple(dict.fromkeys(bond for bond in found if bond))[:3]
    if choices:
        yield f"standing {rules.notation.write(od.Invest(choices=choices, else_none=person.decided))}"


def _strongest(state: Any) -> list[Any]:
    return sorted(state.power, key=lambda nation: -state.power[nation])


def _best(rules: Any, state: Any, person: Person, only: Any) -> od.Purchase | None:
    """The bond that he would take if he were asked now, of one nation or any."""
    question = AwaitInvest(nation=state.nation, seats=(Seat(person.name),), only=only)
    asked = replace(state, agenda=(question,))
    decision = Decision(seat=Seat(person.name), kind="invest", about=None, serial=0)
    order = greedy_bot(rules, asked, decision, person.dice.randrange)
    return order.choices[0] if isinstance(order, od.Invest) and order.choices else None


def _after(rules: Any, state: Any, orders: Iterable[tuple[Decision, od.Order]]) -> Any:
    """The position he sees before him when he has written his turn."""
    for decision, order in orders:
        try:
            answer = Answer(seat=decision.seat, order=order, decision=decision)
            state = rules.resolve(state, (answer,), NoLots()).state
        except Illegal:
            return state
    return state


def _ahead(rules: Any, state: Any, person: Person) -> Iterator[od.Order]:
    """The next turns of his nations, as far as he knows them by now."""
    for nation in () if state.finished else governed_by(state, Seat(person.name)):
        if person.dice.random() < KNOWS:
            then = replace(state, nation=nation, agenda=(AwaitTurn(nation=nation),))
            yield greedy_bot(rules, then, rules.pending(then)[0], person.dice.randrange)


# -- the tables ---


def play(case: tuple[int, str, str, int]) -> Figures:
    with mock.patch.object(AllPages, "mail", Blank().mail):
        return Season(*case).play()


def mean(numbers: Iterable[float]) -> float:
    return statistics.fmean([*numbers])


def course_row(players: int, way: str, games: Sequence[Figures]) -> str:
    days = [game.days for game in games]
    cells = [
        f"{mean(days):.0f} ({min(days):.0f}–{max(days):.0f})",
        f"{mean(game.turns for game in games):.0f}",
        f"{mean(game.got['asked'] for game in games):.0f}",
        f"{mean(game.written for game in games):.0f}",
        *(f"{mean(game.causes.get(cause, 0) for game in games):.1f}" for cause in ("standing", "advance")),
        f"{mean(game.got['unused'] for game in games) * players:.1f}",
        f"{mean(game.causes.get('lapse', 0) for game in games):.1f}",
    ]
    return f"| {players} | {way} | {' | '.join(cells)} |"


def letters_row(players: int, way: str, mode: str, games: Sequence[Figures]) -> str:
    got = {kind: mean(game.got[kind] for game in games) for kind in KINDS}
    total = sum(got.values())
    a_day = total / mean(game.days for game in games)
    cells = [*(f"{got[kind]:.0f}" for kind in KINDS), f"{total:.0f}", f"{a_day:.1f}"]
    return f"| {players} | {way} | {mode} | {' | '.join(cells)} |"


def tables(games: dict[tuple[int, str, str, int], Figures], seeds: Sequence[int]) -> Iterator[str]:
    yield (
        "| players | they write | days (from–to) | turns | asked, each | letters written, each | served by standing "
        "| by advance orders | advance orders not possible | lapses |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for players, way in product(PLAYERS, WAYS):
        yield course_row(players, way, [games[players, way, MODES[0], seed] for seed in seeds])
    yield ""
    yield "Letters to each player in a game, by the reports that all players have chosen:"
    yield ""
    yield (
        "| players | they write | reports | asking | reports of turns | daily reports | answers | reminders "
        "| advance order not possible | together | a day |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    for players, way, mode in product(PLAYERS, WAYS, MODES):
        yield letters_row(players, way, mode, [games[players, way, mode, seed] for seed in seeds])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[*SEEDS], help="one game of each kind for each of them")
    seeds: list[int] = parser.parse_args().seeds
    cases = [*product(PLAYERS, WAYS, MODES, seeds)]
    began = time.monotonic()
    with multiprocessing.Pool() as pool:
        games = dict(zip(cases, pool.map(play, cases, chunksize=1), strict=True))
    print("\n".join(tables(games, seeds)))
    print(f"\n{len(cases)} games with the seeds {', '.join(map(str, seeds))}, in {time.monotonic() - began:.0f} s.")


if __name__ == "__main__":
    main()
