"""A league in a game that has no scores before its end: places alone decide."""

from __future__ import annotations

import pytest

from pbem.games import GAMES
from pbem.league.figures import group_standings
from pbem.league.limits import mistakes
from tests.conformance.fake_game import CLAIMS_GAME
from tests.service.bureau import Bureau
from tests.service.season import DAY, playing, settings
from tests.service.test_season_rounds import verdict

CLAIMS = settings(game="claims", table={"players": 3, "allowed": (3,)}, scoring={"ties": ("wins", "direct", "seconds", "lot")})  # fmt: skip


@pytest.fixture(autouse=True)
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, CLAIMS_GAME.id, CLAIMS_GAME)  # type: ignore[attr-defined]


def test_a_season_is_played_to_its_end_and_follows_from_what_is_published() -> None:
    bureau = playing(CLAIMS)
    bureau.to("ended")
    season = bureau.season
    assert season.ended is not None
    assert {row.played for row in group_standings(season, "1a")} == {3}
    assert sum(row.points for row in group_standings(season, "1a")) == 6 * 1500
    assert "follow from what is published" in verdict(bureau)


def test_what_time_ends_counts_for_nobody_where_there_is_no_standing() -> None:
    bureau = playing(CLAIMS)
    bureau.tick(57 * DAY)
    noted = bureau.season.tables[1].noted
    assert noted is not None
    assert (noted.how, noted.void) == ("time", True)
    assert {row.points for row in group_standings(bureau.season, "1a")} <= {0, 500, 1000}


@pytest.mark.parametrize("system", ["share", "squares", "tribute"])
def test_a_system_that_counts_scores_is_a_mistake(system: str) -> None:
    given = settings(game="claims", table={"players": 3, "allowed": (3,)}, scoring={"system": system})
    codes = [each.code for each in mistakes(given, Bureau().server.leagues.house())]
    assert "league.scores" in codes
