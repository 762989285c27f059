"""What a letter says, statement by statement, and which words the house itself knows."""

from __future__ import annotations

from typing import Generic, TypeVar

from msgspec import Struct

from pbem.core.refusal import Refusal
from pbem.language.ballots import Ballot
from pbem.language.petitions import Motion
from pbem.language.remarks import Remark

O = TypeVar("O")

COMMANDS = {  # by rule of the host's grammar
    "draft": "draft",
    "preview": "preview",
    "play": "play",
    "rollout": "rollout",  # of another player, who is late
    "show": "show",
    "cancel": "cancel",
    "standing_order": "standing",
    "standing_none": "standing_none",
    "advance": "advance",
    "help": "help",
    "status": "status",
    "board": "board",
    "history": "history",
    "rules": "rules",
    "clock": "clock",
    "language": "language",
    "zone": "zone",
    "address": "address",
    "petitions": "petitions",
    "records": "records",
    "moveorder": "moveorder",
    "press": "press",
    "away": "away",
    "reports": "reports",
    "calendar": "calendar",
    "order_now": "order",
    "games": "games",
}

# Asked of the house: the answer is all that comes of it.
QUESTIONS = ("help", "status", "board", "history", "rules", "clock", "petitions", "records", "moveorder", "games")

# Said to the house, whatever the state of the game.
ASIDES = (
    "show",
    "help",
    "status",
    "board",
    "history",
    "rules",
    "clock",
    "language",
    "zone",
    "address",
    "reports",
    "calendar",
    "petitions",
    "records",
    "moveorder",
    "press",
    "games",
)


# Those of them that change something, when anything stands behind the word.
SETTINGS = ("language", "zone", "address", "reports", "calendar")


class Statement(Struct, Generic[O], frozen=True, kw_only=True):
    """One order or command of a letter, or why it can't be read."""

    command: str  # one of `COMMANDS`, "press" or "petition"; "" when an order can't be read
    text: str  # as written
    line: int  # in the letter, from 1
    column: int = 1  # where it begins
    order: O | None = None
    refusal: Refusal | None = None
    rest: str = ""  # behind the word of a command; of `help` the topic's id, of `rollout` the seat, of press its text
    to: tuple[str, ...] = ()  # of press that is sent: the seats, or `press.ALL`
    witness: str = ""  # the seat that is named as witness of a `rollout`
    partial: O | None = None  # what of an unreadable order can be read
    more: tuple[Refusal, ...] = ()  # why the other items of an unreadable order can't be read, each with its `item`
    motion: Motion | Ballot | Remark | None = None  # a petition, a word about one, or a remark on a turn


class Reading(Struct, Generic[O], frozen=True, kw_only=True):
    """All that a letter says."""

    statements: tuple[Statement[O], ...]
    passed: tuple[str, ...]  # prose around the orders

    @property
    def stopped(self) -> bool:
        """Is there a line that can't be read? Then nothing of the letter is played."""
        return any(statement.refusal for statement in self.statements)
