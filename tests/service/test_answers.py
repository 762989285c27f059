"""What the answers to orders say: everything that was wrong, and what would do."""

from __future__ import annotations

import pytest

from tests.service.bureau import HOUR, Bureau

UNITS = ("army austria_hungary vienna 2", "army austria_hungary budapest 1", "army germany munich 1")


def answer(bureau: Bureau, seat: str, text: str, **more: str) -> str:
    (reply,) = [mail for mail in bureau.write(seat, text, **more) if mail.answers]
    return " ".join(reply.text.split())


def test_every_line_of_a_maneuver_that_can_not_be_done_is_told(bureau: Bureau) -> None:
    bureau.given(*UNITS)
    said = answer(
        bureau,
        "anton",
        "austria: maneuver_1\nA vienna - london\nA vienna - venice\nA budapest - kiev\nA trieste - rome",
    )
    for wanted in ("London", "A Vienna - Venice.", "A Budapest - Kiev.", "A Trieste - Rome."):
        assert wanted in said, wanted


def test_every_line_of_a_maneuver_that_can_not_be_read_is_told(bureau: Bureau) -> None:
    bureau.given(*UNITS)
    said = answer(
        bureau,
        "anton",
        "austria: maneuver_1\nA vienna - Atlantis\nA vienna - prague\nA budapest - Mordor\nA trieste - rome",
    )
    for wanted in ("Atlantis", "A Budapest - Mordor.", "A Trieste - Rome."):
        assert wanted in said, wanted


def test_an_impossible_move_by_land_is_explained_by_land(bureau: Bureau) -> None:
    bureau.given("turn germany", *UNITS)
    said = answer(bureau, "emil", "germany: maneuver_1 A munich - rome hostile")
    assert "Munich does not border Rome" in said
    assert "Vienna" in said


def test_an_order_for_a_turn_that_is_over_hears_what_happened(begun: Bureau) -> None:
    bureau = begun
    question = next(mail for mail in bureau.postman.sent if "Your move" in mail.subject)
    for number, text in enumerate(("austria: import A vienna", "austria: taxation")):
        said = answer(bureau, "anton", text, to=question.reply_to, id_=f"<{number}@home.test>")
    assert "You answered" in said
    assert "Austria-Hungary: import A Vienna" in said
    assert "advance" not in said


def test_an_order_for_a_turn_that_the_clock_closed_hears_so(begun: Bureau) -> None:
    bureau = begun
    question = next(mail for mail in bureau.postman.sent if "Your move" in mail.subject)
    bureau.tick(after=30 * HOUR)
    said = answer(bureau, "anton", "austria: taxation", to=question.reply_to)
    assert "The clock closed it" in said
    assert "othing was played" in said


def test_a_standing_order_that_can_not_answer_is_told_with_the_reason(bureau: Bureau) -> None:
    bureau.given("cash bert 3", "investor bert", "treasury austria_hungary 0")
    bureau.write("bert", "standing invest italy 6 else germany 12")
    sent = bureau.write("anton", "austria: investor")
    question = next(mail for mail in sent if mail.to.startswith("bert") and not mail.answers)
    said = " ".join(question.text.split())
    assert "could not answer now" in said
    assert "answer by themselves" not in said
    assert "you have only" in said or "has only" in said


def test_a_turn_with_a_gift_brings_one_letter_to_who_is_next_and_it_tells_both(bureau: Bureau) -> None:
    bureau.given("cash anton 9")
    sent = bureau.write("anton", "austria: import A vienna; give germany 1")
    (told,) = [mail for mail in sent if mail.to.startswith("bert")]
    assert "Your move: Italy" in told.subject
    assert "Vienna" in told.text
    assert "anton gives" in " ".join(told.text.split())
    (done,) = [mail for mail in sent if mail.answers]
    assert "anton gives" in " ".join(done.text.split())


def test_every_report_of_a_turn_with_a_gift_tells_the_gift_and_the_money_after_it(bureau: Bureau) -> None:
    bureau.given("cash anton 9")
    for mail in bureau.write("anton", "austria: import A vienna; give germany 1"):
        text = " ".join(mail.text.split())
        assert "anton gives 1m" in text, mail.subject
        assert mail.answers or "anton: cash 8m" in text, mail.subject
    for mail in bureau.write("bert", "italy: production_1"):
        assert mail.answers or "anton gives 1m" in " ".join(mail.text.split()), mail.subject


@pytest.mark.parametrize("line", ["cancel", "standing none"])
def test_what_takes_nothing_off_the_file_says_so(bureau: Bureau, line: str) -> None:
    (told,) = bureau.write("bert", line)
    assert bureau.outcomes("bert") == [("nothing", None)]
    assert "taken off the file" not in told.text
    bureau.write("bert", "advance italy: taxation\nstanding peace")
    (told,) = bureau.write("bert", line)
    assert bureau.outcomes("bert") == [("withdrawn", None)]
    assert "taken off the file" in told.text
