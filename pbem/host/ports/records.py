"""What the store holds: people, games, what was said in them, and what is to be told."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Person(Struct, frozen=True, kw_only=True):
    """Somebody who writes to us, in as many games as they like."""

    id: int
    name: str
    address: str  # in lower case; where our letters go
    language: str = "en"  # of our letters to them
    zone: str = "UTC"  # of the times in them, as the IANA names it
    calendar: bool = False  # do letters that ask them something bring a file for their calendar?
    page: bool | None = None  # and the page to order from? None: where no archive is linked that has it
    alias: str | None = None  # in leagues; None: their name, "": none, but their number
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
    binds: int | None = None  # of an order that may still be taken back: when it is played
    letter: str = ""  # the id of the one it came in, and
    deputy: str = ""  # who wrote it in the place of the player, of an order that binds


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


class RawLetter(Struct, frozen=True, kw_only=True):
    """A letter as the mailbox holds it."""

    uid: int
    uidvalidity: int
    arrived: int  # INTERNALDATE in seconds UTC (RFC 3501 2.3.3): the legal filing time
    raw: bytes
    size: int = 0  # bytes of the whole letter, as its server counts them
    cut: int | None = None  # it has more bytes than this: `raw` is its header alone
    again: int = 0  # how often it was dealt with before, at the operator's wish


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
    seat: str | None
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
