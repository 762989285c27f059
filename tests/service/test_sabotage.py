"""Whatever is decided, however the clocks go and whatever is out of reach: time is counted fairly, and goes on.

Random courses of a whole server: what was counted before an instant never changes by what is decided at it, nothing
takes effect before it was filed, the instants of a log never run back, nobody's time ends before as many seconds as
were announced have really gone by, and in the end the inbox is empty and the clock runs on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.host.clock.slots import LATE_NOTICE
from pbem.host.clock.timing import Timing, is_petition, timing_of
from pbem.host.housekeeping.monotonic_clock import STEP
from pbem.host.ports import Member, Slot
from pbem.host.session.acts import Done, Paused
from tests.depth import examples_of
from tests.service.bureau import DAY, HOUR, NAMES, Bureau

MODERATOR = "zoe@players.test"
FEW = 3  # courses of a whole server; each is some fifty rounds
BACK = (0, 1, HOUR, 10 * HOUR)  # seconds before now; as late as that is read what was filed

PLAYERS = (
    "austria: investor",
    "italy: investor",
    "france: taxation",
    "away until tomorrow",
    "away from tomorrow to 30.1.",
    "away none",
    "petition suspend 30h: why not",
    "petition change the days\nSET away_days = 3",
    "petition change the hours\nSET slot_hours = 6",
    "petition change the days\nSET idle_days = sat, sun",
    "petition resume: go on",
    "for P-1",
    "for P-2",
    "against P-1",
    "play anton",
    "clock",
    "undo",
)
POWERS = (
    "pause 2 days: the server moves",
    "pause: till I say so",
    "resume: go on",
    "extend anton 12h: ill",
    "extend bert 3 days: ill",
    "deadline anton tomorrow 18:00: so",
    "deadline bert 20.1. 18:00: so",
    "option slot_hours = 48 with consent of all: slower",
    "option grace_hours = 5 with consent of all: grace",
    "option away_days = 5 with consent of all: holidays",
    "option policy = on_request with consent of all: so",
    "option policy = auto with consent of all: so",
    "option quiet_hours = 22:00-6:00 with consent of all: sleep",
    "rewind to turn 1: so",
    "roll forward: so",
    "close turn 1: he sleeps",
    "correct treasury italy 17: so",
    "act for anton: austria: investor",
    "option hold_minutes = 90 with consent of all: so",
)
LEAPS = (-400 * DAY, -DAY, -HOUR, -30, 30, HOUR, DAY, 10 * DAY, 400 * DAY)

letters = st.tuples(st.just("write"), st.sampled_from(NAMES), st.sampled_from(PLAYERS), st.sampled_from(BACK))
powers = st.tuples(st.just("write"), st.just(MODERATOR), st.sampled_from(POWERS), st.sampled_from(BACK))
passing = st.tuples(st.just("pass"), st.sampled_from([60, HOUR, 5 * HOUR, 13 * HOUR, DAY, 3 * DAY]))
sleeping = st.tuples(st.just("sleep"), st.sampled_from([HOUR, 5 * HOUR, DAY, 2 * DAY]))
faults = st.sampled_from(
    [("mailbox", True), ("mailbox", False), ("post", True), ("post", False), ("restart",), ("other",), ("believe",)]
)
glitches = st.one_of(
    st.tuples(st.just("leap"), st.sampled_from(LEAPS)),
    st.tuples(st.just("wake"), st.sampled_from([DAY, 10 * DAY, 100 * DAY]), st.sampled_from([10, HOUR, 2 * HOUR])),
)
honest = st.lists(
    st.one_of(letters, powers, powers, passing, sleeping, faults.filter(lambda f: f[0] != "believe")), max_size=8
)
wild = st.lists(st.one_of(letters, powers, passing, sleeping, faults, glitches), max_size=8)


class Resolution:
    """A server, and what was seen of it so far. True time is what has elapsed."""

    def __init__(self, bureau: Bureau) -> None:
        self.bureau = bureau
        self.began: dict[str, float] = {}  # of each slot, by true time
        self.leaps = 0
        self.never = 0  # seconds that have gone by for the computer alone

    @property
    def true(self) -> float:
        return self.bureau.clock.elapsed() - self.never

    def timing(self) -> Timing:
        with self.bureau.server.games.work() as desk:
            return timing_of(desk.session(desk.game("imp-1")))

    def do(self, step: tuple[Any, ...]) -> None:
        before, slots, entries = self.timing(), self.bureau.slots, self.bureau.entries
        self._do(step)
        after, more = self.timing(), self.bureau.entries[len(entries) :]
        self.check_entries(more)
        self.check_counted(step, before, after, slots)
        self.check_ends(step, slots, before, more)
        for slot in self.bureau.slots:
            if slot.started is not None:
                self.began.setdefault(f"{slot.key} {slot.started}", self.true)

    def _do(self, step: tuple[Any, ...]) -> None:
        bureau = self.bureau
        match step:
            case ("write", who, text, ago):
                bureau.drop(who, text, arrived=bureau.clock.now() - ago, subject="[imp-1]")
                bureau.tick()
            case ("pass", seconds):
                bureau.tick(seconds)
            case ("sleep", seconds):
                bureau.asleep = True
                bureau.tick(seconds)
                bureau.asleep = False
            case ("mailbox", down):
                bureau.mailbox.down = down
                bureau.tick()
            case ("post", down):
                bureau.postman.down = down
                bureau.tick()
            case ("restart",):
                bureau.restart()
                bureau.tick()
            case ("other",):
                bureau.tick_with(bureau.postman)
            case ("believe",):
                bureau._server(None).app.believe_clock()
                bureau.tick()
            case ("leap", seconds):
                bureau.asleep = True
                bureau.clock.leap(seconds)
                bureau.tick()
                bureau.asleep = False
                self.leaps += 1
            case ("wake", seconds, lasts):
                bureau.asleep = True
                bureau.tick(seconds)
                self.never += seconds
                bureau.tick(lasts)
                bureau.clock.leap(-seconds)
                bureau.tick()
                bureau.asleep = False
                self.leaps += 1

    def check_entries(self, more: Sequence[Mapping[str, Any]]) -> None:
        """The instants run back only where somebody says that the clock was wrong."""
        for a, b in pairwise(self.bureau.entries[-len(more) - 1 :]):
            assert a["at"] <= b["at"] or b["act"]["type"] == "clock_set", (a, b)

    def check_counted(self, step: Any, before: Timing, after: Timing, slots: Sequence[Slot]) -> None:
        """What had counted before the first of these decisions."""
        news = after.done[len(before.done) :]
        if not news:
            return
        first = min(map(_counts_from, news))
        for slot in slots:
            if slot.started is None or is_petition(slot):
                continue
            for at in (first, first - 1, first - HOUR, first - DAY):
                assert before.counted(slot, at) == after.counted(slot, at), (step, slot, at, news)

    def check_ends(self, step: Any, slots: Sequence[Slot], before: Timing, more: Sequence[Mapping[str, Any]]) -> None:
        """The clock has ended nobody's time before so many seconds have really gone by."""
        left = {slot.key for slot in self.bureau.slots}
        ended = [slot for slot in slots if slot.key not in left and slot.started is not None and not is_petition(slot)]
        if any(_by_the_clock(entry) for entry in more):
            for slot in ended:
                gone = self.true - self.began[f"{slot.key} {slot.started}"]
                assert gone >= before.whole(slot) - self.slack, (step, slot, gone)

    @property
    def slack(self) -> float:
        """Each leap may bring a correction that is believed."""
        return STEP * (self.leaps + 1) + LATE_NOTICE

    def check_goes_on(self) -> None:
        bureau = self.bureau
        bureau.mailbox.down = bureau.postman.down = False
        bureau.restart()
        bureau._server(None).app.believe_clock()
        bureau.tick(60)
        bureau.tick(HOUR)
        bureau.server.app.moderate("imp-1", ["resume: go on"])
        if bureau.game.status != "running":
            return
        bureau.server.app.moderate("imp-1", ["option policy = auto with consent of all: so"])
        bureau.tick(60)
        before = {slot.key for slot in bureau.slots}
        for _ in range(5):
            bureau.tick(5 * DAY)
        assert bureau.mailbox.inbox == []
        assert [mail.text for mail in bureau.alarms if "fault of ours" in mail.text] == []
        assert bureau.game.status != "running" or before != {slot.key for slot in bureau.slots}
        assert not [*bureau.clock_state().faults]


def _counts_from(done: Done) -> int:
    """A hold for an outage tells what was so since the last look for letters."""
    act = done.act
    return act.start if isinstance(act, Paused) and act.cause == "outage" else done.at


def _by_the_clock(entry: Mapping[str, Any]) -> bool:
    return entry["cause"]["kind"] == "lapse" and (entry["act"] or {}).get("by") == "clock"


@pytest.fixture(scope="module")
def ready(opened: Bureau) -> Bureau:
    made = opened.copy()
    with made.server.games.work() as desk:
        game = desk.game("imp-1")
        zoe = desk.repository.add_person("Zoe", MODERATOR, 0)
        desk.repository.save_game(replace(game, moderators=(Member(person=zoe, seat="", told=0),)))
    made.tick(60)
    return made


def check(ready: Bureau, steps: Sequence[Any]) -> None:
    course = Resolution(ready.copy())
    course.do(("pass", 60))
    for step in steps:
        course.do(step)
    course.check_goes_on()


@settings(max_examples=examples_of(FEW), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=honest)
def test_time_is_fair_while_the_clock_is_right(ready: Bureau, steps: Any) -> None:
    check(ready, steps)


@pytest.mark.slow
@settings(max_examples=examples_of(FEW), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=wild)
@example(steps=[("write", MODERATOR, "close turn 1: he sleeps", 0), ("wake", DAY, 10)])
@example(steps=[("write", MODERATOR, "extend anton 3h: ill", 0), ("wake", DAY, 2 * HOUR), ("wake", DAY, HOUR)])
def test_time_is_fair_whatever_the_clock_shows(ready: Bureau, steps: Any) -> None:
    check(ready, steps)
