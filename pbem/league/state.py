"""What a season is: people, groups, draws, tables, and all that was said; the fold of its log makes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from pbem.league import acts
from pbem.league.calendar import Calendar
from pbem.league.settings import Settings

Phase = Literal["founded", "entries", "muster", "drawn", "playing", "deciding", "ended", "called_off"]


class Person(Struct, frozen=True, kw_only=True):
    """Somebody who entered, whatever became of it."""

    luck: str = ""  # its digest; the word itself stands in `entrants`
    apart: str = ""
    since: int  # the entry by which they came
    answer: bool | None = None  # to the muster
    resting: bool = False
    gone: Literal["", "withdrawn", "refused", "expelled"] = ""
    excused: bool = False
    late: int = 0
    forgiven: int = 0
    penalty: int = 0  # hundredths
    left: int = 0  # seats, without leave
    joined: int | None = None  # when they entered, if that was behind the season's beginning


class Search(Struct, frozen=True, kw_only=True):
    """For somebody who takes a seat over."""

    since: int
    at: int  # when somebody was asked last
    asked: int
    over: bool = False  # nobody else is left to be asked
    filled: bool = False


class Table(Struct, frozen=True, kw_only=True):
    drawn: acts.TableDrawn | None  # None: nobody may know who sits there
    number: int
    draw: int  # 0: it was not drawn
    holders: Mapping[int, int | None] = {}  # by the chair's person in the draw: who sits there; None: a bot
    left: tuple[acts.ChangedHands, ...] = ()
    game: str = ""
    begun: int | None = None
    vacated: int | None = None  # since when it lacks a player, where it has not begun
    searches: Mapping[int, Search] = {}  # by the number of the game's petition
    limit: int | None = None  # where it was set by hand
    warned: frozenset[int] = frozenset()  # hours before its end
    noted: acts.Noted | None = None
    noted_at: int | None = None
    by_hand: acts.Scored | acts.Voided | None = None

    @property
    def is_over(self) -> bool:
        return self.noted is not None or self.by_hand is not None

    @property
    def is_whole(self) -> bool:
        """Is there somebody for each chair?"""
        return self.drawn is not None and None not in self.holders.values()

    @property
    def people(self) -> tuple[int, ...]:
        return tuple(chair.person for chair in self.drawn.chairs) if self.drawn else ()

    @property
    def seated(self) -> frozenset[int]:
        """Who plays there now."""
        now = (self.holders.get(person, person) for person in self.people)
        return frozenset(person for person in now if person is not None)


class Beacon(Struct, frozen=True, kw_only=True):
    """The public number of a draw."""

    asked_at: int
    value: str = ""  # till it is told


class Draw(Struct, frozen=True, kw_only=True):
    number: int
    link: str
    at: int
    digest: str = ""  # of one that is, or was, sealed
    drawings: tuple[acts.Drawing, ...] = ()
    tables: tuple[int, ...]
    again: int | None = None
    opened: bool = False  # was it told what it is, having been sealed?

    @property
    def is_sealed(self) -> bool:
        return bool(self.digest) and not self.opened

    @property
    def is_closed(self) -> bool:
        """Is it sealed, and its drawing not known here?"""
        return bool(self.digest) and not self.drawings


class Objection(Struct, frozen=True, kw_only=True):
    person: int
    about: str
    text: str
    at: int
    upheld: bool | None = None


class Petition(Struct, frozen=True, kw_only=True):
    asked: acts.Petitioned
    at: int
    votes: Mapping[int, acts.Voted] = {}  # the last of each elector
    status: Literal["open", "passed", "failed", "withdrawn", "rejected"] = "open"
    ended: int | None = None
    why: str = ""  # it was rejected

    def side(self, vote: str) -> tuple[int, ...]:
        return tuple(person for person, each in self.votes.items() if each.vote == vote)

    @property
    def silent(self) -> tuple[int, ...]:
        return tuple(person for person in self.asked.electors if person not in self.votes)


class Season(Struct, frozen=True, kw_only=True):
    founded: acts.Founded
    settings: Settings
    calendar: Calendar
    opened: bool = False
    called: bool = False
    closed_at: int | None = None
    people: Mapping[int, Person] = {}
    entrants: tuple[acts.Entrant, ...] = ()
    groups: Mapping[str, tuple[int, ...]] = {}
    links: tuple[str, ...] = ()  # x[0] and those that were revealed since
    beacons: Mapping[int, Beacon] = {}  # by draw
    draws: Mapping[int, Draw] = {}
    tables: Mapping[int, Table] = {}
    pauses: tuple[acts.Paused, ...] = ()
    objections: Mapping[int, Objection] = {}
    petitions: Mapping[int, Petition] = {}
    placed: Mapping[int, int] = {}  # by hand: in which division somebody begins the next season
    leaders: tuple[int, ...] = ()  # beside the operator
    unmatched_at: int = 0  # when nobody of those who waited in a pool could be seated, the last time
    chains: tuple[str, ...] = ()  # commitments of the chains of links behind the first
    until: int | None = None  # of deciding
    ended: acts.Ended | None = None
    called_off: bool = False
    imported: acts.Imported | None = None  # what was played elsewhere, in the place of all draws

    @property
    def tag(self) -> str:
        return f"{self.founded.league}-{self.founded.season}"

    @property
    def phase(self) -> Phase:
        if self.called_off or self.ended:
            return "ended" if self.ended else "called_off"
        if self.until is not None:
            return "deciding"
        if self.is_drawn:
            return "playing" if any(table.begun is not None for table in self.tables.values()) else "drawn"
        if self.called:
            return "muster"
        return "entries" if self.opened else "founded"

    @property
    def is_over(self) -> bool:
        """Has it ended, or been called off?"""
        return self.phase in ("ended", "called_off")

    @property
    def positions(self) -> Mapping[int, tuple[str, ...]]:
        """What sets seats apart at a table, by its size; nothing where each game draws its own lots."""
        return self.founded.positions if self.settings.table.positions == "even" else {}

    @property
    def is_drawn(self) -> bool:
        """Has its play begun? In a pool that is when the first may be seated, whether or not anybody is."""
        if self.imported is not None or self.draws:
            return True
        return self.settings.format == "pool" and self.closed_at is not None

    @property
    def takes_entries(self) -> bool:
        """May people enter now? A pool lets them as long as there are matchings."""
        return self.phase in ("entries", "muster") or (
            self.settings.format == "pool" and self.phase in ("drawn", "playing")
        )

    def drawn_at(self, table: Table) -> int:
        """When it became a table of the season."""
        return self.draws[table.draw].at if table.draw in self.draws else table.begun or 0

    def game_of(self, table: Table) -> str:
        """Its id in the books of ratings; that of a table which was played elsewhere is none of a game here."""
        is_rated = self.imported is not None and self.imported.rated
        return f"{self.tag}.T-{table.number}" if is_rated else table.game

    def beacon_of(self, draw: int) -> str:
        """What public number goes into it; "" for none."""
        return self.beacons[draw].value if draw in self.beacons else ""

    def commitment_of(self, link: str) -> str:
        """What was published before as the beginning of that link's chain."""
        part = max(0, self.links.index(link) - 1) // self.settings.draw.links
        return (self.founded.commitment, *self.chains)[part]

    def group_of(self, person: int) -> str | None:
        return next((name for name, people in self.groups.items() if person in people), None)

    def running(self, person: int) -> list[Table]:
        """Where somebody plays now."""
        return [each for each in self.tables.values() if each.game and not each.is_over and person in each.seated]
