"""A season runs by itself: entries, draw, tables, results and its end, each done once."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from pbem.bootstrap import prove_archive
from pbem.core.refusal import Illegal
from pbem.host.ports import Conflict
from pbem.host.session.unit_of_work import read_entries
from pbem.league import acts
from pbem.league.figures import group_standings
from pbem.league.proof.evidence import GameResult, Published
from pbem.league.proof.verdict import verify
from tests.service.bureau import HOUR, address
from tests.service.season import DAY, PEOPLE, START, SeasonBureau, playing, settings


def verdict(bureau: SeasonBureau) -> str:
    told = bureau.server.leagues.published(bureau.tag)
    return verify(Published(log=told.log, settings=told.settings)).sentence


def test_a_season_runs_to_its_end_and_the_next_one_follows() -> None:
    bureau = playing()
    assert [each.number for each in bureau.running] == [1, 2]
    bureau.to("ended")
    season = bureau.season
    assert bureau.told.count("begun") == bureau.told.count("noted") == len(season.tables) == 6
    assert season.ended is not None
    assert sorted(place.person for place in season.ended.standings) == sorted(map(bureau.number, bureau.people))
    assert season.ended.honours["champion"] == (group_standings(season, "1a")[0].line,)
    assert verdict(bureau).endswith("all follow from what is published")
    after = bureau.server.leagues.season("euro-2")
    assert after.founded.last == season.ended.order
    assert after.calendar.closes >= season.calendar.ends
    assert after.founded.settings.season.start == "2027-07-26"  # a Monday again, and three weeks of entries before it


def test_who_has_played_is_entered_for_the_next_season() -> None:
    bureau = playing()
    bureau.to("ended")
    bureau.tag = "euro-2"
    bureau.to("muster")
    assert {*bureau.season.people} == {*map(bureau.number, bureau.people)}
    bureau.muster(bureau.people)
    bureau.to("playing")


def test_each_table_has_its_positions_and_nobody_has_one_twice() -> None:
    bureau = playing()
    bureau.to("deciding")
    had = [(chair.person, chair.position) for table in bureau.season.tables.values() for chair in table.drawn.chairs]  # type: ignore[union-attr]
    assert len({*had}) == len(had) == 24
    for table in bureau.season.tables.values():
        with bureau.server.games.work() as work:
            game = work.game(table.game)
            rules = work.games.load(game).rules
            (opening,) = read_entries(rules, work.repository, game.id, upto=0)
        assert table.drawn is not None
        seats = {member.person.id: member.seat for member in game.members}
        dealt = {f"{seats[chair.person]} {chair.position}" for chair in table.drawn.chairs}
        assert {*rules.lots(opening.events)["flags"].split(", ")} == dealt
        assert bureau.server.app.verify(table.game).honest


def test_a_table_mails_its_opening_and_goes_on_by_mail_as_any_game_does() -> None:
    bureau = playing()
    first = bureau.running[0]
    game = bureau.table_game(first.number)
    told = [mail.to for mail in bureau.postman.sent if mail.game == game.id]
    assert sorted(told) == sorted(member.person.address for member in game.members)
    with bureau.server.games.work() as work:
        (asked,) = {decision.seat for decision in work.session(game).pending()}
    who = next(member.person.address for member in game.members if member.seat == asked)
    bureau.write(who, "taxation", subject=f"Re: [{game.id}] your turn")
    with bureau.server.games.work() as work:
        assert asked not in {decision.seat for decision in work.session(game).pending()}


def test_nobody_plays_more_tables_at_once_than_the_load() -> None:
    bureau = playing()
    while bureau.season.phase == "playing" and bureau.running:
        for one, other, third in combinations(bureau.running, 3):
            assert not one.seated & other.seated & third.seated
        bureau.clock.advance(DAY)
        bureau.finish_table(bureau.running[-1].number)
        bureau.tick()
    assert all(table.is_over for table in bureau.season.tables.values())


# -- entries ---


def test_who_does_not_answer_the_muster_is_left_out() -> None:
    bureau = SeasonBureau(people=8)
    bureau.to("entries")
    bureau.enter()
    bureau.to("muster")
    bureau.muster(bureau.people[:6])
    bureau.muster(bureau.people[6:7], plays=False)
    bureau.to("playing")
    closed = next(each.act for each in bureau.acts if isinstance(each.act, acts.Closed))
    assert [each.person for each in closed.entrants] == [*map(bureau.number, bureau.people[:6])]
    assert [*closed.left_out] == [*map(bureau.number, bureau.people[6:])]


def test_with_too_few_people_nothing_is_drawn_and_no_link_is_told() -> None:
    bureau = SeasonBureau(people=5)
    bureau.to("entries")
    bureau.enter()
    bureau.to("muster")
    bureau.muster()
    bureau.to("called_off")
    assert bureau.told[-1] == "called_off"
    assert len(bureau.season.links) == 1
    with bureau.store.transaction() as repository:
        assert repository.next_season() is None
        assert repository.games() == []


def test_who_comes_behind_the_last_place_waits_in_the_order_of_arrival() -> None:
    bureau = SeasonBureau(settings(entry={"most": 7}), people=9)
    bureau.to("entries")
    bureau.enter(bureau.people[::-1])
    bureau.to("muster")
    bureau.muster([*bureau.people[:3], *bureau.people[4:]])
    bureau.to("playing")
    plays = {each.person for each in bureau.season.entrants}
    assert plays == {*map(bureau.number, [*bureau.people[2:3], *bureau.people[3:]])} - {bureau.number("playerd")} | {
        bureau.number(who) for who in ("playerb",)
    }


def test_an_entry_is_taken_back_and_given_again_behind_the_others() -> None:
    bureau = SeasonBureau(people=3)
    bureau.to("entries")
    bureau.enter()
    first = PEOPLE[0]
    bureau.withdraw(first)
    with pytest.raises(Illegal, match=r"league\.not_entered"):
        bureau.withdraw(first)
    bureau.enter([first])
    people = bureau.season.people
    assert max(people, key=lambda person: people[person].since) == bureau.number(first)
    with pytest.raises(Illegal, match=r"league\.entered"):
        bureau.enter([first])


def test_all_are_entered_or_none() -> None:
    bureau = SeasonBureau(people=3)
    bureau.to("entries")
    with pytest.raises(Illegal, match=r"league\.entered"):
        bureau.enter([*bureau.people, bureau.people[0]])
    assert bureau.season.people == {}


def test_luck_words_are_told_when_entries_close_and_not_before() -> None:
    bureau = SeasonBureau()
    bureau.to("entries")
    bureau.enter_as(PEOPLE[0], luck="banana")
    bureau.enter(bureau.people[1:])
    assert "banana" not in str(bureau.acts)
    bureau.to("muster")
    bureau.muster()
    bureau.to("playing")
    closed = next(each.act for each in bureau.acts if isinstance(each.act, acts.Closed))
    assert {each.person: each.luck for each in closed.entrants}[bureau.number(PEOPLE[0])] == "banana"
    assert verdict(bureau).endswith("all follow from what is published")


def test_who_is_kept_apart_never_meets_and_is_told_at_the_end() -> None:
    bureau = SeasonBureau(settings(divisions={"shape": (2,)}), people=12)
    bureau.to("entries")
    one, other = PEOPLE[:2]
    bureau.enter_as(one, apart=(bureau.number(other),))
    bureau.enter(bureau.people[1:])
    bureau.to("muster")
    bureau.muster()
    bureau.to("playing")
    together = {bureau.number(one), bureau.number(other)}
    assert all(not together <= {*table.people} for table in bureau.season.tables.values())
    assert "kept apart are taken as given" in verdict(bureau)
    bureau.to("ended")
    assert next(each.act.pairs for each in bureau.acts if isinstance(each.act, acts.KeptApart)) == (
        tuple(sorted(together)),
    )
    assert verdict(bureau).endswith("all follow from what is published")


def test_who_can_t_be_kept_apart_is_the_operators_matter_and_told_once() -> None:
    bureau = SeasonBureau()
    bureau.to("entries")
    bureau.enter_as(PEOPLE[0], apart=(bureau.number(PEOPLE[1]),))
    bureau.enter(bureau.people[1:])
    bureau.to("muster")
    bureau.muster()
    bureau.at(START + 60)
    bureau.tick(60)
    bureau.tick(60)
    assert bureau.told[-1] == "closed"
    assert [mail.subject for mail in bureau.alarms].count(bureau.alarms[-1].subject) == 1
    assert "euro-1 can't go on" in bureau.alarms[-1].text


# -- the clock, and what may be in its way ---


def test_closing_waits_for_a_whole_look_into_the_mailbox() -> None:
    bureau = SeasonBureau()
    bureau.to("entries")
    bureau.enter()
    bureau.to("muster")
    bureau.muster()
    bureau.mailbox.down = True
    bureau.at(START + HOUR)
    assert bureau.season.phase == "muster"
    bureau.mailbox.down = False
    bureau.tick(60)
    bureau.tick(60)
    assert bureau.season.phase == "playing"


def test_a_quiet_season_writes_nothing_and_is_not_looked_at() -> None:
    bureau = playing()
    with bureau.store.transaction() as repository:
        due = repository.next_season()
        assert due is not None
        assert repository.due_seasons(due - 1) == []
    before = bureau.acts
    bureau.tick(HOUR)
    assert bureau.acts == before


def test_a_table_that_lasts_too_long_is_ended_with_its_standing() -> None:
    bureau = playing()
    bureau.finish_table(1)
    for _ in range(57):
        bureau.tick(DAY)
    noted = bureau.season.tables[2].noted
    assert noted is not None
    assert noted.how == "time"
    assert [seat.score for seat in noted.seats] != [None] * 4
    assert {2: {24, 168}} == {2: {*bureau.season.tables[2].warned}}
    assert bureau.table_game(2).status == "finished"
    assert verdict(bureau).endswith("all follow from what is published")


def test_what_runs_at_the_end_of_the_season_ends_with_it_and_what_never_began_is_void() -> None:
    bureau = playing(settings(limits={"game_days": 0}, season={"weeks": 2}))
    bureau.to("playing")
    for _ in range(15):
        bureau.tick(DAY)
    bureau.tick(60)
    assert bureau.season.phase == "deciding"
    hows = [(each.noted.how, each.noted.void) for each in bureau.season.tables.values() if each.noted]
    assert hows == [("time", False)] * 2 + [("time", True)] * 4


@pytest.mark.parametrize("place", range(1, 24, 11))
def test_killed_between_what_is_done_and_its_act_nothing_is_done_twice(place: int, monkeypatch: Any) -> None:
    """Whatever act the daemon dies at: the books are as if it had never begun with it."""
    bureau = SeasonBureau()
    bureau.to("entries")
    bureau.enter()
    with_fault(bureau, monkeypatch, place)
    bureau.patient = True
    bureau.to("muster")
    bureau.muster()
    bureau.to("ended")
    with bureau.store.transaction() as repository:
        assert len(repository.games()) == 6
        assert [each.number for each in repository.tables_of("euro-1")] == [*range(1, 7)]
    assert bureau.told.count("begun") == bureau.told.count("noted") == 6
    assert bureau.told.count("drawn") == bureau.told.count("closed") == bureau.told.count("ended") == 1
    rows = bureau.store.posted()  # type: ignore[attr-defined]
    assert len({row.id for row in rows}) == len(rows)


def with_fault(bureau: SeasonBureau, monkeypatch: Any, place: int) -> None:
    """The act of that number is met by a conflict as often as the daemon tries in a round, once."""
    from pbem.host.session.season import SeasonDesk

    real, left = SeasonDesk.enter, [5]

    def enter(self: SeasonDesk, at: int, by: str, act: acts.Act, via: str | None = None) -> Any:
        entry = real(self, at, by, act, via)
        if entry.seq >= place + 6 and left[0] and by == "clock":
            left[0] -= 1
            raise Conflict("the daemon is killed here")
        return entry

    monkeypatch.setattr(SeasonDesk, "enter", enter)


def test_two_daemons_make_one_season() -> None:
    one = SeasonBureau()
    other = SeasonBureau.beside(one)
    one.to("entries")
    one.enter()
    one.to("muster")
    one.muster()
    one.clock.set(START + HOUR)
    other.clock.set(START + HOUR)
    for _ in range(4):
        one.tick(30)
        other.tick(30)
    assert one.told.count("drawn") == 1
    assert one.told.count("begun") == len(one.running) == 2
    with one.store.transaction() as repository:
        assert len(repository.games()) == 2


# -- seats that change hands ---


def test_a_substitute_plays_on_and_the_season_knows() -> None:
    bureau = SeasonBureau(people=6)
    bureau.know("zoe@players.test")
    bureau.begun()
    game = bureau.table_game(1)
    leaver = game.members[0]
    bureau.server.app.moderate(game.id, [f"replace {leaver.seat} by zoe@players.test: a new job"])
    bureau.answer_offer("zoe@players.test")
    table = bureau.season.tables[1]
    assert table.holders == {leaver.person.id: bureau.number("zoe@players.test")}
    bureau.finish_table(1)
    noted = bureau.season.tables[1].noted
    assert noted is not None
    assert bureau.number("zoe@players.test") in {seat.person for seat in noted.seats}
    row = next(each for each in group_standings(bureau.season, "1a") if each.line == leaver.person.id)
    assert row.points == 0


def test_who_is_ejected_counts_no_more_at_a_table_that_goes_on() -> None:
    bureau = playing(people=6)
    game = bureau.table_game(1)
    leaver = game.members[0]
    bureau.server.app.moderate(game.id, [f"eject {leaver.seat}: rude"])
    assert bureau.season.tables[1].holders == {leaver.person.id: None}
    bureau.server.app.moderate(game.id, ["end: enough"])
    noted = bureau.season.tables[1].noted
    assert noted is not None
    assert next(each for each in noted.seats if each.seat == leaver.person.id).person is None


# -- what can't be ---


def test_results_that_the_games_logs_give_are_those_of_the_season() -> None:
    bureau = playing()
    bureau.to("deciding")
    games = {}
    for table in bureau.season.tables.values():
        with bureau.server.games.work() as work:
            game = work.game(table.game)
            session = work.session(game)
            result = session.rules.result(session.state)
            assert result is not None
            who = {member.seat: member.person.id for member in game.members}
            places = {who[seat]: place for seat, place in result.places.items()}
            scores = {who[seat]: score for seat, score in (result.scores or {}).items()}
            games[game.id] = GameResult(places=places, scores=scores, digest=session.position.prev)
    told = bureau.server.leagues.published(bureau.tag)
    assert verify(Published(log=told.log, settings=told.settings, games=games)).fault is None
    assert address(PEOPLE[0]) not in str(told.log)


# -- who is erased ---


def test_nobody_is_erased_who_is_expected_and_later_their_line_has_a_number() -> None:
    bureau = SeasonBureau()
    bureau.to("entries")
    bureau.enter()
    who = address(PEOPLE[0])
    with pytest.raises(ValueError, match="is in euro-1"):
        bureau.server.people.erase(who)
    bureau.to("muster")
    bureau.muster()
    bureau.to("deciding")
    held = bureau.server.people.export(who)
    (said,) = held["leagues"]
    assert (said["season"], said["person"], said["luck"], said["apart"]) == ("euro-1", 1, "", "")
    own = [table.number for table in bureau.season.tables.values() if 1 in table.people]
    assert [each["act"]["table"] for each in said["acts"] if each["act"]["type"] == "noted"] == own
    assert len(held["ratings"]["imperial"]) == len(own)
    bureau.server.people.erase(who)
    assert bureau.server.leagues.names("euro-1")[1] == ""
    assert verdict(bureau).endswith("all follow from what is published")
    bureau.to("ended")
    bureau.tag = "euro-2"
    bureau.to("entries")
    assert sorted(bureau.season.people) == [2, 3, 4, 5, 6]
    bureau.tick(60)
    assert all(mail.to != "erased-1@invalid" for mail in bureau.postman.sent)


def test_who_can_t_be_kept_apart_sits_with_anybody_when_the_operator_says_so() -> None:
    bureau = SeasonBureau()
    bureau.to("entries")
    bureau.enter_as(PEOPLE[0], apart=(bureau.number(PEOPLE[1]),))
    bureau.enter(bureau.people[1:])
    bureau.to("muster")
    bureau.muster()
    bureau.at(START + 60)
    bureau.tick(60)
    assert bureau.told[-1] == "closed"
    bureau.server.leagues.forgo("euro-1", address(PEOPLE[0]))
    bureau.tick(60)
    assert bureau.season.phase == "playing"
    assert verdict(bureau).endswith("all follow from what is published")


# -- what is published ---


def test_the_archive_proves_games_whose_positions_a_league_has_dealt(tmp_path: Path) -> None:
    bureau = playing()
    bureau.to("deciding")
    assert not bureau.server.archivist(tmp_path).build().failed
    found = list(prove_archive(tmp_path))
    assert [proof.fault for proof in found] == [""] * 6
    assert all("its lots follow from its secret" in str(proof) for proof in found)
    page = (tmp_path / "imp-1" / "turn-0" / "index.html").read_text("utf-8")
    assert "The game is table T-1 of euro-1" in page


# -- a game that others count on ---


def test_a_table_is_finished_by_all_its_seats_and_broken_off_by_none() -> None:
    bureau = playing()
    game = bureau.table_game(1)
    first, *others = (member.person.address for member in game.members)
    for text in ("petition abort: enough", "petition change: shorter\n  SET slot_hours = 12"):
        (told,) = [mail for mail in bureau.write(first, text, subject=f"Re: [{game.id}] x") if mail.answers]
        assert "is table T-1 of euro-1" in " ".join(told.text.split())
    bureau.write(first, "petition finish", subject=f"Re: [{game.id}] x")
    for who in others:
        assert bureau.table_game(1).status == "running"
        bureau.write(who, "for P-1", subject=f"Re: [{game.id}] x")
    noted = bureau.season.tables[1].noted
    assert noted is not None
    assert noted.how == "agreed"


def test_a_seat_is_offered_to_nobody_of_the_same_group() -> None:
    bureau = playing(settings(divisions={"shape": (2,)}), people=12)
    table = bureau.season.tables[1]
    assert table.drawn is not None
    group = bureau.season.groups[table.drawn.group]
    for who in bureau.people:
        bureau.server.people.wait(address(who))
    game = bureau.table_game(1)
    bureau.server.app.moderate(game.id, [f"eject {game.members[0].seat}: gone"])
    bureau.tick()
    asked = {mail.to for mail in bureau.postman.sent if mail.game == game.id and "seat" in mail.subject.lower()}
    rest = {address(who) for who in bureau.people if bureau.number(who) not in group}
    assert asked & rest == rest
    assert not asked - rest - {member.person.address for member in game.members}
