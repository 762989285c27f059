"""What is done with draws and tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from pbem.league.acts.base import BaseAct


class Group(Struct, frozen=True, kw_only=True):
    name: str  # "2b"
    people: tuple[int, ...]


class Divided(BaseAct, frozen=True, kw_only=True, tag="divided"):
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


class BeaconAsked(BaseAct, frozen=True, kw_only=True, tag="beacon_asked"):
    """It is time for a draw that a public number goes into."""

    draw: int


class BeaconTold(BaseAct, frozen=True, kw_only=True, tag="beacon_told"):
    """The public number, as anybody can look it up where the league's file says."""

    draw: int
    value: str


class Drawn(BaseAct, frozen=True, kw_only=True, tag="drawn"):
    number: int
    link: str
    drawings: tuple[Drawing, ...]
    again: int | None = None  # the draw that it is made in the place of
    why: str = ""


class Unmatched(BaseAct, frozen=True, kw_only=True, tag="unmatched"):
    """On a day of matchings nobody (else) of those who wait in a pool could be seated."""


class Committed(BaseAct, frozen=True, kw_only=True, tag="committed"):
    """The links of a pool are nearly used up: x[0] of the chain that follows them."""

    commitment: str


class Sealed(BaseAct, frozen=True, kw_only=True, tag="sealed"):
    """A draw of anonymous tables: what it is, is the act behind this one, of which nothing but the digest is published
    till the last of them is over."""

    number: int
    digest: str
    tables: tuple[int, ...]
    again: int | None = None
    why: str = ""


class Unsealed(BaseAct, frozen=True, kw_only=True, tag="unsealed"):
    """From now on the log tells what the draw was."""

    number: int
    link: str


class Imported(BaseAct, frozen=True, kw_only=True, tag="imported"):
    """A season that was played elsewhere, as its file of results tells it."""

    groups: tuple[Group, ...]
    tables: tuple[ImportedTable, ...]
    rated: bool = False


class ImportedTable(Struct, frozen=True, kw_only=True):
    drawn: TableDrawn
    draw: int = 0
    began: int | None = None
    ended: int
    noted: Noted


class Adopted(BaseAct, frozen=True, kw_only=True, tag="adopted"):
    """A game that nobody drew is a table of the season; that it was begun stands in the act behind this one."""

    drawn: TableDrawn
    why: str = ""


class Shrunk(BaseAct, frozen=True, kw_only=True, tag="shrunk"):
    """Nobody was found in the place of who left before the table began: it is played by the others."""

    drawn: TableDrawn


class Begun(BaseAct, frozen=True, kw_only=True, tag="begun"):
    table: int
    game: str
    commitment: str = ""  # of the game's own lots


class Warned(BaseAct, frozen=True, kw_only=True, tag="warned"):
    """The table was told that its time is running out."""

    table: int
    hours: int


class ChangedHands(BaseAct, frozen=True, kw_only=True, tag="changed_hands"):
    table: int
    seat: int  # whose chair it was by the draw
    leaves: int | None  # None: a bot
    comes: int | None  # None: a bot
    leave: bool = False  # by the organiser's leave: it costs nothing
    silent: bool = False
    entry: int = 0  # of the game's log
    why: str = ""


class SeatSought(BaseAct, frozen=True, kw_only=True, tag="seat_sought"):
    """Others are asked whether they take a seat over."""

    table: int
    search: int  # the number of the game's petition
    asked: int  # how many, all together
    over: bool = False  # nobody else is left to be asked
    filled: bool = False  # nobody is looked for any more


How = Literal["played", "agreed", "time", "fault", "aborted", "hand"]


class SeatResult(Struct, frozen=True, kw_only=True):
    seat: int  # whose chair it was by the draw
    person: int | None  # who sat there at the end; None: a bot
    place: int
    score: int | None = None
    points: int  # hundredths
    half: bool = True  # did who sat there at the end answer half of its questions?


class Noted(BaseAct, frozen=True, kw_only=True, tag="noted"):
    table: int
    how: How
    seats: tuple[SeatResult, ...]  # in seating order
    entry: int = 0  # the last one of the game's log, and its digest
    digest: str = ""
    void: bool = False  # every seat has the mean, or nothing; nobody has a place
    rated: bool = True


class Ruled(BaseAct, frozen=True, kw_only=True, tag="ruled"):
    """What the organiser does with a table, without another result."""

    table: int
    what: Literal["begun", "ended"]
    why: str = ""


class Scored(BaseAct, frozen=True, kw_only=True, tag="scored"):
    """A result by hand, in the place of the one that was noted."""

    table: int
    seats: tuple[SeatResult, ...]
    rated: bool = True
    why: str = ""


class Voided(BaseAct, frozen=True, kw_only=True, tag="voided"):
    table: int
    seats: tuple[SeatResult, ...] = ()
    why: str = ""


class Replayed(BaseAct, frozen=True, kw_only=True, tag="replayed"):
    """The table is played anew; its number stays."""

    table: int
    why: str = ""


TableAct = (
    Divided
    | BeaconAsked
    | BeaconTold
    | Drawn
    | Unmatched
    | Committed
    | Sealed
    | Imported
    | Adopted
    | Shrunk
    | Unsealed
    | Begun
    | Warned
    | ChangedHands
    | SeatSought
    | Noted
    | Ruled
    | Scored
    | Voided
    | Replayed
)
