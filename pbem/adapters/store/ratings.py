"""The books: ratings, in SQL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import asdict

from pbem.adapters.store.rows import Rows
from pbem.league.ratings import RatedSeat, RatedTable, Step

_seats = msgspec.json.Decoder(tuple[RatedSeat, ...])

_RATED = 'SELECT game, "end", seats FROM rated WHERE game = :game'
_RATED_FROM = 'SELECT game, "end", seats FROM rated WHERE kind = :kind AND "end" >= :since ORDER BY "end", game'
_UNRATED = (
    "SELECT id FROM games WHERE status = 'finished' AND id NOT IN (SELECT game FROM rated) "
    "ORDER BY created, id LIMIT :most"
)
# Of several that ended in one second the last by the game's id counts last, as they were counted.
_NEWEST = (
    "SELECT ratings.* FROM ratings JOIN (SELECT person, max(games) AS games FROM ratings "
    'WHERE kind = :kind AND "end" < :before GROUP BY person) AS last '
    "ON ratings.person = last.person AND ratings.games = last.games "
    'WHERE kind = :kind AND "end" < :before'
)
_OF = "SELECT * FROM ratings WHERE kind = :kind AND person = :person ORDER BY games"
_IN = 'SELECT * FROM ratings WHERE game IN :games ORDER BY "end", game, person'
_MOVED_PEOPLE = 'SELECT DISTINCT person FROM ratings WHERE kind = :kind AND "end" >= :since ORDER BY person'
_DROP = 'DELETE FROM ratings WHERE kind = :kind AND "end" >= :since'
EVER = 1 << 62


class SqlRatings(Rows):
    """Inside one transaction."""

    def rated(self, game: str) -> RatedTable | None:
        return next(iter(self._tables(_RATED, game=game)), None)

    def rated_from(self, kind: str, end: int) -> Sequence[RatedTable]:
        return self._tables(_RATED_FROM, kind=kind, since=end)

    def _tables(self, statement: str, **facts: object) -> Sequence[RatedTable]:
        return [
            RatedTable(end=row.end, game=row.game, seats=_seats.decode(row.seats))
            for row in self._run(statement, **facts)
        ]

    def save_rated(self, kind: str, table: RatedTable) -> None:
        self._decide("alembic_version")  # one rating follows from another
        self._remove("rated", game=table.game)
        seats = msgspec.json.encode(table.seats)
        self._add("rated", {"game": table.game, "kind": kind, "end": table.end, "seats": seats})

    def unrated(self, most: int) -> Sequence[str]:
        return self._run(_UNRATED, most=most).scalars()

    def add_steps(self, kind: str, steps: Iterable[Step]) -> None:
        self._decide("alembic_version")  # one rating follows from another
        self._add("ratings", *({"kind": kind, **asdict(step)} for step in steps))

    def drop_steps(self, kind: str, end: int) -> None:
        self._decide("alembic_version")  # one rating follows from another
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
