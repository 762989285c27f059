"""What the books keep for those who look after a server: letters as they came, mail that was given up, and counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from pbem.host.ports import RawLetter


class Noted(Struct, frozen=True, kw_only=True):
    """A letter to us that has been dealt with."""

    id: str
    arrived: int
    sender: str
    subject: str
    game: str | None
    fate: str  # what became of it: answered, "ignored" and why, fault, or the code of a problem
    kept: bool = False  # a person should look at it


class Dead(Struct, frozen=True, kw_only=True):
    """A row of the outbox that was given up."""

    id: str
    to: str
    kind: str
    game: str | None
    created: int
    attempts: int
    reason: str


class Mailed(Struct, frozen=True, kw_only=True):
    """A row of the outbox, whatever became of it."""

    id: str
    kind: str
    game: str | None
    created: int
    sent: int | None
    data: bytes


class Vitals(Struct, frozen=True, kw_only=True):
    """How a server does, in numbers that are counted without looking at each game."""

    games: Mapping[str, int]  # by status
    awaited: int  # answers
    next_deadline: int | None
    queued: int  # rows of the outbox that are due
    oldest: int | None  # since when the first of them waits
    dead: int
    kept: int  # letters that a person should look at
    polled: int | None  # when the last completed poll of the mailbox began
    delivered: int | None  # when a letter of ours was handed over last
    letters: Mapping[str, int]  # that ever came, by what became of them: answered, ignored, fault
    down: Mapping[str, int]  # what is out of reach, and since when


class LetterStore(Protocol):
    """The part of the books that the games know nothing of."""

    def filed_since(self, fates: Sequence[str], after: int) -> Sequence[tuple[str, int]]:
        """Senders and filing times of the letters filed after then of which one of these things became."""
        ...

    def keep(self, letter: str, raw: RawLetter, at: int, *, kept: bool) -> None:
        """Hold on to the bytes of a letter, in the place of what was held: for a time, or until it is dropped."""
        ...

    def kept(self) -> Sequence[Noted]:
        """The letters that a person should look at, in the order of filing."""
        ...

    def last(self, game: str, most: int) -> Sequence[Noted]:
        """The last letters about a game, the newest first."""
        ...

    def noted(self, letter: str) -> Noted | None:
        """What became of a letter."""
        ...

    def raw(self, letter: str) -> RawLetter | None:
        """A letter as it came, if its bytes are still there."""
        ...

    def forget(self, letter: str) -> None:
        """Take the mark away that it has been dealt with; its bytes stay."""
        ...

    def drop(self, letter: str) -> None:
        """Let go of its bytes; the mark stays."""
        ...

    def expire(self, before: int, kept_before: int) -> int:
        """Let go of bytes put by before then, of those kept for a person before the other instant; how many letters."""
        ...

    def letters_from(self, address: str) -> Sequence[Noted]:
        """All letters that came from there, in the order of filing."""
        ...

    def mail_to(self, address: str) -> Sequence[Mailed]:
        """All rows of the outbox that are for there, oldest first."""
        ...

    def erase_mail(self, address: str) -> None:
        """Forget what was written from there and to there; only that those letters were dealt with is remembered."""
        ...

    def dead(self) -> Sequence[Dead]:
        """The rows of the outbox that were given up, oldest first."""
        ...

    def revive(self, post: str, due: int) -> None:
        """A dead row is tried again from then on, as if for the first time."""
        ...

    def clear_away(self, post: str) -> None:
        """A dead row is of no interest any more; its id stays taken."""
        ...

    def bring_back(self, now: int, later: int) -> None:
        """No mark and no letter of ours is of after `now`, and none but reminders waits until after `later`."""
        ...

    def tally(self, name: str) -> None:
        """One more of these."""
        ...

    def vitals(self, now: int) -> Vitals: ...
