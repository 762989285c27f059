"""Time that does not count, for all who wait by mail (docs/reference/procedure.md, sections 2, 6, 8.1 and 8.3)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from pbem.host.clock.slots import note
from pbem.host.ports import Mail
from pbem.host.reporting.publish import publish
from pbem.host.session.acts import Act, Paused, Resumed
from tests.service.bureau import DAY, HOUR, NAMES, Bureau, address, prefix
from tests.service.test_moderation import appoint

IMPORT = "austria: import A lemberg"


def do(bureau: Bureau, act: Act) -> list[Mail]:
    """What a petition that passed or a moderator does; what was sent of it."""
    with bureau.server.games.work() as desk:
        game = desk.game("imp-1")
        note(desk.session(game), bureau.clock.now(), act)
        publish(desk, game, bureau.clock.now())
    return bureau.tick()


def lapses(bureau: Bureau) -> list[dict[str, Any]]:
    return [entry for entry in bureau.entries if entry["cause"]["kind"] == "lapse"]


def acts(bureau: Bureau, kind: str) -> list[dict[str, Any]]:
    return [entry["act"] for entry in bureau.entries if entry["act"] and entry["act"]["type"] == kind]


def deadline(bureau: Bureau) -> int:
    assert bureau.slot.deadline is not None
    return bureau.slot.deadline


# -- suspensions ---


def test_a_suspension_moves_the_deadline_and_all_are_told_once(bureau: Bureau) -> None:
    start = deadline(bureau) - DAY
    sent = do(bureau, Paused(by="P-1", start=start + 8 * HOUR, end=start + 56 * HOUR, cause="petition"))
    assert deadline(bureau) == start + 72 * HOUR
    assert Counter(prefix(sent)) == Counter(NAMES)
    assert all("Time does not count" in mail.subject for mail in sent)
    bureau.at(start + 72 * HOUR)
    assert lapses(bureau) == []
    bureau.tick(1)
    assert lapses(bureau)[0]["at"] == start + 72 * HOUR + 1


def test_reminders_move_with_the_deadline_and_none_comes_while_the_clock_stands(bureau: Bureau) -> None:
    start = deadline(bureau) - DAY
    do(bureau, Paused(by="P-1", start=start + 8 * HOUR, end=start + 56 * HOUR, cause="petition"))
    assert bureau.at(start + 12 * HOUR) == []
    assert bureau.at(start + 59 * HOUR) == []
    (reminder,) = bureau.at(start + 60 * HOUR)
    assert "There are 12 hours left" in reminder.text


def test_while_nobody_knows_when_time_goes_on_nothing_ends(bureau: Bureau) -> None:
    now = bureau.clock.now()
    do(bureau, Paused(by="moderator bert", start=now, why="Easter", cause="moderator"))
    assert bureau.slot.deadline is None
    assert bureau.tick(30 * DAY) == []
    (answer,) = (mail for mail in bureau.write("anton", "clock") if mail.answers)
    assert "time does not count now" in answer.text
    sent = do(bureau, Resumed(by="moderator bert", at=bureau.clock.now()))
    assert Counter(prefix(sent)) == Counter(NAMES)
    assert deadline(bureau) == bureau.clock.now() + DAY


def test_one_may_play_while_time_does_not_count_and_the_next_has_his_whole_time_after_it(bureau: Bureau) -> None:
    now = bureau.clock.now()
    do(bureau, Paused(by="P-1", start=now, end=now + 2 * DAY, cause="petition"))
    bureau.tick(HOUR)
    bureau.write("anton", IMPORT)
    assert bureau.slot.seat == "bert"
    assert deadline(bureau) == now + 3 * DAY
    assert acts(bureau, "time_kept")[0]["closings"][0]["counted"] == 0


# -- outages ---


def test_a_mailbox_that_is_down_over_the_deadline_costs_nobody_his_time(bureau: Bureau) -> None:
    until = deadline(bureau)
    last = until - 2 * HOUR
    bureau.at(last)
    bureau.asleep = bureau.mailbox.down = True
    bureau.at(until + 4 * HOUR)
    bureau.mailbox.down = False
    sent = bureau.tick(HOUR)
    assert lapses(bureau) == []
    assert [(act["start"], act["end"]) for act in acts(bureau, "paused")] == [(last, until + 5 * HOUR)]
    assert deadline(bureau) == until + 7 * HOUR
    bureau.asleep = False
    assert Counter(prefix([mail for mail in sent if "halt" in mail.message_id])) == Counter(NAMES)
    assert bureau.tick(HOUR) == []
    bureau.at(until + 7 * HOUR + 1)
    assert len(lapses(bureau)) == 1


def test_an_outage_that_touches_no_deadline_holds_nothing(bureau: Bureau) -> None:
    bureau.asleep = bureau.mailbox.down = True
    bureau.tick(10 * HOUR)
    bureau.mailbox.down = False
    bureau.tick(HOUR)
    assert acts(bureau, "paused") == []


def test_a_daemon_that_slept_over_the_deadline_costs_nobody_his_time(bureau: Bureau) -> None:
    until = deadline(bureau)
    bureau.asleep = True
    bureau.at(until + 10 * HOUR)
    assert lapses(bureau) == []
    assert deadline(bureau) == until + 10 * HOUR + DAY  # nobody looked for letters since the game began


def test_a_deadline_soon_after_a_sleep_is_moved_too_for_the_sleep_may_be_the_clocks_own(bureau: Bureau) -> None:
    until = deadline(bureau)
    bureau.asleep = True
    bureau.at(until - HOUR)
    assert deadline(bureau) == until - HOUR + DAY  # nobody looked for letters since the game began


def test_a_letter_that_waited_while_the_daemon_slept_finds_its_slot_open(bureau: Bureau) -> None:
    until = deadline(bureau)
    bureau.asleep = True
    bureau.drop("anton", IMPORT, arrived=until + HOUR)
    bureau.at(until + 10 * HOUR)
    assert bureau.outcomes("anton") == [("played", None)]
    assert lapses(bureau) == []


def test_rounds_of_a_cron_job_are_no_outage(bureau: Bureau) -> None:
    until = deadline(bureau)
    bureau.asleep = True
    for _ in range(25):
        bureau.tick(HOUR)
    assert [lapse["at"] for lapse in lapses(bureau)] == [until + 1]
    assert acts(bureau, "paused") == []


# -- who is late ---


@pytest.mark.parametrize("policy", ["on_request", "lenient"])
def test_where_the_clock_does_not_answer_all_are_told_once_who_is_late(lots: None, policy: str) -> None:
    bureau = Bureau()
    bureau.open(3, policy=policy)
    late = bureau.slot.seat
    sent = bureau.at(deadline(bureau) + 1)
    assert Counter(prefix(sent)) == Counter(NAMES[:3])
    assert all(f"{late} is overdue" in mail.subject for mail in sent if mail.to != address(late))
    assert "Your move" in next(mail for mail in sent if mail.to == address(late)).subject
    told = next(mail for mail in sent if mail.to != address(late)).text
    assert ("rollout " + late in told) == (policy == "on_request")
    assert lapses(bureau) == []


@pytest.mark.parametrize("policy", ["on_request", "lenient"])
def test_who_is_late_and_who_can_do_something_hear_of_it_again_less_and_less_often(lots: None, policy: str) -> None:
    bureau = Bureau()
    bureau.open(3, policy=policy)
    appoint(bureau, address("zoe"))
    late, since = bureau.slot.seat, deadline(bureau)
    bureau.at(since + 1)
    again = {"zoe", late} if policy == "lenient" else {"zoe", *NAMES[:3]}
    told = {day: bureau.at(since + day * DAY + 1) for day in range(1, 40)}
    assert [day for day, sent in told.items() if sent] == [1, 2, 4, 7, 14]
    for sent in (each for each in told.values() if each):
        assert Counter(prefix(sent)) == Counter(again)
        assert all(f"{late} is still overdue" in mail.subject for mail in sent if mail.to != address(late))
        text = " ".join(next(mail for mail in sent if mail.to == address("zoe")).text.split())
        assert f"extend {late} 1 day: why" in text
        assert f"rollout {late}" not in text
    assert lapses(bureau) == []


def test_nobody_hears_again_of_who_is_late_while_time_stands_still_or_once_they_have_answered(lots: None) -> None:
    bureau = Bureau()
    bureau.open(3, policy="on_request")
    late, since = bureau.slot.seat, deadline(bureau)
    bureau.at(since + 1)
    do(bureau, Paused(by="P-1", start=since + HOUR, end=since + HOUR + 3 * DAY, cause="petition"))
    assert [day for day in range(1, 6) if bureau.at(since + day * DAY + 1)] == [4, 5]
    bureau.write(late, IMPORT)
    told = bureau.at(since + 7 * DAY + 1)
    assert told
    assert all(late not in mail.subject for mail in told)
    assert [mail.text.upper().count("HAS RUN OUT") for mail in told] == [1] * 3


def test_a_daemon_that_slept_tells_once_who_is_still_late(lots: None) -> None:
    bureau = Bureau()
    bureau.open(3, policy="on_request")
    late = bureau.slot.seat
    bureau.at(deadline(bureau) + 1)
    sent = bureau.tick(10 * DAY)
    assert Counter(prefix(sent)) == Counter(NAMES[:3])
    assert all("still overdue" in mail.subject for mail in sent if mail.to != address(late))


def test_in_the_hours_of_grace_an_answer_counts_and_is_late(lots: None) -> None:
    bureau = Bureau()
    bureau.open(3, grace_hours=6)
    until, late = deadline(bureau), bureau.slot.seat
    sent = bureau.at(until + 1)
    assert Counter(prefix(sent)) == Counter(NAMES[:3])
    bureau.at(until + 6 * HOUR)
    assert lapses(bureau) == []
    bureau.tick(1)
    assert [(lapse["at"], lapse["act"]["closings"][0]["late"]) for lapse in lapses(bureau)] == [
        (until + 6 * HOUR + 1, 1)
    ]
    report = next(mail for mail in bureau.postman.sent if "Move order sheet" in mail.text or "MOVE ORDER" in mail.text)
    assert "Rolled out by the clock" in " ".join(report.text.split())
    assert f"Late so far: {late} by 1" in report.text


def test_the_clock_by_mail_shows_the_move_order_sheet(bureau: Bureau) -> None:
    bureau.tick(5 * HOUR)
    bureau.write("anton", IMPORT)
    (answer,) = (mail for mail in bureau.write("bert", "clock") if mail.answers)
    assert "anton, Austria-Hungary’s turn: 5:00 hours" in " ".join(answer.text.split())


def test_time_that_does_not_count_by_the_calendar_is_left_out_and_told(lots: None) -> None:
    bureau = Bureau()
    bureau.open(3, idle_days="sat, sun", quiet_hours="22:00-6:00", clock_zone="Europe/Berlin")
    seconds = deadline(bureau) - bureau.clock.now()
    assert seconds > DAY
    (answer,) = (mail for mail in bureau.write("bert", "rules") if mail.answers)
    assert "Europe/Berlin these do not count: the weekdays Sat, Sun and the hours 22:00-6:00" in " ".join(
        answer.text.split()
    )


def test_a_calendar_that_can_not_be_begins_no_game(bureau: Bureau) -> None:
    with pytest.raises(ValueError, match=r"calendar\.weekday: sann"):
        bureau.invite(3, idle_days="sann")


def test_another_player_ends_the_wait_by_mail(lots: None) -> None:
    bureau = Bureau()
    bureau.open(3, policy="on_request")
    late, other = bureau.slot.seat, next(name for name in NAMES[:3] if name != bureau.slot.seat)
    bureau.write(other, f"rollout {late}")
    assert bureau.outcomes(other) == [("refused", "rollout.not_overdue")]
    bureau.at(deadline(bureau) + 1)
    bureau.tick(DAY)
    bureau.write(other, f"rollout {late}")
    assert bureau.outcomes(other) == [("played", None)]
    assert bureau.slot.seat != late
    report = next(mail for mail in reversed(bureau.postman.sent) if "MOVE ORDER" in mail.text)
    assert f"Rolled out by {other}" in " ".join(report.text.split())


def test_nobody_is_rolled_out_while_the_rule_is_suspended_and_his_lateness_stays(lots: None) -> None:
    bureau = Bureau()
    bureau.open(3, policy="on_request")
    late, other = bureau.slot.seat, next(name for name in NAMES[:3] if name != bureau.slot.seat)
    start = deadline(bureau) - DAY
    bureau.at(start + 49 * HOUR)
    do(bureau, Paused(by="P-1", start=bureau.clock.now(), end=bureau.clock.now() + DAY, cause="petition"))
    bureau.at(start + 60 * HOUR)
    bureau.write(other, f"rollout {late}")
    assert bureau.outcomes(other) == [("refused", "rollout.not_overdue")]
    bureau.at(start + 74 * HOUR)
    bureau.write(late, IMPORT)
    closing = acts(bureau, "time_kept")[-1]["closings"][0]
    assert (closing["counted"], closing["late"]) == (50 * HOUR, 2)
