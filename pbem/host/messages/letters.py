"""Each kind of letter, before anybody words it: answers, press, alarms, and all the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from pbem.host.messages.alarms import Sentence
from pbem.host.messages.parts import (
    Answered,
    Awaited,
    Line,
    OnFile,
    Reports,
    Rest,
    Settings,
)
from pbem.host.messages.people import (
    AddressChanged,
    AddressCheck,
    Arrivals,
    Deputised,
    Deputy,
    Gathers,
    Invitation,
    Nomination,
    NotNeeded,
    Offer,
    Substitute,
    Unanswered,
)
from pbem.host.messages.reports import Final, Halt, Notice, Opening, Overdue, Question, Reminder, Report, Tally, Unused
from pbem.host.messages.sections import Pressed, Section


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
    events: tuple[Mapping[str, Any], ...] = ()  # what their orders did at once
    settings: Settings | None = None  # when they have chosen any
    reports: Reports | None = None  # when they have chosen, or asked
    told: tuple[Section, ...] = ()  # what they asked
    answered: tuple[Answered, ...] = ()  # what of them is awaited no more
    calendar: bool | None = None  # do they get files for their calendar? When they have chosen, or asked
    stead: bool = False  # they wrote for the seat, whose player is away
    over: bool = False  # has the game ended, perhaps by this letter?
    copied: bool = False  # others were sent the letter, so that earlier letters of ours prove nothing any more
    more: Rest | None = None  # lines for which there was no room
    more_on_file: int = 0  # papers for which there was none
    last: bool = False  # letters like this one are not answered any more that day

    @property
    def is_vain(self) -> bool:
        """Could nothing of the letter be done, nor anything be told that it asked?"""
        done = any(line.outcome not in ("refused", "passed") for line in self.lines)
        return bool(self.lines) and not done and not self.told and self.settings is None and self.reports is None


class Press(Struct, frozen=True, kw_only=True, tag="press"):
    """Another player has written."""

    game: str
    seat: str  # who reads it
    said: Pressed
    answers: tuple[tuple[str, ...], ...]  # to whom they may want to answer: seats, or "all"


class Alarm(Struct, frozen=True, kw_only=True, tag="alarm"):
    """To the operator: something needs a person."""

    what: Sentence
    detail: str


Message = (
    AddressCheck
    | AddressChanged
    | Invitation
    | Opening
    | Report
    | Question
    | Reply
    | Press
    | Reminder
    | Overdue
    | Halt
    | Unused
    | Final
    | Notice
    | Tally
    | Substitute
    | Unanswered
    | Arrivals
    | Offer
    | Nomination
    | Deputy
    | Deputised
    | NotNeeded
    | Gathers
    | Alarm
)
