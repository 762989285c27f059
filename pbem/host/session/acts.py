"""What is done beside the orders, by a person or by the clock: it stands in the log, and nothing takes it back.

The tags are what logs hold: none is ever changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from pbem.core.lapse import Lapsed
from pbem.core.reading import Reader
from pbem.language.ballots import Vote
from pbem.language.petitions import Kind


class _Act(Struct, frozen=True, kw_only=True):
    by: str  # who did it, as `actors` calls them


# -- what somebody who leads the game, or the clock, does with its course ---


class Rewound(_Act, frozen=True, kw_only=True, tag="rewound"):
    """The game stands again where it stood after an earlier entry."""

    turn: int  # which is under way again
    why: str = ""
    forward: bool = False  # the last rewinding was itself taken back


class Corrected(_Act, frozen=True, kw_only=True, tag="corrected"):
    """The position was put right by hand; the entry's events say how."""

    lines: tuple[str, ...]  # as of a play file's `given`
    why: str = ""


class OptionSet(_Act, frozen=True, kw_only=True, tag="option_set"):
    """An option has another value from now on, for all that is decided later."""

    key: str  # of the game's options, or of the terms
    value: str
    was: str
    why: str = ""
    consent: str = ""  # who agreed: a petition such as "P-3", or what the moderator says of it; "" before the game


class Announced(_Act, frozen=True, kw_only=True, tag="announced"):
    text: str


class ActedFor(_Act, frozen=True, kw_only=True, tag="acted_for"):
    """Orders were given in the place of a player; the entries that follow have the cause "moderator"."""

    seat: str
    text: str  # as it was written
    why: str = ""


class Closed(_Act, frozen=True, kw_only=True, tag="closed"):
    """The time of all that was awaited was ended by hand; the entries that follow tell what counts."""

    turn: int
    why: str = ""


class ClockSet(_Act, frozen=True, kw_only=True, tag="clock_set"):
    """Our clock had been ahead: instants of entries before this one may be too late, from here on they are right."""

    was: int  # the latest instant of the log so far
    why: str = ""


class Struck(_Act, frozen=True, kw_only=True, tag="struck"):
    """What the move order sheet tells of a seat in a turn counts for nothing, neither as late nor as forced."""

    seat: str
    turn: int
    why: str = ""


class Ended(_Act, frozen=True, kw_only=True, tag="ended"):
    """The game was ended before its end."""

    why: str = ""
    scored: bool = False  # with the scores as they stood; the entry behind it tells them


class Dealt(_Act, frozen=True, kw_only=True, tag="dealt"):
    """The game is a table of a season, whose draw has told who begins with what; that stands in its opening."""

    season: str  # "euro-3"
    table: int
    people: Mapping[str, int]  # by seat: the numbers of those whose chairs they were by the draw
    positions: Mapping[str, str] = {}  # by seat; none where they are the game's own lots


CourseAct = Dealt | Rewound | Corrected | OptionSet | Announced | ActedFor | Closed | ClockSet | Struck | Ended


# -- who plays, who leads, and who was asked to ---


class Seated(_Act, frozen=True, kw_only=True, tag="seated"):
    """Somebody else plays a seat from now on."""

    seat: str
    person: int  # their number; logs are published, so there is no name in them
    why: str = ""


class Ejected(_Act, frozen=True, kw_only=True, tag="ejected"):
    """Somebody has lost the seat; it is kept free for a substitute."""

    seat: str
    why: str = ""


class BotSeated(_Act, frozen=True, kw_only=True, tag="bot_seated"):
    """A bot answers for a seat, until its player writes again or somebody else sits down."""

    seat: str
    why: str = ""
    agreed: bool = False  # from the beginning: it has no player, and nobody is told again


class BotLeft(_Act, frozen=True, kw_only=True, tag="bot_left"):
    """No bot answers for a seat any more; by the seat itself, when its player has written."""

    seat: str
    why: str = ""


class Promoted(_Act, frozen=True, kw_only=True, tag="promoted"):
    """Somebody moderates the game, too; or alone, when it was handed over to them."""

    whom: str  # how they are called
    alone: bool = False
    why: str = ""
    person: int | None = None  # who had been asked first, by their number


class Removed(_Act, frozen=True, kw_only=True, tag="removed"):
    """Somebody does not moderate the game any more, as the players have decided."""

    person: int
    whom: str = ""  # how the log called that moderator
    why: str = ""


class Nominated(_Act, frozen=True, kw_only=True, tag="nominated"):
    """Somebody whom we don't know yet was asked to moderate, or to play; until the yes, everything stays as it is."""

    person: int
    seat: str = ""  # that they are to play; "": they are to moderate
    alone: bool = False  # in the place of whoever asks
    why: str = ""
    leads: int | None = None  # the number of whoever hands the game over; None: the operator


class Unwilling(_Act, frozen=True, kw_only=True, tag="unwilling"):
    """Who was asked to moderate, or to play, would rather not."""

    person: int
    seat: str = ""  # that they were to play


class Offered(_Act, frozen=True, kw_only=True, tag="offered"):
    """A seat was offered to people who do not play; by their numbers, for logs are published."""

    number: int  # of the petition
    people: tuple[int, ...]


class Accepted(_Act, frozen=True, kw_only=True, tag="accepted"):
    """Somebody would take the seat that a petition is about, or would not any more."""

    number: int
    person: int
    yes: bool = True


SeatAct = Seated | Ejected | BotSeated | BotLeft | Promoted | Removed | Nominated | Unwilling | Offered | Accepted


# -- time that does not count, and what became of the time of questions ---


PauseCause = Literal["petition", "moderator", "outage"]


class Paused(_Act, frozen=True, kw_only=True, tag="paused"):
    """A time in which nothing counts: a suspension that was voted for, a moderator's pause, a hold for an outage."""

    start: int
    end: int | None = None  # the first second that counts again; None: till somebody lets it go on
    why: str = ""
    cause: PauseCause


class Resumed(_Act, frozen=True, kw_only=True, tag="resumed"):
    """Time counts again from then on: pauses that run end, and those that were to come are called off."""

    at: int
    cause: PauseCause | None = None  # only pauses of this cause; None: all
    why: str = ""


class DeadlineSet(_Act, frozen=True, kw_only=True, tag="deadline_set"):
    """The time of what is awaited of a seat ends at another instant."""

    seat: str
    until: int
    why: str = ""


class Closing(Struct, frozen=True, kw_only=True):
    """How the time of one question ended."""

    seat: str
    kind: str
    about: str | None = None
    start: int | None = None  # when its time began; None: it was answered before that
    counted: int = 0  # seconds
    late: int = 0  # whole slots
    written: bool = True  # by the player, not made of silence
    lapsed: tuple[Lapsed, ...] = ()  # where others ended it: what was void of it, and what followed of itself


class TimeKept(_Act, frozen=True, kw_only=True, tag="time_kept"):
    """Questions were answered, by their players or in their place; what was answered stands in the same entry."""

    witness: str = ""  # a seat that stands for it that another one's time was ended rightly
    closings: tuple[Closing, ...]
    deputy: str = ""  # who wrote in the place of the player: a seat, or "deputy" for somebody who does not play
    why: str = ""  # of an end by hand: the reason of who presides; "" of all others
    end: int | None = None  # when that was, where something else was entered after it; None: at the entry's instant


class Away(_Act, frozen=True, kw_only=True, tag="away"):
    """A player, who sits there, will not look at their mail for a while."""

    start: int
    end: int  # the first second at which they are there again
    deputy: str = ""  # who may write for them meanwhile: a seat, or "deputy" for somebody who does not play
    person: int | None = None  # that one's number


class Back(_Act, frozen=True, kw_only=True, tag="back"):
    """A player who is away is there again, or does not go."""


class Consented(_Act, frozen=True, kw_only=True, tag="consented"):
    """Who was named as a deputy says whether they would write for somebody who is away."""

    seat: str  # whose player is away
    yes: bool = True


TimeAct = Paused | Resumed | DeadlineSet | TimeKept | Away | Back | Consented


# -- what the players ask each other, and what they say to it ---


class Petitioned(_Act, frozen=True, kw_only=True, tag="petitioned"):
    """Somebody asks the others to vote, and is for it."""

    number: int  # P-1, P-2 ...
    kind: Kind
    title: str
    text: str = ""
    sets: tuple[tuple[str, str], ...] = ()  # options and the values they are to have
    start: int | None = None  # of a suspension: not before then
    length: int = 0  # of a suspension, in seconds
    seat: str = ""  # of a replacement: whose
    substitute: int | None = None  # of a replacement: who is to have it, by number; None: whoever accepts first
    moderator: int | None = None  # who is not to lead the game any more, by number; the seat is theirs if they play
    whom: str = ""  # how the log calls that moderator behind the word; "" when it knows no name
    counts: bool = True  # does the proposer's own vote? It does not for who has not been in the seat for a round
    unanimous: bool = False  # must each elector be for it? So it is where others count on the game
    electors: tuple[str, ...]  # seats; () where an empty seat is offered, which nobody need vote on
    closes: int  # when those who have not voted are deemed to abstain

    @property
    def is_vacancy(self) -> bool:
        """Is an empty seat offered?"""
        return self.kind == "replace" and not self.electors


class Voted(_Act, frozen=True, kw_only=True, tag="voted"):
    number: int
    vote: Vote
    comment: str = ""
    counts: bool = True  # else it is heard alone: its writer has not been in the seat for a round
    stands: Vote | None = None  # what the seat counts as then: the vote of who sat there before; None: Quorum


class Deemed(_Act, frozen=True, kw_only=True, tag="deemed"):
    """A seat has rolled out, or a round is over: its votes stay as they are, and where there is none it is Quorum."""

    seat: str
    numbers: tuple[int, ...]


class Withdrawn(_Act, frozen=True, kw_only=True, tag="withdrawn"):
    number: int


class Rejected(_Act, frozen=True, kw_only=True, tag="rejected"):
    """A petition was not in order, so it is not voted on any more."""

    number: int
    why: str = ""


class Validated(_Act, frozen=True, kw_only=True, tag="validated"):
    """A petition is in order; that stays so."""

    number: int


class Decided(_Act, frozen=True, kw_only=True, tag="decided"):
    """The votes were counted; what follows from it are acts of their own, by the petition."""

    number: int
    passed: bool


class Interpreted(_Act, frozen=True, kw_only=True, tag="interpreted"):
    """How the player whose turn it is reads what another has written; nothing of the game changes by it."""

    number: int  # I-1, I-2 ...
    seat: str  # whose words they are
    turn: int  # in which they were written
    text: str


class Objected(_Act, frozen=True, kw_only=True, tag="objected"):
    """The player whose turn it is says that a report is wrong."""

    number: int  # O-1, O-2 ...
    turn: int  # that the report tells of
    text: str


class Ruled(_Act, frozen=True, kw_only=True, tag="ruled"):
    """An objection was decided; what follows from it are acts of their own."""

    number: int
    upheld: bool
    why: str = ""


VoteAct = Petitioned | Voted | Deemed | Withdrawn | Rejected | Validated | Decided | Interpreted | Objected | Ruled


# -- in the log ---

Act = CourseAct | SeatAct | TimeAct | VoteAct


class Done(Struct, frozen=True, kw_only=True):
    """An act in its place in the log."""

    seq: int
    at: int
    turn: int  # during which it was done
    act: Act
    back: int | None = None  # of a rewinding: the entry after which the game stands again
    is_veiled: bool = False  # may not all know of what came of it?


def dealt(done: Sequence[Done]) -> Dealt | None:
    """What a league has drawn for the game; None where it is no table of one."""
    return next((each.act for each in done if isinstance(each.act, Dealt)), None)


def standing(done: Sequence[Done]) -> list[Done]:
    """What was done in the course that the game has kept: nothing of turns that were taken back, as `log.live` has it.

    Most acts count all the same; this is for those that only say what followed from an order.
    """
    kept: list[Done] = []
    upto = done[-1].seq if done else 0
    for each in reversed(done):
        if each.seq <= upto:
            upto = each.seq if each.back is None else each.back
            kept.append(each)
    return kept[::-1]


def entered(act: Act) -> Mapping[str, Any]:
    """An act as the log keeps it."""
    plain: Mapping[str, Any] = msgspec.json.decode(msgspec.json.encode(act))
    return plain


_READ = Reader[Act](Act)


def read_act(plain: Mapping[str, Any]) -> Act:
    """An act that the log has kept. Raises `msgspec.ValidationError` for one that is of a later release."""
    return _READ(plain)
