"""A season as the fold of its log: what is due when, who is where, what can be taken back, and what may not be done."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.core.log import BrokenLink, seal
from pbem.core.refusal import Illegal
from pbem.league import acts, powers
from pbem.league.calendar import HOUR
from pbem.league.changes import check_set, value_of, with_key
from pbem.league.drawing import draw_match, draw_round, match_inputs, positions_had, round_inputs
from pbem.league.due import due, end_of
from pbem.league.endings import places_by_time
from pbem.league.figures import borders, ended, group_standings, is_void, rated_tables, services
from pbem.league.limits import House
from pbem.league.log import organiser, read, written
from pbem.league.pool import MILLION, Waiting
from pbem.league.ratings import counted
from pbem.league.season import folded
from pbem.league.settings import Divisions, Entry, Groups, Limits, Rounds, Tables
from tests.league.played import DAY, POSITIONS, Play, noted, settings

SMALL = settings(divisions=Divisions(shape=(1, 2)))
HOUSE = House(now=0, games={"imperial": range(2, 7)}, scored=["imperial"])


@pytest.fixture(scope="module")
def season() -> Play:
    play = Play(SMALL, 20)
    play.play()
    return play


def refused(code: str) -> Any:
    return pytest.raises(Illegal, match=code.replace(".", r"\."))


# -- the machine ---


def test_a_season_runs_by_what_is_due(season: Play) -> None:
    end = season.season
    assert end.phase == "ended"
    assert due(end) == []
    kinds = Counter(type(entry.act).__name__ for entry in season.entries)
    assert (kinds["Founded"], kinds["Divided"], kinds["Drawn"], kinds["Begun"], kinds["Noted"], kinds["Ended"]) == (
        1,
        1,
        1,
        20,
        20,
        1,
    )
    assert {name: len(people) for name, people in end.groups.items()} == {"1a": 7, "2a": 7, "2b": 6}
    assert max(season.loads) == 2
    assert end.links == tuple(season.links[:2])


def test_each_plays_alike_and_no_position_twice(season: Play) -> None:
    for own in positions_had(season.season).values():
        assert [*own.values()] == [1, 1, 1, 1]


def test_phases_follow_each_other() -> None:
    play, seen = Play(SMALL, 12), []
    play.play(lambda _: bool(seen.append(play.season.phase)))
    assert [*dict.fromkeys(seen)] == ["founded", "entries", "muster", "drawn", "playing", "deciding"]


def test_the_first_tables_begin_at_once_as_the_load_allows() -> None:
    for load, first in ((2, [1, 2, 4]), (3, [1, 2, 3, 4])):
        play = Play(settings(entry=Entry(least=7), groups=Groups(least=6), table=Tables(load=load)), 7)
        play.play(lambda what: what.what == "warn")
        begun = [entry.act.table for entry in play.entries if isinstance(entry.act, acts.Begun)]
        assert begun == first


def test_nobody_is_ever_above_their_load() -> None:
    for load in (1, 2, 3):
        play = Play(settings(table=Tables(load=load)), 12, seed=load)
        play.play()
        assert max(play.loads) <= load


def test_who_did_not_answer_is_left_out_and_those_who_came_late_wait() -> None:
    play = Play(settings(entry=Entry(most=12)), 15)
    play.play(lambda what: what.what == "close")
    play.do(acts.Withdrawn(person=3))
    play.do(acts.Mustered(person=5, plays=False))
    play.play(lambda what: what.what == "divide")
    assert [each.person for each in play.season.entrants] == [1, 2, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14]


def test_a_game_that_never_ends_ends_at_its_limit() -> None:
    play = Play(settings(limits=Limits(game_days=34)), 7)
    play.play(lambda what: what.what == "decide")
    spent = [table.noted_at - table.begun for table in play.season.tables.values() if table.noted_at and table.begun]
    assert max(spent) == 34 * DAY
    assert {table.noted.how for table in play.season.tables.values() if table.noted} == {"played", "time"}


def test_a_pause_moves_the_end_of_tables_and_of_the_season_if_it_says_so() -> None:
    play = Play(SMALL, 7)
    play.play(lambda what: what.what == "warn")
    table, ends = play.season.tables[1], play.season.calendar.ends
    before = end_of(play.season, table)
    play.do(acts.Paused(start=play.now, end=play.now + 7 * DAY))
    assert (end_of(play.season, table), play.season.calendar.ends) == (before + 7 * DAY, ends)
    play.now += 3 * DAY
    play.do(acts.Resumed())
    assert end_of(play.season, table) == before + 3 * DAY
    play.do(acts.Paused(start=play.now, end=play.now + DAY, season=True))
    assert play.season.calendar.ends == ends + DAY
    play.do(acts.Extended(table=1, was=0, until=before + 30 * DAY))
    assert end_of(play.season, play.season.tables[1]) == before + 30 * DAY
    play.do(acts.Extended(was=ends, until=ends - 90 * DAY))
    assert end_of(play.season, play.season.tables[1]) == ends - 90 * DAY


def test_a_table_waits_for_somebody_away_at_most_two_weeks() -> None:
    play = Play(SMALL, 7)
    play.play(lambda what: what.what == "begin")
    first = play.season.tables[1].people[0]
    for days, waits in ((2, 0), (5, 5), (40, 14)):
        begins = {
            each.about: each.at for each in due(play.season, {first: play.now + days * DAY}) if each.what == "begin"
        }
        assert begins[1] == play.now + waits * DAY


def test_rounds_are_drawn_on_their_days_and_overlap() -> None:
    given = settings(
        format="rounds", entry=Entry(least=16), rounds=Rounds(count=4, days=28), season=replace(SMALL.season, weeks=20)
    )
    play = Play(given, 18)
    end = play.play()
    assert [draw.number for draw in end.draws.values()] == [1, 2, 3, 4]
    assert end.links == tuple(play.links[:5])
    drawn = [draw.at for draw in end.draws.values()]
    assert [round((later - at) / DAY) for at, later in pairwise(drawn)] == [28, 28, 28]
    assert max(play.loads) <= 2
    for own in positions_had(end).values():
        assert max(own.values()) <= 2  # three positions at a table of three
    met = Counter(pair for table in [*end.tables.values()][:15] for pair in _pairs(table.people))
    assert max(met.values()) == 1


def _pairs(people: tuple[int, ...]) -> list[tuple[int, int]]:
    own = sorted(people)
    return [(a, b) for a in own for b in own if a < b]


def test_a_cup_goes_on_with_the_best_of_each_table() -> None:
    given = settings(
        format="cup", entry=Entry(least=16), rounds=Rounds(count=3, days=84), season=replace(SMALL.season, weeks=40)
    )
    end = Play(given, 16).play()
    assert [len(draw.tables) for draw in end.draws.values()] == [4, 2, 1]
    for number in (1, 2):
        winners = {
            seat.seat for table in end.draws[number].tables for seat in end.tables[table].noted.seats if seat.place == 1
        }  # type: ignore[union-attr]
        assert winners <= {person for table in end.draws[number + 1].tables for person in end.tables[table].people}


def test_the_best_of_all_rounds_play_last_tables() -> None:
    given = settings(
        format="rounds",
        entry=Entry(least=16),
        rounds=Rounds(count=2, days=84, cut=8),
        season=replace(SMALL.season, weeks=40),
    )
    play = Play(given, 20)
    play.play(lambda what: what == (what.at, "draw", 3, 0, True))
    best = [row.line for row in group_standings(play.season)][:8]
    end = play.play()
    assert {person for table in end.draws[3].tables for person in end.tables[table].people} == {*best}
    assert end.ended is not None
    assert len(end.ended.order[0]) == 20


def test_wishes_that_can_not_be_are_refused_with_the_pair() -> None:
    play = Play(settings(format="rounds", entry=Entry(least=16)), 16)
    play.play(lambda what: what.what == "draw")
    everybody = frozenset((1, other) for other in range(2, 17))
    inputs = round_inputs(play.season, 1, {}, range(1, 17), everybody)
    with refused("league.apart") as found:
        draw_round(play.season.settings, play.links[1], inputs, {}, {}, 1, everybody)
    assert found.value.facts["people"][0] == 1
    two = frozenset([(1, 2)])
    drawing = draw_round(
        play.season.settings, play.links[1], round_inputs(play.season, 1, {}, range(1, 17), two), {}, {}, 1, two
    )
    assert not any({1, 2} <= {chair.person for chair in table.chairs} for table in drawing.tables)
    assert "apart" in drawing.inputs
    assert (1, 2) not in drawing.inputs.values()


def test_a_match_of_the_pool_is_a_draw_of_its_own() -> None:
    play = Play(settings(format="pool"), 6)
    who = [Waiting(person=person, days=person, mu=25 * MILLION + person) for person in range(1, 7)]
    inputs = match_inputs(play.season, 3, who, ())
    drawing = draw_match(play.season.settings, play.links[3], inputs, POSITIONS, {}, 9)
    assert drawing is not None
    (table,) = drawing.tables
    assert (table.number, [chair.person for chair in table.chairs]) == (9, [6, 5, 4, 3])
    assert len({chair.position for chair in table.chairs}) == 4
    assert (
        draw_match(play.season.settings, play.links[3], match_inputs(play.season, 3, who[:2], ()), POSITIONS, {}, 9)
        is None
    )


# -- the log ---


def test_the_log_reads_back_and_folds_to_the_same(season: Play) -> None:
    raws = [written(entry) for entry in season.entries]
    assert [written(entry) for entry in read(raws)] == raws
    assert folded(read(raws)) == folded(season.entries) == season.season


def test_what_was_not_written_is_found(season: Play) -> None:
    raws = [written(entry) for entry in season.entries]
    for wrong in (
        [*raws[:5], *raws[6:]],
        [*raws[:5], raws[5].replace(b'"by":"', b'"by":"x'), *raws[6:]],
        [*raws[:-1], written(seal(replace(season.entries[-1], at=0)))],
    ):
        with pytest.raises(BrokenLink):
            read(wrong)


def test_every_act_has_a_tag_of_its_own() -> None:
    kinds = acts.Act.__args__  # type: ignore[attr-defined]
    tags = [kind.__struct_config__.tag for kind in kinds]
    assert len({*tags}) == len(tags) == 57
    assert all(tag == tag.lower() for tag in tags)


def test_rewinding_and_rolling_forward_restore_the_fold() -> None:
    play = Play(SMALL, 12)
    play.play(lambda what: what.what == "close")
    before, mark = play.season, len(play.entries) - 1
    play.do(acts.Penalised(person=4, points=100), organiser("zoe"))
    play.do(acts.Announced(text="hello"))
    after = play.season
    powers.check_rewind(play.entries, mark)
    play.do(acts.Rewound(to=mark))
    assert folded(play.entries) == before
    play.do(acts.Rewound(to=powers.check_forward(play.entries), forward=True))
    assert folded(play.entries) == after
    with refused("league.not_rewound"):
        powers.check_forward(play.entries)
    with refused("league.no_act"):
        powers.check_rewind(play.entries, 999)


def test_what_was_told_is_not_rewound(season: Play) -> None:
    drawn = next(entry.seq for entry in season.entries if isinstance(entry.act, acts.Drawn))
    for to in (drawn - 1, drawn, len(season.entries) - 5):
        with refused("league.told"):
            powers.check_rewind(season.entries, to)


# -- figures ---


def test_the_end_has_an_order_of_every_division(season: Play) -> None:
    act = season.season.ended
    assert act is not None
    assert sorted(person for level in act.order for person in level) == [*range(1, 21)]
    assert [len(level) for level in act.order] == [7, 13]
    assert act.borders == (2,)
    assert act.honours["champion"] == (group_standings(season.season, "1a")[0].line,)
    assert [(place.group, place.place) for place in act.standings][:8] == [*(("1a", n) for n in range(1, 8)), ("2a", 1)]


def test_the_next_season_follows_from_it(season: Play) -> None:
    act = season.season.ended
    assert act is not None
    following = Play(SMALL, 22, seed=2, last=act.order, borders=act.borders, number=2)
    following.play(lambda what: what.what == "draw")
    top = following.season.groups["1a"]
    assert len(top) == 8  # of 22 people: 8, 7, 7
    assert {*act.order[0][:5], *act.order[1][:2]} <= {*top}
    assert {*top} & {*act.order[0][5:]} == {act.order[0][5]}  # who would go down, spared by the larger group
    assert {21, 22} <= {*following.season.groups["2a"], *following.season.groups["2b"]}
    assert following.season.tag == "euro-2"


def test_a_seat_changes_hands() -> None:
    """Without leave it costs and counts as played; with leave the table is left out; a substitute serves."""
    play = Play(SMALL, 7)
    play.play(lambda what: what.what == "warn")
    one, two = play.season.tables[1], play.season.tables[2]
    bad, good = one.people[0], next(person for person in two.people if person not in one.people)
    play.do(acts.ChangedHands(table=1, seat=bad, leaves=bad, comes=99))
    play.do(acts.ChangedHands(table=2, seat=good, leaves=good, comes=98, leave=True))
    for table in (play.season.tables[1], play.season.tables[2]):
        play.do(noted(play.season, table, {person: 10 + place for place, person in enumerate(table.people)}))
    rows = {row.line: row for row in group_standings(play.season, "1a")}
    assert (rows[bad].played, rows[bad].points) == (1, -200)
    assert (rows[good].played, rows[good].points) == (0, 0)
    assert services(play.season) == [(99, 1, 500), (98, 2, max(500, _points(play, 2, good)))]
    rated = {
        table.game: {seat.person: (seat.how, seat.leaver) for seat in table.seats}
        for table in rated_tables(play.season)
    }
    assert rated["imp-1"][99] == ("upwards", bad)
    assert rated["imp-2"][98] == ("upwards", None)
    ratings = counted({}, rated_tables(play.season))
    assert ratings[bad].mu < 25
    assert good not in ratings
    play.do(acts.Excused(person=bad))
    assert next(row for row in group_standings(play.season, "1a") if row.line == bad).points == 0


def _points(play: Play, table: int, seat: int) -> int:
    noted_ = play.season.tables[table].noted
    assert noted_ is not None
    return next(each.points for each in noted_.seats if each.seat == seat)


def test_lateness_and_penalties_are_taken_off() -> None:
    play = Play(replace(SMALL, lateness=replace(SMALL.lateness, cost=1)), 7)
    play.play(lambda what: what.what == "draw")
    for act in (acts.Late(person=1, table=1, periods=4), acts.Late(person=2, table=1, periods=9), acts.Late(person=3, table=1, periods=4), acts.Forgiven(person=3, periods=1), acts.Penalised(person=4, points=150)):  # fmt: skip
        play.do(act)
    rows = {row.line: (row.points, row.late) for row in group_standings(play.season, "1a")}
    assert rows == {1: (-100, 4), 2: (-200, 9), 3: (0, 3), 4: (-150, 0), 5: (0, 0), 6: (0, 0), 7: (0, 0)}


def test_a_result_by_hand_stands_in_the_place_of_the_other() -> None:
    play = Play(SMALL, 7)
    play.play(lambda what: what.what == "decide")
    before = group_standings(play.season, "1a")
    table = play.season.tables[3]
    assert table.noted is not None
    turned = tuple(
        replace(seat, seat=other.seat, person=other.person)
        for seat, other in zip(table.noted.seats, table.noted.seats[::-1], strict=True)
    )
    play.do(acts.Scored(table=3, seats=turned, rated=False, why="x"), organiser("zoe"))
    assert group_standings(play.season, "1a") != before
    assert "imp-3" not in {each.game for each in rated_tables(play.season)}
    play.do(acts.Voided(table=3))
    assert {row.played for row in group_standings(play.season, "1a")} == {4}
    assert sum(row.points for row in group_standings(play.season, "1a")) == sum(row.points for row in before)
    play.do(acts.Replayed(table=3))
    assert play.season.tables[3].begun is None
    assert [each.about for each in due(play.season) if each.what == "begin"] == [3]


def test_nobody_moves_from_a_group_most_of_whose_tables_are_void(season: Play) -> None:
    play = Play(SMALL, 20)
    play.play(lambda what: what.what == "decide")
    assert borders(play.season) == [2]
    for table in [each for each in play.season.tables.values() if each.drawn and each.drawn.group == "2b"][:4]:
        play.do(acts.Voided(table=table.number))
    assert is_void(play.season, "2b")
    assert ended(play.season).borders == (1,)


# -- time ---


def test_waiting_can_lose_a_lead_and_never_win_one() -> None:
    scores = {"a": 60, "b": 50, "c": 50, "d": 10}
    for times, by_right, places in ((2.1, (), [3, 1, 1, 4]), (1.9, (), [1, 2, 2, 4]), (2.1, ("a",), [1, 2, 2, 4])):
        others = round((4 - times) * 1000 / 3)
        waited = {"a": 4000 - 3 * others if times == 2.1 else int(times * 1000), "b": others, "c": others, "d": others}
        assert [*places_by_time(scores, waited, 2.0, by_right).values()] == places
    assert [*places_by_time(scores, {"a": 1, "b": 90, "c": 1, "d": 1}, 2.0).values()] == [1, 2, 2, 4]
    assert [*places_by_time(scores, {"a": 90, "b": 1, "c": 1, "d": 1}, 0).values()] == [1, 2, 2, 4]


# -- what may not be done ---


def test_the_guards_of_entries() -> None:
    play = Play(SMALL, 12)
    with refused("league.not_open"):
        powers.check_enter(play.season, 50, 0)
    play.play(lambda what: what.what == "call")
    powers.check_enter(play.season, 50, 0)
    with refused("league.entered"):
        powers.check_enter(play.season, 1, 0)
    with refused("league.barred"):
        powers.check_enter(play.season, 50, 0, barred_until=2)
    with refused("league.no_muster"):
        powers.check_muster(play.season, 1)
    with refused("league.not_entered"):
        powers.check_entered(play.season, 50)
    play.do(acts.Expelled(person=1, why="x"))
    with refused("league.refused"):
        powers.check_enter(play.season, 1, 0)
    with refused("league.not_closed"):
        powers.check_draw(play.season, 1)


def test_the_guards_of_draws_and_results(season: Play) -> None:
    play = Play(SMALL, 12)
    play.play(lambda what: what.what == "warn")
    end = play.season
    powers.check_redraw(end, 1, lambda _: False)
    with refused("league.played"):
        powers.check_redraw(end, 1, lambda game: game == "imp-2")
    with refused("league.no_draw"):
        powers.check_redraw(end, 2, lambda _: False)
    with refused("league.drawn"):
        powers.check_draw(end, 1)
    with refused("league.not_over"):
        powers.check_result(end, 1, next_drawn=False)
    with refused("league.too_late"):
        powers.check_result(season.season, 1, next_drawn=True)
    table = powers.check_result(season.season, 1, next_drawn=False)
    powers.check_scores(table, table.people, [1, 2, 3, 4])
    with refused("league.seats"):
        powers.check_scores(table, table.people[1:], [1, 2, 3])
    with refused("league.value"):
        powers.check_scores(table, table.people, [1, 2, 3, -4])
    with refused("league.no_table"):
        powers.table_of(end, 99)
    waits = next(each for each in end.tables.values() if each.begun is None)
    with refused("league.load"):
        powers.check_begin(end, waits.number)
    with refused("league.begun"):
        powers.check_begin(end, 1)
    with refused("league.not_running"):
        powers.check_end(end, waits.number)
    with refused("league.no_division"):
        powers.check_move(end, 1, 9, next_drawn=False)
    powers.check_move(end, 1, 2, next_drawn=False)


def test_nobody_rules_on_their_own_group() -> None:
    play = Play(SMALL, 20)
    play.play(lambda what: what.what == "warn")
    own, other = play.season.groups["1a"][0], play.season.groups["2a"][0]
    theirs = next(table for table in play.season.tables.values() if table.drawn and table.drawn.group == "1a")
    about = f"T-{theirs.number}"
    powers.check_object(play.season, own, about, play.now, play.now + 71 * HOUR)
    play.do(acts.Objected(number=1, person=own, about=about, text="x"))
    for matter in (about, "1a", "O-1"):
        with refused("league.own"):
            powers.check_not_own(play.season, own, matter)
        powers.check_not_own(play.season, other, matter)
        powers.check_not_own(play.season, None, matter)
    with refused("league.objected_late"):
        powers.check_object(play.season, own, about, play.now, play.now + 73 * HOUR)
    with refused("league.about"):
        powers.check_object(play.season, own, "T-99", None, 0)
    with refused("league.objected"):
        powers.check_object(play.season, own, about, play.now, play.now)
    powers.check_ruling(play.season, 1)
    play.do(acts.Dismissed(number=1))
    with refused("league.ruled"):
        powers.check_ruling(play.season, 1)


def test_an_open_objection_holds_the_end() -> None:
    play = Play(SMALL, 7)
    play.play(lambda what: what.what == "end")
    play.do(acts.Objected(number=1, person=1, about="T-1", text="x"))
    assert [each.what for each in due(play.season)] == ["unanswered"]
    play.do(acts.Upheld(number=1))
    assert [each.what for each in due(play.season)] == ["end"]


def test_what_may_be_set_and_when() -> None:
    def check(key: str, value: Any, drawn: bool = True, petition: bool = True) -> Any:
        return value_of(check_set(SMALL, key, value, drawn=drawn, petition=petition, house=HOUSE), key)

    assert check("scoring.system", "winner", drawn=False, petition=False) == "winner"
    assert check("limits.game_days", "60") == 60
    assert check("limits.game_days", "0") == 0
    assert check("reserves.from", "list") == "list"
    assert check("table.allowed", "4, 5", drawn=False) == (4, 5)
    for code, key, value, drawn, petition in (
        ("league.frozen", "scoring.system", "winner", True, True),
        ("league.needs_petition", "limits.game_days", "60", True, False),
        ("league.upwards", "limits.game_days", "50", True, True),
        ("league.limit", "limits.game_days", "500", True, True),
        ("league.fixed", "name", "asia", False, False),
        ("option.value", "table.load", "many", False, False),
        ("option.unknown", "table.lode", "3", False, False),
        ("option.unknown", "tables", "3", False, False),
        ("option.same", "table.load", "2", False, False),
    ):
        with refused(code):
            check(key, value, drawn, petition)
    assert with_key(SMALL, "mail.weekly", "tue 09:00").mail.weekly == "tue 09:00"


def test_any_act_that_is_set_counts_from_then_on() -> None:
    play = Play(SMALL, 7)
    play.play(lambda what: what.what == "warn")
    play.do(acts.Set(key="limits.game_days", value=70, was=56))
    assert play.season.settings.limits.game_days == 70
