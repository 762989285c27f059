"""Press in a letter: who gets it, where it ends, and that no order hides in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.refusal import Unreadable
from pbem.games.imperial.notation.write import write
from pbem.games.imperial.rules import orders as od
from pbem.host.commands.table import COMMANDS
from pbem.language.parser import Parser
from pbem.language.statements import Reading
from tests.language.tables import reader, turn
from tests.language.test_language_properties import orders


def letter(text: str) -> Reading[od.Order]:
    return reader().read(text.splitlines())


def press(text: str) -> list[tuple[tuple[str, ...], str]]:
    return [
        (said.to, said.rest) for said in letter(text).statements if said.command.name == "press" and not said.refusal
    ]


@pytest.mark.parametrize(
    ("text", "to", "said"),
    [
        ("press to bert: Hello!", ("bert",), "Hello!"),
        ("PRESS TO B: hi", ("bert",), "hi"),
        ("press to bert, anton: hi", ("bert", "anton"), "hi"),
        ("press to bert and a: hi", ("bert", "anton"), "hi"),
        ("press bert + bert: hi", ("bert",), "hi"),
        ("press to all: hi", ("all",), "hi"),
        ("press: hi", ("all",), "hi"),
        ("Presse an bert: Grüß dich", ("bert",), "Grüß dich"),
        ("Presse an alle: hallo", ("all",), "hallo"),
        ("stampa a bert: ciao", ("bert",), "ciao"),
        ("stampa a tutti: Perché no?", ("all",), "Perché no?"),
        ("press to bert: see http://x.test/#y; or not", ("bert",), "see http://x.test/#y; or not"),
        ("press to bert:\nOne\n\n  Two, THREE: four\n", ("bert",), "One\n\n  Two, THREE: four"),
        ("press to bert:", ("bert",), ""),
    ],
)
def test_press_is_kept_as_it_is_written(text: str, to: tuple[str, ...], said: str) -> None:
    assert press(text) == [(to, said)]


def test_the_word_alone_is_a_question() -> None:
    (asked,) = letter("press").statements
    assert (asked.command.name, asked.to, asked.rest, asked.refusal) == ("press", (), "", None)


@pytest.mark.parametrize("end", ["end press", "END PRESS.", "Ende Presse", "fine stampa", "end press  # now orders"])
def test_orders_may_stand_above_press_and_below_its_end(end: str) -> None:
    reading = letter(f"investor\npress to bert: hi\nthere\n{end}\ntaxation")
    assert [said.order for said in reading.statements] == [turn("investor"), None, turn("taxation")]
    assert [(said.to, said.rest) for said in reading.statements][1] == (("bert",), "hi\nthere")


def test_an_order_may_stand_before_press_on_its_line() -> None:
    reading = letter("investor; press to bert: hi; there")
    assert [(said.order, said.rest) for said in reading.statements] == [(turn("investor"), ""), (None, "hi; there")]


def test_press_ends_where_the_next_begins() -> None:
    assert press("press to bert: one\ntwo\npress: three") == [(("bert",), "one\ntwo"), (("all",), "three")]


@pytest.mark.parametrize("end", ["END", "-- ", "--"])
def test_press_ends_with_the_letter(end: str) -> None:
    assert press(f"press to bert: hi\n{end}\nAnton") == [(("bert",), "hi")]


def test_a_maneuver_goes_on_below_press() -> None:
    reading = letter("maneuver\npress to bert: hi\nend press\nA vienna - trieste")
    assert reading.statements[0].text == "maneuver\nA vienna - trieste"
    assert not reading.stopped


@pytest.mark.parametrize("line", ["# press to bert: hi", "investor # press to bert: hi", "> press to bert: hi"])
def test_what_is_a_remark_or_a_quote_is_no_press(line: str) -> None:
    assert press(line) == []


@pytest.mark.parametrize("line", ["Press on, friends: the end is near", "Press releases are for tomorrow."])
def test_a_sentence_that_begins_with_the_word_is_prose(line: str) -> None:
    reading = letter(f"investor\n{line}")
    assert reading.passed == (line,)
    assert not reading.stopped


@pytest.mark.parametrize(
    ("head", "code", "candidates"),
    [
        ("press to bret:", "name.unknown", ("bert",)),
        ("press to zoe:", "name.unknown", ("anton", "bert")),
        ("press to bert, zoe:", "name.unknown", ("anton", "bert")),
        ("press to all, bert:", "order.unreadable", ()),
        ("press to bert", "order.incomplete", ()),
    ],
)
def test_press_to_nobody_stops_the_letter_and_takes_its_text_along(
    head: str, code: str, candidates: tuple[str, ...]
) -> None:
    reading = letter(f"investor\n{head}\ntaxation is next")
    refused = reading.statements[-1]
    assert isinstance(refused.refusal, Unreadable)
    assert (refused.command.name, refused.refusal.code, refused.refusal.line) == ("press", code, 2)
    assert refused.refusal.facts["candidates"] == candidates
    assert refused.text == f"{head}\ntaxation is next"


def test_an_ambiguous_name_is_refused_with_the_candidates() -> None:
    crowd = Parser(reader()._notation, COMMANDS, ("bert", "berta", "bernd"))
    (said,) = crowd.read(["press to be: hi"]).statements
    assert said.refusal is not None
    assert said.refusal.code == "name.ambiguous"
    assert said.refusal.facts["candidates"] == ("bert", "berta", "bernd")
    assert crowd.read(["press to bert: hi"]).statements[0].to == ("bert",)


@pytest.mark.parametrize(
    "line",
    [
        "austria: factory trieste",
        "aus: fac tri",
        "A vienna - trieste hostile",
        "2 A lemberg",
        "destroy venice",
        "draft austria: investor",
        "so be it; austria: investor",
        "austria: investor # ours",
        "Austria: factory Treiste",
        "standing peace",
        "peace.",
        "else taxation",
        "if austria taxed, import A rome",
        "zone Europe/Berlin",
        "press",
    ],
)
def test_an_order_inside_press_stops_the_letter(line: str) -> None:
    reading = letter(f"press to bert: hi\nthere\n{line}\nbye")
    refusal = reading.statements[-1].refusal
    assert isinstance(refusal, Unreadable)
    assert (refusal.code, refusal.line, refusal.facts["read"]) == ("press.order_inside", 3, line)
    assert reading.stopped


@pytest.mark.parametrize(
    "line",
    [
        "Italy is weak, and Austria could take Trieste.",
        "A lovely plan",
        "I would say: investor",
        "la Francia è forte",
        "Zeit für einen Angriff",
        "2 days are left",
        "Give me peace!",
        "> austria: investor",
        "Help me",
    ],
)
def test_sentences_about_the_game_are_press(line: str) -> None:
    assert press(f"press to bert:\n{line}") == [(("bert",), line)]


def test_what_stands_on_the_line_of_the_address_is_press() -> None:
    assert press("press to bert: peace") == [(("bert",), "peace")]


@given(orders)
def test_no_order_that_can_be_written_hides_in_press(given_order: od.Order) -> None:
    reading = letter(f"press to bert:\nhello\n{write(given_order)}")
    assert reading.stopped
    assert [said.order for said in reading.statements] == [None]


@given(st.text(max_size=200))
def test_no_text_crashes_the_reader(text: str) -> None:
    for lines in ([f"press to bert: {text}"], ["press:", *text.splitlines()], [f"press {text}"]):
        reading = reader().read(lines)
        assert all(said.command.name or said.refusal for said in reading.statements)
