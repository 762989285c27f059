"""What letters tell of leagues: which there are, what one asks of people, standings and tables."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class LeagueLine(Struct, frozen=True, kw_only=True):
    """A league in a list of them, by its newest season."""

    name: str
    tag: str
    titles: Mapping[str, str]  # by language
    phase: str
    opens: int
    closes: int
    ends: int
    entrants: int


class LeagueList(Struct, frozen=True, kw_only=True, tag="leagues"):
    leagues: tuple[LeagueLine, ...]


class LeagueTold(Struct, frozen=True, kw_only=True, tag="league"):
    """What is played in a league, when, and what it asks of whoever enters."""

    line: LeagueLine
    players: int  # at a table
    load: int  # tables at once
    tables: int  # of each in a season; 0: nobody knows
    weeks: int
    game_days: int  # that a table may take at the most; 0: till the season's end
    slot_hours: int
    leaving: int  # points that a seat costs which is left without leave
    musters: int | None  # when all are asked once more
    commitment: str  # by which all lots of the season are fixed
    beacon: str = ""  # what public number goes into its draws, in words
    every: int = 0  # days from one matching to the next, in a pool
    best: int = 0  # results that count there
    opened: bool = False  # may one enter now?
    own: str = ""  # of the reader: entered, plays, rests, not; "" of whoever is not in it


class RankingRow(Struct, frozen=True, kw_only=True):
    place: int
    name: str
    played: int
    points: int  # hundredths
    ties: tuple[tuple[str, int], ...]  # what each tie-break says, in their order
    own: bool = False  # is it the reader's?


class Standings(Struct, frozen=True, kw_only=True, tag="standings"):
    """A group of a season as it stands."""

    season: str
    group: str
    rows: tuple[RankingRow, ...]
    count: int  # of all its lines: of a large group only the reader's neighbours are told


class ChairTold(Struct, frozen=True, kw_only=True):
    name: str
    position: str = ""  # the id of what they begin with
    place: int | None = None
    score: int | None = None
    points: int | None = None  # hundredths
    own: bool = False


class TableTold(Struct, frozen=True, kw_only=True):
    number: int
    game: str
    state: str  # waits plays over void
    how: str = ""  # it ended: played agreed time fault aborted hand
    ends: int | None = None  # by when time ends it, while it runs
    chairs: tuple[ChairTold, ...] = ()


class SeasonTables(Struct, frozen=True, kw_only=True, tag="season_tables"):
    """Tables of a season: those of somebody, or one."""

    season: str
    tables: tuple[TableTold, ...]


class RatingStep(Struct, frozen=True, kw_only=True):
    """What a game made of somebody's rating."""

    game: str
    at: int  # when it ended
    before: float
    after: float


class RatingTold(Struct, frozen=True, kw_only=True, tag="rating"):
    """Somebody's rating in one game of the registry: μ − 3σ."""

    kind: str  # its id
    name: str
    own: bool  # is it the reader's?
    rating: float
    best: float
    settled: bool
    games: int
    steps: tuple[RatingStep, ...]  # the last, the newest first


class PetitionTold(Struct, frozen=True, kw_only=True):
    """What the entrants were asked, and what came of it."""

    number: int
    kind: str
    by: str  # "" of the clock
    title: str
    text: str
    sets: tuple[tuple[str, str, bool], ...]  # a key, its value, and whether it binds at once
    length: int  # of a suspension, in seconds
    start: int | None
    whom: str  # who would lead the league
    closes: int
    status: str  # open passed failed withdrawn rejected
    ended: int | None
    majority: str  # all two_thirds half more
    electors: int
    said: int  # how many have voted
    own: str  # how the reader has voted: for against abstain; "" where they have not, or can't
    votes: Mapping[str, tuple[str, ...]]  # names by vote; none before it is decided
    comments: tuple[tuple[str, str], ...]
    why: str  # it was rejected


class SeasonPetitions(Struct, frozen=True, kw_only=True, tag="season_petitions"):
    """Those that are open, and the last of the others."""

    season: str
    petitions: tuple[PetitionTold, ...]
    answers: tuple[int, ...] = ()  # those that the reader may vote on
