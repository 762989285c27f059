"""Lines whose words stand in another order, and lines of several orders."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from pbem.core.notation import Led, Notation
from pbem.host.commands.table import COMMANDS
from pbem.language.parser import Parser

# Guards watch a square, and go to one.
NOTATION: Notation[tuple[str, ...]] = Notation(
    grammar="""
?order: watch | leave | go
watch: K_WATCH SQUARE K_WITH _guards [K_HOME SQUARE]
leave: K_LEAVE GUARD
go: GUARD TO SQUARE
_guards: GUARD (_next GUARD)*
?early: order
?standing: leave
given: GUARD
""",
    names={},
    patterns={"SQUARE": r"[A-Z][0-9]", "GUARD": r"G[A-Z][0-9]"},
    keywords={
        "K_WATCH": ("watch", "watches", "bewache", "passe auf"),
        "K_LEAVE": ("leave", "ziehe ab"),
        "K_WITH": ("with", "mit"),
        "K_HOME": ("home",),
    },
    parse=lambda tree: tuple(str(child) for child in tree.children if getattr(child, "type", "COMMA") not in ("COMMA", "ALSO", "TO", "K_WITH")),  # type: ignore[attr-defined]
    write=" ".join,
    led=Led(names=("GUARD",), verbs=("K_WATCH",), by="K_WITH", before=("K_HOME",)),
)  # fmt: skip


@cache
def reader() -> Parser[tuple[str, ...]]:
    return Parser(NOTATION, COMMANDS, ("anton",))


def read(text: str) -> list[Any]:
    return [found.order if found.refusal is None else found.refusal.code for found in reader().read([text]).statements]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("GA1 watches C3", "watch C3 with GA1"),
        ("GA1, GB2 and GC3 watch C3 home D4", "watch C3 with GA1, GB2, GC3 home D4"),
        ("passe C3 mit GA1 auf", "watch C3 with GA1"),
        ("ziehe GA1 ab", "leave GA1"),
    ],
)
def test_who_does_it_may_come_first_and_half_of_the_verb_last(text: str, plain: str) -> None:
    assert read(text) == read(plain)


def test_a_comma_parts_orders_where_it_parts_nothing_else() -> None:
    assert read("GA1 - C3, leave GB2, GC3 - D4") == [*read("GA1 - C3"), *read("leave GB2"), *read("GC3 - D4")]
    assert len(read("watch C3 with GA1, GB2")) == 1


@pytest.mark.parametrize("text", ["GA1 watches C3 with GB2", "GA1 watches", "GA1 - C3, GB2", "passe GA1 auf"])
def test_what_would_be_a_guess_is_not_read(text: str) -> None:
    assert read(text) == ["order.unreadable"] or read(text) == ["order.incomplete"]
