"""What a season is reckoned again from, and what is known on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from pbem.league import acts
from pbem.league.log import Entry
from pbem.league.ratings import RatedTable, Step
from pbem.league.season import applied
from pbem.league.settings import Settings


class GameResult(Struct, frozen=True, kw_only=True):
    """What the published log of a game gives, by whose seat it was by the draw."""

    places: Mapping[int, int] | None  # None: time ended it
    scores: Mapping[int, int] | None = None
    digest: str = ""  # of its last entry
    dealt: Mapping[int, str] = {}  # what they began with; none where it was the game's own lot


class Published(Struct, frozen=True, kw_only=True):
    """What stands in a season's folder, read."""

    log: Sequence[bytes]
    settings: Settings | None = None  # of league.yaml
    games: Mapping[str, GameResult | None] = {}  # None: the game is sealed still
    rated: Sequence[RatedTable] | None = None  # all that counts for the ratings, from the first game on
    imported: bool = False  # was it played elsewhere?
    steps: Sequence[Step] = ()  # what the season's tables are said to have made of them


class Fault(NamedTuple):
    check: str  # V1 …
    about: str  # A-41, T-12, D-2, a person or a key
    what: str  # in English


class Trial:
    """Goes along the log; each act is looked at in the season as it was before it."""

    def __init__(self, published: Published, entries: Sequence[Entry]) -> None:
        self.published = published
        self.season = applied(None, entries[0])
        self.given: list[str] = []  # what could not be looked at yet, and why
        self.by_time: list[str] = []  # tables
        self.withheld: int | None = None  # the last act of which only the digest is told
        told = (each.act.pairs for each in entries if isinstance(each.act, acts.KeptApart))
        self.apart: frozenset[tuple[int, int]] | None = next(map(frozenset, told), None)
