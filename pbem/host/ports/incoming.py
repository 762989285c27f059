"""Letters that come in, and the mailbox they lie in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Literal, Protocol

from msgspec import Struct


class RawLetter(Struct, frozen=True, kw_only=True):
    """A letter as the mailbox holds it."""

    uid: int
    uidvalidity: int
    arrived: int  # INTERNALDATE in seconds UTC (RFC 3501 2.3.3): the legal filing time
    raw: bytes
    size: int = 0  # bytes of the whole letter, as its server counts them
    cut: int | None = None  # it has more bytes than this: `raw` is its header alone
    again: int = 0  # how often it was dealt with before, at the operator's wish


class Cut(Struct, frozen=True, kw_only=True):
    """Lines of a letter that are not the writer's own words to us."""

    why: str  # quote attribution signature footer end forward struck hidden
    lines: int
    words: tuple[str, ...] = ()  # that were struck out or hidden: the writer may not know of them


Proof = Literal["pass", "fail", "none"]
Unreadable = Literal["encrypted", "winmail", "long", "parts"]
Fate = Literal["refused", "expired", "delayed", "complaint"]


class Bounce(Struct, frozen=True, kw_only=True):
    """What became of a letter of ours, as somebody says: anybody can write such a report."""

    fate: Fate  # refused for ever, given up, still on its way, or arrived and called spam
    addresses: tuple[str, ...]  # to whom it did not come, as far as that is said
    original: str | None  # its Message-ID
    tickets: tuple[str, ...] = ()  # in what it brings back; only who has had our letter can know them

    @property
    def permanent(self) -> bool:
        """Whether the next letter would not arrive either (5.x.x, RFC 3463)."""
        return self.fate == "refused"


class Letter(Struct, frozen=True, kw_only=True):
    """A letter as we read it."""

    id: str  # the Message-ID, else "sha256:" and the digest of the bytes; behind a blank what parts it from its like
    sender: str  # the bare address; "" when there is none
    name: str  # the display name; may be ""
    subject: str
    references: tuple[str, ...]  # In-Reply-To and References, oldest first
    lines: tuple[str, ...]  # the writer's own lines, in order
    cut: tuple[Cut, ...]
    ignored: str | None  # auto_submitted bounce list loop no_sender: never answered
    recipients: tuple[str, ...] = ()  # bare addresses it was sent or delivered to; local parts as written
    sent_to: tuple[str, ...] = ()  # those of them that its writer sent it to, with copies
    proven: Proof = "none"  # whether the mailbox's own server vouches for the sender (RFC 8601)
    size: int = 0  # bytes
    unreadable: Unreadable | None = None  # why there are no lines although something was written
    bounce: Bounce | None = None  # what it says of a letter of ours; only of letters that are ignored
    again: int = 0  # how often it was dealt with before, at the operator's wish

    @property
    def message_id(self) -> str | None:
        """Its Message-ID (RFC 5322 section 3.6.4); None when it has none."""
        return None if self.id.startswith("sha256:") else self.id.partition(" ")[0]


LetterReader = Callable[[bytes], Letter]


class MailFolder(StrEnum):
    """Where a letter goes when we are through with it."""

    done = "done"
    kept = "kept"  # unreadable, or a fault of ours: a person must look at it


class Mailbox(Protocol):
    def unread(self) -> Iterable[RawLetter]:
        """All letters in the inbox, by filing time, then UID. Coming to the end of them is a completed poll."""

    def shelve(self, letter: RawLetter, shelf: MailFolder) -> None:
        """Move the letter out of the inbox; done twice, it stays where it is.

        One that can't be moved waits in the inbox for a later `unread`, which need not return it again.
        """

    def expire(self, shelf: MailFolder, before: int, known: Callable[[str], bool]) -> int:
        """Delete the letters on that shelf that were filed before then and whose ids are known; how many."""

    @property
    def stuck(self) -> str | None:
        """Why letters that have been dealt with still lie in the inbox; None when there are none."""

    def wait(self, seconds: float) -> None:
        """Return when a letter may have come, or after `seconds`."""


class MailboxDown(Exception):
    """The mailbox can't be used now; try again later."""
