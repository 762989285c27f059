"""When the clocks are changed while somebody's time runs, his letters say so.

See docs/reference/procedure.md, section 8.1.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from pbem.adapters.mail_renderer import MailRenderer
from pbem.core.languages import LANGUAGES
from pbem.games.imperial.presentation.presenter import PRESENTER
from pbem.host.messages import letters, parts, replies, sections
from pbem.host.ports import Mail
from pbem.mail.mail_writer import Envelope
from tests.adapters.letter_samples import Scene, samples

DAY = 86_400
BERLIN, ANGELES = "Europe/Berlin", "America/Los_Angeles"
ROWS = [
    (
        BERLIN,
        (2026, 3, 28, 20),
        "Sun 29 Mar 2026, 21:00 CEST",
        "go forward by an hour on Sun 29 Mar 2026",
        "an hour later",
    ),
    (
        BERLIN,
        (2026, 10, 24, 20),
        "Sun 25 Oct 2026, 19:00 CET",
        "go back by an hour on Sun 25 Oct 2026",
        "an hour earlier",
    ),
    (
        ANGELES,
        (2026, 3, 7, 18),
        "Sun 8 Mar 2026, 19:00 PDT",
        "go forward by an hour on Sun 8 Mar 2026",
        "an hour later",
    ),
    (
        ANGELES,
        (2026, 10, 31, 18),
        "Sun 1 Nov 2026, 17:00 PST",
        "go back by an hour on Sun 1 Nov 2026",
        "an hour earlier",
    ),
]
CHANGED = {"en": "The clocks go", "de": "werden die Uhren", "it": "gli orologi"}
TELLING = ("report_awaited", "report", "opening", "question_battle", "question_invest", "reminder", "reply_played")
PAGES = {language: MailRenderer(PRESENTER, language) for language in LANGUAGES}


@cache
def all_letters() -> dict[str, letters.Message]:
    return samples()


def at(zone: str, *fields: int) -> int:
    return int(datetime(*fields, tzinfo=ZoneInfo(zone)).timestamp())


def timed(content: Any, begun: int | None, deadline: int) -> Any:
    """The same letter, its questions running from then to then."""
    if isinstance(content.awaited, parts.Awaited):
        return replace(content, awaited=replace(content.awaited, begun=begun, deadline=deadline))
    return replace(content, awaited=tuple(replace(one, begun=begun, deadline=deadline) for one in content.awaited))


def worded(content: letters.Message, zone: str, language: str = "en") -> Mail:
    return PAGES[language].mail(
        content, Envelope(message_id="<1@example.org>", to="bert@example.org", tag="imp-1", zone=zone)
    )


def bodies(mail: Mail) -> list[str]:
    """Text and HTML, each in one line."""
    return [" ".join((body or "").replace("\u00a0", " ").split()) for body in (mail.text, mail.html)]


@pytest.mark.parametrize("name", TELLING)
@pytest.mark.parametrize(("zone", "start", "ends", "change", "shown"), ROWS)
def test_letters_with_a_deadline_tell_of_the_change(name, zone, start, ends, change, shown):
    begun = at(zone, *start)
    for body in bodies(worded(timed(all_letters()[name], begun, begun + DAY), zone)):
        assert ends in body
        sentence = f"The clocks {change}: 24 hours end {shown} by the clock on the wall."
        assert body.count(sentence) == body.count("clock on the wall") == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", TELLING)
def test_they_tell_it_in_the_language_of_their_reader(language, name):
    begun = at(BERLIN, 2026, 3, 28, 20)
    spring = worded(timed(all_letters()[name], begun, begun + DAY), BERLIN, language)
    autumn = worded(
        timed(all_letters()[name], at(BERLIN, 2026, 10, 24, 20), at(BERLIN, 2026, 10, 25, 19)), BERLIN, language
    )
    for one, other in zip(bodies(spring), bodies(autumn), strict=True):
        assert one.count(CHANGED[language]) == other.count(CHANGED[language]) == 1
    assert max(map(len, spring.text.splitlines())) <= 78


@pytest.mark.parametrize("name", TELLING)
@pytest.mark.parametrize(
    ("zone", "start"),
    [("UTC", (2026, 3, 28, 20)), (BERLIN, (2026, 3, 27, 20)), (BERLIN, (2026, 3, 29, 3)), (ANGELES, (2026, 3, 28, 20))],
)
def test_on_other_days_and_in_other_zones_nothing_is_said(name, zone, start):
    begun = at(zone, *start)
    for body in bodies(worded(timed(all_letters()[name], begun, begun + DAY), zone)):
        assert "clock on the wall" not in body


def test_a_time_that_has_not_begun_tells_nothing():
    letter = timed(all_letters()["report_awaited"], None, at(BERLIN, 2026, 3, 29, 20))
    assert all("clock on the wall" not in body for body in bodies(worded(letter, BERLIN)))


def test_the_answer_to_clock_tells_it_once():
    begun, scene = at(BERLIN, 2026, 3, 28, 20), Scene("seats anton bert claudia")
    (awaited,) = timed(scene.report("anton"), begun, begun + DAY).awaited
    table = sections.Timetable(
        running=(sections.Running(awaited=awaited, begun=begun, used=60),), slot_hours=24, remind_hours=(1,)
    )
    reply = replies.Reply(
        game="imp-1", seat="bert", lines=(), cut=(), on_file=(), awaited=(awaited,), told=(table,)
    )  # fmt: skip
    for body in bodies(worded(reply, BERLIN)):
        assert body.count("Sun 29 Mar 2026, 21:00 CEST") == 2
        assert body.count("clock on the wall") == 1


def test_half_an_hour_is_told_in_minutes():
    begun = at("Australia/Lord_Howe", 2026, 4, 4, 20)
    for body in bodies(worded(timed(all_letters()["reminder"], begun, begun + DAY), "Australia/Lord_Howe")):
        assert "go back by 30 minutes on Sun 5 Apr 2026: 24 hours end 30 minutes earlier" in body
