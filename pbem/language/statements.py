"""What a letter says, statement by statement."""

from __future__ import annotations

from typing import Generic, TypeVar

from msgspec import Struct

from pbem.core.refusal import Refusal
from pbem.language.ballots import Ballot
from pbem.language.command import UNREAD, Command
from pbem.language.petitions import Motion, Remark

O = TypeVar("O")


class Statement(Struct, Generic[O], frozen=True, kw_only=True):
    """One order or command of a letter, or why it can't be read."""

    command: Command = UNREAD
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

    @property
    def ordered(self) -> O:
        """The order of a line that is one and can be read."""
        assert self.order is not None, f"an order has been read: {self.text!r}"
        return self.order


class Reading(Struct, Generic[O], frozen=True, kw_only=True):
    """All that a letter says."""

    statements: tuple[Statement[O], ...]
    passed: tuple[str, ...]  # prose around the orders

    @property
    def stopped(self) -> bool:
        """Is there a line that can't be read? Then nothing of the letter is played."""
        return any(statement.refusal for statement in self.statements)
