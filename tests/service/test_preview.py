"""A preview tells what orders would do, and changes nothing."""

from __future__ import annotations

import pytest

from pbem.host.messages.sections import Preview
from tests.service.bureau import Bureau, address

BATTLE = ("rondel france factory", "turn france", "fleet france w med 1", "fleet italy ionian 1")


def previewed(bureau: Bureau, name: str) -> Preview:
    (told,) = bureau.replies(name)[-1].told
    assert isinstance(told, Preview)
    return told


def test_a_preview_tells_what_would_happen_and_what_it_costs(bureau: Bureau) -> None:
    (sent,) = bureau.write("anton", "preview\naustria: import A lemberg")
    assert sent.answers
    assert bureau.outcomes("anton") == [("tried", None)]
    assert "Austria-Hungary imports an army in Lemberg" in sent.text
    assert "- Austria-Hungary: treasury 10m (−1)" in sent.text
    assert "bert: Italy’s turn" in sent.text.partition("Then these would be asked")[2]


def test_a_preview_changes_neither_the_position_nor_the_papers(bureau: Bureau) -> None:
    before = bureau.document, bureau.entries, bureau.papers, bureau.slots
    bureau.write("anton", "preview: austria: import A lemberg; advance austria: investor\nstanding peace")
    bureau.write("anton", "preview\naustria: import A lemberg, F vienna")
    assert (bureau.document, bureau.entries, bureau.papers, bureau.slots) == before


def test_a_preview_names_the_governments_that_would_be_asked(bureau: Bureau) -> None:
    bureau.given(*BATTLE)
    bureau.write("claudia", "preview\nfrance: maneuver F w med - ionian")
    assert [(each.seat, each.kind) for each in previewed(bureau, "claudia").asked] == [("bert", "battle")]
    assert bureau.awaited == [("claudia", "turn", "france")]


def test_a_preview_does_not_tell_the_sealed_papers_of_others(bureau: Bureau) -> None:
    bureau.given(*BATTLE)
    bureau.write("bert", "standing fight france")
    bureau.write("claudia", "preview\nfrance: maneuver F w med - ionian")
    told = previewed(bureau, "claudia")
    assert [(each.seat, each.kind) for each in told.asked] == [("bert", "battle")]
    assert "BattleFought" not in {event["type"] for event in told.events}


def test_there_is_no_preview_of_an_answer_that_would_tell_anothers(bureau: Bureau) -> None:
    bureau.given(*BATTLE, "fleet germany ionian 1")
    bureau.write("claudia", "france: maneuver F w med - ionian")
    bureau.write("emil", "fight")
    bureau.write("bert", "preview\npeace")
    assert bureau.outcomes("bert") == [("refused", "preview.secret")]
    assert bureau.replies("bert")[-1].told == ()


def test_lines_that_are_wrong_are_told_as_usual(bureau: Bureau) -> None:
    bureau.write("anton", "preview\naustria: import F vienna")
    assert bureau.outcomes("anton") == [("refused", "import.no_port")]
    bureau.write("anton", "preview\naustria: factory treiste")
    assert bureau.outcomes("anton") == [("refused", "name.unknown")]


def test_the_word_may_stand_anywhere_and_nothing_is_played(bureau: Bureau) -> None:
    bureau.write("anton", "austria: import A lemberg\npreview")
    assert bureau.outcomes("anton") == [("tried", None)]
    assert bureau.awaited == [("anton", "turn", "austria_hungary")]


@pytest.mark.parametrize("text", ["preview\nplay", "preview", "Vorschau\n\nGrüße, Anton", "preview\nstatus"])
def test_a_draft_on_file_can_be_previewed(bureau: Bureau, text: str) -> None:
    bureau.write("anton", "draft\naustria: import A lemberg")
    (sent,) = bureau.write("anton", text)
    assert bureau.outcomes("anton")[0] == ("tried", None)
    assert "Austria-Hungary imports an army in Lemberg" in sent.text
    assert bureau.papers == [("anton", "draft", "austria_hungary: import A lemberg")]
    assert bureau.awaited == [("anton", "turn", "austria_hungary")]


def test_a_draft_that_is_not_possible_any_more_is_told_by_its_preview(bureau: Bureau) -> None:
    bureau.write("anton", "draft\naustria: import A lemberg")
    bureau.given("treasury austria_hungary 0")
    bureau.write("anton", "preview")
    assert bureau.outcomes("anton") == [("refused", "treasury.short")]


@pytest.mark.parametrize(("text", "others"), [("preview", []), ("preview\nshow", [("shown", None)])])
def test_without_a_draft_the_word_alone_is_told_what_to_do(
    bureau: Bureau, text: str, others: list[tuple[str, str | None]]
) -> None:
    (sent,) = bureau.write("anton", text)
    assert bureau.outcomes("anton") == [("refused", "preview.empty"), *others]
    assert not [told for told in bureau.replies("anton")[-1].told if isinstance(told, Preview)]
    assert "Write the orders you want to try below the word “preview”" in " ".join(sent.text.split())


def test_the_word_alone_tells_nothing_while_anothers_answer_is_secret(bureau: Bureau) -> None:
    bureau.given(*BATTLE, "fleet germany ionian 1")
    bureau.write("claudia", "france: maneuver F w med - ionian")
    bureau.write("bert", "draft fight")
    bureau.write("emil", "fight")
    bureau.write("bert", "preview")
    assert bureau.outcomes("bert") == [("refused", "preview.secret")]


def test_a_question_tells_what_standing_orders_answer_already(bureau: Bureau) -> None:
    bureau.write("bert", "standing peace\nstanding invest italy 12 else none")
    (letter,) = [mail for mail in bureau.write("anton", "austria: taxation") if mail.to == address("bert")]
    assert "Your standing orders answer by themselves" in letter.text
    assert "    peace\n    invest Italy 12 else none" in letter.text.replace("\n\n    invest", "\n    invest")
    (letter,) = [mail for mail in bureau.write("bert", "italy: taxation") if mail.to == address("claudia")]
    assert "standing orders" not in letter.text
