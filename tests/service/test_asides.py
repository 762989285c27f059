"""What is said to the house: a language and a time zone, and questions that change nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.refusal import Illegal
from pbem.host.commands.personal import language, zone
from pbem.host.messages.sections import Board, History
from pbem.host.ports import Member
from tests.service.bureau import Bureau

LETTERS = Path(__file__).parent.parent / "letters"
IMPORT = "austria: import A lemberg"


def member(bureau: Bureau, name: str) -> Member:
    return next(each for each in bureau.game.members if each.seat == name)


# -- language and zone ---


def test_a_player_chooses_his_language_and_gets_the_answer_in_it(bureau: Bureau) -> None:
    (sent,) = bureau.write("claudia", "language de")
    assert member(bureau, "claudia").person.language == "de"
    assert bureau.outcomes("claudia") == [("set", None)]
    assert "auf Deutsch" in sent.text


def test_every_letter_comes_in_the_language_of_its_reader(bureau: Bureau) -> None:
    bureau.write("bert", "lingua italiano")
    bureau.write("claudia", "Sprache deutsch")
    sent = {mail.to.partition("@")[0]: mail for mail in bureau.write("anton", IMPORT)}
    assert "Austria-Hungary imports" in sent["anton"].text
    assert "Austria-Ungheria" in sent["bert"].text
    assert "Österreich-Ungarn" in sent["claudia"].text


def test_times_are_those_of_the_readers_zone_with_utc_beside_them(bureau: Bureau) -> None:
    bureau.write("anton", "zone Asia/Tokyo")
    (sent,) = bureau.write("anton", "show")
    assert member(bureau, "anton").person.zone == "Asia/Tokyo"
    assert "JST (" in sent.text
    assert "UTC)" in sent.text


def test_a_zone_and_orders_may_stand_in_one_letter(bureau: Bureau) -> None:
    bureau.write("anton", f"zone: Europe/Berlin\n{IMPORT}\nlanguage de")
    assert bureau.outcomes("anton") == [("set", None), ("played", None), ("set", None)]
    assert (member(bureau, "anton").person.language, member(bureau, "anton").person.zone) == ("de", "Europe/Berlin")
    assert bureau.awaited == [("bert", "turn", "italy")]


def test_an_unknown_zone_is_refused_with_near_ones_and_stops_no_order(bureau: Bureau) -> None:
    bureau.write("anton", "zone Europe/Rome")
    *_, answer = (m for m in bureau.write("anton", f"zone Europe/Berln\n{IMPORT}") if m.answers)
    assert bureau.outcomes("anton") == [("refused", "zone.unknown"), ("played", None)]
    assert member(bureau, "anton").person.zone == "Europe/Rome"
    assert "Europe/Berlin" in answer.text


def test_a_letter_that_is_stopped_still_keeps_the_zone(bureau: Bureau) -> None:
    bureau.write("anton", "austria: factory treiste\nzone Europe/Rome")
    assert bureau.outcomes("anton") == [("refused", "name.unknown"), ("set", None)]
    assert member(bureau, "anton").person.zone == "Europe/Rome"


def test_a_language_can_be_chosen_before_the_game_begins(desk: Bureau) -> None:
    desk.invite(2)
    desk.tick()
    sent, again = sorted(desk.write("anton", "language de"), key=lambda mail: not mail.answers)
    assert (member(desk, "anton").person.language, member(desk, "anton").joined) == ("de", None)
    assert "auf Deutsch" in sent.text
    assert "Partie Imperial" in again.text
    (sent,) = desk.write("anton", "zone Europe/Berlin\njoin")
    assert member(desk, "anton").joined is not None
    assert "Willkommen" in sent.text


def test_a_language_can_be_chosen_after_the_end(bureau: Bureau) -> None:
    bureau.finish()
    (sent,) = bureau.write("bert", "language it")
    assert member(bureau, "bert").person.language == "it"
    assert bureau.replies("bert")[-1].problem is None
    assert "in italiano" in sent.text


def test_what_was_chosen_holds_for_the_next_game_too(bureau: Bureau) -> None:
    bureau.write("bert", "language de\nzone Europe/Berlin")
    made = bureau.invite(2)
    assert [(each.person.language, each.person.zone) for each in made.members] == [
        ("en", "UTC"),
        ("de", "Europe/Berlin"),
    ]


def test_a_stranger_sets_nothing(bureau: Bureau) -> None:
    bureau.write("nobody", "language de")
    assert bureau.replies("nobody")[-1].problem == "letter.stranger"


@pytest.mark.parametrize(
    ("written", "meant"), [("de", "de"), ("Deutsch", "de"), ("german", "de"), ("ITALIANO", "it"), ("engl", "en")]
)
def test_a_language_is_known_by_its_names(written: str, meant: str) -> None:
    assert language(written) == meant


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(Illegal, match=r"language\.unknown"):
        language("klingon")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("europe / berlin", "Europe/Berlin"),
        ("Berlin", "Europe/Berlin"),
        ("new york", "America/New_York"),
        ("Etc / GMT + 2", "Etc/GMT+2"),
        ("UTC", "UTC"),
    ],
)
def test_a_zone_is_known_by_its_name_or_its_city(written: str, meant: str) -> None:
    assert zone(written) == meant


# -- what he asks ---


def told(bureau: Bureau, name: str) -> list[str]:
    return [type(part).__name__ for part in bureau.replies(name)[-1].told]


def test_several_questions_and_an_order_get_one_answer(bureau: Bureau) -> None:
    sent = bureau.write("anton", f"help maneuver\nboard; {IMPORT}\nhistory\nrules\nclock\nstatus")
    assert len([mail for mail in sent if mail.answers]) == 1
    assert [outcome for outcome, _ in bureau.outcomes("anton")].count("shown") == 6
    assert told(bureau, "anton") == ["Help", "Board", "History", "RulesInForce", "Timetable"]
    assert bureau.awaited == [("bert", "turn", "italy")]


def test_a_question_changes_nothing_and_goes_to_its_writer_only(bureau: Bureau) -> None:
    before = bureau.document, bureau.papers, bureau.slots
    (sent,) = bureau.write("claudia", "board\nhelp\nclock")
    assert sent.to == "claudia@players.test"
    assert (bureau.document, bureau.papers, bureau.slots) == before


def test_the_board_is_as_the_orders_of_the_same_letter_leave_it(bureau: Bureau) -> None:
    bureau.write("anton", f"board\n{IMPORT}")
    (board,) = bureau.replies("anton")[-1].told
    assert isinstance(board, Board)
    assert board.view["nations"]["austria_hungary"]["armies"] == {"lemberg": 1}


def test_history_tells_the_turns_that_are_over(bureau: Bureau) -> None:
    bureau.write("anton", IMPORT)
    bureau.write("bert", "italy: import A rome")
    (answer,) = bureau.write("fritz", "history")
    assert "Austria-Hungary imports an army in Lemberg" in answer.text
    assert "Italy imports an army in Rome" in answer.text


def test_history_tells_turns_from_a_round_on(bureau: Bureau) -> None:
    bureau.write("anton", IMPORT)
    bureau.write("anton", "history 2")
    (history,) = bureau.replies("anton")[-1].told
    assert history == History(turns=(), more=None)


def test_a_long_history_is_cut_and_says_where_to_go_on(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.host.commands.history.MOST", 1)
    bureau.write("anton", IMPORT)
    bureau.write("bert", "italy: import A rome")
    (answer,) = bureau.write("anton", "history 1")
    assert "Lemberg" in answer.text
    assert "history 1" in answer.text.partition("more turns")[2]


def test_nothing_of_a_turn_under_way_is_history(bureau: Bureau) -> None:
    bureau.given("rondel france factory", "turn france", "fleet france w med 1", "fleet italy ionian 1")
    bureau.write("claudia", "france: maneuver F w med - ionian")
    bureau.write("anton", "history")
    (history,) = bureau.replies("anton")[-1].told
    assert isinstance(history, History)
    assert "FleetsMoved" not in {event["type"] for turn in history.turns for event in turn.events}


def test_the_clock_tells_the_time_used(bureau: Bureau) -> None:
    bureau.clock.advance(90 * 60)
    (answer,) = bureau.write("bert", "clock")
    assert "1:30 hours used" in " ".join(answer.text.split())


def test_what_is_on_file_is_shown_by_its_own_name_too(bureau: Bureau) -> None:
    bureau.write("bert", "advance italy: investor")
    (answer,) = bureau.write("bert", "orders")
    assert bureau.outcomes("bert") == [("shown", None)]
    assert "Italy: investor" in answer.text


def test_questions_are_answered_though_another_line_can_not_be_read(bureau: Bureau) -> None:
    bureau.write("anton", "austria: factory treiste\nboard")
    assert bureau.outcomes("anton") == [("refused", "name.unknown"), ("shown", None)]
    assert told(bureau, "anton") == ["Board"]


def test_before_the_game_there_are_help_and_rules_but_no_board(desk: Bureau) -> None:
    desk.invite(2)
    desk.tick()
    (answer,) = desk.write("anton", "rules\nhelp\nboard")
    assert "The players: anton and bert." in answer.text
    assert "The game has not begun yet" in answer.text


def test_after_the_end_the_board_and_the_history_can_be_asked_for(bureau: Bureau) -> None:
    bureau.finish()
    bureau.write("bert", "board\nhistory\nstatus")
    assert bureau.replies("bert")[-1].problem is None
    assert told(bureau, "bert") == ["Board", "History"]


def test_an_order_after_the_end_is_still_refused(bureau: Bureau) -> None:
    bureau.finish()
    bureau.write("bert", "board\nitaly: investor")
    assert bureau.replies("bert")[-1].problem == "game.over"
    assert told(bureau, "bert") == ["Board"]


def test_the_answer_comes_in_the_language_of_who_asks(bureau: Bureau) -> None:
    bureau.write("bert", "language de")
    (answer,) = bureau.write("bert", "Hilfe Manöver")
    assert "österreich: Manöver" in answer.text


def test_a_raw_letter_of_settings_questions_and_an_order(bureau: Bureau) -> None:
    raw = (LETTERS / "commands_de.eml").read_bytes()
    delivered = f"Delivered-To: {bureau.way_back('anton')}\n".encode()
    bureau.mailbox.add(delivered + raw, bureau.clock.now())
    bureau.tick()
    outcomes = ["set", "set", "played", "shown", "shown", "shown", "passed", "passed"]
    assert [outcome for outcome, _ in bureau.outcomes("anton")] == outcomes
    assert told(bureau, "anton") == ["Board", "Help"]
    (answer,) = bureau.answers("anton")
    assert "MEZ" in answer.text


def test_the_page_to_order_from_comes_unless_it_is_not_wanted(bureau: Bureau) -> None:
    """Where no archive is linked; the word alone changes nothing."""
    bureau.write("bert", "page")
    bureau.write("bert", "page perhaps")
    assert bureau.outcomes("bert") == [("refused", "page.unclear")]
    names = [file.name for mail in bureau.write("anton", IMPORT) for file in mail.attachments]
    assert names == ["order-italy.html"]
    mails = [*bureau.write("bert", "Seite nein"), *bureau.write("bert", "italy: import A rome")]
    assert [mail.to for mail in mails if any(file.name.startswith("order") for file in mail.attachments)] == [
        "claudia@players.test"
    ]
