"""The books: ratings, in SQL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import asdict
from sqlalchemy import bindparam, delete, func, select
from sqlalchemy.sql import Executable

from pbem.adapters.store.rows import Rows, like
from pbem.adapters.store.schema import games, rated, ratings, stamp
from pbem.league.ratings import RatedSeat, RatedTable, Step

_seats = msgspec.json.Decoder(tuple[RatedSeat, ...])

_SINCE = (*like(rated, "kind"), rated.c.end >= bindparam("since"))
_RATED = select(rated).where(*like(rated, "game"))
_RATED_FROM = select(rated).where(*_SINCE).order_by(rated.c.end, rated.c.game)
_UNRATED = (
    select(games.c.id)
    .where(games.c.status == "finished", games.c.id.not_in(select(rated.c.game)))
    .order_by(games.c.created, games.c.id)
    .limit(bindparam("most"))
)

_MOVED = (*like(ratings, "kind"), ratings.c.end >= bindparam("since"))
_BEFORE = (*like(ratings, "kind"), ratings.c.end < bindparam("before"))
# Of several that ended in one second the last by the game's id counts last, as they were counted.
_LAST = select(ratings.c.person, func.max(ratings.c.games).label("games")).where(*_BEFORE).group_by(ratings.c.person)
_NEWEST = (
    select(ratings)
    .where(*_BEFORE)
    .join(last := _LAST.subquery(), (ratings.c.person == last.c.person) & (ratings.c.games == last.c.games))
)
_OF = select(ratings).where(*like(ratings, "kind", "person")).order_by(ratings.c.games)
_IN = (
    select(ratings)
    .where(ratings.c.game.in_(bindparam("games", expanding=True)))
    .order_by(ratings.c.end, ratings.c.game, ratings.c.person)
)
_MOVED_PEOPLE = select(ratings.c.person).where(*_MOVED).distinct().order_by(ratings.c.person)
_DROP = delete(ratings).where(*_MOVED)
EVER = 1 << 62


class SqlRatings(Rows):
    """Inside one transaction."""

    def rated(self, game: str) -> RatedTable | None:
        return next(iter(self._tables(_RATED, game=game)), None)

    def rated_from(self, kind: str, end: int) -> Sequence[RatedTable]:
        return self._tables(_RATED_FROM, kind=kind, since=end)

    def _tables(self, statement: Executable, **facts: object) -> Sequence[RatedTable]:
        return [
            RatedTable(end=row.end, game=row.game, seats=_seats.decode(row.seats))
            for row in self._run(statement, **facts)
        ]

    def save_rated(self, kind: str, table: RatedTable) -> None:
        self._decide(stamp)  # one rating follows from another
        self._remove(rated, game=table.game)
        seats = msgspec.json.encode(table.seats)
        self._add(rated, {"game": table.game, "kind": kind, "end": table.end, "seats": seats})

    def unrated(self, most: int) -> Sequence[str]:
        return self._run(_UNRATED, most=most).scalars()

    def add_steps(self, kind: str, steps: Iterable[Step]) -> None:
        self._decide(stamp)  # one rating follows from another
        self._add(ratings, *({"kind": kind, **asdict(step)} for step in steps))

    def drop_steps(self, kind: str, end: int) -> None:
        self._decide(stamp)  # one rating follows from another
        self._run(_DROP, kind=kind, since=end)

    def newest_steps(self, kind: str, before: int | None = None) -> Mapping[int, Step]:
        found = self._values(Step, _NEWEST, kind=kind, before=EVER if before is None else before)
        return {step.person: step for step in found}

    def steps_of(self, kind: str, person: int) -> Sequence[Step]:
        return self._values(Step, _OF, kind=kind, person=person)

    def steps_in(self, games: Sequence[str]) -> Sequence[Step]:
        return self._values(Step, _IN, games=[*games])

    def moved_since(self, kind: str, end: int) -> Sequence[int]:
        return self._run(_MOVED_PEOPLE, kind=kind, since=end).scalars()
