"""The books: leagues, in SQL."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.adapters.store.rows import Rows
from pbem.host.ports import Entrant, League, Reserve, SeasonBook, SeasonImport, SeasonTable

_SET = "UPDATE leagues SET settings = :settings WHERE name = :league"
_SET_DUE = "UPDATE seasons SET due = :at WHERE tag = :season"
_DUE = "SELECT tag FROM seasons WHERE due <= :now ORDER BY due, tag"
_NEXT_DUE = "SELECT min(due) FROM seasons"
_ACTS = "SELECT entry FROM season_entries WHERE season = :season AND seq > :after ORDER BY seq"


class SqlLeagues(Rows):
    """Inside one transaction."""

    def add_league(self, league: League) -> None:
        self._enter(league)

    def save_league(self, league: League) -> None:
        self._run(_SET, league=league.name, settings=league.settings)

    def leagues(self) -> Sequence[League]:
        return self._find(League)

    def league(self, name: str) -> League | None:
        return next(iter(self._find(League, name=name)), None)

    def add_season(self, season: SeasonBook) -> None:
        self._enter(season)

    def seasons(self, league: str) -> Sequence[SeasonBook]:
        return self._find(SeasonBook, league=league)

    def season(self, tag: str) -> SeasonBook | None:
        return next(iter(self._find(SeasonBook, tag=tag)), None)

    def add_import(self, season: SeasonImport) -> None:
        self._enter(season)

    def import_of(self, season: str) -> SeasonImport | None:
        return next(iter(self._find(SeasonImport, season=season)), None)

    def set_season_due(self, tag: str, at: int | None) -> None:
        self._run(_SET_DUE, season=tag, at=at)

    def due_seasons(self, now: int) -> Sequence[str]:
        return self._run(_DUE, now=now).scalars()

    def next_season(self) -> int | None:
        return self._instant(_NEXT_DUE)

    def acts(self, season: str, after: int = -1) -> Sequence[bytes]:
        return self._run(_ACTS, season=season, after=after).scalars()

    def append_act(self, season: str, seq: int, entry: bytes) -> None:
        self._decide("seasons", season)
        self._add("season_entries", {"season": season, "seq": seq, "entry": entry})

    def entrants(self, season: str) -> Sequence[Entrant]:
        return self._find(Entrant, season=season)

    def entrant(self, season: str, person: int) -> Entrant | None:
        return next(iter(self._find(Entrant, season=season, person=person)), None)

    def save_entrant(self, entrant: Entrant) -> None:
        self._decide("seasons", entrant.season)
        self._put(entrant)

    def seasons_of(self, person: int) -> Sequence[Entrant]:
        return self._find(Entrant, person=person)

    def reserves(self, league: str) -> Sequence[Reserve]:
        return self._find(Reserve, league=league)

    def keep_reserve(self, reserve: Reserve) -> None:
        self._put(reserve)

    def drop_reserve(self, league: str, person: int) -> None:
        self._remove("reserves", league=league, person=person)

    def add_table(self, table: SeasonTable) -> None:
        self._enter(table)

    def table_of(self, game: str) -> SeasonTable | None:
        return next(iter(self._find(SeasonTable, game=game)), None)

    def tables_of(self, season: str) -> Sequence[SeasonTable]:
        return self._find(SeasonTable, season=season)
