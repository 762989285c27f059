"""Time that does not count, and what became of the time of questions."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.core.lapse import Lapsed

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


class DeadlineSet(Struct, frozen=True, kw_only=True, tag="deadline_set"):
    """The time of what is awaited of a seat ends at another instant."""

    by: str
    seat: str
    until: int
    why: str = ""


class Closing(Struct, frozen=True, kw_only=True):
    """How the time of one question ended."""

    seat: str
    kind: str
    about: str | None = None
    start: int | None = None  # when its time began; None: it was answered before that
    counted: int = 0  # seconds
    late: int = 0  # whole slots
    written: bool = True  # by the player, not made of silence
    lapsed: tuple[Lapsed, ...] = ()  # where others ended it: what was void of it, and what followed of itself


class TimeKept(Struct, frozen=True, kw_only=True, tag="time_kept"):
    """Questions were answered, by their players or in their place; what was answered stands in the same entry."""

    by: str  # a seat, "clock", "bot", or who presides
    witness: str = ""  # a seat that stands for it that another one's time was ended rightly
    closings: tuple[Closing, ...]
    deputy: str = ""  # who wrote in the place of the player: a seat, or "deputy" for somebody who does not play
    why: str = ""  # of an end by hand: the reason of who presides; "" of all others
    end: int | None = None  # when that was, where something else was entered after it; None: at the entry's instant


class Away(Struct, frozen=True, kw_only=True, tag="away"):
    """A player will not look at their mail for a while."""

    by: str  # their seat
    start: int
    end: int  # the first second at which they are there again
    deputy: str = ""  # who may write for them meanwhile: a seat, or "deputy" for somebody who does not play
    person: int | None = None  # that one's number


class Back(Struct, frozen=True, kw_only=True, tag="back"):
    """A player who is away is there again, or does not go."""

    by: str


class Consented(Struct, frozen=True, kw_only=True, tag="consented"):
    """Who was named as a deputy says whether they would write for somebody who is away."""

    by: str  # a seat, or "deputy"
    seat: str  # whose player is away
    yes: bool = True


TimeAct = Paused | Resumed | DeadlineSet | TimeKept | Away | Back | Consented
