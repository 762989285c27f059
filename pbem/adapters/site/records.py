"""What the archive remembers of itself, as JSON for everybody: games, turns, lists of games, tallies.

What the game says of a turn, a game or all games is published among our own keys, in the place of `own`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, to_builtins

from pbem.core.presenter import Facts
from pbem.host.archive.published import GameFacts
from pbem.host.messages.parts import Awaited, Kept
from pbem.league.ratings import Step

# What there is to draw: by kind, then by what has it, an amount for each turn; None where it is secret.
Series = Mapping[str, Mapping[str, tuple[int | None, ...]]]


OWN = "own"


class Lot(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A lot that was drawn, with what followed; of a die, too, the face that it shows."""

    entry: int | str  # its number; that of one which counts apart is no numeral
    purpose: str
    among: int
    result: int
    face: int | None = None
    followed: tuple[Mapping[str, Any], ...] = ()  # events


class TurnLine(Struct, frozen=True, kw_only=True):
    """One turn in the list of a game."""

    number: int
    round: int
    own: Facts  # what the game says of it
    at: int
    last: int
    digest: str
    kept: tuple[Kept, ...]  # rows of the move order sheet
    draws: tuple[Lot, ...] = ()


class Headline(Struct, frozen=True, kw_only=True):
    """A turn in the list of what happened lately."""

    game: str
    number: int
    at: int
    title: str
    told: tuple[str, ...]  # sentences
    id: str = ""  # of its entry in a feed, for ever (RFC 4151); "": the first archives gave none of their own


def newest_first(headlines: Iterable[Headline]) -> list[Headline]:
    return sorted(headlines, key=lambda one: (one.at, one.game, one.number), reverse=True)


class GameFile(GameFacts, frozen=True, kw_only=True):
    """`game.json`: what is published of a game, and how far."""

    made: str  # of which words, templates and settings its pages were made
    sealed: bool
    turns: tuple[TurnLine, ...]
    series: Series
    recent: tuple[Headline, ...]
    awaited: tuple[Awaited, ...]
    scores: Mapping[str, int] | None
    winners: tuple[str, ...] | None
    noted: bool = False  # are there notes on it, in `notes.json`?


class Card(Struct, frozen=True, kw_only=True, omit_defaults=True):
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
    own: Facts  # what the game says of it
    scores: Mapping[str, int] | None
    winners: tuple[str, ...] | None
    kind: str = ""  # the id of what is played; "" for the first of the games there are


class Tally(Struct, frozen=True, kw_only=True):
    """What somebody has done in all their finished games."""

    name: str
    games: int = 0
    wins: int = 0
    points: int = 0
    places: Mapping[str, int] = {}  # how often first, second …

    @property
    def finishes(self) -> Sequence[int]:
        """How often first, second …, down to the last place that they ever had."""
        return [self.places.get(str(place), 0) for place in range(1, max(map(int, self.places), default=0) + 1)]


class Tallies(Struct, frozen=True, kw_only=True):
    """The tables, and the last game that is counted in them."""

    last: tuple[int, str] = (-1, "")
    games: Mapping[str, int] = {}  # all that are counted, and when they ended
    people: Mapping[str, Tally] = {}
    own: Facts = {}  # the game's own table


class Part(Struct, frozen=True, kw_only=True):
    """A player's part in one game."""

    game: str
    seat: str
    seats: int
    began: int
    finished: int | None  # when
    place: int | None
    points: int | None


class SeasonLine(Struct, frozen=True, kw_only=True):
    """A player's line in a season of a league; what others may still change is told when the season is over."""

    tag: str
    title: str
    place: str  # of its pages
    group: str | None  # None: they only took seats over
    played: int = 0
    points: int = 0  # hundredths
    rank: int | None = None
    moved: int = 0  # divisions up; below 0 down
    tables: tuple[TableLine, ...] = ()
    services: tuple[int, ...] = ()  # tables at which they took a seat over


class TableLine(Struct, frozen=True, kw_only=True):
    number: int
    place: int | None
    points: int | None


class PlayerFile(Struct, frozen=True, kw_only=True):
    """What is told of a player beside their games."""

    seasons: Mapping[str, SeasonLine] = {}  # by tag
    ratings: Mapping[str, tuple[Step, ...]] = {}  # by what is played: from the first game on


# -- how they are published ---


def flat(record: object) -> Any:
    """The record as plain values, with what the game says in its place."""
    return _flat(to_builtins(record))


def _flat(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_flat(each) for each in value]
    if not isinstance(value, dict):
        return value
    parts = (value[key] if key == OWN else {key: _flat(value[key])} for key in value)
    return {key: each for part in parts for key, each in part.items()}


def nested(raw: Mapping[str, Any], kind: type[Struct]) -> Mapping[str, Any]:
    """The plain values of such a record, with what the game says apart."""
    return {**raw, OWN: {key: value for key, value in raw.items() if key not in kind.__struct_fields__}}


def nested_game(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """The plain values of a `GameFile`."""
    return {**raw, "turns": [nested(line, TurnLine) for line in raw["turns"]]}


def nested_cards(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """The plain values of a list of games, by their names."""
    return {game: nested(card, Card) for game, card in raw.items()}


def nested_tallies(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    return nested(raw, Tallies)
