"""What letters are made of: turns, questions, petitions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from pbem.core.choice import Step
from pbem.host.session.actors import BOT
from pbem.host.session.acts import Closing


class Awaited(Struct, frozen=True, kw_only=True):
    """Somebody who must answer something."""

    seat: str
    kind: str  # in the game's words
    about: str | None
    deadline: int | None  # seconds UTC; None until the notice has been handed over
    begun: int | None = None  # when the time up to the deadline began, or begins with this letter
    held: bool = False  # time does not count now, and nobody knows when it will
    bot: bool = False  # a bot answers, and has no deadline


class Asks(Struct, frozen=True, kw_only=True):
    """What the game says about a question to whoever reads of it."""

    facts: Mapping[str, Any]
    choices: Step  # the answers it offers


class Said(Struct, frozen=True, kw_only=True):
    """An order that was carried out."""

    seat: str
    text: str  # in the order language; "" when the clock answered with nothing written
    cause: str  # letter draft advance standing lapse bot deputy
    deputy: str = ""  # who wrote it: a seat, or "deputy"; "": the player


class Kept(Closing, frozen=True, kw_only=True):
    """A row of the move order sheet: one question that was answered."""

    seq: int = 0  # of the entry
    turn: int = 0
    end: int
    by: str  # who ended its time: a seat, "clock", who presides, or "bot" where one answered
    witness: str = ""  # of an end by somebody else: a seat, "" when there is none left
    void: bool = False  # it counts for nothing: its turn was taken back, or somebody has struck it
    why: str = ""  # of an end by hand

    @property
    def forced(self) -> bool:
        """Was its time ended by somebody else?"""
        return self.by not in (self.seat, BOT)

    @property
    def facts(self) -> Mapping[str, Any]:
        """What its sentences need, but for what it is about."""
        told = ("seat", "start", "end", "counted", "late", "by", "witness", "written", "why")
        return {name: getattr(self, name) for name in told}


class Hours(Struct, frozen=True, kw_only=True):
    """What was agreed on about time, but for the length of a slot."""

    policy: str = "auto"  # on_request lenient
    grace_hours: int = 0
    zone: str = "UTC"
    idle_days: str = ""  # what does not count, as it was written
    holidays: str = ""
    quiet_hours: str = ""
    hold_minutes: int = 0  # before an order binds
    bots: str = "no"  # does a bot hold the seat of somebody silent?
    level: str = "fair"  # easy hard: how well bots play
    bot_seats: int = 0  # how many they have from the beginning
    away_days: int = 0  # of a game in which no time counts for somebody who is away


class PauseTold(Struct, frozen=True, kw_only=True):
    """A time that does not count."""

    cause: str  # petition moderator outage
    start: int
    end: int | None  # None: till somebody lets it go on


class TurnReport(Struct, frozen=True, kw_only=True):
    """A turn that is over."""

    number: int = 0
    round: int
    said: tuple[Said, ...]
    events: tuple[Mapping[str, Any], ...]  # tagged by "type"
    kept: tuple[Kept, ...] = ()


class Petition(Struct, frozen=True, kw_only=True):
    """What the players were asked to vote on, and how that stands or ended."""

    name: str  # P-1
    kind: str  # change clarify suspend resume replace remove finish abort
    by: str
    title: str
    text: str
    sets: tuple[tuple[str, str], ...]  # options, and the values they are to have
    start: int | None  # of a suspension: not before then
    length: int  # of a suspension, in seconds
    closes: int
    status: str  # open passed failed withdrawn rejected void
    ended: int | None
    absolute: bool  # does it need more than half of all?
    unanimous: bool = False  # does it need all?
    votes: Mapping[str, tuple[str, ...]]  # seats by vote: for against quorum
    silent: tuple[str, ...]  # who may still vote
    comments: tuple[tuple[str, str], ...]  # seats, and what they said to it
    seat: str = ""  # of a replacement: whose
    found: bool = False  # of a replacement: has somebody accepted?
    named: bool = False  # of a replacement: or else it is whoever accepts first
    waits: str = ""  # for whom it stays open: a seat, or a moderator's name
    vacant: bool = False  # it has passed, and nobody has accepted yet
    empty: bool = False  # of a replacement: nobody played there, so that nobody need vote
    rejected: str = ""  # why it was not in order


class Remark(Struct, frozen=True, kw_only=True):
    """How a player reads another's order, or their objection to a report."""

    name: str  # I-1, O-1
    by: str
    seat: str  # whose order it is; "" of an objection
    turn: int
    text: str
    status: str = ""  # of an objection: open upheld dismissed settled
    ruled: str = ""  # by whom, as the log calls them, or by a petition such as "P-1"
    why: str = ""

    @property
    def facts(self) -> Mapping[str, Any]:
        """What its sentence needs."""
        return {key: getattr(self, key) for key in ("name", "by", "seat", "turn", "status", "ruled", "why")}
