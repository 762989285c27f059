"""Turns written ahead with a condition or an alternative, as letters tell of them."""

from __future__ import annotations

import pytest

from tests.service.bureau import Bureau

PLAN = "advance italy: if austria taxed then import A rome else production_1"


def test_the_answer_tells_its_writer_what_is_on_file(bureau: Bureau) -> None:
    (sent,) = bureau.write("bert", PLAN)
    kept = "italy: if austria_hungary taxed then import A rome\nelse production_1"
    assert bureau.outcomes("bert") == [("filed", None)]
    assert bureau.papers == [("bert", "advance", kept)]
    assert "    Italy: if Austria-Hungary taxed then import A Rome\n    else production_1\n" in sent.text


def test_the_others_see_of_it_only_what_is_played(bureau: Bureau) -> None:
    bureau.write("bert", PLAN)
    bureau.write("anton", "austria: taxation")
    reports = [mail.text for mail in bureau.postman.sent if "bert had written in advance" in mail.text]
    assert len(reports) == 6
    assert all("Italy: import A Rome" in text for text in reports)
    assert not any("production" in text.partition("had written in advance")[2].partition("\n\n")[0] for text in reports)
    assert "plan" not in str(bureau.entries)


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("austria produced", "Austria-Hungary’s marker stands on Taxation."),
        ("austria not taxed", "Austria-Hungary’s marker stands on Taxation."),
        ("germany taxed", "Germany’s marker is not on the rondel yet."),
        ("italy has 50", "Italy has 10m in its treasury."),
        ("germany at ionian", "Germany has no unit in the Ionian Sea."),
        ("russia not at warsaw", "Russia has units in Warsaw."),
    ],
)
def test_its_writer_is_told_that_the_condition_was_not_met(bureau: Bureau, condition: str, told: str) -> None:
    bureau.given("army russia warsaw 1", "treasury italy 10")
    bureau.write("bert", f"advance italy: if {condition} then import A rome")
    sent = bureau.write("anton", "austria: taxation")
    (letter,) = [mail for mail in sent if "unused" in mail.message_id]
    assert letter.to == "bert@players.test"
    assert f"Its condition was not met: {told}" in " ".join(letter.text.split())
    assert bureau.papers == []
    assert bureau.awaited == [("bert", "turn", "italy")]


def test_the_reason_of_the_first_turn_is_told_when_none_is_possible(bureau: Bureau) -> None:
    bureau.given("treasury italy 0")
    bureau.write("bert", "advance italy: factory venice else import A rome")
    sent = bureau.write("anton", "austria: taxation")
    (letter,) = [mail for mail in sent if "unused" in mail.message_id]
    assert "This costs 5m" in " ".join(letter.text.split())


def test_a_condition_without_the_word_is_told_where_it_belongs(bureau: Bureau) -> None:
    (sent,) = bureau.write("anton", "austria: if italy taxed taxation else investor")
    assert "can stand only in a turn that is written in advance" in " ".join(sent.text.split())


def test_the_others_see_of_a_list_of_purchases_only_what_is_bought(bureau: Bureau) -> None:
    """A standing order is still sealed when it has been used."""
    bureau.given("cash bert 30", "treasury austria_hungary 9")
    bureau.write("bert", "standing invest italy 9 else italy 12 else france 16")
    sent = bureau.write("anton", "austria: investor")
    report = next(mail.text for mail in sent if mail.to == "claudia@players.test")
    assert "By the standing order of bert:\n\n    invest Italy 12\n" in report
    assert "16" not in str(bureau.entries[-1]["answers"])
    assert bureau.papers == [("bert", "standing", "invest italy 9 else italy 12 else france 16")]
