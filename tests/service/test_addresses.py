"""Several addresses of one person: added, confirmed, changed, and taken back."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pbem.host.ports import Mail, Person
from tests.depth import examples_of
from tests.service.bureau import HOST, HOUR, Bureau, address

OLD, NEW = address("anton"), "anton@work.example"


def person(bureau: Bureau) -> Person:
    with bureau.store.transaction() as repository:
        found = repository.person_at(OLD)
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
    sent = bureau.write(NEW, "austria: taxation", to=bureau.way_back("anton"))
    (report,) = [mail for mail in sent if mail.to in (NEW, OLD)]
    assert report.to == NEW
    assert "· R-1" in report.text


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


@pytest.mark.parametrize("text", ["bestätige", "Ich bestätige.", "Confermo!"])
def test_it_answers_in_its_own_words(bureau: Bureau, text: str) -> None:
    answer_to(bureau, asked(bureau), text)
    assert person(bureau).address == NEW


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
    assert "go to anton@players.test. anton@work.example counts no" in " ".join(told.text.split())
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
    with bureau.store.transaction() as repository:
        assert repository.person_at(OLD) is None


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("address anna", "address.unreadable"),
        ("address Ännchen@example.org", "address.unreadable"),
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


# -- thieves ---

THIEF, HOP = "thief@evil.test", "hop@evil.test"


def to_undo(bureau: Bureau, who: str) -> Mail:
    """The last letter to that address that tells of a change."""
    return next(mail for mail in reversed(bureau.postman.to(who)) if "go elsewhere now" in mail.subject)


def confirm(bureau: Bureau, who: str) -> None:
    bureau.clock.advance(60)
    answer_to(bureau, next(mail for mail in reversed(bureau.postman.to(who)) if "yours?" in mail.subject), "confirm")


def test_a_check_is_no_proof_for_another_address(bureau: Bureau) -> None:
    """Who has one check must not confirm somebody else's address with it."""
    bureau.write("anton", f"address {THIEF}")
    bureau.write("anton", "address victim@bank.test")
    check = next(mail for mail in bureau.postman.to(THIEF) if "yours?" in mail.subject)
    answer_to(bureau, check, "confirm", who="victim@bank.test")
    assert bureau.postman.to("victim@bank.test")[-1].text.startswith("The letter that you answer no longer counts")
    assert (person(bureau).address, listed(bureau)) == (OLD, {OLD})


def test_a_check_counts_once_and_for_a_week(bureau: Bureau) -> None:
    check = asked(bureau)
    bureau.clock.advance(8 * 24 * HOUR)
    answer_to(bureau, check, "confirm")
    assert listed(bureau) == {OLD}
    bureau.write("anton", f"address {NEW}")
    fresh = bureau.postman.to(NEW)[-1]
    for _ in range(2):
        answer_to(bureau, fresh, "confirm")
        assert bureau.postman.to(NEW)[-1].text.startswith("Thank you: our letters go to anton@work.example")
    bureau.write("anton", f"address {OLD}")
    bureau.clock.advance(50 * HOUR)
    bureau.write("anton", f"address remove {NEW}")
    bureau.write("anton", f"address {NEW}")
    answer_to(bureau, fresh, "confirm")
    assert listed(bureau) == {OLD}


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("hops", [(THIEF,), (THIEF, HOP)])
def test_undo_takes_everything_back_also_over_two_hops(bureau: Bureau, hops: tuple[str, ...], back: bool) -> None:
    stolen = bureau.way_back("anton")
    for hop in hops:
        bureau.write("anton", f"address {hop}", to=stolen)
        confirm(bureau, hop)
    if back:
        bureau.write("anton", f"address {OLD}", to=stolen)
    bureau.write("anton", "address third@evil.test", to=stolen)
    warning = next(mail for mail in bureau.postman.to(OLD) if "go elsewhere now" in mail.subject)
    answer_to(bureau, warning, "undo")
    assert (person(bureau).address, listed(bureau)) == (OLD, {OLD})
    confirm(bureau, "third@evil.test")
    for who in (*hops, "third@evil.test", "anton"):
        bureau.write(who, "austria: taxation", to=stolen)
    assert (bureau.awaited, listed(bureau)) == ([("anton", "turn", "austria_hungary")], {OLD})


def test_a_newer_address_does_not_undo_in_favour_of_itself(bureau: Bureau) -> None:
    stolen = bureau.way_back("anton")
    for hop in (THIEF, HOP):
        bureau.write("anton", f"address {hop}", to=stolen)
        confirm(bureau, hop)
    answer_to(bureau, to_undo(bureau, THIEF), "undo")
    assert listed(bureau) == {OLD, THIEF}
    answer_to(bureau, to_undo(bureau, OLD), "undo")
    assert (person(bureau).address, listed(bureau)) == (OLD, {OLD})


moves = st.sampled_from(
    [
        *(f"address {to}" for to in (THIEF, HOP, OLD)),
        *(f"address remove {to}" for to in (THIEF, HOP, OLD)),
        "confirm",
        "undo",
    ]
)


@pytest.mark.slow
@given(st.lists(st.tuples(moves, st.sampled_from([THIEF, HOP, OLD]), st.integers(0, 3)), max_size=6))
@settings(
    max_examples=examples_of(5), phases=[Phase.generate], suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_after_the_owners_undo_nothing_works_that_a_thief_holds(
    bureau: Bureau, steps: list[tuple[str, str, int]]
) -> None:
    """Whoever has seen one letter, forges any sender and reads only his own mailboxes."""
    made, thieves = bureau.copy(), (THIEF, HOP)
    held = {made.way_back("anton")}
    for words, who, hours in (("address thief@evil.test", OLD, 0), ("confirm", THIEF, 0), *steps):
        made.clock.advance(hours * HOUR + 60)
        for way in sorted(held):
            made.write(who, words, to=way)
        held |= {mail.reply_to or HOST for thief in thieves for mail in made.postman.to(thief)}
    warnings = [mail for mail in made.postman.to(OLD) if "go elsewhere now" in mail.subject]
    answer_to(made, warnings[0], "undo")
    assert (person(made).address, listed(made)) == (OLD, {OLD})
    for way in sorted(held):
        for who in (OLD, *thieves):
            for words in ("confirm", "undo", f"address {HOP}", "austria: taxation"):
                made.drop(who, words, to=way)
    made.tick()
    assert (person(made).address, listed(made), made.awaited) == (OLD, {OLD}, bureau.awaited)


def listed(bureau: Bureau) -> set[str]:
    owner = person(bureau).id
    with bureau.store.transaction() as repository:
        return {each.address for each in repository.addresses(owner)}


# -- nobody finds out who plays ---


def test_the_answer_is_the_same_for_an_address_that_is_somebody_elses(bureau: Bureau) -> None:
    def said(bureau: Bureau, target: str) -> list[str]:
        for words in (f"address {target}", "address", f"address {target}", f"address remove {target}", "address"):
            bureau.write("anton", words)
            bureau.clock.advance(HOUR)
        return [mail.text.replace(target, "X") for mail in bureau.answers("anton")]

    free, taken = said(bureau.copy(), "bort@players.test"), said(bureau.copy(), address("bert"))
    assert free == taken


def test_whose_address_it_is_keeps_it(bureau: Bureau) -> None:
    bureau.write("anton", f"address {address('bert')}")
    confirm(bureau, address("bert"))
    assert "already known here" in bureau.postman.to(address("bert"))[-1].text
    assert (listed(bureau), person(bureau).address) == ({OLD}, OLD)
    assert "anton" not in bureau.postman.to(address("bert"))[-2].text
