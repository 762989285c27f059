"""What the service asks of the world outside: a clock, a mailbox, a postman and a store.

Every port here has at least two fulfilments, the real one in `adapters` and a fake in the tests.
Instants are whole seconds UTC since 1970 everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from enum import StrEnum
from typing import Literal, Protocol

from msgspec import Struct


class Clock(Protocol):
    def now(self) -> int:
        """The current instant, whole seconds UTC."""
        ...


class Timepiece(Clock, Protocol):
    """A clock that may be put forward and back, and beside it one that nobody can set."""

    def elapsed(self) -> float:
        """Seconds that have gone by since some moment; only differences mean something."""
        ...


Stopwatch = Callable[[], float]  # seconds since some moment; only differences mean something


class Log(Protocol):
    """Where the operator reads what went wrong."""

    def exception(self, message: str, *facts: object, exc_info: Exception | bool = True) -> None: ...
    def warning(self, message: str, *facts: object) -> None: ...
    def info(self, message: str, *facts: object, extra: Mapping[str, object] | None = None) -> None:
        """An event; `extra` may hold letter, row, game, fate and seconds."""
        ...


# -- letters that come in ---


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
        ...

    def shelve(self, letter: RawLetter, shelf: MailFolder) -> None:
        """Move the letter out of the inbox; done twice, it stays where it is.

        One that can't be moved waits in the inbox for a later `unread`, which need not return it again.
        """
        ...

    def expire(self, shelf: MailFolder, before: int, known: Callable[[str], bool]) -> int:
        """Delete the letters on that shelf that were filed before then and whose ids are known; how many."""
        ...

    @property
    def stuck(self) -> str | None:
        """Why letters that have been dealt with still lie in the inbox; None when there are none."""
        ...

    def wait(self, seconds: float) -> None:
        """Return when a letter may have come, or after `seconds`."""
        ...


class MailboxDown(Exception):
    """The mailbox can't be used now; try again later."""


# -- mail that goes out ---


class Attachment(Struct, frozen=True, kw_only=True):
    """A file that travels with a mail."""

    name: str  # of the file
    type: str  # its media type with parameters, such as "image/png" (RFC 2045 section 5)
    data: bytes
    cid: str | None = None  # the HTML shows it as `cid:` and this; None: it is for keeping (RFC 2392)


class Mail(Struct, frozen=True, kw_only=True):
    """A letter of ours, ready for the postman."""

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
    """The postman could not hand this mail over; `permanent` when it is refused for good."""

    def __init__(self, reason: str, *, permanent: bool) -> None:
        super().__init__(reason)
        self.permanent = permanent


class PostDown(Exception):
    """The next server can't be reached or doesn't let us in: no mail goes out now, whatever it is."""


class MailTransport(Protocol):
    def send(self, mail: Mail) -> None:
        """Hand the mail over to the next server; raises `Undelivered`, `PostDown`."""
        ...


# -- the store ---


class Person(Struct, frozen=True, kw_only=True):
    """Somebody who writes to us, in as many games as they like."""

    id: int
    name: str
    address: str  # in lower case; where our letters go
    language: str = "en"  # of our letters to them
    zone: str = "UTC"  # of the times in them, as the IANA names it
    calendar: bool = False  # do letters that ask them something bring a file for his calendar?
    keys: int = 0  # rises when their tokens are to be worth nothing any more


class Address(Struct, frozen=True, kw_only=True):
    """One of the addresses a person writes from."""

    address: str  # in lower case
    person: int
    added: int
    verified: int | None = None  # when a letter from there proved to be theirs
    failures: int = 0  # letters in a row that could not be delivered there


class Claim(Struct, frozen=True, kw_only=True):
    """An address that a person says is theirs, and that has not answered yet: it may be somebody else's."""

    person: int
    address: str  # in lower case
    at: int


class Member(Struct, frozen=True, kw_only=True):
    """A person at a game: seated once the game has begun."""

    person: Person
    seat: str  # the name by which the others know them, unique in the game; "" of a moderator without one
    joined: int | None = None  # when they said yes
    reports: str = "all"  # which reports they want: all, round, mine, or "digest HH:MM" in their zone
    told: int = -1  # the last entry that a report to them has covered


class Game(Struct, frozen=True, kw_only=True):
    """A game as the books hold it; its course is in the entries."""

    id: str  # the tag in every subject, such as "imp-1"
    status: str  # inviting running finished
    setup: bytes  # JSON of the set-up asked for; seats as invited
    secret: str  # hex; its SHA-256 is published before anything is drawn, itself after the game
    created: int
    members: tuple[Member, ...]
    moderators: tuple[Member, ...] = ()  # by number, without seats; the operator is none of them, and over all

    @property
    def readers(self) -> tuple[Member, ...]:
        """All who are told what happens: the players, and those moderators who do not play."""
        seated = {member.person.id for member in self.members}
        return (*self.members, *(one for one in self.moderators if one.person.id not in seated))


class FiledOrder(Struct, frozen=True, kw_only=True):
    """Something a seat has on file: a draft, an advance order, a standing order."""

    seat: str
    kind: str  # draft advance standing
    key: str  # what it is for; a newer one with the same seat, kind and key replaces it
    text: str  # in the order language
    at: int


class Press(Struct, frozen=True, kw_only=True):
    """What a player wrote to others of the same game."""

    number: int  # in its game, from 1
    at: int
    seat: str  # who wrote it
    to: tuple[str, ...]  # the seats it went to; ("all",) when it was for everybody
    text: str
    answer: str  # the row of our answer to the letter it came in: its writer's own copy


class Slot(Struct, frozen=True, kw_only=True):
    """The time one awaited decision has."""

    key: str  # names the decision: seat, kind, about and the entry that opened it
    seat: str
    opened: int
    started: int | None = None  # when the notice was handed over
    deadline: int | None = None  # who answers then is timely; None before the start, and while nobody knows
    closes: int | None = None  # when the clock answers; None: it does not, or nobody knows
    due: int | None = None  # the clock has something to do once a poll has begun later than this
    overdue: int | None = None  # the deadline that all have been told was missed
    granted: int = 0  # seconds that it has beyond the hours of the game


class OutboxRow(Struct, frozen=True, kw_only=True):
    """A row of the outbox: what to say to whom; it is rendered when it is delivered."""

    id: str  # unique and stable: the Message-ID is made of it, so a repeated delivery carries the same
    to: str
    kind: str  # which job it is: report question digest reminder letter
    data: bytes  # JSON, what the letter needs
    game: str | None = None
    seat: str | None = None
    created: int
    due: int  # not before this instant
    attempts: int = 0


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


class Repository(LetterStore, Protocol):
    """The store inside one transaction: all of it happens, or nothing."""

    def trial(self) -> AbstractContextManager[Repository]:
        """Books with all that has been done so far; whatever is done in them is taken back when the block ends."""
        ...

    def fate(self, letter: str) -> str | None:
        """What became of a letter that has been dealt with; None when it has not."""
        ...

    def note(self, letter: str, raw: RawLetter, *, sender: str, subject: str, game: str | None, fate: str) -> None:
        """Keep the mark that this letter has been dealt with, where it lay, and what became of it."""
        ...

    def add_game(self, game: Game) -> None: ...
    def game(self, game: str) -> Game | None: ...
    def games(self, status: str | None = None) -> Sequence[Game]: ...
    def save_game(self, game: Game) -> None:
        """Replace status, set-up, members and moderators of a game that exists."""
        ...

    def games_of(self, person: int) -> Sequence[Game]:
        """The games this person is a member of, oldest first."""
        ...

    def moderated_by(self, person: int) -> Sequence[Game]:
        """The games this person moderates, oldest first."""
        ...

    def add_person(self, name: str, address: str, at: int, *, language: str = "en", zone: str = "UTC") -> Person:
        """Enter somebody with their first address. Raises `Taken` when it is somebody's."""
        ...

    def person(self, person: int) -> Person | None: ...
    def person_at(self, address: str) -> Person | None:
        """Whose address this is."""
        ...

    def save_person(self, person: Person) -> None:
        """Replace what is known of a person who exists."""
        ...

    def addresses(self, person: int) -> Sequence[Address]:
        """All they have, the oldest first."""
        ...

    def save_address(self, address: Address) -> None:
        """Enter an address, or replace what is known of it. Raises `Taken` when it is somebody else's."""
        ...

    def remove_address(self, address: str) -> None: ...

    def claims(self, person: int) -> Sequence[Claim]:
        """The addresses that a person has asked for, the oldest claim first."""
        ...

    def save_claim(self, claim: Claim) -> None:
        """Enter that a person has asked for an address, whoever has it; in the place of an older claim to it."""
        ...

    def remove_claim(self, person: int, address: str) -> None: ...

    def waiting(self) -> Sequence[Person]:
        """Who would take a seat that becomes free, in the order in which they came."""
        ...

    def wait(self, person: int, since: int) -> None:
        """Enter somebody behind the others, unless they wait already."""
        ...

    def wait_no_more(self, person: int) -> None: ...
    def entries(self, game: str, after: int = -1) -> Sequence[bytes]:
        """The encoded entries with a sequence number above `after`, in order."""
        ...

    def append(self, game: str, seq: int, entry: bytes) -> None:
        """Raises `Taken` when the sequence number is."""
        ...

    def filed(self, game: str) -> Sequence[FiledOrder]: ...
    def file(self, game: str, order: FiledOrder) -> None: ...
    def discard(self, game: str, order: FiledOrder) -> None: ...

    def press(self, game: str) -> Sequence[Press]:
        """All press of a game, by number."""
        ...

    def add_press(self, game: str, press: Press) -> None:
        """Raises `Taken` when the number is."""
        ...

    def slots(self, game: str) -> Sequence[Slot]: ...
    def put_slot(self, game: str, slot: Slot) -> None: ...
    def close_slot(self, game: str, key: str) -> None: ...
    def due_slots(self, before: int) -> Sequence[tuple[str, Slot]]:
        """Slots that are due before the instant, with their games, earliest first."""
        ...

    def next_due(self) -> int | None:
        """When the first slot is due."""
        ...

    def post(self, rows: Iterable[OutboxRow]) -> None:
        """Queue letters, in this order; one whose id is taken gets the next that is free: see `numbered`."""
        ...

    @property
    def fresh(self) -> Sequence[OutboxRow]:
        """What has been posted in this transaction, in this order."""
        ...

    def posted(self, post: str) -> bool:
        """Is there a row of this id, whatever became of it?"""
        ...

    def claim(self, now: int, until: int, limit: int = 100) -> Sequence[OutboxRow]:
        """Rows that are due, counted as one attempt more; nobody else gets them before `until`."""
        ...

    def next_post(self) -> int | None:
        """When the next row is due."""
        ...

    def delivered(self, post: str, at: int) -> None: ...
    def put_away(self, post: str) -> None:
        """There is nothing to say any more: the row never goes out."""
        ...

    def postpone(self, post: str, due: int) -> None:
        """The attempt has failed; try again at `due`."""
        ...

    def put_back(self, post: str, due: int) -> None:
        """It was not tried after all: it is due then, and the attempt does not count."""
        ...

    def bury(self, post: str, reason: str) -> None:
        """Give a row up; it stays in the books, dead, with the reason."""
        ...

    def buried(self) -> Mapping[str, str]: ...

    def polled(self) -> int | None:
        """When the last completed poll of the mailbox began."""
        ...

    def set_polled(self, at: int) -> None: ...

    def moved(self) -> Mapping[str, int]:
        """Games with something new for the archive, and their last entries then."""
        ...

    def set_moved(self, game: str, seq: int) -> None: ...
    def settle_move(self, game: str, seq: int) -> None:
        """The archive has the game up to that entry; what came after it stays noted."""
        ...

    def mark(self, name: str) -> int | None:
        """An instant that was noted under this name."""
        ...

    def set_mark(self, name: str, at: int | None) -> None:
        """Note an instant under this name, in the place of another; None: forget it."""
        ...


class Unknown(LookupError):
    """There is nothing of that name; one sentence for whoever has asked for it."""


class Conflict(Exception):
    """Another writer was at work; the transaction is to be tried again."""


class Taken(Exception):
    """What must be unique is there already.

    Another writer was first, and then the transaction goes well when it is tried again; or we have made one key twice,
    and then it never does: a fault of ours.
    """


class StoreDown(Exception):
    """The books can't be used now: they are locked for long, the disk is full, their server is gone."""


class Store(Protocol):
    def transaction(self) -> AbstractContextManager[Repository]:
        """All of the block happens, or nothing. Raises `Conflict`, `Taken` and `StoreDown`."""
        ...

    def close(self) -> None: ...
