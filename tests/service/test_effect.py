"""From when a decision counts: never before it was filed, and what was counted before stays.

See docs/reference/procedure.md, sections 1, 5.2, 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.seat import Setup
from pbem.host.clock.timing import Timing
from pbem.host.ports import Slot
from pbem.host.session.acts import Act, Away, Back, Done, OptionSet, Paused, Resumed
from pbem.host.session.effect import dated, since, steps
from pbem.host.session.terms import Terms, changes, in_force
from tests.service.bureau import DAY, HOUR, NAMES, Bureau
from tests.service.test_holds import acts, deadline, lapses
from tests.service.test_moderation import MODERATOR, appoint

MONDAY = 345_600  # the first in 1970
AGREED = Terms(setup=Setup(), slot_hours=6)
OPTIONS = {
    "away_days": ("0", "1", "3"),
    "slot_hours": ("1", "6", "48"),
    "grace_hours": ("0", "2"),
    "policy": ("auto", "on_request", "lenient"),
    "idle_days": ("none", "tue", "mon, wed"),
    "quiet_hours": ("none", "22:00-6:00"),
    "clock_zone": ("UTC", "Asia/Tokyo"),
}
hours = st.integers(-40, 60)


@st.composite
def courses(draw: st.DrawFn) -> tuple[Done, ...]:
    """Decisions one after another; what each names may lie before it, and a letter may be read late."""
    found: list[Done] = []
    now, values = (
        MONDAY,
        {"slot_hours": "6", "policy": "auto", "clock_zone": "UTC", "away_days": "0", "grace_hours": "0"},
    )
    for seq in range(draw(st.integers(1, 7))):
        now += draw(st.integers(0, 20)) * HOUR
        act = _act(draw, now, values)
        found.append(Done(seq=seq, at=now - draw(st.sampled_from([0, 0, 1, HOUR])), turn=1, act=act))
    return tuple(found)


def _act(draw: st.DrawFn, now: int, values: dict[str, str]) -> Act:
    start = now + draw(hours) * HOUR
    end = start + draw(st.integers(0, 60)) * HOUR
    kind = draw(st.sampled_from(["option", "option", "away", "back", "pause", "suspend", "resume"]))
    if kind == "option":
        key = draw(st.sampled_from([*OPTIONS]))
        was, values[key] = values.get(key, "none"), draw(st.sampled_from(OPTIONS[key]))
        return OptionSet(by="operator", key=key, value=values[key], was=was)
    return {
        "away": Away(by="anton", start=start, end=end),
        "back": Back(by="anton"),
        "pause": Paused(by="operator", start=start, end=draw(st.sampled_from([end, None])), cause="moderator"),
        "suspend": Paused(by="petition P-1", start=start, end=end, cause="petition"),
        "resume": Resumed(by="operator", at=start, cause=draw(st.sampled_from([None, "moderator"]))),
    }[kind]


def timing(done: Sequence[Done]) -> Timing:
    return Timing(terms=in_force(AGREED, changes(done)), done=tuple(done))


def seen(done: Sequence[Done], slot: Slot, at: int) -> tuple[int, int, bool]:
    """What could be told of a slot up to an instant: what has counted, how late it was, might others have ended it?"""
    clock = timing(done)
    return clock.counted(slot, at), clock.late(slot, at), clock.is_overdue(slot, at - 1)


@given(done=courses(), began=st.integers(-30, 60), ago=st.lists(st.integers(0, 60 * HOUR), min_size=1, max_size=4))
def test_what_was_counted_before_a_decision_is_not_changed_by_it(done: Any, began: int, ago: list[int]) -> None:
    slot = Slot(key="1 anton turn", seat="anton", opened=0, started=MONDAY + began * HOUR)
    for number, (decided, _) in enumerate(dated(done)):
        for at in [decided, *(decided - each for each in ago)]:
            assert seen(done[:number], slot, at) == seen(done[: number + 1], slot, at), (number, at)


@given(done=courses(), began=st.integers(-30, 60))
def test_no_decision_makes_an_end_that_is_over_already(done: Any, began: int) -> None:
    slot = Slot(key="1 anton turn", seat="anton", opened=0, started=MONDAY + began * HOUR)
    for number, (decided, _) in enumerate(dated(done)):
        before, after = (timing(done[:n]).reckoned(slot).deadline for n in (number, number + 1))
        if (before is None or before > decided) and after is not None:
            assert after >= min(decided, after if slot.started > decided else decided)
            clock = timing(done[: number + 1])
            assert after >= decided
            assert clock.counted(slot, after) == clock.whole(slot)


@given(asked=st.lists(st.integers(0, 1000)))
def test_the_instants_of_a_log_never_run_back(asked: list[int]) -> None:
    last, found = 0, []
    for each in asked:
        last = since(each, last)
        found.append(last)
    assert all(a <= b for a, b in pairwise(found))
    assert all(at >= each for at, each in zip(found, asked, strict=True))


def test_an_option_has_had_its_values_one_after_another() -> None:
    done = [
        Done(seq=0, at=50, turn=1, act=OptionSet(by="operator", key="away_days", value="3", was="0")),
        Done(seq=1, at=20, turn=1, act=OptionSet(by="operator", key="away_days", value="5", was="3")),
    ]
    assert steps(done, "away_days", "5") == [(0, "0"), (50, "3"), (50, "5")]
    assert steps(done, "policy", "auto") == [(0, "auto")]


# -- by letters ---


@pytest.mark.parametrize(("first", "then"), [(14, 0), (0, 14)])
def test_days_of_absence_count_from_when_they_are_agreed_on(lots: None, first: int, then: int) -> None:
    """Sixty hours after the beginning other days are agreed on: what those before were stays."""
    bureau = Bureau()
    bureau.open(away_days=first)
    start = bureau.slot.started or 0
    bureau.write("anton", "away until 30 Jan")
    if first == 0:
        bureau.at(start + 20 * HOUR)
    else:
        bureau.at(start + 60 * HOUR)
    now = bureau.clock.now()
    bureau.write("fritz", f"petition change the days\nSET away_days = {then}")
    for name in NAMES[1:5]:
        bureau.write(name, "for P-1")
    assert lapses(bureau) == []
    assert deadline(bureau) > now
    if then == 0:
        bureau.at(now + 20 * HOUR)
        assert lapses(bureau) == []
        bureau.at(now + 25 * HOUR)
    else:
        bureau.at(now + 13 * DAY)
        assert lapses(bureau) == []
        bureau.at(now + 14 * DAY + 5 * HOUR)
    assert len(lapses(bureau)) == 1
    instants = [entry["at"] for entry in bureau.entries]
    assert instants == sorted(instants)


def test_a_pause_counts_from_when_it_was_filed(bureau: Bureau) -> None:
    appoint(bureau, MODERATOR)
    until = deadline(bureau)
    bureau.at(until - HOUR)
    bureau.asleep = True
    bureau.drop(MODERATOR, "pause 2 days: the server moves", arrived=until - 1800)
    bureau.at(until + 720)
    assert lapses(bureau) == []
    assert [(act["start"], act["end"]) for act in acts(bureau, "paused")] == [(until - 1800, until - 1800 + 2 * DAY)]
    assert deadline(bureau) == until + 2 * DAY


def test_a_letter_is_timed_by_its_filing_and_entered_behind_what_was_done_before_it_was_read(bureau: Bureau) -> None:
    until = deadline(bureau)
    bureau.at(until - HOUR)
    bureau.drop("anton", "austria: import A lemberg", arrived=until - 60)
    bureau.clock.set(until + 60)
    bureau.server.app.moderate("imp-1", ["announce: a happy new year"])
    bureau.tick()
    (kept,) = acts(bureau, "time_kept")
    assert (kept["end"], kept["closings"][0]["late"], kept["closings"][0]["counted"]) == (until - 60, 0, DAY - 60)
    instants = [entry["at"] for entry in bureau.entries]
    assert instants == sorted(instants)


def test_nobody_files_in_the_future(bureau: Bureau) -> None:
    now = bureau.clock.now()
    bureau.drop("anton", "austria: import A lemberg", arrived=now + 400 * DAY)
    bureau.tick()
    assert bureau.entries[-1]["at"] <= now
