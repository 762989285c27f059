"""What the store holds of ratings: what each game counts for, and what that made of whose rating."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from pbem.league.ratings import RatedTable, Step


class RatingBooks(Protocol):
    """The part of the store that ratings are in, inside one transaction; `kind` is the id of what is played."""

    def rated(self, game: str) -> RatedTable | None:
        """What a game that is over counts for; None of one that has not been looked at yet."""

    def rated_from(self, kind: str, end: int) -> Sequence[RatedTable]:
        """All that ended then or later, in their order."""

    def save_rated(self, kind: str, table: RatedTable) -> None:
        """In the place of what was known."""

    def unrated(self, most: int) -> Sequence[str]:
        """Games that are over and have not been looked at yet."""

    def add_steps(self, kind: str, steps: Iterable[Step]) -> None: ...

    def drop_steps(self, kind: str, end: int) -> None:
        """Forget what tables made of ratings that ended then or later."""

    def newest_steps(self, kind: str, before: int | None = None) -> Mapping[int, Step]:
        """By person: what the last of their tables, of those that ended before then, made of their rating."""

    def steps_of(self, kind: str, person: int) -> Sequence[Step]:
        """All of somebody, in their order."""

    def steps_in(self, games: Sequence[str]) -> Sequence[Step]:
        """What these games made of anybody's, in their order."""

    def moved_since(self, kind: str, end: int) -> Sequence[int]:
        """Whose rating a table moved that ended then or later."""
