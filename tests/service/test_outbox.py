"""The outbox: every row goes out, again with the same Message-ID when it must, and never from two hands."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest

from pbem.adapters.mail_renderer import MailRenderer
from pbem.bootstrap import Server
from pbem.daemon import Daemon
from pbem.host.clock.slots import LATE_NOTICE
from pbem.host.ports import Mail, PostDown, Undelivered
from pbem.mail.delivery import LEASE, Delivery
from pbem.mail.mail_writer import Envelope
from pbem.mail.outcomes import FIRST_PAUSE, LONGEST_PAUSE, pause
from tests.fakes import FakePostman
from tests.service.bureau import DAY, HOUR, NAMES, OPERATOR, Bureau, address, prefix

IMPORT = "austria: import A lemberg"


class CrashingPostman(FakePostman):
    """Hands the mail over, and then the machine goes down."""

    def send(self, mail: Mail) -> None:
        super().send(mail)
        raise KeyboardInterrupt


class WatchedPostman(FakePostman):
    """Lets the test do something while a mail is under way."""

    def __init__(self, meanwhile: Any) -> None:
        super().__init__()
        self._meanwhile = meanwhile

    def send(self, mail: Mail) -> None:
        self._meanwhile()
        super().send(mail)


# -- failures ---


def test_pauses_grow_to_an_hour_and_no_further() -> None:
    pauses = [pause(attempts) for attempts in range(10)]
    assert pauses[0] == FIRST_PAUSE
    assert pauses == sorted(pauses)
    assert pauses[-1] == LONGEST_PAUSE == pause(10_000)


def test_what_could_not_be_sent_is_tried_again_after_growing_pauses(bureau: Bureau) -> None:
    tries: list[int] = []

    class Failing(FakePostman):
        def send(self, mail: Mail) -> None:
            tries.append(bureau.clock.now())
            raise Undelivered("451 try again", permanent=False)

    bureau.drop("zoe", "hello", subject="hello")
    bureau.tick_with(Failing())
    for _ in range(300):
        bureau.clock.advance(FIRST_PAUSE)
        bureau.tick_with(Failing())
    between = [later - earlier for earlier, later in pairwise(tries)]
    assert between[:6] == [60, 120, 240, 480, 960, 1920]
    assert set(between[6:]) == {LONGEST_PAUSE}


def test_each_attempt_carries_the_same_message_id(bureau: Bureau) -> None:
    attempts: list[Mail] = []

    class Failing(FakePostman):
        def send(self, mail: Mail) -> None:
            attempts.append(mail)
            raise Undelivered("451 try again", permanent=False)

    bureau.drop("zoe", "hello", subject="hello")
    for _ in range(4):
        bureau.tick_with(Failing())
        bureau.clock.advance(HOUR)
    assert len(attempts) == 4
    assert len({mail.message_id for mail in attempts}) == 1


def test_what_is_refused_for_good_is_buried_and_the_operator_told(bureau: Bureau) -> None:
    bureau.postman.refuse(address("claudia"), "550 no such user")
    bureau.write("anton", IMPORT)
    with bureau.store.transaction() as repository:
        assert [(row.id, row.reason) for row in repository.dead()] == [("imp-1.1.claudia", "550 no such user")]
    (alarm,) = bureau.alarms
    assert address("claudia") in alarm.text
    assert "550 no such user" in alarm.text
    bureau.postman.mend()
    assert bureau.tick(HOUR) == []


def test_a_letter_that_waits_for_hours_alarms_the_operator_once(bureau: Bureau) -> None:
    bureau.postman.refuse(address("claudia"), "451 try again", permanent=False)
    bureau.write("anton", IMPORT)
    for _ in range(24):
        bureau.tick(HOUR)
    (alarm,) = [mail for mail in bureau.alarms if "waited" in mail.text]
    assert address("claudia") in alarm.text
    assert "451 try again" in alarm.text


def test_an_alarm_that_is_refused_makes_no_further_alarm(bureau: Bureau) -> None:
    bureau.postman.refuse(address("claudia"))
    bureau.postman.refuse(OPERATOR)
    bureau.write("anton", IMPORT)
    for _ in range(3):
        assert bureau.tick(HOUR) == []
    with bureau.store.transaction() as repository:
        assert sorted(row.id for row in repository.dead()) == ["alarm.imp-1.1.claudia.dead", "imp-1.1.claudia"]


def test_one_unreachable_player_does_not_keep_the_others_waiting(bureau: Bureau) -> None:
    bureau.postman.refuse(address("bert"), "451 greylisted", permanent=False)
    sent = bureau.write("anton", IMPORT)
    assert sorted(prefix(sent)) == sorted({*NAMES} - {"bert"})


def test_a_server_that_takes_nothing_does_not_keep_letters_waiting(bureau: Bureau) -> None:
    bureau.postman.fail(times=1000)
    bureau.drop("anton", IMPORT)
    before = bureau.postman.failures_left
    bureau.tick()
    assert before - bureau.postman.failures_left <= 3
    bureau.write("bert", "italy: import A rome")
    assert bureau.awaited == [("claudia", "turn", "france")]


def test_a_server_that_is_down_is_asked_by_one_letter_after_growing_pauses(bureau: Bureau) -> None:
    tries: list[int] = []

    class Down(FakePostman):
        def send(self, mail: Mail) -> None:
            tries.append(bureau.clock.now())
            raise PostDown("connection refused")

    bureau.drop("anton", IMPORT)
    other = Daemon(bureau.server, bureau.mailbox, Down(), 60.0)
    for _ in range(300):
        other.tick()
        bureau.clock.advance(FIRST_PAUSE)
    between = [later - earlier for earlier, later in pairwise(tries)]
    assert between[:6] == [60, 120, 240, 480, 960, 1920]
    assert set(between[6:]) == {LONGEST_PAUSE}


def test_when_the_server_is_back_everything_goes_out_at_once_in_order(bureau: Bureau) -> None:
    bureau.postman.down = True
    assert bureau.write("anton", IMPORT) == []
    assert bureau.tick(5 * HOUR) == []
    bureau.postman.down = False
    sent = bureau.tick(HOUR)
    assert prefix(sent)[:2] == ["anton", "bert"]  # the answer, then the question that it leads to
    assert sorted(prefix(sent)) == sorted([*NAMES, "operator", "operator"])  # that it was so, and is over


def test_in_the_end_everything_arrives_once(bureau: Bureau) -> None:
    bureau.postman.fail(times=25)
    sent = bureau.write("anton", IMPORT)
    for _ in range(60):
        sent += bureau.tick(FIRST_PAUSE)
    assert sorted(prefix(sent)) == sorted(NAMES)


def test_a_letter_that_cannot_be_worded_alarms_once_and_the_others_go_out(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    word = MailRenderer.mail

    def fail(self: MailRenderer, content: Any, envelope: Envelope) -> Mail:
        if envelope.to == address("claudia"):
            raise ZeroDivisionError("the test broke a template")
        return word(self, content, envelope)

    with monkeypatch.context() as patch:
        patch.setattr(MailRenderer, "mail", fail)
        patch.setattr(bureau, "office", Server)
        bureau.restart()
        sent = bureau.write("anton", IMPORT)
        sent += bureau.tick(HOUR)
        sent += bureau.tick(HOUR)
    assert sorted(prefix(sent)) == sorted({*NAMES, "operator"} - {"claudia"})
    assert prefix(bureau.tick(HOUR)) == ["claudia"]


# -- crashes ---


def test_a_crash_after_the_hand_over_sends_it_again_with_the_same_message_id(desk: Bureau) -> None:
    desk.open(2)
    seat, _, nation = desk.awaited[0]
    desk.drop(seat, f"{nation}: production_1")
    crashed = CrashingPostman()
    with pytest.raises(KeyboardInterrupt):
        desk.tick_with(crashed)
    desk.restart()
    once = desk.tick()
    assert crashed.sent[0].message_id not in {mail.message_id for mail in once}
    again = desk.tick(LEASE)
    assert [mail.message_id for mail in again] == [crashed.sent[0].message_id]
    assert desk.tick(LEASE) == []


def test_only_the_row_under_way_waits_for_its_lease(desk: Bureau) -> None:
    desk.open(3)
    seat, _, nation = desk.awaited[0]
    desk.drop(seat, f"{nation}: production_1")
    with pytest.raises(KeyboardInterrupt):
        desk.tick_with(CrashingPostman())
    desk.restart()
    assert len(desk.tick()) == 2


def test_the_lease_can_be_shorter(bureau: Bureau) -> None:
    bureau.drop("zoe", "hello", subject="hello")
    with pytest.raises(KeyboardInterrupt):
        bureau.tick_with(CrashingPostman(), lease=5)
    bureau.restart()
    assert bureau.tick(4) == []
    assert prefix(bureau.tick(1)) == ["zoe"]


# -- two senders ---


def test_two_senders_never_send_one_row(desk: Bureau) -> None:
    desk.open(3)
    seat, _, nation = desk.awaited[0]
    desk.drop(seat, f"{nation}: production_1")
    other = FakePostman()
    second = desk.sender(other)
    desk.tick_with(WatchedPostman(second.deliver))
    sent = other.sent
    assert len({mail.message_id for mail in sent}) == len(sent) == 2


def test_a_slow_server_does_not_make_another_sender_send_what_waits_behind(bureau: Bureau) -> None:
    """Three reports already take longer than one lease."""
    second = FakePostman()
    other = bureau.sender(second)

    def meanwhile() -> None:
        bureau.clock.advance(LEASE - 60)
        if len(slow.sent) == 3:
            other.deliver()

    bureau.drop("anton", IMPORT)
    slow = WatchedPostman(meanwhile)
    for _ in range(2 * len(NAMES)):  # each letter takes up a round
        bureau.tick_with(slow)
    everything = [mail.message_id for mail in [*slow.sent, *second.sent] if "again" not in mail.message_id]
    assert sorted(everything) == sorted(set(everything))
    assert len(everything) == len(NAMES)


# -- when ---


def test_rows_that_are_due_later_wait(bureau: Bureau) -> None:
    with bureau.store.transaction() as repository:
        assert repository.next_post() == bureau.clock.now() + DAY - 12 * HOUR
    assert bureau.tick(11 * HOUR) == []
    assert prefix(bureau.tick(HOUR)) == ["anton"]


def test_a_notice_that_takes_long_is_corrected_once_and_says_so(bureau: Bureau) -> None:
    """However long the correction takes, too: the time has begun, and its deadline is true."""
    bureau.postman.delay = lambda mail: bureau.clock.advance(LATE_NOTICE + 60 if address("bert") == mail.to else 1)
    bureau.write("anton", IMPORT)
    for _ in range(6):
        bureau.tick()
    first, again = bureau.postman.to(address("bert"))[-2:]
    assert again.in_reply_to == first.message_id
    assert again.subject == first.subject.replace("] ", "] Corrected deadline: ", 1)
    words = "You have had this letter before, but it came late"
    assert [words in " ".join(mail.text.split()) for mail in (first, again)] == [False, True]
    assert words in (again.html or "")
    deadline = bureau.slot.deadline
    assert deadline is not None
    printed = datetime.fromtimestamp(deadline, UTC).strftime("%H:%M")
    assert [printed in mail.text for mail in (first, again)] == [False, True]


def test_who_got_a_corrected_deadline_with_an_answer_is_understood_afterwards(bureau: Bureau) -> None:
    bureau.drop("bert", "status")
    bureau.postman.delay = lambda mail: bureau.clock.advance(LATE_NOTICE + 60 if address("bert") == mail.to else 1)
    bureau.write("anton", IMPORT)
    bureau.tick()
    first, again = bureau.postman.to(address("bert"))[-2:]
    assert (first.answers, again.answers, again.in_reply_to) == (True, False, first.message_id)
    bureau.write("bert", "yes\nitaly: taxation", in_reply_to=again.message_id)
    assert bureau.outcomes("bert")[-1] == ("played", None)


def test_what_went_out_is_out_even_if_nothing_can_begin_with_it(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.mail.outcomes.start_slots", lambda *_: 1 / 0)
    bureau.write("anton", IMPORT)
    for _ in range(3):
        bureau.tick(LEASE)
    ids = [mail.message_id for mail in bureau.postman.sent if mail not in bureau.alarms]
    assert len(ids) == len(set(ids)) == len(NAMES)
    (alarm,) = bureau.alarms
    assert "keeps time from beginning" in " ".join(alarm.text.split())


def test_what_there_is_nothing_to_say_of_any_more_was_not_sent(desk: Bureau) -> None:
    desk.open(2)
    seat, _, nation = desk.awaited[0]
    desk.write(seat, f"{nation}: production_1")
    desk.tick(DAY - HOUR // 2)  # the reminders of what has been answered are due
    with desk.store.transaction() as repository:
        rows = [row for row in repository.mail_to(address(seat)) if row.kind == "reminder"]
    assert rows
    assert [row.sent for row in rows] == [None] * len(rows)


def test_a_report_is_worded_when_it_goes_out(bureau: Bureau) -> None:
    """By then Bert has moved: nobody is told to wait for him."""
    bureau.postman.refuse(address("claudia"), "451 greylisted", permanent=False)
    bureau.write("anton", IMPORT)
    bureau.write("bert", "italy: import A rome")
    bureau.postman.mend()
    sent = bureau.tick(HOUR)
    first = next(mail for mail in sent if mail.message_id.startswith("<imp-1.1.claudia@"))
    assert "Round 1, Austria-Hungary" in first.subject
    assert "claudia: France’s turn" not in first.text
    assert "bert: Italy’s turn" not in first.text


def test_letters_of_a_game_share_a_thread(bureau: Bureau) -> None:
    sent = bureau.write("anton", IMPORT)
    assert {mail.references[0] for mail in sent} == {"<imp-1.game@pbem.test>"}


def test_letters_are_marked_as_answers_or_not(bureau: Bureau) -> None:
    sent = bureau.write("anton", IMPORT)
    assert {(mail.answers, "answer" in mail.message_id) for mail in sent} == {(True, True), (False, False)}


def test_a_sender_with_nothing_to_do_settles_nothing(bureau: Bureau) -> None:
    sender: Delivery = bureau.sender(FakePostman())
    assert sender.deliver() == 0
