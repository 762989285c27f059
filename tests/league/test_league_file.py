"""The file of a league: every key of the template, and all mistakes in one run with line and column."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import msgspec
import pytest
from msgspec.structs import replace

from pbem.files import ConfigError, read_yaml
from pbem.league.calendar import calendar_of, hour_of, later
from pbem.league.league_file import read, template
from pbem.league.limits import House
from pbem.league.settings import Settings

NOW = int(datetime(2026, 11, 23, tzinfo=UTC).timestamp())
HOUSE = House(now=NOW, games={"imperial": range(2, 7), "ludo": range(2, 5)}, scored=["imperial"], templates=["slow"], reserved=["imp", "enter"])  # fmt: skip
SHORT = "name: euro\ngame: imperial\nseason: {start: 2027-01-11}\n"


def problems(text: str, house: House = HOUSE) -> list[str]:
    with pytest.raises(ConfigError) as found:
        read(text, "euro.yaml", house)
    return [*found.value.problems]


def test_the_template_says_what_is_meant_when_it_says_nothing() -> None:
    whole, short = read(template("euro", "imperial"), "euro.yaml", HOUSE), read(SHORT, "euro.yaml", HOUSE)
    assert whole.titled("it") == short.titled("de") == "Euro League"
    assert replace(short, title=whole.title) == whole
    assert read(template("asia", "imperial"), "asia.yaml", HOUSE).titled("en") == "Asia League"


def test_the_template_has_every_key_and_each_is_read() -> None:
    """What it says is what the log of a season keeps of it, key by key."""
    told = read_yaml(template("euro", "imperial"), "euro.yaml").value
    kept = msgspec.json.decode(msgspec.json.encode(read(template("euro", "imperial"), "euro.yaml", HOUSE)))
    assert kept == msgspec.json.decode(msgspec.json.encode(told))
    settings = msgspec.convert(kept, Settings, strict=False)
    assert settings == read(template("euro", "imperial"), "euro.yaml", HOUSE)


def test_every_key_of_every_section_may_be_left_out() -> None:
    lines = template("euro", "imperial").splitlines()
    for number, line in enumerate(lines):
        if line.startswith("  ") and "start:" not in line:
            assert read("\n".join([*lines[:number], *lines[number + 1 :]]), "euro.yaml", HOUSE)


ELEVEN = """\
name: Euro
game: chess
format: ladder
entry: {least: 1, muster_days: 30}
season:
  start: 2020-01-01
  weeks: 200
table: {players: 7, load: 0}
groops: {size: 7}
limits: {game_days: 5, stall: much}
"""


def test_eleven_mistakes_in_one_run() -> None:
    found = [":".join(problem.split(":")[1:4]) for problem in problems(ELEVEN) if ": groups:" not in problem]
    assert found == [
        "1:7: name", "2:7: game", "3:9: format", "4:16: entry.least", "4:32: entry.muster_days",
        "6:10: season.start", "7:10: season.weeks", "8:18: table.players", "8:27: table.load", "9:1: groops",
        "10:21: limits.game_days", "10:31: limits.stall",
    ]  # fmt: skip


LIMITS = {  # what is written: the key that is named, and the code
    "name: e": ("name", "league.name"),
    "name: imp": ("name", "league.name"),
    "game: go": ("game", "league.game"),
    "template: fast": ("template", "opening.template"),
    "format: rounds\nentry: {least: 15}": ("entry.least", "league.too_few"),
    "format: series\nentry: {least: 5}": ("entry.least", "league.too_few"),
    "entry: {most: 9}": ("entry.most", "league.too_many"),
    "entry: {least: 2001}": ("entry.least", "league.too_many"),
    "entry: {days: 5}": ("entry.muster_days", "league.muster"),
    "season: {start: 2026-12-13}": ("season.start", "league.start"),
    "season: {start: soon}": ("season.start", "league.start"),
    "season: {start: 2027-01-11, weeks: 0}": ("season.weeks", "league.weeks"),
    "season: {start: 2027-01-11, zone: Berlin}": ("season.zone", "league.value"),
    "season: {start: 2027-01-11, hour: 24}": ("season.hour", "league.value"),
    "table: {players: 6}": ("table.players", "league.table"),
    "table: {allowed: [4, 7]}": ("table.allowed", "league.table"),
    "table: {load: 11}": ("table.load", "league.load"),
    "groups: {least: 3}": ("groups", "league.groups"),
    "groups: {most: 10}": ("groups.most", "league.groups"),
    "divisions: {shape: [2, 1]}": ("divisions.shape", "league.shape"),
    "format: cup\nentry: {least: 16}\nrounds: {count: 6}": ("rounds.count", "league.rounds"),
    "format: cup\nentry: {least: 16}\nrounds: {advance: 3}": ("rounds.advance", "league.value"),
    "limits: {game_days: 13}": ("limits.game_days", "league.limit"),
    "limits: {stall: 1.4}": ("limits.stall", "league.stall"),
    "scoring: {places: {3: [9, 5, 2], 4: [10, 6, 3, 1], 5: [11, 7, 4, 2, 1]}}": ("scoring.places", "league.unequal"),
    "scoring: {places: {3: [9, 1, 5], 4: [10, 6, 3, 1], 5: [11, 7, 4, 2, 1]}}": ("scoring.places", "league.unequal"),
    "scoring: {places: {4: [10, 6, 3, 1]}}": ("scoring.places", "league.unequal"),
    "scoring: {ties: [wins, lot, late]}": ("scoring.ties", "league.ties"),
    "scoring: {ties: [luck, lot]}": ("scoring.ties", "league.ties"),
    "game: ludo\ntable: {allowed: [4]}\nscoring: {system: share}": ("scoring.system", "league.scores"),
    "leaving: {share: 101}": ("leaving.share", "league.value"),
    "lateness: {free: -1}": ("lateness.free", "league.value"),
    "draw: {links: 1}": ("draw.links", "league.value"),
    "mail: {weekly: monday}": ("mail.weekly", "league.value"),
    "mail: {results: sometimes}": ("mail.results", "league.value"),
}


def test_each_limit_has_its_code() -> None:
    for written, (key, code) in LIMITS.items():
        keys = set(re.findall(r"^\w+", written, re.MULTILINE))
        rest = [line for line in SHORT.splitlines() if line.split(":")[0] not in keys]
        found = [
            re.sub(r"^[\w.]+:\d+:\d+: ([\w.]+): .*\((.*)\)$", r"\1 \2", each)
            for each in problems("\n".join([*rest, written]))
        ]
        assert f"{key} {code}" in found, (written, found)
        assert len(found) == 1, found


def test_unequal_lists_are_refused_with_their_means() -> None:
    (told,) = problems(SHORT + "scoring: {places: {3: [9, 5, 2], 4: [10, 6, 3, 1], 5: [11, 7, 4, 2, 1]}}")
    assert "3: 5.33333, 4: 5, 5: 5 (league.unequal)" in told


def test_where_people_are_entered_by_hand_a_day_is_enough() -> None:
    text = SHORT.replace("2027-01-11", "2026-11-24")
    assert len(problems(text)) == 1
    assert read(text, "euro.yaml", replace(HOUSE, by_hand=True)).season.start == "2026-11-24"


def test_keys_given_twice_are_told_beside_the_rest() -> None:
    assert len(problems(SHORT + "name: euro\ntable: {load: 0}")) == 2


# -- the calendar ---


def told(at: int | None) -> str:
    return datetime.fromtimestamp(at or 0, UTC).strftime("%Y-%m-%d %H:%M")


def test_the_instants_follow_from_the_start() -> None:
    calendar = calendar_of(read(SHORT, "euro.yaml", HOUSE))
    instants = (calendar.opens, calendar.musters, calendar.closes, calendar.ends)
    assert [*map(told, instants)] == ["2026-12-21 11:00", "2027-01-06 11:00", "2027-01-11 11:00", "2027-05-10 10:00"]
    assert calendar_of(read(SHORT + "entry: {muster_days: 0}", "euro.yaml", HOUSE)).musters is None


def test_an_hour_that_is_skipped_is_the_next_that_exists() -> None:
    assert told(hour_of(date(2027, 3, 28), 2, "Europe/Berlin")) == "2027-03-28 01:00"  # 3:00 by the wall
    assert told(hour_of(date(2027, 3, 14), 2, "America/New_York")) == "2027-03-14 07:00"
    assert told(hour_of(date(2026, 10, 4), 2, "Australia/Lord_Howe")) == "2026-10-03 15:30"
    assert told(hour_of(date(2026, 10, 25), 2, "Europe/Berlin")) == "2026-10-25 00:00"  # the first of the two
    assert told(later(hour_of(date(2027, 3, 27), 12, "Europe/Berlin"), 1, "Europe/Berlin")) == "2027-03-28 10:00"
