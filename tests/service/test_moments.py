"""Days, times and lengths of time as people write them: tables, and what holds for every text.

See docs/reference/procedure.md, section 8.1.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.core.languages import LANGUAGES
from pbem.core.refusal import Illegal
from pbem.games.imperial.presentation.words import VOICE
from pbem.host.calendar.moments import parse_length, parse_moment, parse_range
from pbem.language.dates import MONTHS, WEEKDAYS, month, unit, weekday
from pbem.render.wording import Wording

BERLIN = "Europe/Berlin"
ZONES = ("UTC", BERLIN, "America/Los_Angeles", "Australia/Sydney", "Asia/Kathmandu", "America/St_Johns")
WORDINGS = {language: Wording(VOICE, language, html=False) for language in LANGUAGES}


def at(zone: str, *fields: int, fold: int = 0) -> int:
    return int(datetime(*fields, tzinfo=ZoneInfo(zone), fold=fold).timestamp())


NOW = at(BERLIN, 2026, 11, 28, 10, 30)  # a Saturday


def wall(instant: int, zone: str = BERLIN) -> str:
    return f"{datetime.fromtimestamp(instant, ZoneInfo(zone)):%a %Y-%m-%d %H:%M:%S}".removesuffix(":00")


def code(parse, *facts) -> str:
    with pytest.raises(Illegal) as refusal:
        parse(*facts)
    for language, wording in WORDINGS.items():
        sentence = wording.refusal(refusal.value.code, refusal.value.facts)
        assert " " in sentence, (language, refusal.value.code)
    return refusal.value.code


# -- moments ---

CHRISTMAS_EVE = [
    "2026-12-24 18:00",
    "2026-12-24T18:00",
    "2026-12-24T18:00:00+01:00",
    "2026-12-24 17:00Z",
    "2026-12-24T17:00:00Z",
    "24.12. 18:00",
    "24.12.2026 18:00",
    "24.12.26, 18:00",
    "24. 12. 2026 um 18 Uhr",
    "am 24.12. um 18:00 Uhr",
    "18:00 24.12.",
    "24 Dec 18:00",
    "24 Dec, 6 pm",
    "24th of December 2026 at 6:00 p.m.",
    "Dec 24 18:00",
    "December 24th, 2026, 18:00",
    "Thu 24 Dec 18:00",
    "24. Dezember 18 Uhr",
    "Donnerstag, 24. Dez. 2026, 18.00 Uhr",
    "Do 24.12. 18h",
    "24 dicembre alle 18",
    "giovedì 24 dic 2026, ore 18.00",
    "gio 24/12 18:00",
    "12/24 18:00",
    "24 Dec 17:00 UTC",
    "24 Dec 17:00 gmt",
    "24 Dec 19:00 UTC+2",
    "24 Dec 11:30 -0530",
    "24 Dec 18:00 CET",
    "24.12. 18:00 MEZ",
    "24 Dec 12:00 America/New_York",
    "Thu 24 Dec 2026, 18:00 CET (17:00 UTC)",
    "  24\u00a0DEC   18:00 ",
    "24.12. 18:00.",
]


@pytest.mark.parametrize("text", CHRISTMAS_EVE)
def test_one_moment_is_written_in_many_ways(text):
    assert wall(parse_moment(text, BERLIN, NOW)) == "Thu 2026-12-24 18:00"


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("18:00", "Sat 2026-11-28 18:00"),
        ("10:30", "Sat 2026-11-28 10:30"),
        ("10:29", "Sun 2026-11-29 10:29"),
        ("24:00", "Sun 2026-11-29 00:00"),
        ("12 am", "Sun 2026-11-29 00:00"),
        ("12 pm", "Sat 2026-11-28 12:00"),
        ("18:00:30", "Sat 2026-11-28 18:00:30"),
        ("Mon 18:00", "Mon 2026-11-30 18:00"),
        ("Sat 18:00", "Sat 2026-11-28 18:00"),
        ("Samstag 10 Uhr", "Sat 2026-12-05 10:00"),
        ("lunedì alle 9", "Mon 2026-11-30 09:00"),
        ("mar 18:00", "Tue 2026-12-01 18:00"),
        ("mar 3 mar 2026 18:00", "Tue 2026-03-03 18:00"),
        ("3 mar 18:00", "Wed 2027-03-03 18:00"),
        ("So 12:00", "Sun 2026-11-29 12:00"),
        ("heute 23:00", "Sat 2026-11-28 23:00"),
        ("today 9:00", "Sat 2026-11-28 09:00"),
        ("tomorrow 7:15 am", "Sun 2026-11-29 07:15"),
        ("domani alle 9", "Sun 2026-11-29 09:00"),
        ("übermorgen um 9", "Mon 2026-11-30 09:00"),
        ("28.11. 9:00", "Sat 2026-11-28 09:00"),
        ("27.11. 9:00", "Fri 2026-11-27 09:00"),
        ("15.6. 9:00", "Mon 2026-06-15 09:00"),
        ("12.5. 9:00", "Wed 2027-05-12 09:00"),
        ("29.2. 9:00", "Tue 2028-02-29 09:00"),
        ("5/5 9:00", "Wed 2027-05-05 09:00"),
        ("2026-12-24", "Thu 2026-12-24 00:00"),
        ("Friday", "Fri 2026-12-04 00:00"),
    ],
)
def test_what_is_left_out_is_the_nearest(text, moment):
    assert wall(parse_moment(text, BERLIN, NOW)) == moment


def test_today_is_a_day_of_the_zone_that_is_meant():
    late = at("UTC", 2026, 11, 28, 23, 30)
    assert wall(parse_moment("today 12:00", BERLIN, late)) == "Sun 2026-11-29 12:00"
    assert wall(parse_moment("today 12:00 UTC", BERLIN, late)) == "Sat 2026-11-28 13:00"


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("", "time.unreadable"),
        ("soon", "time.unreadable"),
        ("24.12. 18", "time.unreadable"),
        ("next Monday 18:00", "time.unreadable"),
        ("24.12. 18:00 or so", "time.unreadable"),
        ("1626-12-24 18:00", "time.unreadable"),
        ("UTC", "time.unreadable"),
        ("25:00", "time.none"),
        ("24:01", "time.none"),
        ("18:60", "time.none"),
        ("13 pm", "time.none"),
        ("0 am", "time.none"),
        ("31.2. 18:00", "date.none"),
        ("29.2.2027 18:00", "date.none"),
        ("0.12. 18:00", "date.none"),
        ("24.13. 18:00", "date.none"),
        ("Fri 24 Dec 18:00", "date.weekday"),
        ("1.6. 18:00", "date.which"),
        ("25.5. 18:00", "date.which"),
        ("3/4 18:00", "date.slashes"),
        ("24 Dec 18:00 PST", "time.zone"),
        ("24 Dec 18:00 CEST", "time.zone"),
        ("18:00 America/Atlantis", "time.unreadable"),
    ],
)
def test_what_can_not_be_or_may_be_two_things_is_refused(text, refused):
    assert code(parse_moment, text, BERLIN, NOW) == refused


# -- the clocks go forward and back ---


@pytest.mark.parametrize(
    ("zone", "text", "change"),
    [
        (BERLIN, "2027-03-28 2:30", "Sun 2027-03-28 03:00"),
        (BERLIN, "28.3.2027 2:00", "Sun 2027-03-28 03:00"),
        ("America/Los_Angeles", "2027-03-14 2:59", "Sun 2027-03-14 03:00"),
        ("Australia/Sydney", "2026-10-04 2:00", "Sun 2026-10-04 03:00"),
        ("Australia/Lord_Howe", "2026-10-04 2:15", "Sun 2026-10-04 02:30"),
    ],
)
def test_a_time_that_the_clocks_skip_is_refused(zone, text, change):
    with pytest.raises(Illegal) as refusal:
        parse_moment(text, zone, NOW)
    assert refusal.value.code == "time.skipped"
    assert wall(refusal.value.facts["at"], zone) == change


@pytest.mark.parametrize(
    ("text", "fold"),
    [
        ("2027-10-31 2:30", 1),
        ("2027-10-31 2:30 MEZ", 1),
        ("2027-10-31 2:30 MESZ", 0),
        ("2027-10-31 2:30 CEST", 0),
        ("2027-10-31 2:30 +02:00", 0),
        ("2027-10-31 0:30Z", 0),
    ],
)
def test_a_time_that_comes_twice_is_the_later_unless_it_says_which(text, fold):
    assert parse_moment(text, BERLIN, NOW) == at(BERLIN, 2027, 10, 31, 2, 30, fold=fold)


def test_the_minutes_around_the_change_are_read():
    assert parse_moment("2027-03-28 3:00", BERLIN, NOW) == parse_moment("2027-03-28 1:59", BERLIN, NOW) + 60
    assert parse_moment("2027-10-31 3:00", BERLIN, NOW) == parse_moment("2027-10-31 2:59", BERLIN, NOW) + 60
    assert parse_moment("2027-10-31 2:00", BERLIN, NOW) == parse_moment("2027-10-31 1:59", BERLIN, NOW) + 3660


# -- days ---


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("28.11.", (2026, 11, 28)),
        ("27.11.", (2026, 11, 27)),
        ("Sat", (2026, 11, 28)),
        ("fr", (2026, 12, 4)),
        ("1° gennaio", (2027, 1, 1)),
        ("domani", (2026, 11, 29)),
        ("24 Dec 2028", (2028, 12, 24)),
    ],
)
def test_days_are_read(text, day):
    assert parse_moment(text, BERLIN, NOW) == at(BERLIN, *day)


# -- ranges ---

DECEMBER = [
    "3.12. to 20.12.",
    "3.12. to 2026-12-20",
    "3.12. - 20.12.2026",
    "3.12.-20.12.",
    "3.-20.12.",
    "3.\u201320. Dezember",
    "3-20 Dec",
    "3 Dec 2026 until 20 Dec",
    "Dec 3 - Dec 20",
    "Thu 3 Dec to Sun 20 Dec",
    "from 3 to 20 December",
    "vom 3. bis 20. Dezember 2026",
    "dal 3 al 20 dicembre",
    "2026-12-03 2026-12-20",
    "2026-12-03 - 2026-12-20",
    "3 Dec 20 Dec",
    "3.12. 0:00 to 20.12. 24:00",
    "2026-12-02 23:00 UTC to 20.12. 23:00 UTC",
]


@pytest.mark.parametrize("text", DECEMBER)
def test_one_range_is_written_in_many_ways(text):
    start, end = parse_range(text, BERLIN, NOW)
    assert (wall(start), wall(end)) == ("Thu 2026-12-03 00:00", "Mon 2026-12-21 00:00")


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("3.12.", "Thu 2026-12-03 00:00", "Fri 2026-12-04 00:00"),
        ("today", "Sat 2026-11-28 00:00", "Sun 2026-11-29 00:00"),
        ("until Friday", "Sat 2026-11-28 10:30", "Sat 2026-12-05 00:00"),
        ("bis 20.12.", "Sat 2026-11-28 10:30", "Mon 2026-12-21 00:00"),
        ("fino al 20 dicembre alle 18", "Sat 2026-11-28 10:30", "Sun 2026-12-20 18:00"),
        ("Mon to Fri", "Mon 2026-11-30 00:00", "Sat 2026-12-05 00:00"),
        ("Thu to Tue", "Thu 2026-12-03 00:00", "Wed 2026-12-09 00:00"),
        ("1.11. to 30.11.", "Sun 2026-11-01 00:00", "Tue 2026-12-01 00:00"),
        ("20.12. to 3.1.", "Sun 2026-12-20 00:00", "Mon 2027-01-04 00:00"),
        ("2026-12-20 to 3.1.", "Sun 2026-12-20 00:00", "Mon 2027-01-04 00:00"),
        ("24.12. 18:00 to 27.12. 12:00", "Thu 2026-12-24 18:00", "Sun 2026-12-27 12:00"),
        ("24.12. 10:00-12:00", "Thu 2026-12-24 10:00", "Thu 2026-12-24 12:00"),
        ("27.3.2027 to 28.3.2027", "Sat 2027-03-27 00:00", "Mon 2027-03-29 00:00"),
        ("tomorrow", "Sun 2026-11-29 00:00", "Mon 2026-11-30 00:00"),
        ("morgen bis übermorgen", "Sun 2026-11-29 00:00", "Tue 2026-12-01 00:00"),
        ("domani 9:00 - domani 17:00", "Sun 2026-11-29 09:00", "Sun 2026-11-29 17:00"),
    ],
)
def test_ranges_reach_from_the_last_such_day_to_the_next(text, start, end):
    assert tuple(map(wall, parse_range(text, BERLIN, NOW))) == (start, end)


def test_on_the_way_a_range_has_begun_already():
    december = at(BERLIN, 2026, 12, 25, 12)
    start, end = parse_range("20.12. to 3.1.", BERLIN, december)
    assert (wall(start), wall(end)) == ("Sun 2026-12-20 00:00", "Mon 2027-01-04 00:00")


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("", "range.unreadable"),
        ("over Christmas", "range.unreadable"),
        ("3.12. 18:00", "range.unreadable"),
        ("3 20", "range.unreadable"),
        ("20.12.2026 to 3.12.2026", "range.backwards"),
        ("24.12. 18:00 to 24.12. 17:00", "range.backwards"),
        ("1.11.2026 to 2.11.2026", "range.past"),
        ("until 14.11.", "range.past"),
        ("3.11. to 20.11.", "range.past"),
        ("3.12. to 31.11.", "date.none"),
        ("3/4 to 5/6", "date.slashes"),
        ("2027-03-28 2:30 to 2027-03-29", "time.skipped"),
    ],
)
def test_a_range_that_can_not_be_is_refused(text, refused):
    assert code(parse_range, text, BERLIN, NOW) == refused


# -- lengths ---


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("48h", 48),
        ("2d", 48),
        ("90m", 1.5),
        ("2 days", 48),
        ("1 day", 24),
        ("1 Woche", 168),
        ("2 Tage, 3 Std.", 51),
        ("1h30m", 1.5),
        ("1 hour and 30 minutes", 1.5),
        ("1.5 days", 36),
        ("1,5 giorni", 36),
        ("2 giorni e 12 ore", 60),
        ("3 settimane", 504),
    ],
)
def test_lengths_are_read(text, hours):
    assert parse_length(text) == hours * 3600


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("", "length.unreadable"),
        ("48", "length.unreadable"),
        ("2 months", "length.unreadable"),
        ("two days", "length.unreadable"),
        ("99999h", "length.unreadable"),
        ("2 days perhaps", "length.unreadable"),
        ("-2d", "length.unreadable"),
        ("0h", "length.none"),
        ("0.01 minutes", "length.none"),
    ],
)
def test_what_is_no_length_is_refused(text, refused):
    assert code(parse_length, text) == refused


# -- words ---


def test_every_name_of_a_month_and_a_day_means_itself_in_full_and_begun():
    for number, names in enumerate(MONTHS, 1):
        assert {month(begun) for name in names for begun in (name, name[:3], name.upper())} == {number}
    for number, names in enumerate(WEEKDAYS):
        assert {weekday(begun) for name in names for begun in (name, name[:3], f"{name[:3]}.")} == {number}
    assert [month("ma"), weekday("s"), weekday("do"), weekday("Sonnabend"), unit("month")] == [None, None, 3, 5, None]


# -- whatever is written ---

minutes = st.integers(at("UTC", 2025, 1, 1) // 60, at("UTC", 2035, 1, 1) // 60).map(lambda minute: minute * 60)
zones = st.sampled_from(ZONES)
FORMS = [
    "%Y-%m-%d %H:%M",
    "%d.%m.%Y %H:%M",
    "%d %b %Y, %I:%M %p",
    "%A, %d %B %Y %H:%M",
    "%B %d %Y %H:%M:%S",
    "%H:%M %d.%m.%Y",
]


@given(instant=minutes, zone=zones, form=st.sampled_from(FORMS))
@example(instant=at(BERLIN, 2027, 10, 31, 2, 30), zone=BERLIN, form=FORMS[0])
def test_what_the_wall_shows_reads_back(instant, zone, form):
    shown = datetime.fromtimestamp(instant, ZoneInfo(zone))
    assert parse_moment(shown.strftime(form), zone, NOW) == int(shown.replace(fold=1).timestamp())


@given(instant=minutes, zone=zones, language=st.sampled_from([*LANGUAGES]))
@example(instant=at(BERLIN, 2027, 10, 31, 2, 30), zone=BERLIN, language="de")
def test_the_moments_of_our_letters_read_back(instant, zone, language):
    assert parse_moment(WORDINGS[language].times.moment(instant, zone), zone, NOW) == instant


@given(
    now=minutes, zone=zones, minute=st.integers(0, 1439), day=st.sampled_from([n for names in WEEKDAYS for n in names])
)
def test_a_time_or_a_weekday_alone_is_never_over_and_soon(now, zone, minute, day):
    clock = f"{minute // 60}:{minute % 60:02}"
    for text, days in ((clock, 1), (f"{day} {clock}", 7)):
        try:
            instant = parse_moment(text, zone, now)
        except Illegal as refusal:
            assert refusal.code == "time.skipped"
            continue
        assert 0 <= instant - now <= (days * 24 + 1) * 3600
        assert f"{datetime.fromtimestamp(instant, ZoneInfo(zone)):%H:%M}" == f"{minute // 60:02}:{minute % 60:02}"


@given(instant=minutes, zone=zones, language=st.sampled_from([*LANGUAGES]), days=st.integers(0, 300))
def test_ranges_of_days_are_whole_days(instant, zone, language, days):
    first = datetime.fromtimestamp(instant, ZoneInfo(zone)).date()
    last = first + timedelta(days=days)
    words = [WORDINGS[language].times.day(day.isoformat()) for day in (first, last)]
    start, end = parse_range(" - ".join(words), zone, instant)
    assert datetime.fromtimestamp(start, ZoneInfo(zone)).date() == first
    assert datetime.fromtimestamp(start - 1, ZoneInfo(zone)).date() == first - timedelta(days=1)
    assert datetime.fromtimestamp(end, ZoneInfo(zone)).date() == last + timedelta(days=1)
    assert datetime.fromtimestamp(end - 1, ZoneInfo(zone)).date() == last


PIECES = [
    "24",
    "12",
    "3.",
    ".",
    "/",
    "-",
    ":",
    " ",
    "18:00",
    "Dec",
    "mar",
    "Mon",
    "heute",
    "Z",
    "+02:00",
    "CET",
    "bis",
    "2026",
    "am",
    "pm",
    "h",
]


@given(
    text=st.one_of(
        st.text(), st.lists(st.sampled_from(PIECES)).map("".join), st.lists(st.sampled_from(PIECES)).map(" ".join)
    )
)
@example("\u0664\u0662:\u0660\u0660")  # digits that are not ours
def test_no_text_is_read_other_than_right_or_refused(text):
    for parse in (parse_moment, parse_range):
        try:
            parse(text, BERLIN, NOW)
        except Illegal as refusal:
            assert all(wording.refusal(refusal.code, refusal.facts) for wording in WORDINGS.values())
    try:
        assert parse_length(text) >= 1
    except Illegal as refusal:
        assert refusal.code in ("length.unreadable", "length.none")


@given(
    seconds=st.integers(1, 9999), each=st.sampled_from([("m", 60), ("h", 3600), ("days", 86400), ("Wochen", 604800)])
)
def test_amounts_count_their_units(seconds, each):
    assert parse_length(f"{seconds} {each[0]}") == parse_length(f"{seconds}{each[0]}") == seconds * each[1]
