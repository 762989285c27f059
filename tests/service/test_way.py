"""The way of an order through the house, from what the application is given to what the rules make of it."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from inspect import CO_GENERATOR
from pathlib import Path
from types import FrameType

from tests.service.bureau import Bureau

CHECKOUT = Path(__file__).resolve().parent.parent.parent
TOP = "pbem.host.app"
MOST = 8  # files that hand an order on


def test_an_order_has_a_short_way_and_no_call_climbs(bureau: Bureau) -> None:
    """Calls go from a layer to itself or to one below it, in all that follows from a letter with an order.

    Rules and notation are called through the door and the books through a port, wherever they stand; and what yields
    is not called by who takes it.
    """
    calls: set[tuple[str, str]] = set()  # the module that calls, and the one that is called
    ways: list[set[str]] = []  # the modules at work when an order is resolved

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and not frame.f_code.co_flags & CO_GENERATOR and (called := _module(frame)):
            at_work = [*_callers(frame)]
            if TOP in at_work:
                calls.add((at_work[0], called))
                if frame.f_code.co_name == "resolve":
                    ways.append(set(at_work[: at_work.index(TOP) + 1]))

    bureau.drop("anton", "austria: import A lemberg")
    sys.setprofile(watch)
    try:
        bureau.tick()
    finally:
        sys.setprofile(None)
    assert bureau.outcomes("anton") == [("played", None)]
    inside = [one for one in calls if not one[1].startswith(("pbem.games.", "pbem.adapters.store."))]
    assert [one for one in sorted(inside) if _layer(one[1]) < _layer(one[0])] == []
    assert ways
    assert [way for way in ways if len(way) > MOST] == []


def _callers(frame: FrameType) -> Iterator[str]:
    """The modules of ours that have led there, the last first."""
    back = frame.f_back
    while back is not None:
        if module := _module(back):
            yield module
        back = back.f_back


def _module(frame: FrameType) -> str:
    """The module of ours whose code runs there; "" of any other."""
    name = str(frame.f_globals.get("__name__", ""))
    return name if name.startswith("pbem.") else ""


@cache
def _layers() -> tuple[list[str], list[str]]:
    """Those that the import linter keeps, in the house and in the host."""
    settings = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    house, host = (each["layers"] for each in settings["tool"]["importlinter"]["contracts"] if each["type"] == "layers")
    return house, host


def _layer(module: str) -> tuple[int, int]:
    """Its place among them."""
    house, host = _layers()
    outer, _, inner = module.removeprefix("pbem.").partition(".")
    return _place(house, outer), _place(host, inner.partition(".")[0]) if outer == "host" else 0


def _place(layers: list[str], name: str) -> int:
    return next(
        place for place, line in enumerate(layers) if name in line.replace("|", ":").replace(" ", "").split(":")
    )
