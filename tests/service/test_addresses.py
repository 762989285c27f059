"""Several addresses of one person: added, confirmed, changed, and taken back."""

from __future__ import annotations

import pytest

from pbem.service.ports import Mail, Person
from tests.service.bureau import HOUR, Bureau, address

OLD, NEW = address("anton"), "anton@work.example"


def person(bureau: Bureau) -> Person:
    with bureau.store.transaction() as books:
        found = books.person_at(OLD)
    assert found is not None
    return found


def answer_to(bureau: Bureau, mail: Mail, text: str, who: str = "") -> list[Mail]:
    return bureau.write(who or mail.to, text, to=mail.reply_to or "", subject=f"Re: {mail.subject}")


def asked(bureau: Bureau) -> Mail:
    """The letter to the new address."""
    (mail,) = [mail for mail in bureau.write("anton", f"address {NEW}") if mail.to == NEW]
    return mail


def moved(bureau: Bureau) -> Mail:
    """The letter to the old address, after the new one has answered."""
    (mail,) = [mail for mail in answer_to(bureau, asked(bureau), "confirm") if mail.to == OLD]
    return mail


def test_a_new_address_counts_when_it_has_answered(bureau: Bureau) -> None:
    check = asked(bureau)
    assert bureau.outcomes("anton") == [("filed", None)]
    assert person(bureau).address == OLD
    bureau.write(NEW, "austria: taxation", to=bureau.way_back("anton"))
    assert bureau.awaited == [("anton", "turn", "austria_hungary")]
    sent = answer_to(bureau, check, "Yes!\n\nAnton")
    assert [mail.to for mail in sent] == [OLD, NEW] or [mail.to for mail in sent] == [NEW, OLD]
    assert person(bureau).address == NEW
    for who in (NEW, OLD):
        (told,) = bureau.write(who, "address", to=bureau.way_back("anton"))
        assert told.to == who
        assert NEW in told.text
        assert OLD in told.text
    (report,) = [
        mail
        for mail in bureau.write(NEW, "austria: taxation", to=bureau.way_back("anton"))
        if not mail.answers and mail.to == NEW
    ]
    assert report.to == NEW


def test_an_address_that_no_server_would_take_is_refused(bureau: Bureau) -> None:
    for length, outcome in ((254, ("filed", None)), (255, ("refused", "address.unreadable"))):
        bureau.write("anton", f"address {'a' * (length - len('@x.test'))}@x.test")
        assert bureau.outcomes("anton") == [outcome]


def test_who_does_not_answer_is_left_alone(bureau: Bureau) -> None:
    check = asked(bureau)
    for text in ("who are you?", "", "austria: taxation"):
        (told,) = answer_to(bureau, check, text)
        assert told.to == NEW
        assert "“confirm”" in told.text
    assert person(bureau).address == OLD


def test_an_answer_must_come_from_the_address_that_was_asked(bureau: Bureau) -> None:
    check = asked(bureau)
    answer_to(bureau, check, "confirm", who="thief@elsewhere.test")
    answer_to(bureau, check, "confirm", who="bert")
    assert person(bureau).address == OLD


def test_a_change_can_be_taken_back_for_two_days(bureau: Bureau) -> None:
    warning = moved(bureau)
    assert NEW in warning.text
    before = bureau.way_back("anton")
    bureau.clock.advance(48 * HOUR - 60)
    (told,) = [mail for mail in answer_to(bureau, warning, "undo") if mail.to == OLD and mail.answers]
    assert "go to anton@players.test again" in told.text
    assert (person(bureau).address, person(bureau).keys) == (OLD, 1)
    bureau.write("anton", "status", to=before)
    assert bureau.replies("anton")[-1].problem == "identity.wrong_token"
    bureau.write("anton", "status")
    assert bureau.replies("anton")[-1].problem is None
    bureau.write(NEW, "status", to=bureau.way_back("anton"))
    assert bureau.postman.to(NEW)[-1].text.startswith("Thank you")


def test_later_only_the_operator_can_take_it_back(bureau: Bureau) -> None:
    warning = moved(bureau)
    bureau.clock.advance(48 * HOUR + 60)
    (told,) = [mail for mail in answer_to(bureau, warning, "undo") if mail.answers]
    assert "more than 48 hours" in told.text.replace("\n", " ")
    assert person(bureau).address == NEW


def test_one_word_is_needed_to_take_it_back(bureau: Bureau) -> None:
    warning = moved(bureau)
    answer_to(bureau, warning, "fine, thanks")
    answer_to(bureau, warning, "undo", who=NEW)
    assert person(bureau).address == NEW


def test_an_address_is_taken_away(bureau: Bureau) -> None:
    moved(bureau)
    bureau.write("anton", f"address remove {OLD}")
    assert bureau.outcomes("anton") == [("refused", "address.too_soon")]
    bureau.clock.advance(49 * HOUR)
    bureau.write("anton", f"address remove {OLD}")
    assert bureau.outcomes("anton") == [("set", None)]
    with bureau.store.transaction() as books:
        assert books.person_at(OLD) is None


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("address anna", "address.unreadable"),
        ("address Ännchen@example.org", "address.unreadable"),
        (f"address {address('bert')}", "address.taken"),
        ("address remove nobody@example.org", "address.not_yours"),
        ("address remove", "address.not_yours"),
        (f"address remove {OLD}", "address.main"),
    ],
)
def test_what_can_not_be_is_refused(bureau: Bureau, written: str, code: str) -> None:
    bureau.write("anton", written)
    assert bureau.outcomes("anton") == [("refused", code)]
    assert person(bureau).address == OLD


def test_nobody_collects_addresses(bureau: Bureau) -> None:
    for number in range(4):
        bureau.write("anton", f"address a{number}@example.org")
    bureau.write("anton", "address a9@example.org")
    assert bureau.outcomes("anton") == [("refused", "address.too_many")]
    assert bureau.postman.to("a9@example.org") == []


@pytest.mark.parametrize(
    "written", ["Adresse: Anton@Work.example", "indirizzo <anton@work.example>", "ADDRESS anton@work.example"]
)
def test_it_is_read_in_every_language(bureau: Bureau, written: str) -> None:
    bureau.write("anton", written)
    assert bureau.outcomes("anton") == [("filed", None)]
    assert len(bureau.postman.to(NEW)) == 1


def test_a_letter_goes_to_the_new_address_in_all_games(bureau: Bureau) -> None:
    moved(bureau)
    bureau.invite(2)
    invited = [mail.to for mail in bureau.tick()]
    assert sorted(invited) == sorted([NEW, address("bert")])
