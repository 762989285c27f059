"""What the host asks of the world outside: a clock, a mailbox, a transport, and a store of its records.

Instants are whole seconds UTC since 1970 everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Literal, Protocol

from msgspec import Struct

from pbem.host.ports.leagues import Entrant as Entrant
from pbem.host.ports.leagues import League as League
from pbem.host.ports.leagues import Reserve as Reserve
from pbem.host.ports.leagues import SeasonBook as SeasonBook
from pbem.host.ports.leagues import SeasonImport as SeasonImport
from pbem.host.ports.leagues import SeasonTable as SeasonTable
from pbem.host.ports.locks import Alone as Alone
from pbem.host.ports.locks import Locks as Locks
from pbem.host.ports.locks import held as held
from pbem.host.ports.locks import of_game as of_game
from pbem.host.ports.locks import waited_for as waited_for
from pbem.host.ports.records import Address as Address
from pbem.host.ports.records import Claim as Claim
from pbem.host.ports.records import Dead as Dead
from pbem.host.ports.records import FiledOrder as FiledOrder
from pbem.host.ports.records import Game as Game
from pbem.host.ports.records import Mailed as Mailed
from pbem.host.ports.records import Member as Member
from pbem.host.ports.records import Noted as Noted
from pbem.host.ports.records import OutboxRow as OutboxRow
from pbem.host.ports.records import Person as Person
from pbem.host.ports.records import Press as Press
from pbem.host.ports.records import RawLetter as RawLetter
from pbem.host.ports.records import Slot as Slot
from pbem.host.ports.records import Vitals as Vitals
from pbem.host.ports.repository import Conflict as Conflict
from pbem.host.ports.repository import Repository as Repository
from pbem.host.ports.repository import Store as Store
from pbem.host.ports.repository import StoreDown as StoreDown
from pbem.host.ports.repository import Taken as Taken
from pbem.host.ports.repository import Unknown as Unknown

# -- the computer that we run on, and where its operator reads ---


class Clock(Protocol):
    def now(self) -> int:
        """The current instant, whole seconds UTC."""


class Timepiece(Clock, Protocol):
    """A clock that may be put forward and back, and beside it one that nobody can set."""

    def elapsed(self) -> float:
        """Seconds that have gone by since some moment; only differences mean something."""


Stopwatch = Callable[[], float]  # seconds since some moment; only differences mean something


class Log(Protocol):
    """Where the operator reads what went wrong."""

    def exception(self, message: str, *facts: object, exc_info: Exception | bool = True) -> None: ...
    def warning(self, message: str, *facts: object) -> None: ...
    def info(self, message: str, *facts: object, extra: Mapping[str, object] | None = None) -> None:
        """An event; `extra` may hold letter, row, game, fate and seconds."""


# -- letters that come in, and the mailbox they lie in ---


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

    def heads(self) -> Iterable[RawLetter]:
        """The same with nothing but their headers, so that workers can part them among each other."""

    def fetch(self, heads: Sequence[RawLetter]) -> Iterable[RawLetter]:
        """The whole of these letters; what lies there no more is left out."""

    def shelve(self, letters: Sequence[tuple[RawLetter, MailFolder]]) -> None:
        """Move the letters out of the inbox; done twice, they stay where they are.

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


# -- mail that goes out, and who takes it on ---


class Attachment(Struct, frozen=True, kw_only=True):
    """A file that travels with a mail."""

    name: str  # of the file
    type: str  # its media type with parameters, such as "image/png" (RFC 2045 section 5)
    data: bytes
    cid: str | None = None  # the HTML shows it as `cid:` and this; None: it is for keeping (RFC 2392)


class Mail(Struct, frozen=True, kw_only=True):
    """A letter of ours, ready for the transport."""

    message_id: str  # with angle brackets
    to: str
    subject: str
    text: str
    html: str | None = None
    reply_to: str | None = None  # another address for answers than the sender's
    returns: str | None = None  # the tag of the address it comes back to when it can't be delivered
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    answers: bool = False  # an answer to one letter (auto-replied), else auto-generated (RFC 3834 section 5)
    game: str | None = None  # the tag of the game it is about, which names a list of its own (RFC 2919)
    attachments: tuple[Attachment, ...] = ()


class Undelivered(Exception):
    """The transport could not hand this mail over; `permanent` when it is refused for good."""

    def __init__(self, reason: str, *, permanent: bool) -> None:
        super().__init__(reason)
        self.permanent = permanent


class PostDown(Exception):
    """The next server can't be reached or doesn't let us in: no mail goes out now, whatever it is."""


class MailTransport(Protocol):
    def send(self, mail: Mail) -> None:
        """Hand the mail over to the next server; raises `Undelivered`, `PostDown`."""
