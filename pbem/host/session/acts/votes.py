"""What the players ask each other, and what they say to it."""

from __future__ import annotations

from msgspec import Struct

from pbem.language.ballots import Vote
from pbem.language.petitions import Kind


class Petitioned(Struct, frozen=True, kw_only=True, tag="petitioned"):
    """Somebody asks the others to vote, and is for it."""

    by: str
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
    electors: tuple[str, ...]  # seats; () where an empty seat is offered, which nobody need vote on
    closes: int  # when those who have not voted are deemed to abstain

    @property
    def is_vacancy(self) -> bool:
        """Is an empty seat offered?"""
        return self.kind == "replace" and not self.electors


class Voted(Struct, frozen=True, kw_only=True, tag="voted"):
    by: str
    number: int
    vote: Vote
    comment: str = ""
    counts: bool = True  # else it is heard alone: its writer has not been in the seat for a round
    stands: Vote | None = None  # what the seat counts as then: the vote of who sat there before; None: Quorum


class Deemed(Struct, frozen=True, kw_only=True, tag="deemed"):
    """A seat has rolled out, or a round is over: its votes stay as they are, and where there is none it is Quorum."""

    by: str
    seat: str
    numbers: tuple[int, ...]


class Withdrawn(Struct, frozen=True, kw_only=True, tag="withdrawn"):
    by: str
    number: int


class Rejected(Struct, frozen=True, kw_only=True, tag="rejected"):
    """A petition was not in order, so it is not voted on any more."""

    by: str
    number: int
    why: str = ""


class Validated(Struct, frozen=True, kw_only=True, tag="validated"):
    """A petition is in order; that stays so."""

    by: str
    number: int


class Decided(Struct, frozen=True, kw_only=True, tag="decided"):
    """The votes were counted; what follows from it are acts of their own, by the petition."""

    by: str
    number: int
    passed: bool


class Interpreted(Struct, frozen=True, kw_only=True, tag="interpreted"):
    """How the player whose turn it is reads what another has written; nothing of the game changes by it."""

    by: str
    number: int  # I-1, I-2 ...
    seat: str  # whose words they are
    turn: int  # in which they were written
    text: str


class Objected(Struct, frozen=True, kw_only=True, tag="objected"):
    """The player whose turn it is says that a report is wrong."""

    by: str
    number: int  # O-1, O-2 ...
    turn: int  # that the report tells of
    text: str


class Ruled(Struct, frozen=True, kw_only=True, tag="ruled"):
    """An objection was decided; what follows from it are acts of their own."""

    by: str
    number: int
    upheld: bool
    why: str = ""


VoteAct = Petitioned | Voted | Deemed | Withdrawn | Rejected | Validated | Decided | Interpreted | Objected | Ruled
