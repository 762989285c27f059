"""The page of a season's dates: what was said before is struck out, and calendars can take them along."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest
from icalendar import Calendar
from lxml import html

from pbem.core.languages import LANGUAGES
from pbem.league import acts
from tests.adapters.test_league_pages import kept, published
from tests.league.played import DAY, Play, settings

PLACE = Path("leagues/euro/1/schedule")


def extended() -> Play:
    """The season's end is a week later, and that of its first table a day."""
    play = Play(settings(), 14)
    play.play(until=lambda what: what.what == "warn")
    ends, limit = play.season.calendar.ends, play.ends[1]
    play.do(acts.Extended(was=ends, until=ends + 7 * DAY, why="floods"), "operator")
    play.do(acts.Extended(table=1, was=limit, until=limit + DAY), "operator")
    return play


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_end_that_was_moved_is_struck_out(language: str, tmp_path: Path) -> None:
    play = extended()
    kept(tmp_path, published(play), language)
    page = html.fromstring((tmp_path / PLACE / "index.html").read_text("utf-8"))
    struck = [each.get("datetime") for each in page.xpath("//s/time")]
    shown = [each.get("datetime") for each in page.xpath("//time[not(ancestor::s)]")]
    assert len(struck) == 2
    assert not {*struck} & {*shown}
    assert len(page.xpath("//main//tbody/tr")) == len(play.season.tables)
    assert page.xpath("//main//a[substring(@href, string-length(@href) - 3) = '.ics']")


def test_the_dates_can_be_taken_along_and_are_put_right_by_the_same_event(tmp_path: Path) -> None:
    play = extended()
    before = len(play.entries) - 2
    found = []
    for upto in (before, None):
        kept(tmp_path, published(play, upto))
        file = Calendar.from_ical((tmp_path / PLACE / "euro-1.ics").read_bytes())
        found += [(str(each["uid"]), int(each["sequence"]), each["dtstart"].dt) for each in file.walk("VEVENT")]
    by_uid = [[*events] for _, events in groupby(sorted(found), key=lambda event: event[0])]
    assert [len(events) for events in by_uid] == [2] * 4
    moved = [events for events in by_uid if events[0][2] != events[1][2]]
    assert len(moved) == 1
    (_, first, was), (_, second, now) = moved[0]
    assert (now - was).days == 7
    assert second > first
