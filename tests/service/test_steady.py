"""A computer's clock that is put back: nobody gains or loses time by it (procedure.md, section 8.1)."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.service.clock.steady import SteadyClock
from tests.fakes import FakeClock
from tests.service.bureau import DAY, HOUR, NAMES, Bureau, prefix

WORDS = "clock was put back"


def alarms(bureau: Bureau) -> list[str]:
    return [mail.text for mail in bureau.alarms if WORDS in mail.text]


def test_a_clock_is_never_earlier_than_it_has_been() -> None:
    computer = FakeClock(1_000)
    clock = SteadyClock(computer)
    assert clock.now() == 1_000
    computer.set(400)
    assert (clock.now(), clock.behind) == (1_000, 600)
    clock.not_before(1_200)
    assert (clock.now(), clock.behind) == (1_200, 800)
    computer.set(1_300)
    assert (clock.now(), clock.behind) == (1_300, 0)


def test_all_games_are_held_until_the_clock_is_good_again(bureau: Bureau) -> None:
    before, good = bureau.slot, bureau.clock.now()
    sent = bureau.at(good - 2 * HOUR)
    assert Counter(prefix(sent)) == Counter([*NAMES, "operator"])
    assert len(alarms(bureau)) == 1
    assert all("Our clock was wrong" in mail.text for mail in sent if not mail.to.startswith("operator"))
    assert bureau.slot.deadline is None

    assert bureau.at(good - HOUR) == []  # neither once more ...
    bureau.restart()
    assert bureau.at(good - HOUR + 1) == []  # ... nor by another daemon

    sent = bureau.at(good + 10)
    assert Counter(prefix(sent)) == Counter(NAMES)
    assert before.deadline is not None
    assert bureau.slot.deadline == before.deadline + 10  # our clock has shown that hour for ten seconds more
    bureau.at(good + DAY + 11)
    assert [entry for entry in bureau.entries if entry["cause"]["kind"] == "lapse"]


def test_nothing_is_closed_and_letters_are_answered_meanwhile(bureau: Bureau) -> None:
    good = bureau.clock.now()
    bureau.at(good - 2 * DAY)
    bureau.write("anton", "austria: import A lemberg")
    assert bureau.awaited[0][0] == "bert"
    assert bureau.at(good - DAY) == []
    assert bureau.awaited[0][0] == "bert"


def test_a_minute_is_nobodys_business(bureau: Bureau) -> None:
    before = bureau.slot
    assert bureau.at(bureau.clock.now() - 60) == []
    assert bureau.slot == before


def test_the_operator_may_let_a_game_go_on_before(bureau: Bureau) -> None:
    deadline, good = bureau.slot.deadline, bureau.clock.now()
    bureau.at(good - 2 * HOUR)
    (verdict,) = bureau.server.preside("imp-1", ["resume: the clock is only slow"])
    assert verdict.refusal is None
    bureau.tick()
    assert bureau.slot.deadline == deadline
    bureau.tick()
    assert bureau.slot.deadline == deadline
    assert len(alarms(bureau)) == 1
    bureau.at(good + 5)
    assert bureau.slot.deadline == deadline


def test_a_clock_that_is_put_back_again_is_told_again_the_next_day(bureau: Bureau) -> None:
    good = bureau.clock.now()
    bureau.at(good - HOUR)
    bureau.at(good + HOUR)
    bureau.at(good - HOUR)  # held again, but the operator knows
    assert (bureau.slot.deadline, len(alarms(bureau))) == (None, 1)
    bureau.at(good + 2 * DAY)
    bureau.at(good + 2 * DAY - HOUR)
    assert (bureau.slot.deadline, len(alarms(bureau))) == (None, 2)


@pytest.fixture
def bureau(opened: Bureau) -> Bureau:
    made = opened.copy()
    made.tick(HOUR)
    return made
