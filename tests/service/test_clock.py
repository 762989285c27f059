"""The clock (docs/reference/procedure.md, sections 2, 4 and 8): when slots start, run out, and what becomes of them."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.adapters.store.sql import SqlStore
from pbem.host.housekeeping import closing as clock_service
from pbem.host.housekeeping.lapsing import lapse_due
from pbem.host.ports import Mail, MailboxDown, Slot
from tests.service.bureau import DAY, HOUR, NAMES, OPERATOR, Bureau, address, prefix

IMPORT = "austria: import A lemberg"
BATTLE = ("rondel france factory", "turn france", "fleet france w med 1", "fleet italy ionian 1")
SWISS = ("bond anton italy 9", "bond anton germany 9", "rondel austria_hungary maneuver_1")


def deadline(bureau: Bureau) -> int:
    found = bureau.slot.deadline
    assert found is not None
    return found


def reports(sent: list[Mail]) -> list[Mail]:
    return [mail for mail in sent if not mail.answers and "reminder" not in mail.message_id]


def lapses(bureau: Bureau) -> list[dict[str, Any]]:
    return [entry for entry in bureau.entries if entry["cause"]["kind"] == "lapse"]


# -- when a slot starts ---


def test_a_slot_starts_when_its_notice_is_handed_over(bureau: Bureau) -> None:
    assert bureau.slot.started == bureau.clock.now()
    assert bureau.slot.deadline == bureau.clock.now() + DAY


def test_while_smtp_is_down_no_new_slot_starts(bureau: Bureau) -> None:
    bureau.postman.fail(times=1000)
    bureau.write("anton", IMPORT)
    for _ in range(10):
        bureau.tick(DAY)
    assert bureau.slot == Slot(key=bureau.slot.key, seat="bert", opened=bureau.slot.opened)
    assert lapses(bureau) == []
    bureau.postman.mend()
    bureau.tick(DAY)
    assert bureau.slot.started == bureau.clock.now()
    assert bureau.slot.deadline == bureau.clock.now() + DAY


def test_while_smtp_is_down_running_slots_run_on(bureau: Bureau) -> None:
    bureau.postman.fail(times=1000)
    bureau.at(deadline(bureau) + 1)
    assert len(lapses(bureau)) == 1
    assert bureau.slot.seat == "bert"
    assert bureau.slot.started is None


def test_a_slot_whose_notice_waits_is_not_closed_by_the_clock(bureau: Bureau) -> None:
    bureau.postman.refuse(address("bert"), "451 greylisted", permanent=False)
    bureau.write("anton", IMPORT)
    for _ in range(3):
        bureau.tick(DAY)
    assert bureau.slot.seat == "bert"
    assert bureau.slot.started is None


def test_who_answers_before_his_notice_was_handed_over_is_played(bureau: Bureau) -> None:
    bureau.postman.refuse(address("bert"), "451 greylisted", permanent=False)
    bureau.write("anton", IMPORT)
    bureau.write("bert", "italy: import A rome")
    assert bureau.slot.seat == "claudia"


def test_a_notice_that_is_handed_over_late_is_no_longer_a_question_when_answered(bureau: Bureau) -> None:
    bureau.given(*BATTLE)
    bureau.postman.refuse(address("bert"), "451 greylisted", permanent=False)
    bureau.write("claudia", "france: maneuver F w med - ionian")
    bureau.write("bert", "fight")
    bureau.postman.mend()
    sent = bureau.tick(HOUR)
    assert not [mail for mail in sent if "question" in mail.message_id]


def test_the_notice_prints_the_deadline(bureau: Bureau) -> None:
    sent = bureau.write("anton", IMPORT)
    notice = next(mail for mail in sent if mail.to == address("bert"))
    until = datetime.fromtimestamp(bureau.clock.now() + DAY, UTC)
    assert f"{until:%H:%M}" in notice.text
    assert f"{until.day} {until:%b}" in notice.text


def test_a_notice_that_waited_prints_the_later_deadline(bureau: Bureau) -> None:
    bureau.postman.fail(times=1000)
    bureau.write("anton", IMPORT)
    bureau.postman.mend()
    sent = bureau.tick(5 * HOUR)
    notice = next(mail for mail in sent if mail.to == address("bert"))
    assert f"{datetime.fromtimestamp(deadline(bureau), UTC):%H:%M}" in notice.text


def test_a_hand_over_of_more_than_five_minutes_gets_a_new_notice(bureau: Bureau) -> None:
    bureau.postman.delay = lambda mail: (
        bureau.clock.advance(301) if mail.message_id.endswith("1.bert@pbem.test>") else 0
    )
    sent = [*bureau.write("anton", IMPORT), *bureau.tick()]  # a round gives mail some time, and this took more
    notices = [mail for mail in sent if mail.to == address("bert")]
    assert len(notices) == 2
    assert notices[0].message_id != notices[1].message_id
    assert f"{datetime.fromtimestamp(deadline(bureau), UTC):%H:%M}" in notices[1].text
    assert f"{datetime.fromtimestamp(deadline(bureau), UTC):%H:%M}" not in notices[0].text


def test_a_hand_over_of_five_minutes_gets_no_new_notice(bureau: Bureau) -> None:
    bureau.postman.delay = lambda mail: (
        bureau.clock.advance(300) if mail.message_id.endswith("1.bert@pbem.test>") else 0
    )
    sent = bureau.write("anton", IMPORT)
    assert len([mail for mail in sent if mail.to == address("bert")]) == 1


def test_a_notice_that_is_refused_for_good_alarms_the_operator_and_the_clock_runs_on(bureau: Bureau) -> None:
    bureau.postman.refuse(address("bert"))
    bureau.write("anton", IMPORT)
    assert [address("bert") in mail.text for mail in bureau.alarms] == [True]
    assert bureau.slot.seat == "bert"
    assert bureau.slot.started == bureau.clock.now()
    bureau.at(deadline(bureau) + 1)
    assert bureau.slot.seat == "claudia"


def test_games_may_have_other_slots_than_a_day(lots: None) -> None:
    bureau = Bureau()
    bureau.open(2, slot_hours=48, remind_hours=(24,))
    assert bureau.slot.deadline == bureau.clock.now() + 2 * DAY
    assert [mail.message_id for mail in bureau.tick(DAY)] == [
        f"<imp-1.1.{bureau.slot.seat}.turn.austria_hungary.{bureau.slot.started}.reminder.24.{bureau.slot.seat}@pbem.test>"
    ]


# -- when it ends ---


def test_a_letter_filed_after_exactly_24_hours_is_timely(bureau: Bureau) -> None:
    until = deadline(bureau)
    bureau.clock.set(until + HOUR)
    bureau.write("anton", IMPORT, arrived=until)
    assert bureau.outcomes("anton") == [("played", None)]
    assert lapses(bureau) == []


def test_a_letter_filed_a_second_later_is_late(bureau: Bureau) -> None:
    until = deadline(bureau)
    bureau.clock.set(until + 1)
    bureau.write("anton", IMPORT, arrived=until + 1)
    assert bureau.outcomes("anton") == [("refused", "order.not_awaited")]
    assert len(lapses(bureau)) == 1
    assert bureau.slot.seat == "bert"


@pytest.mark.parametrize(("late", "kind"), [(0, "letter"), (1, "lapse")])
def test_when_it_was_filed_decides_and_not_its_date(bureau: Bureau, late: int, kind: str) -> None:
    until = deadline(bureau)
    bureau.clock.set(until + HOUR)
    written = "Mon, 01 Jan 2018 10:00:00 +0000" if late else "Fri, 01 Jan 2038 10:00:00 +0000"
    bureau.write("anton", IMPORT, arrived=until + late, Date=written)
    assert bureau.entries[1]["cause"]["kind"] == kind


def test_at_the_deadline_itself_nothing_is_closed(bureau: Bureau) -> None:
    bureau.at(deadline(bureau))
    assert lapses(bureau) == []
    bureau.tick(1)
    assert len(lapses(bureau)) == 1


def test_a_close_is_deemed_to_be_at_the_first_instant_after_the_deadline(bureau: Bureau) -> None:
    until = deadline(bureau)
    bureau.at(until + 5 * HOUR)
    assert lapses(bureau)[0]["at"] == until + 1


def test_a_poll_that_began_before_the_deadline_closes_nothing(bureau: Bureau) -> None:
    until = deadline(bureau)
    bureau.clock.set(until)
    bureau.mailbox.before_unread = lambda: bureau.clock.set(until + 10)
    bureau.tick()
    assert lapses(bureau) == []


def test_a_mailbox_that_is_down_over_the_deadline_closes_nothing(bureau: Bureau) -> None:
    until = deadline(bureau)
    bureau.mailbox.down = True
    bureau.at(until + DAY)
    assert lapses(bureau) == []
    bureau.mailbox.down = False
    bureau.drop("anton", IMPORT, arrived=until - 5)
    bureau.tick(HOUR)
    assert lapses(bureau) == []
    assert bureau.outcomes("anton") == [("played", None)]


def test_a_mailbox_that_fails_in_the_middle_of_a_poll_closes_nothing(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise MailboxDown("the test pulled the plug")

    until = deadline(bureau)
    bureau.drop("zoe", "hello", arrived=until)
    bureau.drop("anton", IMPORT, arrived=until)
    with monkeypatch.context() as patch:
        patch.setattr(bureau.mailbox, "shelve", fail)
        bureau.at(until + HOUR)
    assert lapses(bureau) == []
    bureau.tick()
    assert bureau.outcomes("anton") == [("played", None)]


def test_mail_goes_out_though_the_mailbox_is_down(bureau: Bureau) -> None:
    bureau.mailbox.down = True
    sent = bureau.at(deadline(bureau) - 12 * HOUR)
    assert prefix(sent) == ["anton"]


def test_a_letter_filed_before_the_deadline_counts_whenever_it_is_polled(bureau: Bureau) -> None:
    until = deadline(bureau)
    bureau.clock.set(until + 6 * HOUR)
    bureau.write("anton", IMPORT, arrived=until - 1)
    assert bureau.outcomes("anton") == [("played", None)]


def test_a_letter_filed_after_the_deadline_meets_the_next_state(bureau: Bureau) -> None:
    until = deadline(bureau)
    bureau.clock.set(until + HOUR)
    bureau.write("bert", "italy: import A rome", arrived=until + 1)
    assert bureau.outcomes("bert") == [("played", None)]
    assert [entry["cause"]["kind"] for entry in bureau.entries[1:]] == ["lapse", "letter"]
    assert bureau.slot.seat == "claudia"


def test_of_letters_around_the_deadline_each_meets_its_own_state(bureau: Bureau) -> None:
    until = deadline(bureau)
    bureau.drop("anton", "austria: import A vienna", arrived=until + 1)
    bureau.drop("anton", "draft\naustria: import A lemberg", arrived=until)
    bureau.at(until + HOUR)
    assert bureau.document["nations"]["austria_hungary"]["armies"] == {"lemberg": 1}
    assert bureau.outcomes("anton") == [("refused", "order.not_awaited")]


# -- reminders ---


def test_reminders_come_12_6_and_1_hours_before_the_end(bureau: Bureau) -> None:
    until = deadline(bureau)
    for hours in (12, 6, 1):
        assert bureau.at(until - hours * HOUR - 1) == []
        (reminder,) = bureau.at(until - hours * HOUR)
        assert reminder.to == address("anton")
        assert f" {hours} hour" in reminder.text.partition(" left, until ")[0]


def test_a_reminder_tells_what_is_on_file(bureau: Bureau) -> None:
    bureau.write("anton", "draft\naustria: import A lemberg")
    (reminder,) = bureau.at(deadline(bureau) - 12 * HOUR)
    assert "Lemberg" in reminder.text


def test_nobody_is_reminded_of_what_he_has_answered(bureau: Bureau) -> None:
    until = deadline(bureau)
    bureau.write("anton", IMPORT)
    bureau.clock.advance(HOUR)
    bureau.write("bert", "italy: import A rome")
    sent = bureau.at(until - HOUR)
    assert prefix(sent) == ["claudia"]


def test_a_daemon_that_slept_reminds_once_and_not_for_every_hour_it_missed(bureau: Bureau) -> None:
    assert len(bureau.at(deadline(bureau) - 1800)) == 1


def test_after_the_end_nobody_is_reminded(bureau: Bureau) -> None:
    sent = bureau.at(deadline(bureau) + HOUR)
    assert not [mail for mail in sent if "reminder" in mail.message_id]


# -- what lapses ---


def test_a_lapsed_turn_skips_the_nation_and_everybody_is_told(bureau: Bureau) -> None:
    sent = bureau.at(deadline(bureau) + 1)
    assert bureau.document["nations"]["austria_hungary"]["rondel"] is None
    told = reports(sent)
    assert Counter(prefix(told)) == Counter(NAMES)
    assert all("Austria-Hungary" in mail.text for mail in told)
    assert bureau.slot == replace(bureau.slot, seat="bert", started=bureau.clock.now())


def test_a_game_of_silence_goes_on_round_after_round(bureau: Bureau) -> None:
    for _ in range(12):
        bureau.at(deadline(bureau) + 1)
    assert bureau.document["round"] == 3
    assert bureau.slot.seat == "anton"
    told = Counter(mail.to for mail in bureau.postman.sent if mail.message_id.count(".") == 3)
    assert len(lapses(bureau)) == 12
    assert set(told) == {address(name) for name in NAMES}


def test_a_daemon_that_slept_for_days_closes_one_slot_only(bureau: Bureau) -> None:
    bureau.at(deadline(bureau) + 10 * DAY)
    assert len(lapses(bureau)) == 1
    assert deadline(bureau) == bureau.clock.now() + DAY


def test_a_draft_on_file_is_played_when_time_runs_out(bureau: Bureau) -> None:
    bureau.write("anton", "draft\naustria: import A lemberg")
    bureau.at(deadline(bureau) + 1)
    assert bureau.document["nations"]["austria_hungary"]["armies"] == {"lemberg": 1}
    assert bureau.papers == []


def test_a_draft_is_played_as_far_as_it_is_legal(bureau: Bureau) -> None:
    bureau.write("anton", "draft\naustria: import A lemberg, F vienna")
    bureau.at(deadline(bureau) + 1)
    assert bureau.document["nations"]["austria_hungary"]["armies"] == {"lemberg": 1}
    assert bureau.document["nations"]["austria_hungary"]["fleets"] == {}


def test_what_was_refused_is_played_by_the_clock_as_far_as_it_is_legal(bureau: Bureau) -> None:
    bureau.write("anton", "austria: import A lemberg, F vienna")
    bureau.at(deadline(bureau) + 1)
    assert bureau.document["nations"]["austria_hungary"]["armies"] == {"lemberg": 1}


def test_an_unanswered_battle_is_no_battle(bureau: Bureau) -> None:
    bureau.given(*BATTLE)
    bureau.write("claudia", "france: maneuver F w med - ionian")
    assert bureau.slot.seat == "bert"
    sent = bureau.at(deadline(bureau) + 1)
    assert bureau.document["nations"]["france"]["fleets"] == {"ionian_sea": 1}
    assert bureau.document["nations"]["italy"]["fleets"] == {"ionian_sea": 1}
    assert Counter(prefix(reports(sent))) == Counter(NAMES)


def test_an_unanswered_investment_buys_nothing(bureau: Bureau) -> None:
    bureau.write("anton", "austria: investor")
    who = bureau.slot.seat
    before = bureau.document["players"][who]["bonds"]
    assert bureau.awaited[0][1] == "invest"
    while bureau.awaited[0][1] == "invest":
        bureau.at(deadline(bureau) + 1)
    assert bureau.document["players"][who]["bonds"] == before
    assert bureau.slot.seat == "bert"


def test_unanswered_swiss_banks_let_pass_and_close_together(bureau: Bureau) -> None:
    bureau.given(*SWISS)
    bureau.write("anton", "austria: import A vienna")
    assert sorted(slot.seat for slot in bureau.slots) == ["bert", "emil"]
    bureau.at(max(slot.deadline or 0 for slot in bureau.slots) + 1)
    assert len(lapses(bureau)) == 2
    assert bureau.document["nations"]["austria_hungary"]["armies"] == {"vienna": 1}


def test_of_two_swiss_banks_each_has_its_own_time(bureau: Bureau) -> None:
    bureau.given(*SWISS)
    bureau.postman.refuse(address("emil"), "451 greylisted", permanent=False)
    bureau.write("anton", "austria: import A vienna")
    bureau.at(max(slot.deadline or 0 for slot in bureau.slots) + 1)
    assert [seat for seat, kind, _ in bureau.awaited] == ["emil"]
    assert len(lapses(bureau)) == 1


def test_a_standing_order_answers_what_the_lapse_asks(bureau: Bureau) -> None:
    bureau.given(*BATTLE)
    bureau.write("bert", "standing fight")
    bureau.write("claudia", "draft\nfrance: maneuver F w med - ionian")
    bureau.at(deadline(bureau) + 1)
    assert bureau.document["nations"]["france"]["fleets"] == {}
    assert bureau.slot.seat == "daniel"


def test_a_game_that_ends_by_the_clock_stops_it(bureau: Bureau) -> None:
    works = [f"factory {city}" for city in ("trieste", "prague", "lemberg")]
    bureau.given("power austria_hungary 24", "rondel austria_hungary maneuver_2", *works)
    bureau.write("anton", "draft\naustria: taxation")
    sent = bureau.at(deadline(bureau) + 1)
    assert bureau.game.status == "finished"
    assert Counter(prefix(sent)) >= Counter(NAMES)
    assert list(bureau.slots) == []
    assert bureau.daemon._clock_service.next_instant() is None or bureau.tick(DAY) == []


# -- robustness ---


def test_a_game_that_cannot_be_closed_alarms_once_and_the_others_go_on(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(desk: Any, game: Any, until: int) -> bool:
        if game.id == "imp-1":
            raise ZeroDivisionError("the test broke the clock")
        return lapse_due(desk, game, until)

    monkeypatch.setattr(clock_service, "lapse_due", fail)
    bureau.invite(2)
    for name in ("anton", "bert"):
        bureau.write(name, "join", subject="[imp-2] you are invited")
    bureau.at(deadline(bureau) + HOUR)
    for _ in range(3):
        bureau.tick(HOUR)
    assert lapses(bureau) == []
    assert len(bureau.alarms) == 1
    with bureau.store.transaction() as repository:
        assert len(repository.entries("imp-2")) == 2


def test_a_turn_that_cannot_be_closed_does_not_keep_the_daemon_from_resting(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> bool:
        raise ZeroDivisionError("the test broke the clock")

    monkeypatch.setattr(clock_service, "lapse_due", fail)
    bureau.at(deadline(bureau) + HOUR)
    bureau.daemon._rest()
    assert bureau.mailbox.waits == [60.0]


def test_the_daemon_rests_until_something_is_due(bureau: Bureau) -> None:
    bureau.clock.set(deadline(bureau) - 12 * HOUR - 20)
    bureau.daemon._rest()
    assert bureau.mailbox.waits == [20]


def test_what_a_look_at_the_clock_costs_depends_on_what_is_due(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[str] = []
    monkeypatch.setattr(clock_service, "lapse_due", lambda desk, game, until: looked_at.append(game.id))
    for _ in range(5):
        bureau.invite(3)
    bureau.tick()
    assert looked_at == []


def test_the_clock_survives_a_restart_over_a_real_store(lots: None, tmp_path: Any) -> None:
    store = SqlStore(f"sqlite:///{tmp_path / 'pbem.sqlite'}")
    bureau = Bureau(store)
    bureau.open(2)
    first = bureau.slot
    bureau.restart()
    bureau.at(deadline(bureau) + 1)
    assert bureau.slot.key != first.key
    assert len(lapses(bureau)) == 1
    assert OPERATOR not in {mail.to for mail in bureau.postman.sent}
    store.close()


# -- when the clocks are changed ---


def test_what_a_player_gets_while_the_clocks_are_changed_says_so(bureau: Bureau) -> None:
    bureau.write("claudia", "zone Europe/Berlin")
    eve = int(datetime(2027, 3, 27, 19, tzinfo=UTC).timestamp())
    bureau.at(eve - 30 * DAY)
    (turn,) = (mail for mail in bureau.at(eve) if mail.to == address("claudia"))
    (reminder,) = (mail for mail in bureau.tick(12 * HOUR) if mail.to == address("claudia"))
    (answer,) = bureau.write("claudia", "clock")
    for mail in (turn, reminder, answer):
        text, html = (" ".join((body or "").split()) for body in (mail.text, mail.html))
        assert "Sun 28 Mar 2027, 21:00 CEST (19:00 UTC)" in text
        assert [body.count("The clocks go forward by an hour on Sun 28 Mar 2027") for body in (text, html)] == [1, 1]
