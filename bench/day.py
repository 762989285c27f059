"""A Sunday of many games in simulated time, with several workers on one PostgreSQL.

People as in `season.py` play some of the games in the books; three of four leave what they would write on Sunday till
the evening. Time goes on in steps: what they wrote in one lies in the mailbox at its end, the workers deal with all
that is there, and say what it took them. From that is reckoned how long what they send would have waited had they had
so many cores and no more than the time there is: each letter comes at its instant, each digest and reminder at the end
of its step, and what each costs is what it took in its step.
"""

from __future__ import annotations

import argparse
import heapq
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from books import Books, played_first
from crew import Crew, Post, staged
from msgspec import Struct

from pbem.host.calendar.zones import HOUR, MINUTE

PUTS_OFF = 0.75
WARM = 30  # minutes at first that do not count: what is made once is made
TRIES = 1_000  # at an answer that has not come yet
CORES = (1, 2, 4)


class Step(Struct, frozen=True):
    """Some minutes."""

    at: int  # their end
    letters: list[int]  # when each came
    mails: int
    own: int  # of them, what no letter has led to
    workers: float  # seconds of the processor
    database: float
    clock: float  # seconds by the clock, of this machine

    @property
    def busy(self) -> float:
        """Seconds of one core."""
        return self.workers + self.database


class Day:
    """Steps of a day."""

    def __init__(self, books: Books, office: Post, crew: Crew, seconds: int) -> None:
        self._books, self._office, self._crew, self._seconds = books, office, crew, seconds
        idle = min((crew.work(books.clock.now()) for _ in range(5)), key=lambda done: done["clock"])
        self.idle = idle["processor"], idle["database"]  # what it takes to see that there is nothing to do
        self._plans: list[tuple[int, int, str]] = []  # when who writes about which game
        self._asked: set[tuple[int, str]] = set()

    def run(self, hours: float) -> Iterator[Step]:
        begin = self._books.clock.now()
        self._plan(0)
        for at in range(begin + self._seconds, begin + int(hours * HOUR) + 1, self._seconds):
            letters = [*self._written(at)]
            self._office.add(letters)
            self._books.clock.set(at)
            done = self._crew.work(at)
            own = self._books.count("sent = :at AND kind IN ('digest', 'reminder', 'overdue')", at=at)
            yield Step(
                at=at,
                letters=[each for each, _ in letters],
                mails=done["letter handed over"],
                own=own,
                workers=max(0.0, done["processor"] - self.idle[0]),
                database=max(0.0, done["database"] - self.idle[1]),
                clock=done["clock"],
            )
            self._plan(at)

    def _plan(self, since: int) -> None:
        """Who has been asked something will answer it, and has not done so before."""
        now = self._books.clock.now()
        for number, key, seat, started in self._books.asked(since):
            if (number, key) not in self._asked:
                self._asked.add((number, key))
                answers = (self._books.person(number, seat).answers(started) for _ in range(TRIES))
                heapq.heappush(self._plans, (next((at for at in answers if at > now), now + HOUR), number, seat))

    def _written(self, until: int) -> Iterator[tuple[int, bytes]]:
        while self._plans and self._plans[0][0] <= until:
            at, number, name = heapq.heappop(self._plans)
            self._books.clock.set(at)
            letter = self._books.written(number, name)
            if letter:
                yield at, letter


# -- what would have waited ---


class Waits(Struct, frozen=True):
    """With so many cores."""

    late: list[float]  # seconds, of each mail
    behind: list[float]  # seconds of work, for each core, at the end of each step


def waits(steps: Sequence[Step], seconds: int, times: int, cores: int) -> Waits:
    """So many times what was measured: each letter comes at its instant, and so many more in the minutes around it."""
    dice, free = random.Random(5), [0.0] * cores  # when each core has done what it has
    found = Waits([], [])
    for step in steps:
        answers, each = step.mails - step.own, step.busy / max(1, step.mails + len(step.letters))
        rate = answers / max(1, len(step.letters))
        came = [*map(float, step.letters)]
        came += [step.at - dice.random() * seconds for _ in range((times - 1) * len(came))]
        jobs = [(at, each * (1 + rate), rate) for at in sorted(came)] + [(step.at, each, 1.0)] * (times * step.own)
        for at, work, mails in jobs:
            begun = max(at, heapq.heappop(free))
            heapq.heappush(free, begun + work)
            found.late.extend([begun + work - at] * round(mails + dice.random() - 0.5))
        found.behind.append(sum(max(0.0, until - step.at) for until in free) / cores)
    return found


def part(numbers: Iterable[float], share: float) -> float:
    """What so large a share of them does not exceed."""
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


# -- what is told ---


def told(steps: Sequence[Step], seconds: int, times: int) -> Iterator[str]:
    hours = defaultdict[int, list[Step]](list)
    for step in steps:
        hours[(step.at - 1) // HOUR].append(step)
    yield "| hour, UTC | letters | mails | of them reminders and digests | workers | database | most behind, one core |"
    yield "|---|---|---|---|---|---|---|"
    behind = dict(zip([step.at for step in steps], waits(steps, seconds, times, 1).behind, strict=True))
    for hour, some in hours.items():
        counts = (sum(len(step.letters) for step in some), sum(s.mails for s in some), sum(s.own for s in some))
        spent = (sum(step.workers for step in some), sum(step.database for step in some))
        cells = [*(f"{count * times}" for count in counts), *(f"{each * times:.0f} s" for each in spent)]
        most = max(behind[step.at] for step in some)
        yield f"| {datetime.fromtimestamp(hour * HOUR, UTC):%a %H:%M} | {' | '.join(cells)} | {most:.1f} s |"
    yield ""
    letters, span = sum(len(step.letters) for step in steps), steps[-1].at - steps[0].at + seconds
    most_hour = max(hours.values(), key=lambda some: sum(len(step.letters) for step in some))
    most_step = max(steps, key=lambda step: len(step.letters))
    in_hour = sum(len(step.letters) for step in most_hour)
    busiest = max(steps, key=lambda step: step.busy)
    yield (
        f"Letters a second: {letters * times / span:.2f} in the mean, {in_hour * times / len(most_hour) / seconds:.2f} "
        f"in the busiest hour, {len(most_step.letters) * times / seconds:.2f} in the busiest {seconds // MINUTE} "
        f"minutes; mails a second there {sum(s.mails for s in most_hour) * times / len(most_hour) / seconds:.1f} and "
        f"{max(step.mails for step in steps) * times / seconds:.1f}. Most work in {seconds // MINUTE} minutes: "
        f"{busiest.busy * times:.0f} s."
    )
    for cores in CORES:
        found = waits(steps, seconds, times, cores)
        yield (
            f"{cores} cores: busy {sum(step.busy for step in steps) * times / span / cores:.1%}, in the busiest hour "
            f"{sum(step.busy for step in most_hour) * times / len(most_hour) / seconds / cores:.0%}; a mail is out "
            f"{part(found.late, 0.5):.2f} s (median), {part(found.late, 0.99):.1f} s (p99), {max(found.late):.0f} s "
            f"(worst) after what it tells of; most behind {max(found.behind):.1f} s, at the end "
            f"{found.behind[-1]:.1f} s"
        )


def day(games: int, played: int, workers: int, hours: float, minutes: int, puts_off: float) -> None:
    began = time.perf_counter()
    with staged(played_first(games, puts_off), games, played, workers, puts_off) as (books, office, crew):
        seconds, first = minutes * MINUTE, books.clock.now() + WARM * MINUTE
        sunday, sizes, steps = Day(books, office, crew, seconds), books.sizes(), []
        workers_idle, database_idle = (each * 1e3 for each in sunday.idle)
        print(
            f"staged in {time.perf_counter() - began:.0f} s; a step in which nothing is done takes {workers_idle:.0f} "
            f"ms of workers and {database_idle:.0f} ms of the database, which are left out",
            flush=True,
        )
        for step in sunday.run(hours + WARM / MINUTE):
            if step.at % HOUR == 0:
                print(f"{datetime.fromtimestamp(step.at, UTC):%a %H:%M}", file=sys.stderr, flush=True)
            if step.at > first:
                steps.append(step)
        grown = {name: size - sizes.get(name, 0) for name, size in books.sizes().items()}
        refused = crew.told["conflict"]
    letters, mails, times = sum(len(step.letters) for step in steps), sum(step.mails for step in steps), games // played
    print(
        f"{hours:g} hours of {played} games played among {games}, {workers} workers, steps of {minutes} minutes: "
        f"{letters} letters, {mails} mails ({sum(step.own for step in steps)} reminders and digests); "
        f"{letters / played:.2f} and {mails / played:.2f} a game; a letter with its mails: workers "
        f"{sum(step.workers for step in steps) / letters * 1e3:.0f} ms, database "
        f"{sum(step.database for step in steps) / letters * 1e3:.0f} ms; {sum(step.clock for step in steps):.0f} s by "
        f"the clock, {time.perf_counter() - began:.0f} s with all that is around it; {refused} transactions refused"
    )
    print("kB a game and day: " + ", ".join(f"{n} {s / played / 1e3:.2f}" for n, s in grown.items() if s > 0))
    print(f"Times {times}:" if times > 1 else "")
    print("\n".join(told(steps, seconds, times)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000, help="in the books")
    parser.add_argument("--played", type=int, default=1_000, help="of them; the figures are multiplied")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--hours", type=float, default=24, help="from Sunday, 04:00 UTC, on")
    parser.add_argument("--minutes", type=int, default=5, help="of a step")
    parser.add_argument("--puts-off", type=float, default=PUTS_OFF, help="the share that waits for Sunday evening")
    said = parser.parse_args()
    day(said.games, said.played, said.workers, said.hours, said.minutes, said.puts_off)


if __name__ == "__main__":
    main()
