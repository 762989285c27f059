"""Letters in, answers out: every letter is dealt with once and answered at most once."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pbem.host.lobby import gathering, seats
from pbem.host.messages.rows import mark
from pbem.host.play.executor import CommandExecutor
from pbem.host.ports import MailFolder
from pbem.language.statements import Reading
from tests.fakes import MemoryStore
from tests.service.bureau import HOST, HOUR, NAMES, OPERATOR, Bureau, address, prefix

IMPORT = "austria: import A lemberg"
LETTERS = Path(__file__).parent.parent / "letters"
BATTLE = ("rondel france factory", "turn france", "fleet france w med 1", "fleet italy ionian 1")
SWISS = ("bond anton italy 9", "bond anton germany 9", "rondel austria_hungary maneuver_1")


# -- orders ---


def test_a_letter_of_orders_is_played_and_answered_once(bureau: Bureau) -> None:
    bureau.write("anton", IMPORT)
    bureau.tick(HOUR)
    assert bureau.document["nations"]["austria_hungary"]["armies"] == {"lemberg": 1}
    assert bureau.outcomes("anton") == [("played", None)]
    assert len(bureau.answers("anton")) == 1
    assert bureau.awaited == [("bert", "turn", "italy")]


def test_an_answer_is_threaded_to_the_letter_it_answers(bureau: Bureau) -> None:
    bureau.write("anton", IMPORT, id_="<orders@home.test>")
    (answer,) = bureau.answers("anton")
    assert answer.in_reply_to == "<orders@home.test>"
    assert answer.references == ("<imp-1.game@pbem.test>", "<orders@home.test>")


def test_everybody_gets_one_report_of_a_turn_and_the_awaited_one_first(bureau: Bureau) -> None:
    sent = bureau.write("anton", IMPORT)
    assert sorted(prefix(sent)) == sorted(NAMES)
    assert prefix(mail for mail in sent if not mail.answers)[0] == "bert"


def test_a_letter_is_shelved_as_done(bureau: Bureau) -> None:
    raw = bureau.drop("anton", IMPORT)
    bureau.tick()
    assert bureau.mailbox.on(MailFolder.done) == [raw]


def test_the_entry_names_the_letter_and_its_filing_time(bureau: Bureau) -> None:
    filed = bureau.clock.now() + 100
    bureau.clock.advance(HOUR)
    bureau.write("anton", IMPORT, id_="<orders@home.test>", arrived=filed)
    entry = bureau.entries[-1]
    assert entry["at"] == filed
    assert entry["cause"] == {"kind": "letter", "letter": mark("<orders@home.test>")}


def test_a_letter_filed_before_its_slot_began_counts_as_filed_when_it_began(bureau: Bureau) -> None:
    bureau.write("anton", IMPORT, arrived=bureau.clock.now() - HOUR)
    assert bureau.entries[-1]["at"] == bureau.clock.now()


def test_questions_in_a_turn_go_only_to_those_asked_and_one_report_follows(bureau: Bureau) -> None:
    bureau.given(*SWISS)
    sent = bureau.write("anton", "austria: import A vienna")
    assert sorted(prefix(mail for mail in sent if not mail.answers)) == ["bert", "emil"]
    assert prefix(bureau.write("emil", "let pass")) == ["emil"]
    sent = bureau.write("bert", "let pass")
    assert bureau.document["nations"]["austria_hungary"]["armies"] == {"vienna": 1}
    assert len([mail for mail in sent if mail.answers]) == 1


def test_a_battle_is_asked_only_of_the_government_that_may_fight(bureau: Bureau) -> None:
    bureau.given(*BATTLE)
    sent = bureau.write("claudia", "france: maneuver F w med - ionian")
    assert sorted(prefix(sent)) == ["bert", "claudia"]
    assert bureau.awaited == [("bert", "battle", "italy")]
    sent = bureau.write("bert", "fight")
    assert Counter(prefix(sent)) == Counter(NAMES)
    assert bureau.document["nations"]["france"]["fleets"] == {}


def test_investing_is_asked_one_after_another_and_reported_once(bureau: Bureau) -> None:
    sent = bureau.write("anton", "austria: investor")
    asked = bureau.awaited[0][0]
    assert sorted(prefix(mail for mail in sent if not mail.answers)) == [asked]
    reports = 0
    while bureau.awaited[0][1] == "invest":
        sent = bureau.write(bureau.awaited[0][0], "invest none")
        reports += len([mail for mail in sent if not mail.answers and "Round 1" in mail.subject])
        assert len([mail for mail in sent if mail.answers]) == 1
    told = Counter(mail.to for mail in bureau.postman.sent if "Round 1, Austria" in mail.subject)
    assert all(count == 1 for count in told.values())
    assert reports == len(NAMES) - 1  # Italy's government is told that it is its turn instead


def test_a_refused_order_changes_nothing_and_what_was_right_is_kept_and_shown(bureau: Bureau) -> None:
    before = bureau.document
    sent = bureau.write("anton", "austria: import A lemberg, F vienna")
    assert bureau.document == before
    assert bureau.outcomes("anton") == [("refused", "import.no_port")]
    assert bureau.papers == [("anton", "draft", "austria_hungary: import A lemberg")]
    assert prefix(sent) == ["anton"]
    assert "Austria-Hungary: import A Lemberg" in sent[0].text


def test_an_unreadable_line_stops_the_letter_and_the_readable_order_is_kept(bureau: Bureau) -> None:
    before = bureau.document
    sent = bureau.write("anton", "austria: factory treiste\naustria: import A lemberg")
    assert bureau.document == before
    assert bureau.outcomes("anton") == [("refused", "name.unknown"), ("held", None)]
    assert prefix(sent) == ["anton"]
    assert "Trieste" in sent[0].text


def test_a_refused_order_does_not_start_the_slot_anew(bureau: Bureau) -> None:
    before = bureau.slot
    bureau.clock.advance(HOUR)
    bureau.write("anton", "austria: import F vienna")
    assert bureau.slot == before


def test_prose_is_passed_over_and_named(bureau: Bureau) -> None:
    bureau.write("anton", f"Good evening everybody!\n{IMPORT}\nBest wishes")
    outcomes = [(line.text, line.outcome) for line in bureau.replies("anton")[-1].lines]
    assert outcomes == [
        (IMPORT, "played"),
        ("Good evening everybody!", "passed"),
        ("Best wishes", "passed"),
    ]
    assert "Good evening everybody!" in bureau.answers("anton")[-1].text


def test_an_empty_letter_is_answered_with_what_is_awaited(bureau: Bureau) -> None:
    bureau.write("anton", "> Your move: Austria-Hungary")
    assert bureau.replies("anton")[-1].problem == "letter.empty"
    assert len(bureau.answers("anton")) == 1


def test_a_gift_and_a_turn_in_one_letter_are_both_carried_out(bureau: Bureau) -> None:
    sent = bureau.write("anton", "give austria 1\naustria: factory trieste")
    assert bureau.outcomes("anton") == [("played", None), ("played", None)]
    assert "trieste" in bureau.document["nations"]["austria_hungary"]["factories"]
    assert Counter(prefix(sent)) == Counter(NAMES)


def test_a_gift_after_the_turn_starts_the_next_slot_too(bureau: Bureau) -> None:
    bureau.write("anton", "austria: factory trieste\ngive austria 1")
    assert bureau.outcomes("anton") == [("played", None), ("played", None)]
    assert bureau.slot.seat == "bert"
    assert bureau.slot.started == bureau.clock.now()


def test_a_gift_alone_is_told_with_the_next_report(bureau: Bureau) -> None:
    assert prefix(bureau.write("bert", "give italy 1")) == ["bert"]
    sent = bureau.write("anton", IMPORT)
    report = next(mail for mail in sent if mail.to == address("claudia"))
    assert "Italy" in report.text
    assert "1m" in report.text


def test_advance_orders_resolve_several_turns_with_one_report_each(bureau: Bureau) -> None:
    bureau.write("bert", "advance italy: factory none")
    bureau.write("claudia", "advance france: factory none")
    sent = bureau.write("anton", IMPORT)
    assert bureau.awaited == [("daniel", "turn", "great_britain")]
    assert bureau.papers == []
    assert Counter(prefix(sent)) == Counter(NAMES)
    for mail in sent:
        assert re.findall(r"R-\d+$", mail.text, re.MULTILINE) == ["R-1", "R-2", "R-3"]
    assert bureau.slot.started == bureau.clock.now()


def test_advance_orders_are_acknowledged_to_their_writer_only(bureau: Bureau) -> None:
    assert prefix(bureau.write("bert", "advance italy: factory none")) == ["bert"]


def test_an_advance_order_that_is_not_possible_is_not_used_and_its_writer_told(bureau: Bureau) -> None:
    bureau.write("bert", "advance italy: factory rome")
    sent = bureau.write("anton", IMPORT)
    unused = [mail for mail in sent if "unused" in mail.message_id]
    assert prefix(unused) == ["bert"]
    assert bureau.awaited == [("bert", "turn", "italy")]
    assert bureau.slot.started is not None


def test_two_advance_orders_in_a_row_that_are_not_possible_do_not_stop_the_mail(bureau: Bureau) -> None:
    written = [bureau.write("anton", f"advance austria: factory {city}") for city in ("vienna", "budapest")]
    bureau.write("anton", IMPORT)
    texts = [" ".join(mail.text.split()) for sent in written for mail in sent]
    assert ["it could not be used" in text for text in texts] == [True, True]
    assert len(bureau.answers("anton")) == 3
    assert bureau.mailbox.inbox == []


def test_a_standing_order_answers_at_once_and_nobody_is_asked(bureau: Bureau) -> None:
    bureau.given(*BATTLE)
    bureau.write("bert", "standing fight")
    sent = bureau.write("claudia", "france: maneuver F w med - ionian")
    assert bureau.document["nations"]["france"]["fleets"] == {}
    assert not [mail for mail in sent if "question" in mail.message_id]


# -- letters that come twice ---


def test_the_same_message_id_plays_once_and_answers_once(desk: Bureau) -> None:
    desk.open(2)
    seat, _, nation = desk.awaited[0]
    for _ in range(2):
        desk.write(seat, f"{nation}: production_1", id_="<once@home.test>")
    assert len([entry for entry in desk.entries if entry["cause"]["kind"] == "letter"]) == 1
    assert len([mail for mail in desk.answers(seat) if mail.in_reply_to == "<once@home.test>"]) == 1
    assert len(desk.mailbox.on(MailFolder.done)) == 2 + 2


def test_the_same_bytes_under_another_uid_play_once(bureau: Bureau) -> None:
    raw = bureau.letter("anton", IMPORT)
    first = bureau.mailbox.add(raw, bureau.clock.now())
    second = bureau.mailbox.add(raw, bureau.clock.now())
    bureau.tick()
    assert len(bureau.answers("anton")) == 1
    assert bureau.mailbox.on(MailFolder.done) == [first, second]


def test_the_same_bytes_without_a_message_id_play_once(bureau: Bureau) -> None:
    raw = bureau.letter("anton", IMPORT).replace(b"Message-ID: <letter-7@players.test>\r\n", b"")
    assert b"Message-ID" not in raw
    for _ in range(2):
        bureau.mailbox.add(raw, bureau.clock.now())
        bureau.tick()
    (answer,) = bureau.answers("anton")
    assert answer.in_reply_to == "<imp-1.game@pbem.test>"


def test_a_turn_sent_again_in_another_letter_is_refused_and_changes_nothing(bureau: Bureau) -> None:
    bureau.write("anton", IMPORT)
    before = bureau.document
    bureau.write("anton", IMPORT)
    assert bureau.outcomes("anton") == [("refused", "order.not_awaited")]
    assert bureau.document == before


# -- whose letter, which game ---


def test_without_a_tag_in_the_subject_the_address_names_the_game(bureau: Bureau) -> None:
    bureau.write("anton", IMPORT, subject="my move", to=bureau.way_back("anton"))
    assert bureau.outcomes("anton") == [("played", None)]


def test_without_a_tag_and_with_two_games_it_is_asked_which(bureau: Bureau) -> None:
    bureau.invite(2)
    before = bureau.document
    bureau.write("anton", IMPORT, subject="my move")
    reply = bureau.replies("anton")[-1]
    assert reply.problem == "letter.no_game"
    assert list(reply.facts["games"]) == ["imp-1", "imp-2"]
    assert bureau.document == before


def test_the_tag_of_a_game_there_is_not_is_answered(bureau: Bureau) -> None:
    bureau.write("anton", IMPORT, subject="Re: [imp-99] your move")
    assert bureau.replies("anton")[-1].problem == "letter.no_game"


def test_the_tag_of_somebody_elses_game_changes_nothing(bureau: Bureau) -> None:
    bureau.server.new_game(bureau.terms(), ["gerda@players.test", "hans@players.test"])
    bureau.write("gerda", IMPORT)
    assert bureau.replies("gerda")[-1].problem == "letter.stranger"
    assert bureau.awaited == [("anton", "turn", "austria_hungary")]


def test_a_stranger_is_answered_once_and_learns_nothing_of_the_game(bureau: Bureau) -> None:
    sent = bureau.write("zoe", IMPORT)
    assert prefix(sent) == ["zoe"]
    reply = bureau.replies("zoe")[-1]
    assert (reply.problem, reply.awaited, reply.on_file) == ("letter.stranger", (), ())
    assert bureau.awaited == [("anton", "turn", "austria_hungary")]


def test_a_stranger_without_a_tag_is_answered_once(bureau: Bureau) -> None:
    sent = bureau.write("zoe", "hello", subject="hello")
    assert prefix(sent) == ["zoe"]
    assert bureau.replies("zoe")[-1].problem == "letter.no_game"


def test_an_address_in_other_letters_is_the_same_player(bureau: Bureau) -> None:
    bureau.write("Anton@Players.TEST", IMPORT)
    assert bureau.awaited == [("bert", "turn", "italy")]


def test_nobody_can_move_for_another(bureau: Bureau) -> None:
    bureau.write("bert", IMPORT)
    assert bureau.outcomes("bert") == [("refused", "nation.not_yours")]


def test_a_finished_game_answers_that_it_is_over(bureau: Bureau) -> None:
    bureau.finish()
    before = bureau.document
    sent = bureau.write("bert", "italy: investor")
    assert prefix(sent) == ["bert"]
    assert bureau.replies("bert")[-1].problem == "game.over"
    assert bureau.document == before


def test_the_last_turn_ends_the_game_and_everybody_gets_the_final_letter(bureau: Bureau) -> None:
    sent = bureau.finish()
    assert bureau.game.status == "finished"
    assert Counter(prefix(sent)) == Counter(NAMES)
    assert all(bureau.game.secret in mail.text for mail in sent if not mail.answers)
    assert list(bureau.slots) == []
    assert bureau.tick(100 * HOUR) == []


# -- letters that are never answered ---


@pytest.mark.parametrize("name", ["auto_sieve", "bounce_null_path", "list_mailman", "loop_ours", "from_missing"])
def test_mail_from_machines_is_never_answered_and_changes_nothing(bureau: Bureau, name: str) -> None:
    raw = (LETTERS / f"{name}.eml").read_bytes()
    before = bureau.document
    bureau.mailbox.add(raw, bureau.clock.now())
    sent = bureau.tick()
    assert [mail for mail in sent if mail.to != OPERATOR] == []
    assert bureau.document == before
    assert bureau.mailbox.inbox == []


def test_an_out_of_office_reply_with_orders_in_it_is_not_played(bureau: Bureau) -> None:
    assert bureau.write("anton", IMPORT, Auto_Submitted="auto-replied") == []
    assert bureau.awaited == [("anton", "turn", "austria_hungary")]


def test_our_own_letters_coming_back_are_not_answered(bureau: Bureau) -> None:
    assert bureau.write("anton", IMPORT, X_PBEM_Loop="pbem@pbem.test") == []


DSN = """\
From: MAILER-DAEMON@mx.players.test
To: pbem@pbem.test
Subject: Undelivered Mail Returned to Sender
Message-ID: <dsn-{number}@mx.players.test>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: message/delivery-status

Final-Recipient: rfc822; anton@players.test
Action: {action}
Status: 5.1.1

--b
Content-Type: text/rfc822-headers

Message-ID: <{returned}@pbem.test>
Reply-To: {way_back}
Subject: [imp-1] austria: import A lemberg

--b--
"""


@pytest.mark.parametrize(
    ("action", "returned", "alarms"),
    [("failed", "imp-1.0.anton", 1), ("delayed", "imp-1.0.anton", 0), ("failed", "alarm.imp-1.0.anton", 0)],
)
def test_a_letter_that_comes_back_alarms_the_operator_unless_it_was_an_alarm(
    bureau: Bureau, action: str, returned: str, alarms: int
) -> None:
    slot = bureau.slot
    way_back = bureau.way_back("anton") if returned == "imp-1.0.anton" else HOST
    raw = DSN.format(number=1, action=action, returned=returned, way_back=way_back).replace("\n", "\r\n").encode()
    bureau.mailbox.add(raw, bureau.clock.now())
    sent = bureau.tick()
    assert prefix(sent) == ["operator"] * alarms
    assert bureau.slot == slot


def test_letters_that_come_back_alarm_once_a_day_and_nothing_more(bureau: Bureau) -> None:
    for number in range(1, 51):
        way_back = bureau.way_back("anton")
        raw = DSN.format(number=number, action="failed", returned="imp-1.0.anton", way_back=way_back)
        raw = raw.replace("\n", "\r\n").encode()
        bureau.mailbox.add(raw, bureau.clock.now())
    assert prefix(bureau.tick()) == ["operator"] * 2  # that they come back, and what comes of it
    assert bureau.mailbox.inbox == []


# -- faults ---


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any order that speaks of Lemberg meets a fault, after it has been played."""
    execute = CommandExecutor.execute

    def fail(self: CommandExecutor, reading: Reading[Any]) -> Any:
        verdicts = execute(self, reading)
        if any("lemberg" in each.text for each in reading.statements):
            raise ZeroDivisionError("the test broke the executor")
        return verdicts

    monkeypatch.setattr(CommandExecutor, "execute", fail)


@pytest.mark.usefixtures("broken")
def test_a_fault_changes_nothing_and_is_owned_up_to(bureau: Bureau) -> None:
    before = bureau.document
    raw = bureau.drop("anton", IMPORT, id_="<fault@home.test>")
    sent = bureau.tick()
    assert bureau.document == before
    assert bureau.replies("anton")[-1].problem == "letter.fault"
    assert sorted(prefix(sent)) == ["anton", "operator"]
    assert "ZeroDivisionError" in bureau.alarms[0].text
    assert bureau.mailbox.on(MailFolder.kept) == [raw]


@pytest.mark.usefixtures("broken")
def test_the_letters_after_a_fault_are_served(bureau: Bureau) -> None:
    bureau.drop("anton", IMPORT)
    bureau.drop("anton", "austria: import A vienna")
    bureau.tick()
    assert [reply.problem for reply in bureau.replies("anton")[-2:]] == ["letter.fault", None]
    assert bureau.document["nations"]["austria_hungary"]["armies"] == {"vienna": 1}


@pytest.mark.usefixtures("broken")
def test_a_letter_with_a_fault_is_answered_once_though_it_lies_there_again(bureau: Bureau) -> None:
    raw = bureau.drop("anton", IMPORT)
    bureau.tick()
    bureau.mailbox.inbox.append(raw)
    assert bureau.tick() == []


def test_a_letter_that_cannot_even_be_read_is_kept_and_the_next_is_served(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = bureau.daemon._inbox._read

    def fail(raw: bytes) -> Any:
        if b"poison" in raw:
            raise RecursionError("the test broke the reader")
        return read(raw)

    monkeypatch.setattr(bureau.daemon._inbox, "_read", fail)
    poison = bureau.drop("anton", "poison")
    bureau.drop("anton", IMPORT)
    bureau.tick()
    assert bureau.mailbox.on(MailFolder.kept) == [poison]
    assert bureau.awaited == [("bert", "turn", "italy")]
    assert len(bureau.alarms) == 1


def test_a_transaction_that_dies_in_the_middle_leaves_nothing_and_the_retry_does_all_once(
    desk: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.open(2)
    seat, _, nation = desk.awaited[0]
    before, slots = desk.entries, desk.slots
    with monkeypatch.context() as patch:
        patch.setattr(seats, "publish", _die)
        desk.drop(seat, f"{nation}: production_1")
        with pytest.raises(KeyboardInterrupt):
            desk.tick()
    assert (desk.entries, desk.slots) == (before, slots)
    desk.restart()
    sent = desk.tick()
    assert len(desk.entries) == len(before) + 1
    assert Counter(prefix(sent)) == Counter(["anton", "bert"])


def test_a_last_yes_that_dies_in_the_middle_opens_the_game_once_when_retried(
    desk: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.invite(2)
    desk.write("anton", "join", subject="[imp-1] you are invited")
    with monkeypatch.context() as patch:
        patch.setattr(gathering, "publish", _die)
        desk.drop("bert", "join", subject="[imp-1] you are invited")
        with pytest.raises(KeyboardInterrupt):
            desk.tick()
    assert desk.game.status == "inviting"
    desk.restart()
    desk.tick()
    assert desk.game.status == "running"
    assert len(desk.entries) == 1


def test_a_daemon_that_dies_before_it_shelves_the_letter_does_not_play_it_again(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    bureau.drop("anton", IMPORT)
    with monkeypatch.context() as patch:
        patch.setattr(bureau.mailbox, "shelve", _die)
        with pytest.raises(KeyboardInterrupt):
            bureau.tick()
    bureau.restart()
    sent = bureau.tick()
    assert Counter(prefix(sent)) == Counter(NAMES)
    assert len([entry for entry in bureau.entries if entry["cause"]["kind"] == "letter"]) == 1
    assert bureau.mailbox.inbox == []


# -- several letters ---


def test_letters_are_served_by_filing_time(bureau: Bureau) -> None:
    now = bureau.clock.now()
    bureau.drop("bert", "italy: import A rome", arrived=now + 2)
    bureau.drop("anton", IMPORT, arrived=now + 1)
    bureau.tick(10)
    assert bureau.outcomes("anton") == [("played", None)]
    assert bureau.outcomes("bert") == [("played", None)]


def test_of_two_turns_the_one_filed_first_counts(bureau: Bureau) -> None:
    now = bureau.clock.now()
    bureau.drop("anton", "austria: import A vienna", arrived=now + 2)
    bureau.drop("anton", IMPORT, arrived=now + 1)
    bureau.tick(10)
    assert bureau.document["nations"]["austria_hungary"]["armies"] == {"lemberg": 1}


def test_letters_filed_in_one_second_are_served_as_they_came(bureau: Bureau) -> None:
    bureau.drop("anton", IMPORT)
    bureau.drop("bert", "italy: import A rome")
    bureau.tick()
    assert bureau.awaited == [("claudia", "turn", "france")]


def test_what_became_of_every_letter_is_noted(bureau: Bureau) -> None:
    bureau.write("anton", IMPORT, id_="<a@home.test>")
    bureau.write("zoe", "hello", id_="<b@home.test>")
    bureau.write("anton", "x", id_="<c@home.test>", Precedence="bulk")
    assert isinstance(bureau.store, MemoryStore)
    fates = bureau.store.fates()
    assert fates["<a@home.test>"] == "answered"
    assert fates["<b@home.test>"] == "letter.stranger"
    assert fates["<c@home.test>"].startswith("ignored")


def _die(*_: Any) -> None:
    """As if the machine had gone down: nothing that the program does about faults helps."""
    raise KeyboardInterrupt


HOSTILE = {
    "8-bit Message-ID": b"From: zoe@players.test\r\nSubject: x\r\nMessage-ID: <\xff\xfe@x>\r\n\r\nhello\r\n",
    "8-bit subject": b"From: zoe@players.test\r\nSubject: \xff\xfe [imp-1]\r\nMessage-ID: <h@x>\r\n\r\nhello\r\n",
    "8-bit sender": b"From: z\xff\xfe@players.test\r\nSubject: x\r\nMessage-ID: <h@x>\r\n\r\nhello\r\n",
    "NUL everywhere": b"From: zoe@players.test\r\nSubject: a\0b\r\nMessage-ID: <h\0@x>\r\n\r\nhe\0llo\r\n",
    "8-bit body": b"From: anton@players.test\r\nSubject: [imp-1]\r\nMessage-ID: <h@x>\r\n\r\n\xff\xfe\r\n",
    "endless Message-ID": b"From: zoe@players.test\r\nSubject: x\r\nMessage-ID: <"
    + b"h" * 100_000
    + b"@x>\r\n\r\nx\r\n",
    "no Message-ID": b"From: zoe@players.test\r\n\r\nhello\r\n",
    "nothing at all": b"",
}


@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_letter_does_not_stop_the_mail(desk: Bureau, raw: bytes) -> None:
    desk.invite(2)
    desk.mailbox.add(raw, desk.clock.now())
    desk.drop("anton", "join", subject="[imp-1] you are invited")
    desk.tick()
    assert desk.mailbox.inbox == []
    assert desk.alarms == []
    assert desk.game.members[0].joined is not None
