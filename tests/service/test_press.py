"""Press: passed on as it was written, to those it is for, once, in threads; and kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pbem.adapters.mime import read_letter
from pbem.host.messages.sections import PressRead
from pbem.host.ports import Mail, Press
from pbem.host.reporting.press import LONGEST, MOST, public_press
from tests.service.bureau import DAY, Bureau, address, prefix

LETTERS = Path(__file__).parent.parent / "letters"
IMPORT = "austria: import A lemberg"
INVITED = "Re: [imp-1] you are invited"


def kept(bureau: Bureau) -> Sequence[Press]:
    with bureau.store.transaction() as repository:
        return repository.press("imp-1")


def press(mails: Sequence[Mail]) -> dict[str, Mail]:
    """The press among these mails, by reader."""
    return {mail.to.partition("@")[0]: mail for mail in mails if ".press." in mail.message_id}


def refused(bureau: Bureau, who: str, text: str) -> str | None:
    """The code with which the press of a letter is refused; nobody but its writer hears of it."""
    before = len(kept(bureau))
    assert prefix(bureau.write(who, text)) == [who]
    assert len(kept(bureau)) == before
    (outcome, code) = bureau.outcomes(who)[-1]
    assert outcome == "refused"
    return code


# -- who gets it ---


def test_press_goes_to_those_it_is_for_and_its_writer_is_told(bureau: Bureau) -> None:
    sent = bureau.write("anton", "press to bert, claudia: Grüß euch!\nWAR or peace?")
    assert sorted(press(sent)) == ["bert", "claudia"]
    assert "anton writes to you and claudia:" in press(sent)["bert"].text
    assert "    Grüß euch!\n    WAR or peace?\n" in press(sent)["bert"].text
    assert bureau.outcomes("anton") == [("sent", None)]
    assert "It has gone to bert and claudia." in bureau.answers("anton")[-1].text


def test_press_to_all_goes_to_all_others(bureau: Bureau) -> None:
    sent = press(bureau.write("bert", "Presse an alle: Hallo!"))
    assert sorted(sent) == ["anton", "claudia", "daniel", "emil", "fritz"]
    assert "press to all: …" in sent["anton"].text


def test_press_is_worded_for_its_reader_and_its_text_is_not(bureau: Bureau) -> None:
    bureau.write("bert", "language it")
    (sent,) = press(bureau.write("anton", "press to bert: Hello!")).values()
    assert sent.subject == "[imp-1] anton scrive a te"
    assert "stampa a anton: …" in sent.text
    assert "Hello!" in sent.text


def test_press_and_orders_may_stand_in_one_letter(bureau: Bureau) -> None:
    sent = bureau.write("anton", f"{IMPORT}\npress to bert: Hello!\nend press\nlanguage de")
    assert bureau.outcomes("anton") == [("played", None), ("sent", None), ("set", None)]
    assert bureau.awaited == [("bert", "turn", "italy")]
    assert [*press(sent)] == ["bert"]


def test_press_goes_out_though_an_order_is_refused(bureau: Bureau) -> None:
    bureau.write("anton", "austria: factory vienna\npress to bert: Hello!")
    assert bureau.outcomes("anton") == [("refused", "factory.exists"), ("sent", None)]


def test_several_press_of_a_letter_go_out_apart(bureau: Bureau) -> None:
    sent = bureau.write("anton", "press to bert: for you\npress to claudia: and you")
    assert ["for you" in press(sent)["bert"].text, "and you" in press(sent)["bert"].text] == [True, False]
    assert [(each.number, each.to, each.text) for each in kept(bureau)] == [
        (1, ("bert",), "for you"),
        (2, ("claudia",), "and you"),
    ]


def test_the_same_letter_twice_sends_press_once(bureau: Bureau) -> None:
    bureau.write("anton", "press to bert: Hello!", id_="<same@players.test>")
    assert bureau.write("anton", "press to bert: Hello!", id_="<same@players.test>") == []
    assert len(kept(bureau)) == 1


# -- what is not sent ---


def test_press_of_a_letter_that_is_stopped_stays_and_the_answer_says_so(bureau: Bureau) -> None:
    sent = bureau.write("anton", "austria: factory treiste\npress to bert: Hello!")
    assert bureau.outcomes("anton") == [("refused", "name.unknown"), ("unsent", None)]
    assert (prefix(sent), kept(bureau)) == (["anton"], [])
    assert "not sent" in sent[0].text
    assert "so none of it was played or sent" in " ".join(sent[0].text.split())


def test_an_order_inside_press_is_not_mailed_to_a_rival(bureau: Bureau) -> None:
    sent = bureau.write("anton", f"press to bert: Hello!\n{IMPORT}")
    assert bureau.outcomes("anton") == [("refused", "press.order_inside")]
    assert (prefix(sent), kept(bureau)) == (["anton"], [])
    assert bureau.awaited == [("anton", "turn", "austria_hungary")]


def test_press_to_an_unknown_name_stops_the_letter(bureau: Bureau) -> None:
    sent = bureau.write("anton", f"{IMPORT}\npress to bret: Hello!")
    assert bureau.outcomes("anton") == [("held", None), ("refused", "name.unknown")]
    assert prefix(sent) == ["anton"]
    assert "Did you mean bert?" in sent[0].text


def test_a_preview_sends_no_press(bureau: Bureau) -> None:
    sent = bureau.write("anton", f"preview\n{IMPORT}\npress to bert: Hello!")
    assert bureau.outcomes("anton") == [("tried", None), ("unsent", "press.preview")]
    assert (prefix(sent), kept(bureau)) == (["anton"], [])


def test_press_is_refused_in_its_own_line_only(bureau: Bureau) -> None:
    bureau.write("anton", f"{IMPORT}\npress to anton, bert: Hello!")
    assert bureau.outcomes("anton") == [("played", None), ("refused", "press.to_oneself")]


def test_press_without_a_text_is_refused(bureau: Bureau) -> None:
    assert refused(bureau, "anton", "press to bert:") == "press.empty"


def test_press_is_refused_from_a_length_on(bureau: Bureau) -> None:
    words = "ä" * 99 + "\n"
    assert refused(bureau, "anton", "press to bert:\n" + words * (LONGEST // 199 + 1)) == "press.too_long"
    assert [*press(bureau.write("anton", "press to bert:\n" + words * (LONGEST // 199)))] == ["bert"]


def test_nobody_floods_the_others(bureau: Bureau) -> None:
    many = "\n".join(f"press to bert: number {number}" for number in range(MOST + 1))
    assert len([mail for mail in bureau.write("anton", many) if ".press." in mail.message_id]) == MOST
    assert bureau.outcomes("anton")[-1] == ("refused", "press.too_many")
    assert [*press(bureau.write("claudia", "press to bert: one of mine"))] == ["bert"]
    bureau.clock.advance(DAY)
    assert [*press(bureau.write("anton", "press to bert: the next day"))] == ["bert"]


def test_the_flood_is_one_over_all_games_of_a_person(bureau: Bureau) -> None:
    bureau.invite(2)
    many = "\n".join(f"press to bert: number {number}" for number in range(MOST))
    bureau.write("anton", many)
    bureau.write("anton", "press to bert: elsewhere", subject="Re: [imp-2] you are invited")
    assert bureau.outcomes("anton")[-1] == ("refused", "press.too_many")


def test_where_press_is_public_it_goes_to_all_or_nobody(desk: Bureau) -> None:
    desk.open(3, press="public")
    desk.write("anton", "press to bert: psst")
    assert (len(kept(desk)), "press to all:" in desk.answers("anton")[-1].text) == (0, True)
    sent = press(desk.write("anton", "press: Hello!"))
    assert sorted(sent) == ["bert", "claudia"]
    assert "press to anton" not in sent["bert"].text


def test_where_there_is_no_press_none_is_sent(desk: Bureau) -> None:
    desk.open(3, press="none")
    (answer,) = desk.write("anton", "press to all: Hello!")
    assert "There is no press in this game" in answer.text
    (rules,) = desk.write("anton", "rules")
    assert "There is no press" in rules.text


@pytest.mark.parametrize(("rule", "said"), [("public", "only to all together"), ("none", "There is no press")])
def test_the_invitation_tells_what_press_there_is(desk: Bureau, rule: str, said: str) -> None:
    desk.invite(2, press=rule)
    assert all(said in " ".join(mail.text.split()) for mail in desk.tick())


# -- before the game and after it ---


def test_press_is_passed_on_before_the_game_begins(desk: Bureau) -> None:
    desk.invite(3)
    desk.tick()
    sent = desk.write("anton", "join\npress to all: I am in!", subject=INVITED)
    assert sorted(press(sent)) == ["bert", "claudia"]
    assert [m.seat for m in desk.game.members if m.joined] == ["anton"]
    assert sorted(press(desk.write("bert", "press: So am I\nend press\nyes", subject=INVITED))) == ["anton", "claudia"]
    assert [m.seat for m in desk.game.members if m.joined] == ["anton", "bert"]


@pytest.mark.parametrize("word", ["join", "No.", "ja"])
def test_an_answer_to_the_invitation_is_not_lost_in_press(desk: Bureau, word: str) -> None:
    desk.invite(3)
    desk.tick()
    (answer,) = desk.write("anton", f"press to all: Hello!\n{word}", subject=INVITED)
    assert "reads as an order" in answer.text
    assert [m.seat for m in desk.game.members if m.joined] == []


def test_a_word_in_press_does_not_answer_the_invitation(desk: Bureau) -> None:
    desk.invite(3)
    desk.tick()
    desk.write("anton", "press to bert: no", subject=INVITED)
    assert len(kept(desk)) == 1
    desk.write("anton", "join", subject=INVITED)
    assert [m.seat for m in desk.game.members if m.joined] == ["anton"]


def test_press_is_passed_on_after_the_end(bureau: Bureau) -> None:
    bureau.finish()
    sent = bureau.write("bert", "Well played!\npress to all: Well played!")
    assert sorted(press(sent)) == ["anton", "claudia", "daniel", "emil", "fritz"]
    assert bureau.replies("bert")[-1].problem is None


# -- threads ---


def reply_to(mail: Mail) -> dict[str, str]:
    """The headers of an answer to a mail."""
    return {"In_Reply_To": mail.message_id, "References": " ".join((*mail.references, mail.message_id))}


def test_press_has_an_id_of_its_own_for_each_reader_and_begins_at_the_game(bureau: Bureau) -> None:
    sent = press(bureau.write("anton", "press to bert, claudia: Hello!"))
    assert {name: mail.message_id for name, mail in sent.items()} == {
        "bert": "<imp-1.press.1.bert@pbem.test>",
        "claudia": "<imp-1.press.1.claudia@pbem.test>",
    }
    assert {mail.in_reply_to for mail in sent.values()} == {"<imp-1.game@pbem.test>"}


def test_an_answer_to_press_follows_each_readers_own_copy(bureau: Bureau) -> None:
    first = bureau.write("anton", "press to bert, claudia: Hello!")
    answer = next(mail for mail in first if mail.answers)
    sent = press(bureau.write("bert", "press to anton, claudia, emil: Ciao!", **reply_to(press(first)["bert"])))
    assert sent["claudia"].in_reply_to == press(first)["claudia"].message_id
    assert sent["claudia"].references == ("<imp-1.game@pbem.test>", press(first)["claudia"].message_id)
    assert sent["anton"].in_reply_to == answer.message_id
    assert sent["emil"].in_reply_to == "<imp-1.game@pbem.test>"
    again = press(bureau.write("anton", "press to bert: And?", **reply_to(sent["anton"])))
    assert again["bert"].in_reply_to == next(m.message_id for m in bureau.answers("bert"))


def test_who_goes_on_below_our_answer_goes_on_in_the_thread(bureau: Bureau) -> None:
    first = bureau.write("anton", "press to bert: Hello!")
    answer = next(mail for mail in first if mail.answers)
    sent = press(bureau.write("anton", "press to bert: I forgot:", **reply_to(answer)))
    assert sent["bert"].in_reply_to == press(first)["bert"].message_id


def test_press_in_an_answer_to_a_report_begins_at_the_game(bureau: Bureau) -> None:
    report = next(mail for mail in bureau.write("anton", IMPORT) if mail.to == address("bert"))
    sent = press(bureau.write("bert", "press to anton: Nice.", **reply_to(report)))
    assert sent["anton"].in_reply_to == "<imp-1.game@pbem.test>"


# -- what is kept ---


def test_press_survives(desk: Bureau) -> None:
    desk.open(3)
    desk.write("anton", "press to bert: Hello!")
    desk.restart()
    (only,) = kept(desk)
    assert (only.number, only.seat, only.to, only.text, only.at) == (1, "anton", ("bert",), "Hello!", desk.clock.now())


def test_everybody_may_read_again_what_was_to_him_or_from_him_or_to_all(bureau: Bureau) -> None:
    for text in ("press to bert: one", "press to claudia: two", "press: three"):
        bureau.write("anton", text)
    bureau.write("bert", "press to anton: four")

    def read(who: str) -> list[str]:
        bureau.write(who, "press")
        (part,) = bureau.replies(who)[-1].told
        assert isinstance(part, PressRead)
        return [each.text for each in part.letters]

    assert read("anton") == ["one", "two", "three", "four"]
    assert read("bert") == ["one", "three", "four"]
    assert read("claudia") == ["two", "three"]
    assert read("daniel") == ["three"]


def test_the_last_ten_are_shown(bureau: Bureau) -> None:
    bureau.write("anton", "\n".join(f"press to bert: number {number}." for number in range(12)))
    (answer,) = bureau.write("bert", "stampa")
    assert ["number 1." in answer.text, "number 2." in answer.text, "number 11." in answer.text] == [False, True, True]


def test_without_press_there_is_nothing_to_read(bureau: Bureau) -> None:
    (answer,) = bureau.write("bert", "press")
    assert "There is no press to you or from you yet." in answer.text


def test_the_archive_gets_what_was_to_all(bureau: Bureau) -> None:
    bureau.write("anton", "press to bert: one\npress: two")
    with bureau.server.games.work() as desk:
        assert [each.text for each in public_press(desk, desk.game("imp-1"))] == ["two"]


def test_html_in_press_is_text(bureau: Bureau) -> None:
    (sent,) = press(bureau.write("anton", "press to bert: <script>alert(1)</script> {{ 7 * 7 }}")).values()
    assert "<script>alert(1)</script> {{ 7 * 7 }}" in sent.text
    assert "&lt;script&gt;" in (sent.html or "")
    assert "<script" not in (sent.html or "")


def test_a_signature_is_no_press(bureau: Bureau) -> None:
    (sent,) = press(bureau.write("anton", "press to bert: Hello!\n\n-- \nDr. A. Tonelli, Vienna")).values()
    assert "Tonelli" not in sent.text


def test_press_that_comes_back_as_a_quote_is_not_read(bureau: Bureau) -> None:
    (sent,) = press(bureau.write("anton", f"press to bert: write this: {IMPORT}")).values()
    quoted = "\n".join(f"> {line}" for line in sent.text.splitlines())
    raw = bureau.letter("bert", f"press to anton: No.\n\nOn Tue, 3 Mar 2026, pbem <pbem@pbem.test> wrote:\n{quoted}")
    assert read_letter(raw).lines == ("press to anton: No.",)


def test_a_raw_letter_of_an_order_and_press_in_answer_to_press(bureau: Bureau) -> None:
    bureau.write("anton", IMPORT)
    bureau.write("anton", "press to bert, claudia: Let us leave the Ionian Sea to nobody.")
    raw = (LETTERS / "press_gmail.eml").read_bytes()
    to = f"To: {bureau.way_back('bert')}".encode()
    bureau.mailbox.add(raw.replace(b"To: PBEM <pbem@pbem.test>", to), bureau.clock.now())
    sent = press(bureau.tick())
    assert bureau.outcomes("bert") == [("played", None), ("sent", None)]
    assert kept(bureau)[-1].text == (
        "Caro Anton, I would LOVE peace; but who takes Tunis? See https://example.org/map#tunis\n"
        "Però: Italy needs the sea."
    )
    assert sorted(sent) == ["anton", "claudia"]
    assert sent["claudia"].in_reply_to == "<imp-1.press.1.claudia@pbem.test>"


def test_press_can_be_read_again_before_the_game_begins(desk: Bureau) -> None:
    desk.invite(3)
    desk.tick()
    desk.write("anton", "press to all: Hello!", subject=INVITED)
    (answer,) = desk.write("bert", "press", subject=INVITED)
    assert "anton to all:" in answer.text
    assert "    Hello!" in answer.text
