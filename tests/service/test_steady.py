"""A computer's clock that is put back or leaps ahead: nobody gains or loses time by it.

See docs/reference/procedure.md, section 8.1.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.host.housekeeping.monotonic_clock import DOWNTIME, LONGEST, PATIENCE, STEP, MonotonicClock
from pbem.host.session.absences import absences
from tests.fakes import FakeClock
from tests.service.bureau import DAY, HOUR, NAMES, Bureau, prefix

WORDS = "clock was put back"


def alarms(bureau: Bureau) -> list[str]:
    return [mail.text for mail in bureau.alarms if WORDS in mail.text]


def test_a_clock_is_never_earlier_than_it_has_been() -> None:
    computer = FakeClock(1_000)
    clock = MonotonicClock(computer)
    assert clock.now() == 1_000
    computer.set(400)
    assert (clock.now(), clock.behind) == (1_000, 600)
    clock.not_before(1_200)
    assert (clock.now(), clock.behind) == (1_200, 800)
    computer.set(1_300)
    assert (clock.now(), clock.behind) == (1_300, 0)


def test_what_a_clock_that_was_put_back_gains_while_nobody_looks_is_owed() -> None:
    computer = FakeClock(NOON)
    clock = MonotonicClock(computer)
    clock.now()
    computer.leap(-DAY)
    clock.now()
    computer.advance(HOUR)
    assert (clock.now(), clock.behind, clock.owed) == (NOON, DAY - HOUR, 0)
    computer.advance(DAY)  # asleep, or the clocks have leapt together
    assert (clock.now(), clock.behind, clock.owed) == (NOON + HOUR, 0, DAY - HOUR)
    computer.leap(-DAY)
    clock.now()
    assert (clock.behind, clock.owed) == (DAY, 0)


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
    assert Counter(prefix(sent)) == Counter([*NAMES, "operator"])
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
    (verdict,) = bureau.server.app.moderate("imp-1", ["resume: the clock is only slow"]).results
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


def test_what_lasts_longer_than_a_day_after_the_last_alarm_is_told_and_each_alarm_has_its_end(bureau: Bureau) -> None:
    """Also when the books are put right between: whoever hears that games stand still hears that they go on."""
    good = bureau.clock.now()

    def told() -> list[bool]:
        return [".well." in mail.message_id for mail in bureau.alarms if "alarm.clock" in mail.message_id]

    bureau.at(good - HOUR)
    bureau.at(good + HOUR)
    bureau.asleep = True
    bureau.clock.leap(FAR)
    for _ in range(8):
        bureau.clock.leap(STEP + 1)  # so that it does not go evenly
        bureau.tick(4 * HOUR)
        bureau.server.clock.heard(bureau.server.clock.now())
    assert told() == [False, True, False]
    assert "clock" in bureau.server.app.vitals().down
    bureau._server(None).app.believe_clock()
    bureau.tick(1)
    bureau.clock.leap(-2 * FAR)
    bureau.tick(1)
    bureau._server(None).app.believe_clock()
    bureau.tick(1)
    assert bureau.server.app.vitals().down == {}
    assert told()[-1] is True
    assert all(a != b for a, b in pairwise(told()))


# -- ahead ---

FAR = 400 * DAY
NOON = 1_800_000_000


def test_a_leap_that_nothing_else_tells_of_is_not_believed(bureau: Bureau) -> None:
    before, good = bureau.slot, bureau.clock.now()
    bureau.asleep = True
    bureau.clock.leap(FAR)
    sent = bureau.tick()
    assert Counter(prefix(sent)) == Counter([*NAMES, "operator"])
    assert "leapt ahead" in bureau.alarms[-1].text
    bureau.write("anton", "austria: import A lemberg", arrived=good + 5)
    assert bureau.outcomes("anton") == [("played", None)]
    bureau.clock.leap(-FAR)
    bureau.clock.advance(10)
    sent = bureau.tick()
    assert "believed again" in bureau.alarms[-1].text
    assert not [entry for entry in bureau.entries if entry["at"] > good + 10]
    with bureau.store.transaction() as repository:
        assert (repository.polled() or 0) <= good + 10
    assert before.deadline is not None
    assert good + 10 + DAY == bureau.slot.deadline
    assert bureau.tick(10) == []


def test_a_step_of_some_minutes_is_a_correction(bureau: Bureau) -> None:
    before = bureau.slot
    bureau.asleep = True
    bureau.clock.leap(STEP)
    assert bureau.tick() == []
    assert bureau.slot == before


@pytest.mark.parametrize("writes", [True, False])
def test_a_machine_that_was_suspended_goes_on_by_the_first_letter_or_after_an_hour(
    bureau: Bureau, *, writes: bool
) -> None:
    until = bureau.slot.deadline or 0
    bureau.asleep = True
    bureau.clock.leap(30 * HOUR)
    bureau.tick()
    assert bureau.slot.deadline is None
    if writes:
        bureau.write("bert", "status")
        bureau.tick(1)
    else:
        bureau.tick(PATIENCE // 2)
        assert bureau.slot.deadline is None
        bureau.tick(PATIENCE // 2)
        bureau.tick(1)
    assert bureau.slot.deadline is not None
    assert bureau.slot.deadline >= until + 30 * HOUR
    assert bureau.server.clock.now() == bureau.clock.now()
    assert bureau.slot.seat == "anton"


@pytest.mark.parametrize(("off", "at_once"), [(DOWNTIME - HOUR, True), (30 * DAY, False), (FAR, False)])
def test_after_a_restart_a_long_time_is_doubted_till_a_letter_comes(bureau: Bureau, off: int, *, at_once: bool) -> None:
    bureau.asleep = True
    bureau.clock.advance(off)
    bureau.restart()
    bureau.tick()
    assert (bureau.server.clock.now() == bureau.clock.now()) == at_once
    bureau.write("bert", "status")
    bureau.tick(1)
    assert bureau.server.clock.now() == bureau.clock.now()
    assert bureau.slot.seat == "anton"
    assert (bureau.slot.deadline or 0) > bureau.clock.now()


def test_the_mailbox_speaks_against_a_clock_that_goes_on_evenly() -> None:
    computer = FakeClock(NOON)
    clock = MonotonicClock(computer)
    clock.now()
    computer.leap(DAY)
    for _ in range(100):
        computer.advance(PATIENCE // 2)
        clock.heard(computer.now() - DAY)
        assert clock.now() == computer.now() - DAY
    assert clock.ahead == DAY
    computer.advance(PATIENCE)
    assert (clock.now(), clock.ahead) == (computer.now(), 0)


def test_a_mailbox_whose_clock_is_wrong_proves_nothing() -> None:
    for wrong in (-FAR, FAR, HOUR):
        computer = FakeClock(NOON)
        clock = MonotonicClock(computer)
        clock.now()
        clock.heard(NOON + wrong)
        assert clock.now() == NOON
        computer.leap(FAR // 2)
        clock.heard(NOON + wrong)
        assert clock.now() <= NOON + HOUR


def test_a_computer_without_a_battery_wakes_in_1970() -> None:
    computer = FakeClock(100)
    clock = MonotonicClock(computer)
    assert clock.now() == 100
    computer.leap(NOON)
    assert clock.now() == NOON + 100
    restarted = MonotonicClock(computer)
    computer.leap(-NOON)
    restarted.not_before(NOON)
    assert (restarted.now(), restarted.behind) == (NOON, NOON - 100)
    computer.leap(NOON)
    assert (restarted.now(), restarted.behind, restarted.ahead) == (NOON + 100, 0, 0)


def test_two_daemons_whose_clocks_differ_hold_the_games_once(bureau: Bureau) -> None:
    """Each looks in turn; the one whose clock is behind says so as long as it is."""
    other = Bureau(bureau.store)
    other.clock.set(bureau.clock.now() + 2 * HOUR)
    told = []
    for _ in range(5):
        told += other.tick(60)
        told += bureau.tick(60)
    assert Counter(mail.to for mail in told if "halt" in mail.message_id) == Counter(
        f"{name}@players.test" for name in NAMES
    )
    bureau.clock.set(other.clock.now())
    bureau.tick(1)
    assert bureau.slot.deadline is not None


def test_books_that_were_written_by_a_clock_that_was_ahead_are_put_right(bureau: Bureau) -> None:
    """As 0.3.0 left them, which believed its clock."""
    good = bureau.clock.now()
    bureau.asleep = True
    bureau.clock.advance(FAR)
    bureau.server.clock.believe()
    bureau.write("anton", "austria: import A lemberg")
    bureau.server.app.moderate("imp-1", ["option away_days = 3 with consent of all: we travel"])
    bureau.clock.set(good)
    bureau.restart()
    bureau.tick()
    state = bureau.clock_state()
    assert (state.games, len([*state.faults])) == (("imp-1",), 3)
    assert bureau.slot.deadline is None

    other = Bureau(bureau.store)  # the command, while the daemon runs
    other.clock.set(good)
    assert [game.id for game in other.server.app.believe_clock()] == ["imp-1"]
    sent = bureau.tick(10)
    assert "put our clock right" in " ".join(mail.text for mail in sent)
    assert [*bureau.clock_state().faults] == []
    assert bureau.slot.deadline is not None
    assert good + DAY <= bureau.slot.deadline <= good + DAY + 10
    with bureau.store.transaction() as repository:
        assert repository.polled() == good + 10
        assert (repository.next_post() or 0) <= good + DAY
    bureau.write("bert", "away until tomorrow")
    bureau.write("bert", "italy: taxation")
    assert bureau.outcomes("bert") == [("played", None)]
    assert bureau.entries[-1]["at"] <= good + 20


def test_what_was_decided_while_the_clock_was_ahead_lasts_no_longer_once_it_is_put_right(bureau: Bureau) -> None:
    """Both of the computer's clocks had leapt, as after a wrong awakening, and a hold told of the time between."""
    good, until = bureau.clock.now(), bureau.slot.deadline or 0
    bureau.server.app.moderate("imp-1", ["pause: the server moves"])
    bureau.tick(HOUR)
    bureau.asleep = True
    bureau.tick(10 * DAY)
    bureau.server.app.moderate("imp-1", ["resume: it has moved"])
    bureau.tick(2 * DAY)
    bureau.write("anton", "away until tomorrow")
    bureau.clock.leap(-12 * DAY)
    bureau.tick(10)
    assert bureau.slot.deadline is None
    bureau._server(None).app.believe_clock()
    bureau.tick(10)
    now = bureau.clock.now()
    assert good < now < good + 2 * HOUR
    assert until < (bureau.slot.deadline or 0) <= now + DAY
    with bureau.server.games.work() as desk:
        done = desk.session(desk.game("imp-1")).position.done
    assert [absence.end - now for absence in absences(done) if absence.end > now + 2 * DAY] == []
    bureau.asleep = False
    bureau.tick(DAY)
    assert bureau.slot.seat == "bert"


glitches = st.tuples(st.integers(STEP + 1, FAR), st.integers(0, PATIENCE - 60))


@given(steps=st.lists(st.integers(1, DAY), max_size=8), at=st.integers(0, 7), glitch=glitches)
def test_a_glitch_leaves_nothing_behind(steps: list[int], at: int, glitch: tuple[int, int]) -> None:
    computer = FakeClock(NOON)
    clock, told = MonotonicClock(computer), [NOON]
    for number, step in enumerate(steps):
        told.append(clock.now())
        if number == at:
            ahead, lasts = glitch
            computer.leap(ahead)
            told.append(clock.now())
            computer.advance(lasts)
            told.append(clock.now())
            computer.leap(-ahead)
        assert clock.now() == computer.now()
        computer.advance(step)
    assert told == sorted(told)
    assert LONGEST > DOWNTIME


@pytest.fixture
def bureau(opened: Bureau) -> Bureau:
    made = opened.copy()
    made.tick(HOUR)
    return made
