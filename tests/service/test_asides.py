"""What is said to the house: a language and a time zone, kept in every state of a game."""

from __future__ import annotations

import pytest

from pbem.service.asides import language, zone
from pbem.service.ports import Member
from pbem.table.refusal import Illegal
from tests.service.bureau import Bureau

IMPORT = "austria: import A lemberg"


def member(bureau: Bureau, name: str) -> Member:
    return next(each for each in bureau.game.members if each.seat == name)


# -- language and zone ---


def test_a_player_chooses_his_language_and_gets_the_answer_in_it(bureau: Bureau) -> None:
    (sent,) = bureau.write("claudia", "language de")
    assert member(bureau, "claudia").language == "de"
    assert bureau.outcomes("claudia") == [("set", None)]
    assert "auf Deutsch" in sent.text


def test_every_letter_comes_in_the_language_of_its_reader(bureau: Bureau) -> None:
    bureau.write("bert", "lingua italiano")
    bureau.write("claudia", "Sprache deutsch")
    sent = {mail.to.partition("@")[0]: mail for mail in bureau.write("anton", IMPORT) if not mail.answers}
    assert "Austria-Hungary imports" in sent["anton"].text
    assert "Austria-Ungheria" in sent["bert"].text
    assert "Österreich-Ungarn" in sent["claudia"].text


def test_times_are_those_of_the_readers_zone_with_utc_beside_them(bureau: Bureau) -> None:
    bureau.write("anton", "zone Asia/Tokyo")
    (sent,) = bureau.write("anton", "show")
    assert member(bureau, "anton").zone == "Asia/Tokyo"
    assert "JST (" in sent.text
    assert "UTC)" in sent.text


def test_a_zone_and_orders_may_stand_in_one_letter(bureau: Bureau) -> None:
    bureau.write("anton", f"zone: Europe/Berlin\n{IMPORT}\nlanguage de")
    assert bureau.outcomes("anton") == [("set", None), ("played", None), ("set", None)]
    assert (member(bureau, "anton").language, member(bureau, "anton").zone) == ("de", "Europe/Berlin")
    assert bureau.awaited == [("bert", "turn", "italy")]


def test_an_unknown_zone_is_refused_with_near_ones_and_stops_no_order(bureau: Bureau) -> None:
    bureau.write("anton", "zone Europe/Rome")
    *_, answer = (m for m in bureau.write("anton", f"zone Europe/Berln\n{IMPORT}") if m.answers)
    assert bureau.outcomes("anton") == [("refused", "zone.unknown"), ("played", None)]
    assert member(bureau, "anton").zone == "Europe/Rome"
    assert "Europe/Berlin" in answer.text


def test_a_letter_that_is_stopped_still_keeps_the_zone(bureau: Bureau) -> None:
    bureau.write("anton", "austria: factory treiste\nzone Europe/Rome")
    assert bureau.outcomes("anton") == [("refused", "name.unknown"), ("set", None)]
    assert member(bureau, "anton").zone == "Europe/Rome"


def test_a_language_can_be_chosen_before_the_game_begins(desk: Bureau) -> None:
    desk.invite(2)
    desk.tick()
    (sent,) = desk.write("anton", "language de")
    assert (member(desk, "anton").language, member(desk, "anton").joined) == ("de", None)
    assert "auf Deutsch" in sent.text
    (sent,) = desk.write("anton", "zone Europe/Berlin\njoin")
    assert member(desk, "anton").joined is not None
    assert "Willkommen" in sent.text


def test_a_language_can_be_chosen_after_the_end(bureau: Bureau) -> None:
    bureau.finish()
    (sent,) = bureau.write("bert", "language it")
    assert member(bureau, "bert").language == "it"
    assert bureau.replies("bert")[-1].problem is None
    assert "in italiano" in sent.text


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
