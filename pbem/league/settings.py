"""What a league is played by: every key of its file, as the log of a season keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

from pbem.league.points import System

Format = Literal["divisions", "series", "rounds", "cup", "pool"]
YesNo = Literal["yes", "no"]
FIXED: tuple[Format, ...] = ("divisions", "series")  # their tables are made once for a season
DRAWN: tuple[Format, ...] = ("rounds", "cup")
MOST, MOST_STAGES = 2_000, 20  # entrants of a season, and draws of a cup
USUAL = {2: (8, 2), 3: (9, 5, 1), 4: (10, 6, 3, 1), 5: (11, 7, 4, 2, 1), 6: (12, 8, 5, 3, 1, 1)}


class Entry(Struct, frozen=True, kw_only=True):
    open_to: Literal["anyone", "known", "invited"] = "known"
    least: int = 10
    most: int = 0  # 0: no limit
    days: int = 21  # from opening of entries to their closing
    muster_days: int = 5  # before closing; 0: nobody is asked once more
    on_time: int = 0  # percent of answers in time over 365 days
    stay: YesNo = "yes"


class Season(Struct, frozen=True, kw_only=True):
    start: str  # a day, as 2027-01-11
    zone: str = "Europe/Berlin"
    hour: int = 12
    weeks: int = 17
    pause_weeks: int = 0
    repeat: YesNo = "yes"


class Tables(Struct, frozen=True, kw_only=True):
    players: int = 4
    allowed: tuple[int, ...] = (3, 4, 5)
    load: int = 2
    positions: Literal["even", "lot"] = "even"
    anonymous: Literal["no", "until_end"] = "no"
    press: Literal["all", "public", "none"] = "all"
    zones: int = 0  # hours


class Groups(Struct, frozen=True, kw_only=True):
    size: int = 7
    least: int = 6
    most: int = 11
    turns: int = 1
    fill: Literal["last", "rating", "lot"] = "last"


class Divisions(Struct, frozen=True, kw_only=True):
    shape: tuple[int, ...] = (1, 2, 4)
    up: int = 1
    rest: Literal["none", "one", "bottom"] = "one"


class Rounds(Struct, frozen=True, kw_only=True):
    count: int = 4
    days: int = 35
    pairing: Literal["score", "lot"] = "score"
    first: Literal["lot", "pots"] = "lot"
    cut: int = 0
    advance: int = 2


class Pool(Struct, frozen=True, kw_only=True):
    every_days: int = 1
    wait_days: int = 10
    spread: float = 8.0
    again: int = 3
    best: int = 6


class Limits(Struct, frozen=True, kw_only=True):
    game_days: int = 56
    unfinished: Literal["standing", "par", "void"] = "standing"
    stall: float = 2.0


class Scoring(Struct, frozen=True, kw_only=True):
    system: System = "places"
    places: Mapping[int, tuple[int, ...]] = field(default_factory=lambda: USUAL)  # by the size of a table
    counted: int = 0
    void: Literal["par", "none"] = "par"
    ties: tuple[str, ...] = ("wins", "direct", "seconds", "strength", "share", "late", "lot")


class Lateness(Struct, frozen=True, kw_only=True):
    free: int = 3
    cost: int = 0
    most: int = 2


class Leaving(Struct, frozen=True, kw_only=True):
    cost: int = 2
    share: int = 50
    bar: int = 1


class Reserves(Struct, frozen=True, kw_only=True, rename={"source": "from"}):
    source: Literal["league", "list"] = "league"
    par: YesNo = "yes"
    hours: int = 48


class Rated(Struct, frozen=True, kw_only=True):
    rated: YesNo = "yes"
    provisional: int = 8


class Petitions(Struct, frozen=True, kw_only=True):
    days: int = 7


class Draws(Struct, frozen=True, kw_only=True):
    links: int = 64
    luck: YesNo = "yes"
    beacon: str = ""


class Privacy(Struct, frozen=True, kw_only=True):
    names: Literal["public", "seats"] = "public"


class Mail(Struct, frozen=True, kw_only=True):
    results: str = "round"
    weekly: str = "mon 08:00"


class Settings(Struct, frozen=True, kw_only=True):
    """The whole file. What it leaves out is as in the template."""

    name: str
    game: str
    season: Season
    title: Mapping[str, str] = {}  # by language; what is not there is as in English
    template: str = ""
    options: Mapping[str, str | int] = {}
    format: Format = "divisions"
    organisers: tuple[str, ...] = ()
    entry: Entry = Entry()
    table: Tables = Tables()
    groups: Groups = Groups()
    divisions: Divisions = Divisions()
    rounds: Rounds = Rounds()
    pool: Pool = Pool()
    limits: Limits = Limits()
    scoring: Scoring = Scoring()
    lateness: Lateness = Lateness()
    leaving: Leaving = Leaving()
    reserves: Reserves = Reserves()
    rating: Rated = Rated()
    petitions: Petitions = Petitions()
    draw: Draws = Draws()
    privacy: Privacy = Privacy()
    mail: Mail = Mail()

    def titled(self, language: str) -> str:
        return self.title.get(language) or self.title.get("en") or f"{self.name.capitalize()} League"

    @property
    def draws(self) -> int:
        """The most that the format makes in a season; of a pool nobody knows."""
        if self.format == "cup":
            return self._stages()
        if self.format in DRAWN:
            return self.rounds.count + (self.rounds.cut > 0)
        return 1

    def _stages(self) -> int:
        """Of a cup, if as many come as may."""
        here, stages = self.entry.most or MOST, 1
        while here > max(self.table.allowed) and stages < MOST_STAGES:
            here, stages = -(-here * self.rounds.advance // self.table.players), stages + 1
        return stages
