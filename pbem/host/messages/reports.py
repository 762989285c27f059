"""Letters about a game as it is played, before anybody words them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from pbem.core.presenter import View
from pbem.host.messages.parts import (
    Awaited,
    Flaw,
    Line,
    OnFile,
    PauseTold,
    Petition,
    Remark,
    Said,
    TurnReport,
)
from pbem.host.session.identity import Place


class Opening(Struct, frozen=True, kw_only=True, tag="opening"):
    """The game begins: seats and lots."""

    game: str
    place: Place
    seat: str
    title: str
    edition: str
    commitment: str
    draws: tuple[Mapping[str, Any], ...]  # purpose, among, result
    events: tuple[Mapping[str, Any], ...]
    after: View
    awaited: tuple[Awaited, ...]
    slot_hours: int
    facts: tuple[Mapping[str, Any], ...] = ()  # what the game says about each question to this reader
    standing: tuple[str, ...] = ()  # the reader's own, which answer by themselves
    idle: tuple[Flaw, ...] = ()  # the reader's standing orders that can't answer what is asked, and why
    policy: str = "auto"  # who ends an answer's time: auto on_request lenient
    grace_hours: int = 0  # after that time, before it is ended


class Report(Struct, frozen=True, kw_only=True, tag="report"):
    """Turns are over that the reader has not been told of yet, one or several."""

    game: str
    place: Place
    seat: str  # who reads it
    turns: tuple[TurnReport, ...]
    before: View  # as they were told last
    after: View
    awaited: tuple[Awaited, ...]
    slot_hours: int
    events: tuple[Mapping[str, Any], ...] = ()  # what has followed of the turn that is under way
    facts: tuple[Mapping[str, Any], ...] = ()  # what the game says about each question to this reader
    standing: tuple[str, ...] = ()  # the reader's own, which answer by themselves
    idle: tuple[Flaw, ...] = ()  # the reader's standing orders that can't answer what is asked, and why
    course: tuple[View, ...] = ()  # the last of each round so far, as the reader may see them
    late: Mapping[str, int] = {}  # slots by which the seats were late so far
    bots: tuple[str, ...] = ()  # the seats for which one answers
    petitions: tuple[Petition, ...] = ()  # that are open
    rulings: tuple[Petition, ...] = ()  # what the players have ruled
    remarks: tuple[Remark, ...] = ()


class Question(Struct, frozen=True, kw_only=True, tag="question"):
    """Something is asked of this reader in the middle of a turn; what has happened of it so far."""

    game: str
    place: Place
    seat: str
    turns: tuple[TurnReport, ...]  # that are over and that they have not been told of yet
    said: tuple[Said, ...]  # in the turn that is under way
    events: tuple[Mapping[str, Any], ...]
    before: View  # as they were told last
    now: View
    awaited: tuple[Awaited, ...]  # all who are asked; their own among them
    facts: tuple[Mapping[str, Any], ...]  # what the game says about each of their questions
    slot_hours: int
    standing: tuple[str, ...] = ()  # the reader's own, which answer by themselves
    idle: tuple[Flaw, ...] = ()  # the reader's standing orders that can't answer what is asked, and why
    until: int | None = None  # the reader writes for the seat up to then, whose player is away


class Reminder(Struct, frozen=True, kw_only=True, tag="reminder"):
    game: str
    place: Place
    seat: str
    awaited: Awaited
    hours: int  # left, rounded up
    on_file: tuple[OnFile, ...]
    until: int | None = None  # the reader writes for the seat up to then, whose player is away


class Overdue(Struct, frozen=True, kw_only=True, tag="overdue"):
    """Somebody's time is over, and they have not answered."""

    game: str
    seat: str  # who reads it
    awaited: Awaited
    policy: str  # auto on_request lenient
    closes: int | None  # when the clock answers in their place
    grace: int | None = None  # from when on other players may end it; None: at once, or never
    days: int = 0  # that have counted since; 0: it is told for the first time
    turn: int = 0  # that is under way
    leads: bool = False  # does the reader moderate the game?


class Halt(Struct, frozen=True, kw_only=True, tag="halt"):
    """Time does not count for a while, or counts again."""

    game: str
    seat: str  # who reads it
    cause: str | None  # petition moderator outage; None: any
    by: str
    why: str
    start: int
    end: int | None
    resumed: bool  # it counts again since `start`
    goes_on: tuple[PauseTold, ...] = ()  # other pauses, that run or are to come
    awaited: tuple[Awaited, ...]  # with the deadlines as they are now


class Unused(Struct, frozen=True, kw_only=True, tag="unused"):
    """An advance order was due and not possible."""

    game: str
    seat: str
    lines: tuple[Line, ...]


class Final(Struct, frozen=True, kw_only=True, tag="final"):
    """The game is over; it comes with the report of the last turns."""

    game: str
    seat: str
    turns: tuple[TurnReport, ...]  # that they have not been told of yet, the last of the game among them
    before: View  # as they were told last
    after: View
    commitment: str
    secret: str  # from which the lots were drawn
    people: Mapping[str, str] = {}  # their names by seat, where they are told now
    course: tuple[View, ...] = ()  # the last of each round so far, as the reader may see them
    late: Mapping[str, int] = {}  # slots by which the seats were late


class Notice(Struct, frozen=True, kw_only=True, tag="notice"):
    """Something was done beside the orders: who, what and why."""

    game: str
    place: Place
    seat: str | None  # who reads it; None: a moderator
    kind: str  # the act's tag
    act: Mapping[str, Any]
    dropped: tuple[str, ...]  # what the reader had on file, and no longer has
    after: View | None  # the position, when it is another one now
    awaited: tuple[Awaited, ...]
    facts: tuple[Mapping[str, Any], ...]
    slot_hours: int
    commitment: str | None = None  # with the secret from which the lots were drawn, when the game was ended
    secret: str | None = None
    petition: Petition | None = None  # that it is about


class Tally(Struct, frozen=True, kw_only=True, tag="tally"):
    """How the votes stand on what is open, once a day."""

    game: str
    place: Place
    seat: str  # who reads it; "" of a moderator
    petitions: tuple[Petition, ...]
