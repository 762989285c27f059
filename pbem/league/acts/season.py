"""What is done with a season as a whole, and its calendar."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pbem.league.acts.base import BaseAct
from pbem.league.calendar import Calendar
from pbem.league.settings import Settings


class Founded(BaseAct, frozen=True, kw_only=True, tag="founded"):
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


class Opened(BaseAct, frozen=True, kw_only=True, tag="opened"):
    people: tuple[int, ...] = ()  # who finished the season before, and is entered without a word


class Called(BaseAct, frozen=True, kw_only=True, tag="called"):
    """Everybody who is entered has been asked once more whether they play."""


class Entrant(Struct, frozen=True, kw_only=True):
    person: int
    luck: str = ""


class Closed(BaseAct, frozen=True, kw_only=True, tag="closed"):
    """Who plays, in the order of their numbers, now with their luck words."""

    entrants: tuple[Entrant, ...]
    left_out: tuple[int, ...] = ()  # for they had not answered, or came too late


class CalledOff(BaseAct, frozen=True, kw_only=True, tag="called_off"):
    why: str = ""


class Paused(BaseAct, frozen=True, kw_only=True, tag="paused"):
    start: int
    end: int | None = None  # None: till somebody lets it go on
    season: bool = False  # is the season's end later by as much?
    why: str = ""


class Resumed(BaseAct, frozen=True, kw_only=True, tag="resumed"):
    why: str = ""


class Extended(BaseAct, frozen=True, kw_only=True, tag="extended"):
    """The end of the season, or of a table, is another instant."""

    table: int | None = None
    was: int
    until: int
    why: str = ""


class Deciding(BaseAct, frozen=True, kw_only=True, tag="deciding"):
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


class Ended(BaseAct, frozen=True, kw_only=True, tag="ended"):
    standings: tuple[Place, ...]
    order: tuple[tuple[int, ...], ...]  # of each division, the best first
    borders: tuple[int, ...]
    honours: Mapping[str, tuple[int, ...]] = {}
    digest: str = ""  # of the file of standings


class KeptApart(BaseAct, frozen=True, kw_only=True, tag="kept_apart"):
    """Who did not want to sit with whom; it is told when the season is over, and its draws can be drawn again then."""

    pairs: tuple[tuple[int, int], ...]


SeasonAct = Founded | Opened | Called | Closed | CalledOff | Paused | Resumed | Extended | Deciding | Ended | KeptApart
