"""Letters of a game of Empire as people read them: golden files of each kind, text and HTML, in each language.

`PBEM_GOLDEN=write pytest tests/empire/test_letters.py` writes them anew; review the difference.
"""

from __future__ import annotations

import os
import re
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from pbem.adapters.mail_renderer import MailRenderer
from pbem.core.languages import LANGUAGES
from pbem.core.presenter import Sheet
from pbem.games.empire.data.editions import map_of, tables
from pbem.games.empire.presentation.presenter import PRESENTER
from pbem.games.empire.rules.orders import Develop, Picks
from pbem.host.messages import letters
from pbem.mail.mail_writer import Envelope
from tests.empire.letters_game import played
from tests.empire.reading import order

GOLDEN = Path(__file__).parent / "golden"
WIDE = 72
in_each_language = pytest.mark.parametrize("language", LANGUAGES)


@cache
def game() -> dict[str, letters.Message]:
    return played()


@cache
def told(language: str) -> dict[str, str]:
    """Every letter in both forms, by the name of its golden file."""
    renderer, found = MailRenderer(PRESENTER, language), {}
    for name, content in game().items():
        envelope = Envelope(message_id="<1@a.test>", to="bert@players.test", tag="emp-1", reply_to="pbem@pbem.test")
        mail = renderer.mail(content, envelope)
        found[f"{name}.txt"] = f"Subject: {mail.subject}\n\n{mail.text}"
        found[f"{name}.html"] = mail.html or ""
    return found


@in_each_language
def test_letters_are_as_reviewed(language: str, subtests: pytest.Subtests) -> None:
    for name, text in told(language).items():
        file = GOLDEN / language / name
        if os.environ.get("PBEM_GOLDEN") == "write":
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        with subtests.test(f"{language}/{name}"):
            assert text == file.read_text("utf-8")


@in_each_language
def test_no_golden_file_is_left_over(language: str) -> None:
    assert {file.name for file in (GOLDEN / language).iterdir()} == {*told(language)}


@in_each_language
def test_lines_are_short(language: str) -> None:
    for name, text in told(language).items():
        if name.endswith(".txt"):
            assert max(map(len, text.partition("\n")[2].splitlines())) <= WIDE, name


def test_losses_come_first_and_the_turn_report_tells_the_standing() -> None:
    report = told("en")["slot_report_of_losses.txt"]
    assert report.index("WHAT YOU LOST") < report.index("ANTON’S SLOT 1.1")
    assert "HOW THEY STAND" in told("en")["turn_report.txt"]
    assert "STANDING" not in report


@in_each_language
def test_everything_that_may_be_picked_is_read_as_it_is_named(language: str) -> None:
    """Of the capital's square nobody sails: no ship is named."""
    named = re.search(r": (.+?)\. ", " ".join(told(language)["question_picks.txt"].partition("]")[2].split()))
    assert named
    names = [re.sub(r" \(.*", "", name) for name in named[1].split(", ")]
    picked = {order(f"picks {name}, {name}") for name in names}
    on_land = [item for item in tables().catalog if item not in ("cargo_ship", "oil_tanker")]
    assert picked == {Picks(items=(item, item)) for item in on_land}


@in_each_language
def test_a_map_tells_in_words_what_can_be_developed_as_it_is_ordered(language: str) -> None:
    begins = {"en": "What can be developed: ", "de": "Zu erschließen: ", "it": "Da sviluppare: "}[language]
    named = " ".join(told(language)["opening.txt"].split()).partition(begins)[2].partition(". ")[0]
    orders = [
        order(f"develop {kind} {place.partition(' ')[0]}")
        for each in named.split("; ")
        for kind, place in product([re.split(r" (?=[A-Z]\d)", each)[0]], re.findall(r"\b[A-Z]\d+[ab]?\b", each))
    ]
    marks = map_of("training").marks
    assert {(each.mark, each.at) for each in orders if isinstance(each, Develop)} == {
        (kind, place) for place, kinds in marks.items() for kind in kinds
    }
    assert begins not in told(language)["question_picks.txt"]


@in_each_language
def test_a_reminder_says_once_whose_slot_it_is(language: str) -> None:
    says = {"en": "It is your slot", "de": "Es ist dein Zug", "it": "È il tuo turno"}[language]
    assert told(language)["reminder.txt"].count(says) == 1


def test_a_sheet_of_no_turns_says_that_there_is_nothing() -> None:
    view = {"countries": {"anton": {"player": "anton"}}}
    sheet = Sheet(kind="economic", round=None, ledger={"economic": {}}, events=())
    assert PRESENTER.records(view, "anton", sheet) == {"lines": []}


def test_hup_closes() -> None:
    """E6.1: closing is had + produced - used."""
    rows = re.findall(r"had (\d+), used (\d+), produced (\d+), closing\s+(\d+)", told("en")["records_hup.txt"])
    assert len(rows) > 5
    assert all(int(had) + int(made) - int(used) == int(left) for had, used, made, left in rows)


def test_progress_counts_to_the_last_turn_of_the_game() -> None:
    final = game()["final"]
    assert isinstance(final, letters.Final)
    first = {**final.after, "turn": 1, "slot": "1.2", "active": final.after["order"][1], "finished": False}
    assert PRESENTER.progress(first).share == 0.25  # the second of four slots
    assert PRESENTER.progress({**first, "end_turns": 0, "turn": 40}).share < 1
