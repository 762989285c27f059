"""Petitions and votes in a letter: what is one, what is prose, and what is kept as it is written."""

from __future__ import annotations

import pytest

from pbem.core.refusal import Unreadable
from pbem.host.moderation.commands import MODERATOR_COMMANDS
from pbem.language.ballots import Ballot, Vote, ballot
from pbem.language.petitions import Motion
from tests.language.tables import reader


def motions(text: str) -> list[Motion | Ballot]:
    return [said.motion for said in reader().read(text.splitlines()).statements if said.motion]


def codes(text: str) -> list[str]:
    return [said.refusal.code for said in reader().read(text.splitlines()).statements if said.refusal]


@pytest.mark.parametrize(
    ("line", "vote", "number", "comment"),
    [
        ("for P-3", "for", 3, ""),
        ("FOR p3", "for", 3, ""),
        ("for petition P-3: a good thing", "for", 3, "a good thing"),
        ("P-3 for", "for", 3, ""),
        ("P–3: against, sorry", "against", 3, "sorry"),
        ("against P-12 - no; never # really", "against", 12, "no; never # really"),
        ("quorum P-3 Mir gleich", "quorum", 3, "Mir gleich"),
        ("dafür", "for", None, ""),
        ("gegen P-3", "against", 3, ""),
        ("Enthaltung P-3", "quorum", 3, ""),
        ("a favore", "for", None, ""),
        ("contro P-3", "against", 3, ""),
        ("For.", "for", None, ""),
        ("I vote for P-1", "for", 1, ""),
        ("For: P-1!", "for", 1, ""),
        ("yes to P-1", "for", 1, ""),
        ("P-1: yes", "for", 1, ""),
        ("My vote: no to petition P-1. It is too late", "against", 1, "It is too late"),
        ("I abstain", "quorum", None, ""),
        ("abstain on P-1", "quorum", 1, ""),
        ("Ich stimme für P-1", "for", 1, ""),
        ("Ja zu P-1, gern", "for", 1, "gern"),
        ("ich enthalte mich bei P-1", "quorum", 1, ""),
        ("Nein zum Antrag P-1", "against", 1, ""),
        ("voto a favore di P-1", "for", 1, ""),
        ("Sì alla petizione P-1", "for", 1, ""),
        ("mi astengo", "quorum", None, ""),
        ("sono contrario a P-1", "against", 1, ""),
        ("I vote yes", "for", None, ""),
    ],
)
def test_votes(line: str, vote: Vote, number: int | None, comment: str) -> None:
    assert ballot(line, MODERATOR_COMMANDS.reads) == Ballot(does="vote", number=number, vote=vote, comment=comment)


@pytest.mark.parametrize(
    "line",
    [
        "I am not for P-1",
        "for P-1 against",
        "for P-1 and against P-2",
        "yes to P-1, P-2",
        "for P-1?",
        "P-1 for now I wait",
        "ich stimme nicht für P-1",
        "no, for P-1",
        "voto sì P-1 no",
    ],
)
def test_a_vote_with_two_readings_is_not_guessed(line: str) -> None:
    said = ballot(line, MODERATOR_COMMANDS.reads)
    assert said is not None
    assert (said.does, said.vote) == ("unclear", None)


@pytest.mark.parametrize("line", ["yes", "Ok.", "ja", "Sì!", "no"])
def test_a_word_that_answers_anything_is_meek(line: str) -> None:
    said = ballot(line, MODERATOR_COMMANDS.reads)
    assert said is not None
    assert said.implied


@pytest.mark.parametrize("line", ["withdraw P-3", "zurückziehen P-3", "ziehe P-3 zurück", "ritira P-3"])
def test_withdrawing(line: str) -> None:
    assert ballot(line, MODERATOR_COMMANDS.reads) == Ballot(does="withdraw", number=3)


@pytest.mark.parametrize(
    "line", ["for the moment I wait", "per favore", "against all odds", "> for P-3", "for P-3a", "petitions", "forP-3"]
)
def test_prose_is_no_vote(line: str) -> None:
    assert ballot(line, MODERATOR_COMMANDS.reads) is None
    assert motions(line) == []


def test_a_petition_keeps_its_text_as_it_is_written() -> None:
    text = "petition change Slower clock\n  We are on holiday;\n\nset slot_hours = 48\n # and so on\nEND\nfor P-1"
    said = "We are on holiday;\n\n # and so on"
    assert motions(text) == [Motion(kind="change", said="Slower clock", text=said, sets=(("slot_hours", "48"),))]


def test_a_petition_ends_where_it_is_said_and_where_the_next_begins() -> None:
    text = "petition clar One\ntext\npetition suspend 48h Two\nend petition\naustria: taxation\nfor P-1"
    one, two, vote = motions(text)
    assert isinstance(one, Motion)
    assert (one.kind, one.said, one.text) == ("clarify", "One", "text")
    assert isinstance(two, Motion)
    assert (two.kind, two.said, two.text) == ("suspend", "48h Two", "")
    assert vote == Ballot(does="vote", number=1, vote="for")
    assert any(said.command.name == "order" for said in reader().read(text.splitlines()).statements)


@pytest.mark.parametrize("head", ["Antrag Änderung X", "Antrag aend X", "petizione modifica X", "Petition: CHANGE: X"])
def test_three_languages(head: str) -> None:
    assert motions(head) == [Motion(kind="change", said="X", text="", sets=())]


@pytest.mark.parametrize("below", ["austria: taxation", "for P-2", "standing peace"])
def test_an_order_below_is_not_told_to_all(below: str) -> None:
    assert codes(f"petition change X\n{below}") == ["petition.order_inside"]


def test_a_petition_or_a_vote_in_press_is_not_mailed_as_press() -> None:
    assert codes("press to all: hello\nfor P-2") == ["press.order_inside"]
    assert codes("press to all: hello\npetition change X") == ["press.order_inside"]


def test_kinds_that_are_none() -> None:
    assert codes("petition change X") == []
    assert codes("petition nonsense X") == ["petition.kind"]
    assert codes("petition ch X") == ["petition.kind"]  # too short


def test_a_refusal_names_its_line() -> None:
    (said,) = [each for each in reader().read(["austria: taxation", "petition beer X"]).statements if each.refusal]
    assert isinstance(said.refusal, Unreadable)
    assert said.refusal.line == 2


def test_a_vote_that_begins_as_a_petition_would_is_one_line() -> None:
    said = reader().read(["petition P-1: yes", "austria: taxation"]).statements
    assert [(each.command.name, each.text) for each in said] == [
        ("vote", "petition P-1: yes"),
        ("order", "austria: taxation"),
    ]
