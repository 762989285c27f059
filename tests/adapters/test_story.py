"""How a game went, in the words of its final letter."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.imperial.presentation.story import COLUMNS, scores, story
from pbem.games.imperial.presentation.words import VOICE
from pbem.render.wording import Wording


def view(number: int, points: dict[str, int | None], **nations: Any) -> dict[str, Any]:
    """A position after a round; a nation's government, factories and power, where they matter."""
    rows = {name: {"government": None, "factories": [], "power": 0, **row} for name, row in nations.items()}
    running = None if None in points.values() else points
    return {"round": number, "running": running, "scores": None, "players": dict.fromkeys(points), "nations": rows}


COURSE = [
    view(
        1,
        {"ann": 3, "bob": 3},
        italy={"government": "ann", "factories": ["rome"], "power": 4},
        france={"government": "bob"},
    ),
    view(
        2,
        {"ann": 3, "bob": 5},
        italy={"government": "ann", "factories": ["rome"], "power": 9},
        france={"government": "bob"},
    ),
    view(3, {"ann": 9, "bob": 8}, italy={"government": "bob", "power": 12}, france={"government": "bob", "power": 10}),
    view(4, {"ann": 9, "bob": 9}, italy={"government": "bob", "power": 13}, france={"power": 11}),
]


def told(language: str, number: int) -> list[str]:
    wording = Wording(VOICE, language, html=False)
    turnings = next(each.turnings for each in story(COURSE) if each.number == number)
    return [wording.say(f"story.{turning.kind}", **turning.facts) for turning in turnings]


def test_what_turned_is_told_round_by_round() -> None:
    assert [each.number for each in story(COURSE)] == [2, 3, 4]
    assert told("en", 2) == ["bob takes the lead with 5 points."]
    assert told("en", 3) == [
        "bob takes Italy over from ann.",
        "Italy loses its factory in Rome.",
        "Italy and France reach 10 power points in the same round, before all others.",
        "ann governs nothing any more.",
        "ann takes the lead with 9 points.",
    ]
    assert told("en", 4) == ["Nobody governs France any more."]  # and a tie is no lead


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("de", "bob löst ann in der Regierung Italiens ab."), ("it", "bob subentra a ann al governo dell’Italia.")],
)
def test_it_is_told_in_the_readers_language(language: str, sentence: str) -> None:
    assert told(language, 3)[0] == sentence


def test_the_scores_of_a_long_game_fit_a_phone() -> None:
    course = [view(number, {"ann": number, "bob": 2 * number}) for number in range(1, 24)]
    shown = scores(course)
    assert shown is not None
    assert len(shown.rounds) == COLUMNS
    assert (shown.rounds[0], shown.rounds[-1], shown.lines["bob"][-1]) == (1, 23, 46)


@pytest.mark.parametrize("course", [[], COURSE[:1], [view(1, {"ann": None}), view(2, {"ann": None})]])
def test_there_is_no_table_of_one_round_or_of_secret_scores(course: list[Any]) -> None:
    assert scores(course) is None
