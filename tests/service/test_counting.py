"""The arithmetic of the clock: tables, and properties of every calendar.

See docs/reference/procedure.md, sections 6, 8.1, 8.2 and 12.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from holidays import HolidayBase, country_holidays
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core.refusal import Illegal
from pbem.host.calendar.counting import Counting, Pause, forced_late
from pbem.host.calendar.weeks import ALWAYS, Calendar, agreed_calendar
from pbem.host.calendar.zones import offset, shift, stretches
from tests.depth import examples_of

MINUTE, HOUR, DAY = 60, 3_600, 86_400
ZONES = ("UTC", "Europe/Berlin", "America/Los_Angeles", "Australia/Sydney")
ODD_ZONES = ("Australia/Lord_Howe", "Africa/Casablanca", "America/Havana", "Asia/Kathmandu", "Pacific/Apia")
PLAIN = Counting()


def at(zone: str, *fields: int) -> int:
    """The instant of year, month, day, hour, minute, second by the clock on the wall."""
    return int(datetime(*fields, tzinfo=ZoneInfo(zone)).timestamp())


def wall(zone: str, instant: int | None) -> str:
    assert instant is not None
    return f"{datetime.fromtimestamp(instant, ZoneInfo(zone)):%Y-%m-%d %H:%M:%S}"


NOON = at("UTC", 2026, 3, 2, 12)  # a Monday


# -- the tables of the procedure ---

LATE = [
    ((0, 0, 0), 0),
    ((23, 59, 59), 0),
    ((24, 0, 0), 0),
    ((24, 0, 1), 1),
    ((47, 59, 59), 1),
    ((48, 0, 0), 2),
    ((71, 59, 59), 2),
    ((72, 0, 0), 3),
    ((240, 0, 0), 10),
]


@pytest.mark.parametrize(("took", "late"), LATE)
def test_whole_periods_are_late_once_the_first_is_over(took, late):
    hours, minutes, seconds = took
    assert PLAIN.late(NOON, NOON + hours * HOUR + minutes * MINUTE + seconds, 24) == late


@pytest.mark.parametrize(
    ("hours", "seconds", "late"), [(72, 72 * HOUR, 0), (72, 72 * HOUR + 1, 1), (1, 3 * HOUR, 3), (12, 23 * HOUR, 1)]
)
def test_a_period_is_as_long_as_the_slot(hours, seconds, late):
    assert PLAIN.late(NOON, NOON + seconds, hours) == late


@pytest.mark.parametrize(("grace", "late"), [(0, 1), (1, 1), (23, 1), (24, 2), (47, 2), (48, 3)])
def test_a_close_by_the_clock_is_as_late_as_slot_and_grace_are_long(grace, late):
    assert forced_late(24, grace) == late
    assert PLAIN.closes(NOON, 24, grace) == NOON + (24 + grace) * HOUR + 1


DST = [
    ("Europe/Berlin", (2026, 3, 28, 20), "2026-03-29 21:00:00"),
    ("Europe/Berlin", (2026, 10, 24, 20), "2026-10-25 19:00:00"),
    ("America/Los_Angeles", (2026, 3, 7, 18), "2026-03-08 19:00:00"),
    ("America/Los_Angeles", (2026, 10, 31, 18), "2026-11-01 17:00:00"),
    ("Australia/Sydney", (2026, 4, 4, 20), "2026-04-05 19:00:00"),
    ("Australia/Sydney", (2026, 10, 3, 20), "2026-10-04 21:00:00"),
    ("UTC", (2026, 3, 28, 20), "2026-03-29 20:00:00"),
    ("UTC", (2026, 10, 24, 20), "2026-10-25 20:00:00"),
]


@pytest.mark.parametrize(("zone", "start", "end"), DST)
def test_24_hours_are_86400_seconds_whatever_the_wall_shows(zone, start, end):
    begun = at(zone, *start)
    assert wall(zone, PLAIN.deadline(begun, 24)) == end
    assert PLAIN.counted(begun, begun + DAY) == DAY


def test_a_suspension_moves_the_deadline():
    counting = Counting(pauses=(Pause(start=NOON + 8 * HOUR, end=NOON + 56 * HOUR),))
    assert wall("UTC", counting.deadline(NOON, 24)) == "2026-03-05 12:00:00"


def test_a_suspension_after_the_deadline_forgives_nothing():
    counting = Counting(pauses=(Pause(start=NOON + 49 * HOUR, end=NOON + 73 * HOUR),))
    assert counting.counted(NOON, NOON + 74 * HOUR) == 50 * HOUR
    assert counting.late(NOON, NOON + 74 * HOUR, 24) == 2


def test_time_under_two_suspensions_is_left_out_once():
    pauses = (Pause(start=NOON + 15 * HOUR, end=NOON + 30 * HOUR), Pause(start=NOON + 8 * HOUR, end=NOON + 20 * HOUR))
    counting = Counting(pauses=pauses)
    assert 48 * HOUR - counting.counted(NOON, NOON + 48 * HOUR) == 22 * HOUR
    assert counting.deadline(NOON, 24) == NOON + 46 * HOUR


# -- pauses, to the second ---


def test_while_a_hold_is_on_nobody_knows_the_deadline():
    held = Counting(pauses=(Pause(start=NOON + 8 * HOUR),))
    assert held.counted(NOON, NOON + 1000 * HOUR) == 8 * HOUR
    assert held.deadline(NOON, 24) is held.closes(NOON, 24) is held.remind_at(NOON, 24, 12) is None
    assert held.resumes(NOON + 9 * HOUR) is None
    assert held.remind_at(NOON, 24, 17) == NOON + 7 * HOUR
    released = Counting(pauses=(Pause(start=NOON + 8 * HOUR, end=NOON + 9 * HOUR),))
    assert released.deadline(NOON, 24) == NOON + 25 * HOUR


def test_nothing_is_closed_and_nobody_reminded_within_a_pause():
    at_deadline = Pause(start=NOON + DAY, end=NOON + 2 * DAY)
    counting = Counting(pauses=(at_deadline,))
    assert counting.deadline(NOON, 24) == NOON + DAY
    assert counting.closes(NOON, 24) == NOON + 2 * DAY + 1
    assert counting.late(NOON, NOON + 2 * DAY, 24) == 0
    assert counting.late(NOON, NOON + 2 * DAY + 1, 24) == 1
    at_reminder = Counting(pauses=(Pause(start=NOON + 12 * HOUR, end=NOON + 20 * HOUR),))
    assert at_reminder.remind_at(NOON, 24, 12) == NOON + 20 * HOUR


def test_a_slot_that_is_over_is_not_closed_while_the_rule_is_suspended():
    """The first second after the deadline counted; the daemon slept, and then the rule was suspended."""
    counting = Counting(pauses=(Pause(start=NOON + DAY + 1, end=NOON + 2 * DAY),))
    assert counting.closes(NOON, 24) == NOON + DAY + 1
    assert counting.resumes(NOON + DAY + 1) == NOON + 2 * DAY


def test_a_suspension_in_the_middle_of_a_question_stops_its_time_too():
    turn, asked = NOON, NOON + 20 * HOUR
    window = Pause(start=asked + 2 * HOUR, end=asked + 50 * HOUR)
    counting = Counting(pauses=(window,))
    assert counting.deadline(asked, 12) == window.end + 10 * HOUR
    assert counting.counted(asked, window.end + HOUR) == 3 * HOUR
    assert counting.counted(turn, window.end + HOUR) == 23 * HOUR
    assert counting.remind_at(asked, 12, 10) == window.end


def test_who_starts_within_a_pause_has_the_whole_slot_after_it():
    counting = Counting(pauses=(Pause(start=NOON - HOUR, end=NOON + HOUR),))
    assert counting.resumes(NOON) == NOON + HOUR
    assert counting.deadline(NOON, 24) == NOON + 25 * HOUR


@pytest.mark.parametrize("length", [0, -1, -DAY])
def test_a_window_that_ends_before_it_begins_pauses_nothing(length):
    counting = Counting(pauses=(Pause(start=NOON + HOUR, end=NOON + HOUR + length),))
    assert counting.counted(NOON - 2 * DAY, NOON + 2 * DAY) == 4 * DAY


@pytest.mark.parametrize(("before", "expected"), [(1, 23), (6, 18), (23, 1), (24, None), (25, None)])
def test_there_is_no_reminder_before_the_slot_begins(before, expected):
    assert PLAIN.remind_at(NOON, 24, before) == (None if expected is None else NOON + expected * HOUR)


def test_an_end_before_the_start_counts_nothing():
    assert PLAIN.counted(NOON, NOON - DAY) == 0
    assert PLAIN.late(NOON, NOON - DAY, 24) == 0
    assert PLAIN.after(NOON, 0) == NOON


# -- calendars ---

WEEKEND = Calendar(zone="Europe/Berlin", idle=(5, 6))
NIGHT = Calendar(zone="Europe/Berlin", quiet=(23 * 60, 7 * 60))
BAVARIA = Calendar(zone="Europe/Berlin", idle=(5, 6), holidays=("DE-BY", "IT"), quiet=(23 * 60, 7 * 60))


def test_a_weekend_is_left_out():
    counting = Counting(calendar=WEEKEND)
    friday = at("Europe/Berlin", 2026, 3, 6, 18)
    assert wall("Europe/Berlin", counting.deadline(friday, 24)) == "2026-03-09 18:00:00"
    assert wall("Europe/Berlin", counting.deadline(friday, 6)) == "2026-03-07 00:00:00"
    assert wall("Europe/Berlin", counting.closes(friday, 6)) == "2026-03-09 00:00:01"


def test_a_weekend_ends_with_the_day_of_its_zone():
    monday = at("America/Los_Angeles", 2026, 3, 9, 0)
    for zone in ("Pacific/Auckland", "UTC", "America/Los_Angeles"):
        counting = Counting(calendar=Calendar(zone=zone, idle=(5, 6)))
        assert wall(zone, counting.resumes(at(zone, 2026, 3, 7, 0))) == "2026-03-09 00:00:00"
    assert counting.resumes(monday - HOUR) == monday


def test_quiet_hours_are_left_out():
    counting = Counting(calendar=NIGHT)
    evening = at("Europe/Berlin", 2026, 3, 4, 22)
    assert wall("Europe/Berlin", counting.deadline(evening, 2)) == "2026-03-05 08:00:00"
    assert wall("Europe/Berlin", counting.deadline(evening, 1)) == "2026-03-04 23:00:00"
    assert wall("Europe/Berlin", counting.closes(evening, 1)) == "2026-03-05 07:00:01"
    assert wall("Europe/Berlin", counting.remind_at(evening, 2, 1)) == "2026-03-05 07:00:00"
    assert wall("Europe/Berlin", counting.deadline(evening, 24)) == "2026-03-06 14:00:00"


@pytest.mark.parametrize(("eve", "hours"), [((2026, 3, 27), 8), ((2026, 3, 28), 7), ((2026, 10, 24), 9)])
def test_a_night_of_the_change_is_as_long_as_the_clock_on_the_wall_says(eve, hours):
    counting, night = Counting(calendar=NIGHT), at("Europe/Berlin", *eve, 23)
    assert counting.resumes(night) == night + hours * HOUR
    assert counting.counted(night - 16 * HOUR, night + (hours + 16) * HOUR) == 32 * HOUR


def test_public_holidays_are_left_out_where_they_are_kept():
    thursday = at("Europe/Berlin", 2026, 4, 2, 18)  # Good Friday is the 3rd, Easter Monday the 6th
    for holidays, end in [
        ((), "2026-04-03 18:00:00"),
        (("DE",), "2026-04-07 18:00:00"),
        (("IT",), "2026-04-03 18:00:00"),  # no holiday in Italy
    ]:
        calendar = Calendar(zone="Europe/Berlin", idle=(5, 6), holidays=holidays)
        assert wall("Europe/Berlin", Counting(calendar=calendar).deadline(thursday, 24)) == end


def test_a_part_of_a_country_has_its_own_holidays():
    eve = at("Europe/Berlin", 2026, 6, 3, 12)  # Corpus Christi is kept in Bavaria
    ends = [Counting(calendar=Calendar(zone="Europe/Berlin", holidays=(c,))).deadline(eve, 24) for c in ("DE", "DE-BY")]
    assert [wall("Europe/Berlin", end) for end in ends] == ["2026-06-04 12:00:00", "2026-06-05 12:00:00"]


def test_christmas_weekend_and_nights_together():
    counting = Counting(calendar=BAVARIA)
    start = at("Europe/Berlin", 2026, 12, 24, 20)  # Thursday; Friday and Saturday are holidays
    assert wall("Europe/Berlin", counting.deadline(start, 3)) == "2026-12-24 23:00:00"
    assert wall("Europe/Berlin", counting.deadline(start, 4)) == "2026-12-28 08:00:00"
    assert wall("Europe/Berlin", counting.deadline(start, 24)) == "2026-12-29 12:00:00"


def test_a_deadline_where_remembered_weeks_meet():
    """They are 28 days from a Thursday in 1970; on Thursdays nothing counts here."""
    edge = 730 * 28 * DAY
    counting = Counting(calendar=Calendar(idle=(3,)))
    assert counting.deadline(edge - DAY, 24) == edge
    assert counting.closes(edge - DAY, 24) == edge + DAY + 1


# -- as people agree on them ---


@pytest.mark.parametrize(
    ("words", "agreed"),
    [
        ({}, {}),
        ({"idle": "none", "holidays": "", "quiet": "keine"}, {}),
        ({"idle": "sat, sun"}, {"idle": (5, 6)}),
        ({"idle": "So und Sa"}, {"idle": (5, 6)}),
        ({"idle": "domenica"}, {"idle": (6,)}),
        ({"holidays": "de-by, IT"}, {"holidays": ("DE-BY", "IT")}),
        ({"quiet": "23:00-7:00"}, {"quiet": (1380, 420)}),
        ({"quiet": "23 \u2013 7 Uhr"}, {"quiet": (1380, 420)}),
        ({"quiet": "dalle 23 alle 7"}, {"quiet": (1380, 420)}),
        ({"quiet": "0:00 to 6:30"}, {"quiet": (0, 390)}),
        ({"quiet": "22:15 bis 24:00"}, {"quiet": (1335, 1440)}),
        (
            {"idle": "mon+tue", "holidays": "US", "quiet": "1-2"},
            {"idle": (0, 1), "holidays": ("US",), "quiet": (60, 120)},
        ),
    ],
    ids=str,
)
def test_calendars_are_agreed_on_in_words(words, agreed):
    assert agreed_calendar("Europe/Berlin", **words) == Calendar(zone="Europe/Berlin", **agreed)


@pytest.mark.parametrize(
    ("words", "code", "read"),
    [
        ({"idle": "sat, funday"}, "calendar.weekday", "funday"),
        ({"idle": "mo di mi do fr sa so"}, "calendar.nothing", "mo di mi do fr sa so"),
        ({"holidays": "IT, Atlantis"}, "calendar.country", "ATLANTIS"),
        ({"holidays": "DE-ZZ"}, "calendar.country", "DE-ZZ"),
        ({"quiet": "at night"}, "calendar.hours", "at night"),
        ({"quiet": "23:75-7"}, "calendar.hours", "23:75-7"),
        ({"quiet": "24:00-7:00"}, "calendar.hours", "24:00-7:00"),
        ({"quiet": "7:00-7:00"}, "calendar.nothing", "7:00-7:00"),
        ({"quiet": "0-24"}, "calendar.nothing", "0-24"),
    ],
    ids=str,
)
def test_what_can_not_be_agreed_on_is_refused(words, code, read):
    with pytest.raises(Illegal) as refusal:
        agreed_calendar("UTC", **words)
    assert (refusal.value.code, refusal.value.facts) == (code, {"read": read})


# -- properties ---

instants = st.integers(at("UTC", 2024, 1, 1), at("UTC", 2032, 1, 1))
near_changes = st.builds(
    lambda zone, around, off: at(zone, *around) + off,
    st.sampled_from(ZONES[1:]),
    st.sampled_from([(2026, 3, 8, 2), (2026, 3, 29, 2), (2026, 10, 25, 2), (2026, 11, 1, 1), (2026, 4, 5, 2)]),
    st.integers(-3 * DAY, 3 * DAY),
)
starts = st.one_of(instants, near_changes)
quiet_hours = st.one_of(
    st.none(), st.tuples(st.integers(0, 1439), st.integers(0, 1439)).filter(lambda pair: pair[0] != pair[1])
)
calendars = st.one_of(
    st.just(ALWAYS),
    st.builds(
        Calendar,
        zone=st.sampled_from(ZONES + ODD_ZONES),
        idle=st.lists(st.integers(0, 6), max_size=6, unique=True).map(tuple),
        holidays=st.sampled_from([(), ("DE-BY",), ("US", "IT")]),
        quiet=quiet_hours,
    ),
)


@st.composite
def pauses_near(draw: st.DrawFn, start: int, most: int = 5) -> tuple[Pause, ...]:
    made = []
    for _ in range(draw(st.integers(0, most))):
        first = start + draw(st.integers(-3 * DAY, 10 * DAY))
        made.append(Pause(start=first, end=first + draw(st.integers(-HOUR, 6 * DAY))))
    return tuple(made)


@cache
def _feasts(country: str) -> HolidayBase:
    code, _, part = country.partition("-")
    return country_holidays(code, subdiv=part or None)


def _counts(counting: Counting, instant: int) -> bool:
    """Read off the wall, straight from what the options say."""
    calendar = counting.calendar
    if any(p.start <= instant and (p.end is None or instant < p.end) for p in counting.pauses):
        return False
    local = datetime.fromtimestamp(instant, ZoneInfo(calendar.zone))
    minute = local.hour * 60 + local.minute
    since, until = calendar.quiet or (0, 0)
    quiet = since <= minute < until if since <= until else minute >= since or minute < until
    feasts = map(_feasts, calendar.holidays)
    return not (quiet or local.weekday() in calendar.idle or any(local.date() in feast for feast in feasts))


@settings(max_examples=examples_of(30))
@given(data=st.data(), start=starts, calendar=calendars, length=st.integers(0, 4 * DAY))
def test_what_counts_is_what_the_wall_says(data, start, calendar, length):
    """Added up minute by minute: zones change their clocks on whole minutes."""
    start -= start % MINUTE
    whole = tuple(
        Pause(start=p.start - p.start % MINUTE, end=None if p.end is None else p.end - p.end % MINUTE)
        for p in data.draw(pauses_near(start, 3))
    )
    counting = Counting(calendar=calendar, pauses=whole)
    end = start + length - length % MINUTE
    minutes = sum(_counts(counting, instant) for instant in range(start, end, MINUTE))
    assert counting.counted(start, end) == minutes * MINUTE


@given(data=st.data(), start=starts, calendar=calendars, hours=st.integers(1, 100))
def test_the_deadline_is_the_first_instant_by_which_the_slot_has_counted(data, start, calendar, hours):
    counting = Counting(calendar=calendar, pauses=data.draw(pauses_near(start)))
    deadline = counting.deadline(start, hours)
    assert deadline is not None
    assert counting.counted(start, deadline) == hours * HOUR
    assert counting.counted(start, deadline - 1) == hours * HOUR - 1
    assert counting.late(start, deadline, hours) == 0


@given(data=st.data(), start=starts, calendar=calendars, hours=st.integers(1, 100), grace=st.integers(0, 100))
def test_the_clock_closes_at_the_first_instant_that_is_too_late(data, start, calendar, hours, grace):
    counting = Counting(calendar=calendar, pauses=data.draw(pauses_near(start)))
    closed = counting.closes(start, hours, grace)
    assert closed is not None
    assert counting.counted(start, closed) == (hours + grace) * HOUR + 1
    assert counting.counted(closed - 1, closed) == 1, "nothing is closed by a second that does not count"
    assert counting.late(start, closed, hours) == forced_late(hours, grace)
    assert counting.late(start, closed - 1, hours) <= forced_late(hours, grace)


@given(data=st.data(), start=starts, calendar=calendars, hours=st.integers(2, 100))
def test_reminders_come_at_instants_that_count(data, start, calendar, hours):
    counting = Counting(calendar=calendar, pauses=data.draw(pauses_near(start)))
    before = data.draw(st.integers(1, hours - 1))
    reminder, deadline = counting.remind_at(start, hours, before), counting.deadline(start, hours)
    assert reminder is not None
    assert deadline is not None
    assert counting.counted(reminder, deadline) == before * HOUR
    assert counting.counted(reminder, reminder + 1) == 1


@given(data=st.data(), start=starts, calendar=calendars, took=st.integers(0, 20 * DAY), hours=st.integers(1, 48))
def test_one_more_pause_never_makes_anybody_later(data, start, calendar, took, hours):
    pauses = data.draw(pauses_near(start))
    more = data.draw(pauses_near(start, 1))
    less, all_ = (Counting(calendar=calendar, pauses=p) for p in (pauses, (*pauses, *more)))
    assert all_.late(start, start + took, hours) <= less.late(start, start + took, hours)
    assert (all_.deadline(start, hours) or 0) >= (less.deadline(start, hours) or 0)


@given(data=st.data(), start=starts, calendar=calendars, took=st.integers(0, 20 * DAY))
def test_overlapping_pauses_are_worth_as_much_as_their_union_apart(data, start, calendar, took):
    pauses = data.draw(pauses_near(start))
    edges = sorted({edge for p in pauses for edge in (p.start, p.end or 0)})
    covered = [
        Pause(start=a, end=b) for a, b in pairwise(edges) if any(p.start <= a and b <= (p.end or 0) for p in pauses)
    ]
    end = start + took
    together, apart = (Counting(calendar=calendar, pauses=p) for p in (pauses, tuple(covered)))
    assert together.counted(start, end) == apart.counted(start, end)
    plain = Counting(calendar=calendar)
    lost = sum(plain.counted(max(p.start, start), min(p.end or 0, end)) for p in covered)
    assert together.counted(start, end) == plain.counted(start, end) - lost


@given(
    data=st.data(), start=starts, calendar=calendars, first=st.integers(0, 200 * DAY), then=st.integers(0, 200 * DAY)
)
def test_time_adds_up(data, start, calendar, first, then):
    counting = Counting(calendar=calendar, pauses=data.draw(pauses_near(start)))
    between, end = start + first, start + first + then
    assert counting.counted(start, end) == counting.counted(start, between) + counting.counted(between, end)


@given(start=starts, calendar=calendars, seconds=st.integers(1, 1000 * HOUR))
def test_whoever_waits_longer_gets_further(start, calendar, seconds):
    counting = Counting(calendar=calendar)
    reached, further = counting.after(start, seconds), counting.after(start, seconds + 1)
    assert reached is not None
    assert further is not None
    assert start < reached < further
    assert counting.after(start, seconds - 1) != reached


# -- zones ---


@given(zone=st.sampled_from(ZONES + ODD_ZONES), start=starts, length=st.integers(1, 800 * DAY))
def test_stretches_cover_a_span_with_one_offset_each(zone, start, length):
    parts = [*stretches(zone, start, start + length)]
    assert (parts[0][0], parts[-1][1]) == (start, start + length)
    for (_, end, before), (first, _, after) in pairwise(parts):
        assert end == first
        assert before != after
        assert (offset(zone, end - 1), offset(zone, end)) == (before, after)


@pytest.mark.parametrize(
    ("zone", "start", "hours", "by", "change"),
    [
        ("Europe/Berlin", (2026, 3, 28, 20), 24, 60, "2026-03-29 03:00:00"),
        ("Europe/Berlin", (2026, 10, 24, 20), 24, -60, "2026-10-25 02:00:00"),
        ("America/Los_Angeles", (2026, 3, 7, 18), 24, 60, "2026-03-08 03:00:00"),
        ("America/Los_Angeles", (2026, 10, 31, 18), 24, -60, "2026-11-01 01:00:00"),
        ("Australia/Lord_Howe", (2026, 4, 4, 12), 48, -30, "2026-04-05 01:30:00"),
    ],
)
def test_a_shift_tells_when_and_by_how_much(zone, start, hours, by, change):
    begun = at(zone, *start)
    found = shift(zone, begun, begun + hours * HOUR)
    assert found is not None
    assert found.by == by * MINUTE
    assert wall(zone, found.at) == change
    assert shift(zone, begun, found.at - 1) is None
    assert shift(zone, found.at - 1, found.at) == found
    assert shift(zone, found.at, begun + hours * HOUR) is None


@pytest.mark.parametrize(
    ("zone", "start", "hours"),
    [("UTC", (2026, 3, 28, 20), 24), ("Europe/Berlin", (2026, 3, 27, 20), 24), ("Europe/Berlin", (2026, 3, 1), 8760)],
)
def test_nothing_is_told_when_the_wall_shows_the_time_that_has_gone_by(zone, start, hours):
    assert shift(zone, at(zone, *start), at(zone, *start) + hours * HOUR) is None
