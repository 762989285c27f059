"""What is done in a season, by a person or by the clock: its log holds nothing else, and nothing of it is edited.

The tags are what logs hold: none is ever changed. People are their public numbers: no name, address or
token stands here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from pbem.league.calendar import Calendar
from pbem.league.settings import Settings


class _Act(Struct, frozen=True, kw_only=True):
    pass


# -- the season and its calendar ---


class Founded(_Act, frozen=True, kw_only=True, tag="founded"):
    league: str
    season: int
    settings: Settings
    calendar: Calendar
    commitment: str  # x[0] of the chain that all draws are made by
    rules: str  # version of the game's
    positions: Mapping[int, tuple[str, ...]] = {}  # what sets seats apart, by the size of a table
    last: tuple[tuple[int, ...], ...] = ()  # the final order of each division of the season before
    borders: tuple[int, ...] = ()  # how many went up over each border below them
    resting: tuple[int, ...] = ()  # who said so before that season, and is entered for this one


class Opened(_Act, frozen=True, kw_only=True, tag="opened"):
    people: tuple[int, ...] = ()  # who finished the season before, and is entered without a word


class Called(_Act, frozen=True, kw_only=True, tag="called"):
    """Everybody who is entered has been asked once more whether they play."""


class Entrant(Struct, frozen=True, kw_only=True):
    person: int
    luck: str = ""


class Closed(_Act, frozen=True, kw_only=True, tag="closed"):
    """Who plays, in the order of their numbers, now with their luck words."""

    entrants: tuple[Entrant, ...]
    left_out: tuple[int, ...] = ()  # for they had not answered, or came too late


class CalledOff(_Act, frozen=True, kw_only=True, tag="called_off"):
    why: str = ""


class Paused(_Act, frozen=True, kw_only=True, tag="paused"):
    start: int
    end: int | None = None  # None: till somebody lets it go on
    season: bool = False  # is the season's end later by as much?
    why: str = ""


class Resumed(_Act, frozen=True, kw_only=True, tag="resumed"):
    why: str = ""


class Extended(_Act, frozen=True, kw_only=True, tag="extended"):
    """The end of the season, or of a table, is another instant."""

    table: int | None = None
    was: int
    until: int
    why: str = ""


class Deciding(_Act, frozen=True, kw_only=True, tag="deciding"):
    """All tables are over: till then results can be objected to."""

    until: int


class Movement(Struct, frozen=True, kw_only=True):
    person: int
    division: int  # of the next season, from 1
    was: int


class Place(Struct, frozen=True, kw_only=True):
    group: str
    person: int
    place: int
    points: int


class Ended(_Act, frozen=True, kw_only=True, tag="ended"):
    standings: tuple[Place, ...]
    order: tuple[tuple[int, ...], ...]  # of each division, the best first
    borders: tuple[int, ...]
    honours: Mapping[str, tuple[int, ...]] = {}
    digest: str = ""  # of the file of standings


class KeptApart(_Act, frozen=True, kw_only=True, tag="kept_apart"):
    """Who did not want to sit with whom; it is told when the season is over, and its draws can be drawn again then."""

    pairs: tuple[tuple[int, int], ...]


SeasonAct = Founded | Opened | Called | Closed | CalledOff | Paused | Resumed | Extended | Deciding | Ended | KeptApart


# -- people ---


class Entered(_Act, frozen=True, kw_only=True, tag="entered"):
    person: int
    luck: str = ""  # the SHA-256 of the word, which is told when entries close
    apart: str = ""  # a salted digest of whom they won't sit with


class Mustered(_Act, frozen=True, kw_only=True, tag="mustered"):
    person: int
    plays: bool = True


class Rested(_Act, frozen=True, kw_only=True, tag="rested"):
    person: int


class Withdrawn(_Act, frozen=True, kw_only=True, tag="withdrawn"):
    person: int
    why: str = ""


class Admitted(_Act, frozen=True, kw_only=True, tag="admitted"):
    person: int
    why: str = ""


class Refused(_Act, frozen=True, kw_only=True, tag="refused"):
    person: int
    why: str = ""


class Expelled(_Act, frozen=True, kw_only=True, tag="expelled"):
    person: int
    why: str = ""


class Excused(_Act, frozen=True, kw_only=True, tag="excused"):
    """Who left, left with leave: it costs nothing."""

    person: int
    why: str = ""


class Penalised(_Act, frozen=True, kw_only=True, tag="penalised"):
    person: int
    points: int  # hundredths
    why: str = ""


class Forgiven(_Act, frozen=True, kw_only=True, tag="forgiven"):
    person: int
    periods: int
    why: str = ""


class Late(_Act, frozen=True, kw_only=True, tag="late"):
    person: int
    table: int
    periods: int


class Moved(_Act, frozen=True, kw_only=True, tag="moved"):
    """Somebody begins the next season in another division."""

    person: int
    division: int
    why: str = ""


PersonAct = (
    Entered
    | Mustered
    | Rested
    | Withdrawn
    | Admitted
    | Refused
    | Expelled
    | Excused
    | Penalised
    | Forgiven
    | Late
    | Moved
)


# -- draws and tables ---


class Group(Struct, frozen=True, kw_only=True):
    name: str  # "2b"
    people: tuple[int, ...]


class Divided(_Act, frozen=True, kw_only=True, tag="divided"):
    link: str
    inputs: Mapping[str, Any]
    groups: tuple[Group, ...]


class Chair(Struct, frozen=True, kw_only=True):
    """A seat of a table that is drawn."""

    person: int
    position: str = ""


class TableDrawn(Struct, frozen=True, kw_only=True):
    number: int  # T-1, T-2 …
    group: str = ""
    chairs: tuple[Chair, ...]


class Drawing(Struct, frozen=True, kw_only=True):
    inputs: Mapping[str, Any]  # of one key; a fixed format has one for each group
    tables: tuple[TableDrawn, ...]
    cost: int = 0


class Drawn(_Act, frozen=True, kw_only=True, tag="drawn"):
    number: int
    link: str
    drawings: tuple[Drawing, ...]
    again: int | None = None  # the draw that it is made in the place of
    why: str = ""


class Unmatched(_Act, frozen=True, kw_only=True, tag="unmatched"):
    """On a day of matchings nobody (else) of those who wait in a pool could be seated."""


class Committed(_Act, frozen=True, kw_only=True, tag="committed"):
    """The links of a pool are nearly used up: x[0] of the chain that follows them."""

    commitment: str


class Sealed(_Act, frozen=True, kw_only=True, tag="sealed"):
    """A draw of anonymous tables: what it is, is the act behind this one, of which nothing but the digest is published
    till the last of them is over."""

    number: int
    digest: str
    tables: tuple[int, ...]
    again: int | None = None
    why: str = ""


class Unsealed(_Act, frozen=True, kw_only=True, tag="unsealed"):
    """From now on the log tells what the draw was."""

    number: int
    link: str


class Begun(_Act, frozen=True, kw_only=True, tag="begun"):
    table: int
    game: str
    commitment: str = ""  # of the game's own lots


class Warned(_Act, frozen=True, kw_only=True, tag="warned"):
    """The table was told that its time is running out."""

    table: int
    hours: int


class ChangedHands(_Act, frozen=True, kw_only=True, tag="changed_hands"):
    table: int
    seat: int  # whose chair it was by the draw
    leaves: int | None  # None: a bot
    comes: int | None  # None: a bot
    leave: bool = False  # by the organiser's leave: it costs nothing
    silent: bool = False
    entry: int = 0  # of the game's log
    why: str = ""


How = Literal["played", "agreed", "time", "fault", "aborted", "hand"]


class SeatResult(Struct, frozen=True, kw_only=True):
    seat: int  # whose chair it was by the draw
    person: int | None  # who sat there at the end; None: a bot
    place: int
    score: int | None = None
    points: int  # hundredths
    half: bool = True  # did who sat there at the end answer half of its questions?


class Noted(_Act, frozen=True, kw_only=True, tag="noted"):
    table: int
    how: How
    seats: tuple[SeatResult, ...]  # in seating order
    entry: int = 0  # the last one of the game's log, and its digest
    digest: str = ""
    void: bool = False  # every seat has the mean, or nothing; nobody has a place
    rated: bool = True


class Ruled(_Act, frozen=True, kw_only=True, tag="ruled"):
    """What the organiser does with a table, without another result."""

    table: int
    what: Literal["begun", "ended"]
    why: str = ""


class Scored(_Act, frozen=True, kw_only=True, tag="scored"):
    """A result by hand, in the place of the one that was noted."""

    table: int
    seats: tuple[SeatResult, ...]
    rated: bool = True
    why: str = ""


class Voided(_Act, frozen=True, kw_only=True, tag="voided"):
    table: int
    seats: tuple[SeatResult, ...] = ()
    why: str = ""


class Replayed(_Act, frozen=True, kw_only=True, tag="replayed"):
    """The table is played anew; its number stays."""

    table: int
    why: str = ""


TableAct = (
    Divided
    | Drawn
    | Unmatched
    | Committed
    | Sealed
    | Unsealed
    | Begun
    | Warned
    | ChangedHands
    | Noted
    | Ruled
    | Scored
    | Voided
    | Replayed
)


# -- what is asked, said and decided ---


class Petitioned(_Act, frozen=True, kw_only=True, tag="petitioned"):
    number: int
    person: int | None = None  # who asks; None: the clock
    kind: Literal["change", "clarify", "suspend", "replace", "abort"]
    title: str
    text: str = ""
    sets: tuple[tuple[str, str], ...] = ()
    start: int | None = None
    length: int = 0
    whom: int | None = None  # who would lead the league; None: whom the votes name by its text
    electors: tuple[int, ...]
    closes: int


class Voted(_Act, frozen=True, kw_only=True, tag="voted"):
    number: int
    person: int
    vote: Literal["for", "against", "abstain"]
    comment: str = ""
    salt: str = ""  # so that nobody finds the vote by its digest, which is published before the decision


class Withheld(_Act, frozen=True, kw_only=True, tag="withheld"):
    """An act of which nothing but the digest is published yet, as of a vote till its petition is decided; no log holds
    it in words."""


class Decided(_Act, frozen=True, kw_only=True, tag="decided"):
    number: int
    passed: bool


class Rejected(_Act, frozen=True, kw_only=True, tag="rejected"):
    number: int
    why: str = ""


class TakenBack(_Act, frozen=True, kw_only=True, tag="taken_back"):
    """A petition, by whoever made it."""

    number: int


class Objected(_Act, frozen=True, kw_only=True, tag="objected"):
    number: int
    person: int
    about: str  # T-12, D-2, A-41
    text: str


class Upheld(_Act, frozen=True, kw_only=True, tag="upheld"):
    number: int
    why: str = ""


class Dismissed(_Act, frozen=True, kw_only=True, tag="dismissed"):
    number: int
    why: str = ""


class Announced(_Act, frozen=True, kw_only=True, tag="announced"):
    text: str


class Promoted(_Act, frozen=True, kw_only=True, tag="promoted"):
    person: int


class HandedOver(_Act, frozen=True, kw_only=True, tag="handed_over"):
    person: int
    leaves: int | None = None  # who led it till now; None: nobody of those who lead it


class Set(_Act, frozen=True, kw_only=True, tag="set"):
    key: str  # "limits.game_days"
    value: Any
    was: Any
    consent: str = ""  # the petition it follows from
    why: str = ""


class Rewound(_Act, frozen=True, kw_only=True, tag="rewound"):
    """Every act above that number is taken back; taking a rewinding back counts them again."""

    to: int
    forward: bool = False
    why: str = ""


WordAct = (
    Petitioned
    | Voted
    | Withheld
    | Decided
    | Rejected
    | TakenBack
    | Objected
    | Upheld
    | Dismissed
    | Announced
    | Promoted
    | HandedOver
    | Set
    | Rewound
)

Act = SeasonAct | PersonAct | TableAct | WordAct
