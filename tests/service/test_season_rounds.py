"""A season in rounds: tables are drawn again and again after the standings, and no draw waits for a table."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import pytest
from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.host.season.results import running_points
from pbem.league import acts
from pbem.league.figures import group_standings
from pbem.league.powers import check_not_own
from pbem.league.proof.evidence import Published
from pbem.league.proof.verdict import verify
from pbem.league.ratings import Step
from tests.service.bureau import address
from tests.service.season import DAY, SeasonBureau, playing, settings
from tests.service.test_season_leaving import write

DRAWN = {"format": "rounds", "entry": {"least": 16}}
ROUNDS = settings(**DRAWN, rounds={"count": 2, "days": 28}, table={"load": 1})
MEAN = 500


def verdict(bureau: SeasonBureau) -> str:
    told = bureau.server.leagues.published(bureau.tag)
    return verify(Published(log=told.log, settings=told.settings)).sentence


def pairs(bureau: SeasonBureau, draw: int) -> set[tuple[int, int]]:
    """Who meets whom at the tables of a draw."""
    tables = (bureau.season.tables[number] for number in bureau.season.draws[draw].tables)
    return {pair for table in tables for pair in combinations(sorted(table.people), 2)}


def to_draw(bureau: SeasonBureau, number: int) -> None:
    while number not in bureau.season.draws:
        bureau.step()


def test_a_draw_does_not_wait_and_tables_begin_as_places_become_free() -> None:
    bureau = playing(ROUNDS, people=16)
    for number in (1, 2):
        bureau.finish_table(number)
    to_draw(bureau, 2)
    first, second = bureau.season.draws[1], bureau.season.draws[2]
    assert round((second.at - first.at) / DAY) == 28
    assert [*first.tables, *second.tables] == [*range(1, 9)]
    assert not pairs(bureau, 1) & pairs(bureau, 2)
    _scores_are_those_of_the_day(bureau)
    bureau.tick()
    busy = {person for table in bureau.running if table.draw == 1 for person in table.seated}
    waits = [each for each in bureau.season.tables.values() if each.draw == 2 and each.begun is None]
    assert waits
    assert all(busy & each.seated for each in waits)
    letters = _letters(bureau, waits[0].number)
    assert "The tables of round 2 of euro-1 are drawn: you play at 1 table" in " ".join(letters.split())
    bureau.to("ended")
    season = bureau.season
    assert season.ended is not None
    assert len(season.ended.standings) == 16
    assert season.ended.honours["champion"] == (group_standings(season)[0].line,)
    assert all(row.played == 2 for row in group_standings(season))
    assert verdict(bureau).startswith("euro-1: 16 entrants, 8 tables, 2 draws, ")
    assert verdict(bureau).endswith("all follow from what is published")


def _scores_are_those_of_the_day(bureau: SeasonBureau) -> None:
    """What is over counts as it ended, what runs as the mean while somebody has not moved."""
    drawn = next(each.act for each in bureau.acts if isinstance(each.act, acts.Drawn) and each.act.number == 2)
    scores = dict(drawn.drawings[0].inputs["scores"])
    for table in (bureau.season.tables[number] for number in bureau.season.draws[1].tables):
        points = {seat.seat: seat.points for seat in table.noted.seats} if table.noted else {}
        for person in table.people:
            assert scores[person] == points.get(person, MEAN)


def _letters(bureau: SeasonBureau, table: int) -> str:
    person = min(bureau.season.tables[table].people)
    who = next(each for each in bureau.people if bureau.number(each) == person)
    told = [mail for mail in bureau.postman.sent if mail.to == address(who) and "D-2" not in mail.subject]
    return next(mail.text for mail in reversed(told) if "round 2" in mail.text)


def test_a_running_table_counts_as_it_stands_once_all_have_moved() -> None:
    bureau = playing(ROUNDS, people=16)
    orders = 0
    while not (here := running(bureau, 1)):
        order(bureau, 1)
        orders += 1
    assert orders >= 4
    assert {*here} == {*bureau.season.tables[1].people}
    assert sum(here.values()) == pytest.approx(4 * MEAN, abs=4)
    to_draw(bureau, 2)
    drawn = next(each.act for each in bureau.acts if isinstance(each.act, acts.Drawn) and each.act.number == 2)
    assert dict(drawn.drawings[0].inputs["scores"]).items() >= here.items()


def do(bureau: SeasonBureau, line: str) -> list[tuple[str, str | None]]:
    results = bureau.server.leagues.organise(bureau.tag, [line]).results
    return [(result.outcome, result.refusal.code if result.refusal else None) for result in results]


def running(bureau: SeasonBureau, table: int) -> dict[int, int]:
    season = bureau.season
    with bureau.server.games.work() as work:
        return running_points(work, season).get(table, {})


def order(bureau: SeasonBureau, table: int) -> None:
    """Whoever is asked there lets their nation tax."""
    game = bureau.table_game(table)
    with bureau.server.games.work() as work:
        (asked,) = {decision.seat for decision in work.session(game).pending()}
    who = next(member.person.address for member in game.members if member.seat == asked)
    bureau.write(who, "taxation", subject=f"Re: [{game.id}] your turn")


def test_a_draw_that_another_has_followed_is_not_made_again() -> None:
    bureau = playing(ROUNDS, people=16)
    to_draw(bureau, 2)
    before = bureau.season.draws[2]
    assert do(bureau, "redraw D-1: late") == [("refused", "league.followed")]
    assert do(bureau, "redraw D-2: a name was wrong") == [("done", None)]
    again = bureau.season.draws[2]
    assert again.link != before.link
    assert again.tables == before.tables
    assert not pairs(bureau, 1) & pairs(bureau, 2)
    bureau.to("ended")
    assert verdict(bureau).endswith("all follow from what is published")


def test_nobody_of_the_league_takes_a_seat_there_or_rules_on_it() -> None:
    """All of a season in rounds are rivals."""
    bureau = playing(ROUNDS, people=16)
    season, other = bureau.season, max(bureau.season.tables)
    (person, *_) = season.tables[1].people
    with pytest.raises(Illegal, match=r"league\.own_group"):
        check_not_own(season, person, f"T-{other}")


@pytest.mark.slow
def test_no_round_is_drawn_whose_tables_would_be_void_at_once() -> None:
    bureau = playing(settings(**DRAWN, rounds={"count": 4, "days": 35}), people=16)
    bureau.to("ended")
    assert [*bureau.season.draws] == [1, 2, 3]
    assert not any(table.noted and table.noted.void for table in bureau.season.tables.values())


def rated(bureau: SeasonBureau, games: Mapping[str, int]) -> None:
    """The earlier they come the stronger they are; so many games has each played."""
    game = bureau.invite().id
    with bureau.server.games.work() as work:
        for place, (who, count) in enumerate(games.items()):
            person = work.repository.person_at(address(who))
            assert person is not None
            step = Step(person=person.id, end=1, game=game, mu=40.0 - place, sigma=2.0, games=count)
            work.repository.add_steps("imperial", [step])


def test_one_of_each_quarter_of_the_settled_ratings_sits_at_a_first_table() -> None:
    bureau = SeasonBureau(settings(**DRAWN, rounds={"count": 2, "first": "pots"}), people=16)
    rated(bureau, dict.fromkeys(bureau.people[:8], 8))
    bureau.begun()
    best, second = ({*map(bureau.number, bureau.people[at : at + 4])} for at in (0, 4))
    for table in bureau.season.tables.values():
        assert len({*table.people} & best) == len({*table.people} & second) == 1
    assert "ratings that a draw was made of are taken as given" in verdict(bureau)


def test_groups_are_filled_by_settled_ratings() -> None:
    by_rating = settings(groups={"fill": "rating"}, divisions={"shape": (2,)}, entry={"least": 12})
    bureau = SeasonBureau(by_rating, people=12)
    rated(bureau, {**dict.fromkeys(bureau.people[:4], 8), bureau.people[4]: 7})
    bureau.begun()
    divided = next(each.act for each in bureau.acts if isinstance(each.act, acts.Divided))
    numbers = [bureau.number(who) for who in bureau.people]
    assert divided.inputs["ratings"] == [[number, 34000 - 1000 * place] for place, number in enumerate(numbers[:4])]
    first, second = ({*bureau.season.groups[name]} for name in ("1a", "1b"))
    assert {numbers[0], numbers[3]} <= first
    assert {numbers[1], numbers[2]} <= second
    assert "ratings that a draw was made of are taken as given" in verdict(bureau)


def test_clocks_are_looked_at_and_nobody_is_told_whose_goes_how() -> None:
    bureau = SeasonBureau(settings(**{**DRAWN, "table": {"zones": 3}}), people=16)
    with bureau.store.transaction() as repository:
        for place, who in enumerate(bureau.people):
            person = repository.person_at(address(who))
            assert person is not None
            repository.save_person(replace(person, zone="Asia/Tokyo" if place % 2 else "UTC"))
    bureau.begun()
    inputs = bureau.season.draws[1].drawings[0].inputs
    assert len(inputs["hours"]) == 64  # a digest
    assert bureau.season.draws[1].drawings[0].cost > 0
    assert "clocks of people were looked at are taken as given" in verdict(bureau)


# -- a public number ---

BEACON = settings(**DRAWN, rounds={"count": 2, "days": 28}, table={"load": 1}, draw={"beacon": "the lotto of that day"})


def test_a_draw_waits_for_its_public_number_and_follows_from_it() -> None:
    bureau = SeasonBureau(BEACON, people=16)
    assert do(bureau, "beacon 4 8 15") == [("refused", "league.no_beacon")]
    bureau.to("entries")
    assert "the lotto of that day" in write(bureau, "playera", "league euro")
    bureau.enter()
    bureau.to("muster")
    bureau.muster()
    bureau.go(lambda season: 1 in season.beacons)
    assert not bureau.season.draws
    assert do(bureau, "beacon 4 8 15 16 23 42") == [("done", None)]
    bureau.tick()
    assert bureau.season.draws[1].drawings[0].inputs["beacon"] == "4 8 15 16 23 42"
    assert do(bureau, "beacon 1") == [("refused", "league.no_beacon")]
    to_draw(bureau, 2)  # nobody tells one: it is made without, three days later
    assert "beacon" not in bureau.season.draws[2].drawings[0].inputs
    assert "follow from what is published" in verdict(bureau)


def test_whoever_leads_the_league_hears_that_a_draw_waits() -> None:
    bureau = SeasonBureau(replace(BEACON, organisers=("zoe@players.test",)), people=16)
    bureau.to("entries")
    bureau.enter()
    bureau.to("muster")
    bureau.muster()
    bureau.go(lambda season: 1 in season.beacons)
    told = next(mail for mail in bureau.postman.sent if mail.to == "zoe@players.test" and "to decide" in mail.subject)
    assert "the lotto of that day" in " ".join(told.text.split())


def test_a_table_that_lacks_a_player_is_played_by_the_others_where_that_is_allowed() -> None:
    bureau = playing(settings(**DRAWN, rounds={"count": 2, "days": 28}, table={"load": 1}), people=16)
    to_draw(bureau, 2)  # whose tables wait for those of the first
    table = next(each for each in bureau.season.tables.values() if each.draw == 2)
    leaver = table.people[0]
    bureau.server.leagues.organise(bureau.tag, [f"expel player {leaver}: two names"])
    bureau.tick(6 * DAY)
    now = bureau.season.tables[table.number]
    assert {*now.people} == {*table.people} - {leaver}
    assert now.is_whole
    assert len({chair.position for chair in now.drawn.chairs}) == 3  # type: ignore[union-attr]
    bureau.to_begin(table.number)
    assert len(bureau.table_game(table.number).members) == 3
    bureau.to("ended")
    assert "follow from what is published" in verdict(bureau)
