"""What the store holds of leagues: their seasons, acts and entrants, and which games are tables of theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct


class League(Struct, frozen=True, kw_only=True):
    """A sequence of seasons; the settings are those of its next one."""

    name: str
    settings: bytes  # JSON
    created: int


class SeasonBook(Struct, frozen=True, kw_only=True):
    """A season as the books hold it; its course is in the acts."""

    tag: str  # "euro-3"
    league: str
    number: int
    seed: str  # hex; the last link of the chain that all draws are made by: secret till then
    terms: bytes  # JSON of what its games are played by
    due: int | None = None  # when the clock has something to do next; None: nothing by itself


class SeasonImport(Struct, frozen=True, kw_only=True):
    """A season that was not played here."""

    season: str
    at: int
    ratings: bytes  # JSON: what its tables made of anybody's rating there


class Entrant(Struct, frozen=True, kw_only=True):
    """What somebody in a season has said to us alone, and how they are told of it."""

    season: str
    person: int
    luck: str = ""  # the word, which is told when entries close
    apart: str = ""  # numbers of people, with commas between them
    salt: str = ""  # of the digest that the log has of it
    reports: str = ""  # all round mine "digest HH:MM"; "": as the league says
    told: int = -1  # the last act that a letter of the season's course has told
    called: str | None = None  # how the season called them when it ended; None: as they are called now


class Reserve(Struct, frozen=True, kw_only=True):
    """Somebody who would take seats over in a league."""

    league: str
    person: int
    since: int
    most: int = 0  # offers at once; 0: as many as there are


class SeasonTable(Struct, frozen=True, kw_only=True):
    """A game that is played as a table of a season."""

    game: str
    season: str
    number: int


class LeagueBooks(Protocol):
    """The part of the store that leagues are in, inside one transaction."""

    def add_league(self, league: League) -> None:
        """Raises `Taken` where there is one of that name."""

    def save_league(self, league: League) -> None:
        """Enter a league that exists with other settings."""

    def leagues(self) -> Sequence[League]:
        """All there are, the oldest first."""

    def league(self, name: str) -> League | None: ...

    def add_season(self, season: SeasonBook) -> None:
        """Raises `Taken` where there is one of that tag."""

    def seasons(self, league: str) -> Sequence[SeasonBook]:
        """Those of a league, the oldest first."""

    def season(self, tag: str) -> SeasonBook | None: ...

    def add_import(self, season: SeasonImport) -> None: ...
    def import_of(self, season: str) -> SeasonImport | None: ...
    def set_season_due(self, tag: str, at: int | None) -> None:
        """Note when the clock has something to do there next."""

    def due_seasons(self, now: int) -> Sequence[str]:
        """Their tags, the earliest first."""

    def next_season(self) -> int | None:
        """When the clock has something to do in the first of them."""

    def moved_seasons(self) -> Mapping[str, int]:
        """Seasons with something new for the archive, and their last acts then."""

    def set_season_moved(self, season: str, seq: int) -> None: ...
    def settle_season(self, season: str, seq: int) -> None:
        """The archive has the season up to that act; what came after it stays noted."""

    def acts(self, season: str, after: int = -1) -> Sequence[bytes]:
        """The encoded acts with a number above `after`, in order."""

    def append_act(self, season: str, seq: int, entry: bytes) -> None:
        """Raises `Taken` when the number is."""

    def entrants(self, season: str) -> Sequence[Entrant]:
        """By the numbers of the people."""

    def entrant(self, season: str, person: int) -> Entrant | None: ...

    def save_entrant(self, entrant: Entrant) -> None:
        """In the place of what was known."""

    def seasons_of(self, person: int) -> Sequence[Entrant]:
        """What they have said in each season that they were ever in, by its tag."""

    def reserves(self, league: str) -> Sequence[Reserve]:
        """Who has waited longest comes first."""

    def keep_reserve(self, reserve: Reserve) -> None:
        """In the place of what was known."""

    def drop_reserve(self, league: str, person: int) -> None: ...

    def add_table(self, table: SeasonTable) -> None:
        """Raises `Taken` where the game is one already."""

    def table_of(self, game: str) -> SeasonTable | None: ...

    def tables_of(self, season: str) -> Sequence[SeasonTable]:
        """By number; of a table that was played anew, the older game first."""
