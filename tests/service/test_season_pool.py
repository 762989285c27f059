"""A pool: day after day those who wait are seated with others of their strength; entries stay open."""

from __future__ import annotations

import pytest

from pbem.core.refusal import Illegal
from pbem.league.figures import group_standings
from pbem.league.waiting import next_matching
from tests.service.bureau import address
from tests.service.season import DAY, SeasonBureau, playing, settings
from tests.service.test_season_rounds import do, verdict

SHORT = {"weeks": 6}  # three of them with matchings
POOL = settings(
    format="pool", entry={"least": 4}, season=SHORT, table={"load": 1}, pool={"again": 1, "best": 2, "wait_days": 3}
)


def matched(bureau: SeasonBureau, draws: int) -> None:
    """Go on till so many matches are made."""
    bureau.go(lambda season: len(season.draws) >= draws)


def test_who_waits_is_seated_and_each_match_is_a_draw_with_a_link_of_its_own() -> None:
    bureau = SeasonBureau(POOL, people=9)
    bureau.to("entries")
    bureau.enter()
    bureau.to("muster")
    bureau.muster()
    matched(bureau, 2)
    season = bureau.season
    assert [len(table.people) for table in season.tables.values()] == [4, 4]
    assert len({draw.link for draw in season.draws.values()}) == 2
    (left,) = {each.person for each in season.entrants} - {p for table in season.tables.values() for p in table.people}
    assert next_matching(season) is None  # one alone waits
    assert all(len(season.running(each.person)) == (each.person != left) for each in season.entrants)


def test_a_smaller_table_will_do_for_who_has_waited_long() -> None:
    bureau = playing(POOL, people=7)
    bureau.tick(2 * DAY)
    assert len(bureau.season.draws) == 1
    bureau.tick(2 * DAY)
    assert [len(table.people) for table in bureau.season.tables.values()] == [4, 3]


def test_one_may_enter_while_it_is_played_and_waits_from_then_on() -> None:
    bureau = SeasonBureau(POOL, people=8)
    bureau.to("entries")
    bureau.enter(bureau.people[:6])
    bureau.to("muster")
    bureau.muster(bureau.people[:6])
    bureau.to("playing")
    mails = bureau.write("playerg", "league euro")
    assert any("enter euro" in mail.text for mail in mails if mail.to == address("playerg"))
    bureau.write("playerg", "enter euro")
    with pytest.raises(Illegal, match="no_luck"):
        bureau.enter_as("playerh", luck="banana")
    bureau.enter_as("playerh")
    bureau.tick(DAY)
    season = bureau.season
    assert bureau.number("playerg") in season.groups[""]
    assert len(season.draws) == 2
    assert bureau.number("playerh") in season.tables[2].people
    assert len(group_standings(season)) == 8


def test_who_has_left_does_not_wait_and_may_not_enter_again_this_season() -> None:
    bureau = playing(POOL, people=8)
    (leaver,) = {*bureau.people[:1]}
    bureau.entry(leaver, lambda entry: entry.leave("so"))
    with pytest.raises(Illegal, match="barred"):
        bureau.enter_as(leaver)
    assert next_matching(bureau.season) is None


def test_nobody_sits_again_with_whom_they_have_just_played() -> None:
    bureau = playing(POOL, people=4)
    bureau.finish_table(1)
    for _ in range(5):
        bureau.tick(DAY)
    assert len(bureau.season.draws) == 1
    assert bureau.told.count("unmatched") == 5
    assert do(bureau, "draw") == [("refused", "league.nobody_fits")]


@pytest.mark.slow
def test_the_best_results_count_and_all_follows_from_the_pages() -> None:
    bureau = playing(POOL, people=9)
    bureau.to("ended")
    season = bureau.season
    assert len(season.draws) > 6
    best = group_standings(season)[0]
    assert best.played > 2
    assert best.points <= 2000
    assert season.ended is not None
    assert season.ended.honours["champion"] == (best.line,)
    assert verdict(bureau).split(";")[0].endswith("all follow from what is published")


def test_when_links_run_out_others_are_committed_before() -> None:
    bureau = SeasonBureau(settings(format="pool", entry={"least": 4}, season=SHORT, table={"load": 1}, pool={"again": 1}, draw={"links": 2}), people=9)  # fmt: skip
    bureau.begun()
    assert len(bureau.season.chains) == 1
    bureau.to("ended")
    season = bureau.season
    assert len(season.links) - 1 >= 4
    assert len(season.chains) == (len(season.links) - 1 + 1) // 2
    assert "follow from what is published" in verdict(bureau)


def test_the_organiser_may_draw_before_the_hour_and_draw_again() -> None:
    bureau = playing(POOL, people=9)
    bureau.server.leagues.organise(bureau.tag, ["redraw D-2: a misunderstanding"])
    assert len(bureau.season.draws) == 2
    assert bureau.season.draws[2].again == 2
    assert "follow from what is published" in verdict(bureau)
