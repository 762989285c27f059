"""The one answer to a letter, before anybody words it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from pbem.host.messages.parts import Awaited
from pbem.host.messages.sections import Section
from pbem.host.session.proposal import Proposal


class Flaw(Struct, frozen=True, kw_only=True):
    """A part of an order that can't be done, in the order language, and why."""

    text: str
    code: str
    facts: Mapping[str, Any] = {}


class Line(Struct, frozen=True, kw_only=True):
    """One line of a letter, and what became of it."""

    text: str
    outcome: str  # one of `results.Outcome`
    code: str | None = None
    facts: Mapping[str, Any] = {}  # of the refusal; without one what more there is to say of the outcome
    line: int | None = None  # where in the letter
    column: int | None = None
    kept: str | None = None  # what of it is on file now
    to: tuple[str, ...] = ()  # the seats that press has gone to
    flaws: tuple[Flaw, ...] = ()  # what else in it can't be done
    events: tuple[Mapping[str, Any], ...] = ()  # what it did at once, as its writer may know it


class Rest(Struct, frozen=True, kw_only=True):
    """Lines of a letter that the answer has no room for."""

    count: int
    refused: int  # of them
    text: str  # the first of them


class OnFile(Struct, frozen=True, kw_only=True):
    kind: str  # draft advance standing
    text: str
    number: int = 0  # of several orders of a turn
    binds: int | None = None  # when it is played, unless it is taken back before


class Settings(Struct, frozen=True, kw_only=True):
    """How our letters to a member are from now on."""

    zone: str
    at: int  # the time now


class Reports(Struct, frozen=True, kw_only=True):
    """Which reports a member gets."""

    mode: str  # all round mine digest
    time: str  # of the day, as HH:MM, for a digest
    zone: str  # its


class Answered(Struct, frozen=True, kw_only=True):
    """A question whose time is over, because it has been answered."""

    key: str  # of its slot
    kind: str
    about: str | None
    at: int


class Reply(Struct, frozen=True, kw_only=True, tag="reply"):
    """The one answer to a letter."""

    game: str | None
    seat: str | None  # None: somebody we do not know in this game
    lines: tuple[Line, ...]
    cut: tuple[Mapping[str, Any], ...]  # why, lines
    on_file: tuple[OnFile, ...]
    awaited: tuple[Awaited, ...]
    problem: str | None = None  # a code for what concerns the whole letter, such as letter.empty
    facts: Mapping[str, Any] = {}
    events: tuple[Mapping[str, Any], ...] = ()  # what orders did of which there is no line
    settings: Settings | None = None  # when they have chosen any
    reports: Reports | None = None  # when they have chosen, or asked
    told: tuple[Section, ...] = ()  # what they asked
    answered: tuple[Answered, ...] = ()  # what of them is awaited no more
    calendar: bool | None = None  # do they get files for their calendar? When they have chosen, or asked
    stead: bool = False  # they wrote for the seat, whose player is away
    left: Mapping[str, Mapping[str, Any]] = {}  # by kind of question, with what they can still answer it
    over: bool = False  # has the game ended, perhaps by this letter?
    copied: bool = False  # others were sent the letter, so that earlier letters of ours prove nothing any more
    more: Rest | None = None  # lines for which there was no room
    more_on_file: int = 0  # papers for which there was none
    proposal: Proposal | None = None  # what a yes would play
    press_to: str | None = None  # whom it may have been meant for as press: it answers that of a seat, or of "all"
    agreed: bool = False  # they have said yes to what we had proposed: the lines are ours
    season: str | None = None  # of a league, that it is about in the place of a game
    last: bool = False  # letters like this one are not answered any more that day

    @property
    def is_vain(self) -> bool:
        """Could nothing of the letter be done, nor anything be told that it asked?"""
        done = any(line.outcome not in ("refused", "passed") for line in self.lines)
        return bool(self.lines) and not done and not self.told and self.settings is None and self.reports is None
