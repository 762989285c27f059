"""The reader of one table, and short ways to say what it should read."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pbem.core.refusal import Refusal
from pbem.games.empire.data.editions import order_language
from pbem.games.empire.rules import orders as od
from pbem.host.commands.table import COMMANDS
from pbem.language.parser import Parser

HERE = Path(__file__).parent


@cache
def reader() -> Parser[od.Order]:
    return Parser(order_language(), COMMANDS, ("anton", "bert"))


def order(text: str) -> od.Order:
    """What the only order of a text says."""
    (found,) = reader().read(text.splitlines()).statements
    assert found.order is not None, f"{text!r}: {found.refusal!r} {found.refusal.facts if found.refusal else ''}"
    return found.order


def given(text: str) -> od.Given:
    found = reader().given(text, 1)
    assert isinstance(found, od.Given), text
    return found


def refusal(text: str) -> Refusal:
    """Why the only statement of a text can't be read."""
    (found,) = reader().read(text.splitlines()).statements
    assert found.refusal is not None, f"{text!r} reads as {found.order}"
    return found.refusal


def listed(name: str) -> list[str]:
    """The lines of a file that stands here."""
    return (HERE / name).read_text("utf-8").splitlines()
