"""What is done beside the orders, by a person or by the clock: it stands in the log, and nothing takes it back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct


class Rewound(Struct, frozen=True, kw_only=True, tag="rewound"):
    """The game stands again where it stood after an earlier entry."""

    by: str  # a seat, or "moderator NAME", "operator", "clock"
    turn: int  # which is under way again
    why: str = ""


class Corrected(Struct, frozen=True, kw_only=True, tag="corrected"):
    """The position was put right by hand; the entry's events say how."""

    by: str
    lines: tuple[str, ...]  # as of a play file's `given`
    why: str = ""


PauseCause = Literal["petition", "moderator", "outage"]


class Paused(Struct, frozen=True, kw_only=True, tag="paused"):
    """A time in which nothing counts: a suspension that was voted for, a moderator's pause, a hold for an outage."""

    by: str
    start: int
    end: int | None = None  # the first second that counts again; None: till somebody lets it go on
    why: str = ""
    cause: PauseCause


class Resumed(Struct, frozen=True, kw_only=True, tag="resumed"):
    """Time counts again from then on: pauses that run end, and those that were to come are called off."""

    by: str
    at: int
    cause: PauseCause | None = None  # only pauses of this cause; None: all
    why: str = ""


Act = Rewound | Corrected | Paused | Resumed


class Done(Struct, frozen=True, kw_only=True):
    """An act in its place in the log."""

    seq: int
    at: int
    turn: int  # during which it was done
    act: Act


def entered(act: Act) -> Mapping[str, Any]:
    """An act as the log keeps it."""
    plain: Mapping[str, Any] = msgspec.to_builtins(act)
    return plain


def read_act(plain: Mapping[str, Any]) -> Act:
    """An act that the log has kept. Raises `msgspec.ValidationError` for one that is of a later release."""
    act: Act = msgspec.convert(plain, Act)
    return act
