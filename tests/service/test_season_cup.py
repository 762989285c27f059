"""A cup: the best of each table go on, till there is one table left."""

from __future__ import annotations

from pbem.league.figures import finishes, still_in
from tests.service.season import DAY, SeasonBureau, playing, settings
from tests.service.test_season_rounds import to_draw, verdict

CUP = settings(format="cup", entry={"least": 16}, rounds={"days": 28, "advance": 2}, season={"weeks": 26})


def test_the_best_of_each_table_go_on_till_one_table_is_left() -> None:
    bureau = playing(CUP, people=16)
    for number in (1, 2, 3):
        bureau.finish_table(number)
    bureau.tick(40 * DAY)
    assert 2 not in bureau.season.draws  # nobody knows yet who is left
    bureau.finish_table(4)
    to_draw(bureau, 2)
    season = bureau.season
    best = {each.line for number in range(1, 5) for each in finishes(season, season.tables[number]) if each.place == 1}
    second = {person for number in season.draws[2].tables for person in season.tables[number].people}
    assert len(second) == 8
    assert best <= second
    bureau.to("ended")
    season = bureau.season
    assert [len(season.draws[number].tables) for number in sorted(season.draws)] == [4, 2, 1]
    assert season.ended is not None
    final = season.tables[season.draws[3].tables[0]]
    winners = {each.line for each in finishes(season, final) if each.place == 1}
    assert season.ended.honours["champion"][0] in winners
    assert {*season.ended.order[0][:4]} == {*final.people}
    assert verdict(bureau).endswith("all follow from what is published")


def test_who_leaves_goes_on_no_more_and_the_next_best_takes_their_place() -> None:
    bureau = playing(CUP, people=16)
    for number in (1, 2, 3, 4):
        bureau.finish_table(number)
    before = still_in(bureau.season, 2)
    leaver = before[0]
    bureau.server.leagues.organise(bureau.tag, [f"expel player {leaver}: two names"])
    after = still_in(bureau.season, 2)
    assert leaver not in after
    assert len(after) == len(before) == 8


def test_with_too_few_for_a_table_the_best_of_the_others_come_along() -> None:
    bureau = SeasonBureau(settings(format="cup", entry={"least": 16}, rounds={"advance": 1}, table={"allowed": (4, 5, 6)}), people=16)  # fmt: skip
    bureau.begun()
    for number in (1, 2, 3, 4):
        bureau.finish_table(number)
    bureau.server.leagues.organise(bureau.tag, ["void T-1: nobody trusts it", f"expel player {bureau.season.tables[2].people[0]}: so"])  # fmt: skip
    assert len(still_in(bureau.season, 2)) == 4
