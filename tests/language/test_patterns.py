"""What is no name but fits a pattern: squares, numbered things, fractions, names that come up during a game."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from pbem.core.notation import Notation
from pbem.core.refusal import Refusal, Unreadable
from pbem.host.commands.table import COMMANDS
from pbem.language.parser import Parser

# Go to a square, load so much of something, call a place by a name of one's own; the parts come back as written.
NOTATION: Notation[tuple[str, ...]] = Notation(
    grammar="""
?order: go | load | call
go: K_GO SQUARE TO SQUARE
load: K_LOAD (NUMBER | SHARE) GOOD
call: K_CALL SQUARE (OWN | GOOD)
?early: order
?standing: go
given: SHARE GOOD
""",
    names={
        "GOOD": {
            "oil": ("oil", "O"),
            "transport_and_supply": ("T&S", "transport and supply"),
            "galaxy": ("galaxy", "C-5"),
        }
    },
    patterns={"SQUARE": r"[A-Z]{1,2}[0-9]{1,2}[A-Z]?", "SHARE": r"[0-9]+/[0-9]+", "OWN": r"[^\W\d_]{2,16}"},
    own_names=("OWN",),
    counted=("GOOD",),
    keywords={"K_GO": ("go",), "K_LOAD": ("load",), "K_CALL": ("call",)},
    parse=lambda tree: tuple(str(child) for child in tree.children if child.type != "TO"),  # type: ignore[attr-defined]
    write=" ".join,
)


@cache
def reader() -> Parser[tuple[str, ...]]:
    return Parser(NOTATION, COMMANDS, ("anton",))


def read(text: str) -> Any:
    (found,) = reader().read(text.splitlines()).statements
    return found.order if found.refusal is None else found.refusal


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("go C3 - d8A", ("k_go", "C3", "d8A")),
        ("GO c3-D4", ("k_go", "c3", "D4")),
        ("load 19/20 oil", ("k_load", "19/20", "oil")),
        ("load 19 oil", ("k_load", "19", "oil")),
        ("load 2 T&S", ("k_load", "2", "transport_and_supply")),
        ("load 2 t & s", ("k_load", "2", "transport_and_supply")),
        ("load 2 C-5", ("k_load", "2", "galaxy")),  # a hyphen and a number are of the name
        ("call C3 Corinth", ("k_call", "C3", "Corinth")),
        ("call C3 oi", ("k_call", "C3", "oil")),  # a beginning of a name comes before a name of one's own
    ],
)
def test_what_fits_a_pattern_is_read_as_it_was_written(text: str, parts: tuple[str, ...]) -> None:
    assert read(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "load 0 oil",  # so many of a thing are one or more
        "go C - D4",  # never shortened
        "go C333 - D4",
        "go C3D - D44x9",
        "load 19/x oil",
        "load 19 / 20 oil",
        "call C3 go",  # a word of the language is no name
        "call C3 preview",
        "call C3 a",
        "call C3 corinthcorinthcor",
        "call C3 c3",
    ],
)
def test_what_does_not_fit_is_none(text: str) -> None:
    assert isinstance(read(text), Unreadable), text


def test_the_place_is_told() -> None:
    problem = read("go C3 - DD")
    assert (problem.code, problem.line, problem.column) == ("order.unreadable", 1, 9)
    assert problem.facts["expected"] == ("SQUARE",)


def test_a_square_is_never_mended_into_another() -> None:
    (said,) = reader().read(["go C3 - D444"]).statements
    assert reader().mended(said) == []


def test_given_lines_and_lots_may_have_them() -> None:
    assert reader().given("1/3 oil", 1) == ("1/3", "oil")
    assert reader().name("C3", 1) == "C3"
    with pytest.raises(Refusal):
        reader().name("corinth", 1)
