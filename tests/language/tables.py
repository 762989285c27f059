"""The reader of one table, and short ways to say what it should read."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec.structs import replace

from pbem.core.seat import Seat, Setup
from pbem.games.imperial.data.editions import imperial
from pbem.games.imperial.rules import orders as od
from pbem.host.commands.table import COMMANDS
from pbem.language.parser import Parser
from pbem.language.statements import Statement

SEATS = (Seat("anton"), Seat("bert"))


@cache
def reader() -> Parser[Any]:
    return Parser(imperial(Setup(seats=SEATS)).notation, COMMANDS, SEATS)


def statement(text: str) -> Statement[Any]:
    """The only statement of a text."""
    (found,) = reader().read(text.splitlines()).statements
    return found


def order(text: str) -> od.Order:
    found = statement(text)
    assert found.refusal is None, f"{text!r}: {found.refusal!r} {found.refusal.facts if found.refusal else ''}"
    read: od.Order = found.order
    return read


def turn(space: str, work: od.Work | None = None, nation: str | None = None) -> od.Turn:
    return od.Turn(nation=nation, space=space, work=work)  # type: ignore[arg-type]


def move(*lines: od.Line | od.Destroy, nation: str | None = None, space: str = "maneuver") -> od.Turn:
    return turn(space, od.Move(lines=lines), nation)


def army(region: str, target: str | None = None, **more: Any) -> od.Line:
    return od.Line(unit="army", region=region, target=target, **more)  # type: ignore[arg-type]


def fleet(region: str, target: str | None = None, **more: Any) -> od.Line:
    return od.Line(unit="fleet", region=region, target=target, **more)  # type: ignore[arg-type]


def units(unit: str, region: str, count: int = 1) -> od.Units:
    return od.Units(unit=unit, region=region, count=count)  # type: ignore[arg-type]


def plan(condition: od.Condition | None, *turns: od.Turn, nation: str = "austria_hungary") -> od.Plan:
    """The turns are of that nation, whatever they say."""
    named = tuple(replace(each, nation=nation) for each in turns)
    return od.Plan(nation=nation, condition=condition, turns=named)  # type: ignore[arg-type]


def buy(*bought: od.Units, nation: str | None = None) -> od.Turn:
    return turn("import", od.Buy(units=bought), nation)


def invest(*choices: tuple[str, int] | tuple[str, int, int], else_none: bool = False) -> od.Invest:
    """Each choice is a nation, a price and perhaps the bond that is given back."""
    bonds = tuple(od.Purchase(nation=c[0], price=c[1], back=c[2] if len(c) > 2 else None) for c in choices)  # type: ignore[arg-type,misc]
    return od.Invest(choices=bonds, else_none=else_none)
