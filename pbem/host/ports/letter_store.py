"""The part of the store that the games know nothing of: letters, and mail that was given up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pbem.host.ports.incoming import RawLetter
from pbem.host.ports.records import Dead, Mailed, Noted, Vitals


class LetterStore(Protocol):
    """The part of the books that the games know nothing of."""

    def filed_since(self, fates: Sequence[str], after: int) -> Sequence[tuple[str, int]]:
        """Senders and filing times of the letters filed after then of which one of these things became."""

    def keep(self, letter: str, raw: RawLetter, at: int, *, kept: bool) -> None:
        """Hold on to the bytes of a letter, in the place of what was held: for a time, or until it is dropped."""

    def kept(self) -> Sequence[Noted]:
        """The letters that a person should look at, in the order of filing."""

    def last(self, game: str, most: int) -> Sequence[Noted]:
        """The last letters about a game, the newest first."""

    def noted(self, letter: str) -> Noted | None:
        """What became of a letter."""

    def raw(self, letter: str) -> RawLetter | None:
        """A letter as it came, if its bytes are still there."""

    def forget(self, letter: str) -> None:
        """Take the mark away that it has been dealt with; its bytes stay."""

    def drop(self, letter: str) -> None:
        """Let go of its bytes; the mark stays."""

    def expire(self, before: int, kept_before: int) -> int:
        """Let go of bytes put by before then, of those kept for a person before the other instant; how many letters."""

    def letters_from(self, address: str) -> Sequence[Noted]:
        """All letters that came from there, in the order of filing."""

    def mail_to(self, address: str) -> Sequence[Mailed]:
        """All rows of the outbox that are for there, oldest first."""

    def erase_mail(self, address: str) -> None:
        """Forget what was written from there and to there; only that those letters were dealt with is remembered."""

    def dead(self) -> Sequence[Dead]:
        """The rows of the outbox that were given up, oldest first."""

    def revive(self, post: str, due: int) -> None:
        """A dead row is tried again from then on, as if for the first time."""

    def clear_away(self, post: str) -> None:
        """A dead row is of no interest any more; its id stays taken."""

    def bring_back(self, now: int, later: int) -> None:
        """No mark and no letter of ours is of after `now`, and none but reminders waits until after `later`."""

    def tally(self, name: str) -> None:
        """One more of these."""

    def vitals(self, now: int) -> Vitals: ...
