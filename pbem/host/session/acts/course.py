"""What somebody who leads the game, or the clock, does with its course."""

from __future__ import annotations

from msgspec import Struct


class Rewound(Struct, frozen=True, kw_only=True, tag="rewound"):
    """The game stands again where it stood after an earlier entry."""

    by: str  # a seat, or "moderator NAME", "operator", "clock"
    turn: int  # which is under way again
    why: str = ""
    forward: bool = False  # the last rewinding was itself taken back


class Corrected(Struct, frozen=True, kw_only=True, tag="corrected"):
    """The position was put right by hand; the entry's events say how."""

    by: str
    lines: tuple[str, ...]  # as of a play file's `given`
    why: str = ""


class OptionSet(Struct, frozen=True, kw_only=True, tag="option_set"):
    """An option has another value from now on, for all that is decided later."""

    by: str
    key: str  # of the game's options, or of the terms
    value: str
    was: str
    why: str = ""
    consent: str = ""  # who agreed: a petition such as "P-3", or what the moderator says of it; "" before the game


class Announced(Struct, frozen=True, kw_only=True, tag="announced"):
    by: str
    text: str


class ActedFor(Struct, frozen=True, kw_only=True, tag="acted_for"):
    """Orders were given in the place of a player; the entries that follow have the cause "moderator"."""

    by: str
    seat: str
    text: str  # as it was written
    why: str = ""


class Closed(Struct, frozen=True, kw_only=True, tag="closed"):
    """The time of all that was awaited was ended by hand; the entries that follow tell what counts."""

    by: str
    turn: int
    why: str = ""


class ClockSet(Struct, frozen=True, kw_only=True, tag="clock_set"):
    """Our clock had been ahead: instants of entries before this one may be too late, from here on they are right."""

    by: str
    was: int  # the latest instant of the log so far
    why: str = ""


class Struck(Struct, frozen=True, kw_only=True, tag="struck"):
    """What the move order sheet tells of a seat in a turn counts for nothing, neither as late nor as forced."""

    by: str
    seat: str
    turn: int
    why: str = ""


class Ended(Struct, frozen=True, kw_only=True, tag="ended"):
    """The game was ended before its end."""

    by: str
    why: str = ""
    scored: bool = False  # with the scores as they stood; the entry behind it tells them


CourseAct = Rewound | Corrected | OptionSet | Announced | ActedFor | Closed | ClockSet | Struck | Ended
