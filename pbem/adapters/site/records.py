"""What the archive remembers of itself, as JSON for everybody: games, turns, lists of games, tallies."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pbem.core.seat import Setup
from pbem.host.messages import Awaited, Kept, RulesInForce

# What there is to draw: by kind, then by nation or seat, an amount for each turn; None where it is secret.
Series = Mapping[str, Mapping[str, tuple[int | None, ...]]]


class TurnLine(Struct, frozen=True, kw_only=True):
    """One turn in the list of a game."""

    number: int
    round: int
    nation: str | None
    action: str | None
    at: int
    last: int
    digest: str
    kept: tuple[Kept, ...]  # rows of the move order sheet


class Headline(Struct, frozen=True, kw_only=True):
    """A turn in the list of what happened lately."""

    game: str
    number: int
    at: int
    title: str
    told: tuple[str, ...]  # sentences
    id: str = ""  # of its entry in a feed, for ever (RFC 4151); "": the first archives gave none of their own


class GameFile(Struct, frozen=True, kw_only=True):
    """`game.json`: what is published of a game, and how far."""

    game: str
    made: str  # of which words, templates and settings its pages were made
    setup: Setup
    rules: RulesInForce
    created: int
    finished: bool
    commitment: str
    secret: str | None
    sealed: bool
    people: Mapping[str, int]
    who: Mapping[str, str]
    turns: tuple[TurnLine, ...]
    series: Series
    recent: tuple[Headline, ...]
    awaited: tuple[Awaited, ...]
    scores: Mapping[str, int] | None
    winners: tuple[str, ...] | None


class Card(Struct, frozen=True, kw_only=True):
    """A game in the lists."""

    game: str
    edition: str
    setup: str
    seats: tuple[str, ...]
    people: Mapping[str, int]
    who: Mapping[str, str]  # names of people, where the game was anonymous
    began: int
    moved: int
    finished: bool
    turns: int
    round: int
    nation: str | None
    power: Mapping[str, int]
    government: Mapping[str, str | None]
    scores: Mapping[str, int] | None
    winners: tuple[str, ...] | None


class Tally(Struct, frozen=True, kw_only=True):
    """What somebody has done in all his finished games."""

    name: str
    games: int = 0
    wins: int = 0
    points: int = 0
    places: Mapping[str, int] = {}  # how often first, second …
    mu: float = 25.0
    sigma: float = 25.0 / 3


class NationTally(Struct, frozen=True, kw_only=True):
    """What became of a nation in all finished games."""

    games: int = 0
    power: int = 0
    ended: int = 0  # games that it brought to their end
    won: int = 0  # games that its last government won
    vacant: int = 0  # games that it ended without one


class League(Struct, frozen=True, kw_only=True):
    """The tables, and the last game that is counted in them."""

    last: tuple[int, str] = (-1, "")
    games: Mapping[str, int] = {}  # all that are counted, and when they ended
    people: Mapping[str, Tally] = {}
    nations: Mapping[str, NationTally] = {}


class Part(Struct, frozen=True, kw_only=True):
    """A player's part in one game."""

    game: str
    seat: str
    seats: int
    began: int
    finished: int | None  # when
    place: int | None
    points: int | None
