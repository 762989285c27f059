"""The note on a turn whose time was ended by others: what stood, what was void and why, what followed of itself."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.bootstrap import sentence
from pbem.core.refusal import Illegal
from pbem.core.seat import Setup
from pbem.host.ports import Mail
from tests.service.bureau import DAY, HOUR, Bureau, address

WORDS = {  # a report's sentences, in each language
    "en": ("comes as a friend", "All other units stay where they are."),
    "de": ("kommt freundlich", "Alle anderen Einheiten bleiben, wo sie sind."),
    "it": ("è amichevole", "Tutte le altre unità restano dove sono."),
}


@pytest.fixture
def bureau(begun: Bureau) -> Bureau:
    return begun


def report(bureau: Bureau, who: str = "fritz", turn: int = 1) -> Mail:
    return next(mail for mail in bureau.postman.to(address(who)) if f"R-{turn}\n" in mail.text)


def words(text: str) -> str:
    return " ".join(text.split())


def parts(bureau: Bureau) -> list[dict[str, Any]]:
    """What the log tells of the last turn that was ended by others."""
    kept = [entry["act"] for entry in bureau.entries if (entry["act"] or {}).get("type") == "time_kept"]
    return [part for closing in kept[-1]["closings"] for part in closing["lapsed"]]


@pytest.mark.parametrize("language", [*WORDS])
def test_a_maneuver_written_in_part_tells_what_follows_of_itself(bureau: Bureau, language: str) -> None:
    bureau.write("fritz", f"language {language}")
    bureau.given("rondel austria_hungary factory", "army austria_hungary vienna 2")
    bureau.write("anton", "draft\naustria: maneuver A vienna - venice")
    bureau.tick(DAY + HOUR)
    assert [(part["void"], part["code"]) for part in parts(bureau)] == [(False, "friendly"), (False, "others_stay")]
    told = report(bureau)
    for page in (told.text, str(told.html)):
        for told_so in WORDS[language]:
            assert told_so in words(page)


def test_an_army_that_says_how_it_comes_is_not_told_to_be_made_a_friend(bureau: Bureau) -> None:
    bureau.given("rondel austria_hungary factory", "army austria_hungary vienna 2")
    bureau.write("anton", "draft\naustria: maneuver A vienna - venice hostile")
    bureau.tick(DAY + HOUR)
    assert [part["code"] for part in parts(bureau)] == ["others_stay"]


def test_a_part_that_is_void_is_told_apart_from_what_stands(bureau: Bureau) -> None:
    """Only what is legal is kept on file: a part is void when the position, or the rules in force, have changed."""
    bureau.given("treasury austria_hungary 1")
    with bureau.server.games.work() as desk:
        session = desk.session(desk.game("imp-1"))
        (decision,) = session.pending()
        written = session.parser.order("austria_hungary: import A lemberg, A vienna")
        (void,) = session.rules.lapse(session.state, decision, [written]).notes
    assert (void.void, void.text) == (True, "austria_hungary: import A vienna")
    assert sentence(Illegal(void.code, **void.facts)).startswith(
        "This costs 2m, and the treasury of Austria-Hungary holds only 1m."
    )


def test_what_the_price_of_lateness_makes_void_is_told_with_the_reason(lots: None) -> None:
    made = Bureau()
    made.open(setup=Setup(options={"lateness": "fee"}))
    made.given("rondel austria_hungary factory", "cash anton 2")
    made.write("anton", "draft\naustria: import A lemberg")
    made.tick(DAY + HOUR)
    assert [(part["void"], part["code"]) for part in parts(made)] == [(True, "cash.short"), (False, "skipped")]
    told = report(made)
    for page in (told.text, str(told.html)):
        assert "Void: Austria-Hungary: import A Lemberg." in words(page)
        assert "has only 1m" in words(page)


def test_of_silence_the_report_tells_once_what_it_means(bureau: Bureau) -> None:
    bureau.tick(DAY + HOUR)
    assert parts(bureau) == []
    assert words(report(bureau).text).count("the turn is skipped") == 1


def test_where_every_line_is_void_nobody_moves(bureau: Bureau) -> None:
    bureau.given("army austria_hungary vienna 1")
    with bureau.server.games.work() as desk:
        session = desk.session(desk.game("imp-1"))
        (decision,) = session.pending()
        written = session.parser.order("austria_hungary: maneuver_1 A vienna - paris")
        found = session.rules.lapse(session.state, decision, [written]).notes
    assert [(part.void, part.text or part.code) for part in found] == [
        (True, "austria_hungary: maneuver_1 A vienna - paris"),
        (False, "nothing_moved"),
    ]


@pytest.mark.parametrize(("space", "code"), [("factory", "nothing_built"), ("import", "nothing_bought")])
def test_a_space_with_nothing_on_it_is_told(bureau: Bureau, space: str, code: str) -> None:
    bureau.write("anton", f"draft\naustria: {space}")
    bureau.tick(DAY + HOUR)
    assert [part["code"] for part in parts(bureau)] == [code]


def test_an_answer_of_his_own_tells_nothing_of_the_kind(bureau: Bureau) -> None:
    bureau.write("anton", "austria: import A lemberg")
    assert parts(bureau) == []


def test_an_unanswered_battle_is_told(bureau: Bureau) -> None:
    bureau.given("rondel france factory", "turn france", "fleet france w med 1", "fleet italy ionian 1")
    bureau.write("claudia", "france: maneuver F w med - ionian")
    bureau.tick(DAY + HOUR)
    assert [part["code"] for part in parts(bureau)] == ["no_battle"]
    assert any(
        "Without an answer there is no battle." in words(mail.text) for mail in bureau.postman.to(address("fritz"))
    )
