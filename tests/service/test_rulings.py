"""What an organiser decides about tables, people and objections, and what they are told there is to decide."""

from __future__ import annotations

import pytest

from pbem.host.organising.commands import ORGANISER_COMMANDS
from pbem.league.acts import Objected, Scored, Voided
from pbem.league.figures import group_standings
from pbem.league.log import live
from pbem.league.season import folded
from tests.service.bureau import OPERATOR, address
from tests.service.season import DAY, SeasonBureau, playing
from tests.service.test_organisers import OUTSIDE, WITHIN, do, led, led_by, say

DONE = [("done", None)]


@pytest.fixture
def bureau() -> SeasonBureau:
    return playing(led_by(OUTSIDE))


def desks(bureau: SeasonBureau, who: str = OUTSIDE) -> list[str]:
    """The letters that tell them what there is to decide."""
    sent = [mail for mail in bureau.postman.sent if ".desk." in mail.message_id and mail.to == address(who)]
    return [mail.text for mail in sent]


def lines_of(text: str) -> list[str]:
    """The lines of a letter that read as powers."""
    return [line.strip() for line in text.splitlines() if ORGANISER_COMMANDS.reads(line.strip())]


def object_to(bureau: SeasonBureau, who: str, about: str, why: str = "a slip") -> int:
    """The number of the objection that somebody raises by mail."""
    bureau.write(who, f"object {about}: {why}", subject=f"Re: [{bureau.tag}]")
    return max(each.act.number for each in bureau.acts if isinstance(each.act, Objected))


def over(bureau: SeasonBureau) -> int:
    """The number of a table that is over."""
    number = bureau.running[0].number
    bureau.finish_table(number)
    return number


# -- results ---


def test_a_result_by_hand_counts_in_the_place_of_the_one_that_was_noted(bureau: SeasonBureau) -> None:
    number = over(bureau)
    people = bureau.season.tables[number].people
    noted = bureau.season.tables[number].noted
    scores = ", ".join(f"player {person} {10 + place}" for place, person in enumerate(people))
    assert do(bureau, f"score T-{number} {scores}: counted again") == DONE
    act = bureau.acts[-1].act
    assert isinstance(act, Scored)
    assert act.rated
    assert [seat.place for seat in act.seats] == [*range(len(people), 0, -1)]
    best = people[-1]
    row = next(each for each in group_standings(bureau.season, "1a") if each.line == best)
    assert row.wins > 0
    assert bureau.season.tables[number].noted == noted
    assert do(bureau, f"score T-{number} {scores} unrated: counted again") == DONE
    assert not bureau.acts[-1].act.rated  # type: ignore[union-attr]
    assert do(bureau, f"void T-{number}: nobody trusts it") == DONE
    assert isinstance(bureau.acts[-1].act, Voided)
    assert not any(each.wins for each in group_standings(bureau.season, "1a"))
    assert bureau.season == folded(live(bureau.acts))


@pytest.mark.parametrize(
    ("scores", "code"),
    [
        ("player 1 12", "league.seats"),
        ("player 1 12, player 1 3", "league.seats"),
        ("nobody 3", "league.who"),
        ("player", "league.no_score"),
    ],
)
def test_a_result_by_hand_has_each_seat_once(bureau: SeasonBureau, scores: str, code: str) -> None:
    number = over(bureau)
    scores = scores.replace("player 1", f"player {bureau.season.tables[number].people[0]}")
    before = bureau.told
    assert do(bureau, f"score T-{number} {scores}: so") == [("refused", code)]
    assert bureau.told == before


def test_nothing_is_scored_that_is_not_over(bureau: SeasonBureau) -> None:
    number = bureau.running[0].number
    for line in (f"score T-{number} player 1 3: so", f"void T-{number}: so", f"replay T-{number}: so"):
        assert do(bureau, line) == [("refused", "league.not_over")]
    assert do(bureau, "void T-99: so") == [("refused", "league.no_table")]


def test_a_table_is_played_anew(bureau: SeasonBureau) -> None:
    number = over(bureau)
    first = bureau.season.tables[number].game
    assert do(bureau, f"replay T-{number}: the server erred") == DONE
    assert not bureau.season.tables[number].is_over
    bureau.to_begin(number)
    assert bureau.season.tables[number].game not in ("", first)
    bureau.finish_table(number)
    assert bureau.season.tables[number].is_over


def test_a_table_begins_before_its_turn_but_nobody_has_more_games_than_the_load(bureau: SeasonBureau) -> None:
    waits = next(each.number for each in bureau.season.tables.values() if each.begun is None)
    assert do(bureau, f"begin T-{waits}: they wish it") == [("refused", "league.load")]
    running = [each.number for each in bureau.running]
    assert do(bureau, "pause 3 days: for a test") == DONE
    for number in running:
        assert do(bureau, f"end T-{number}: enough") == DONE
    assert do(bureau, f"begin T-{waits}: they wish it") == [("refused", "league.paused")]
    assert do(bureau, "resume: it is over", f"begin T-{waits}: they wish it") == DONE * 2
    assert bureau.season.tables[waits].begun is not None
    assert do(bureau, f"begin T-{waits}: twice") == [("refused", "league.begun")]
    assert do(bureau, f"end T-{running[0]}: twice") == [("refused", "league.not_running")]


# -- people ---


def test_a_penalty_and_what_is_forgiven_stand_in_the_line(bureau: SeasonBureau) -> None:
    assert do(bureau, "penalise player 2 1.5: rude words", "forgive player 2 1: ill") == [
        ("done", None),
        ("refused", "league.not_late"),
    ]
    assert bureau.season.people[2].penalty == 150
    assert do(bureau, "penalise player 2 0: nothing") == [("refused", "league.points")]
    row = next(each for each in group_standings(bureau.season, "1a") if each.line == 2)
    assert row.points == -150


def test_two_who_are_one_person_are_both_out(bureau: SeasonBureau) -> None:
    assert do(bureau, "same playerb playerb: one letter under two names") == [("refused", "league.same_person")]
    assert do(bureau, "same playera playerb: one letter under two names") == [("done", None)]
    assert [bureau.season.people[bureau.number(who)].gone for who in ("playera", "playerb")] == ["expelled"] * 2


def test_who_leaves_with_leave_is_replaced_by_somebody_of_no_group_of_theirs(bureau: SeasonBureau) -> None:
    bureau.know(address("zara"))
    table = bureau.running[0]
    leaver = table.people[0]
    rival = next(each for each in bureau.people if bureau.number(each) not in table.people)
    line = f"replace player {leaver} in T-{table.number} by"
    assert do(bureau, f"{line} {rival}: tired") == [("refused", "league.rival")]
    assert do(bureau, f"{line} {address('zara')}: tired") == DONE
    left = bureau.season.tables[table.number].left[-1]
    assert (left.leaves, left.comes, left.leave) == (leaver, bureau.number("zara"), True)


def test_a_seat_is_never_offered_to_a_rival_who_comes_to_wait(bureau: SeasonBureau) -> None:
    table = bureau.running[0]
    game = bureau.table_game(table.number)
    rival = next(each for each in bureau.people if bureau.number(each) not in table.people)
    bureau.server.app.moderate(game.id, [f"eject {game.members[0].seat}: silent"])
    bureau.know(address("zara"))
    for who in (rival, "zara"):
        bureau.server.people.wait(address(who))
    asked = [mail.to for mail in bureau.tick() if ".offer." in mail.message_id]
    assert asked == [address("zara")]


# -- objections ---


@pytest.mark.parametrize(("yes", "no"), [("uphold", "dismiss"), ("stattgeben", "zurückweisen"), ("accogli", "rigetta")])
def test_who_objects_is_told_what_becomes_of_it(bureau: SeasonBureau, yes: str, no: str) -> None:
    number = over(bureau)
    for word, status in ((yes, True), (no, False)):
        objection = object_to(bureau, "playera", f"T-{number}", f"the bank was miscounted, {word}")
        assert say(bureau, OUTSIDE, f"{word} O-{objection}: so it is") == DONE
        assert bureau.season.objections[objection].upheld is status
        told = [mail for mail in bureau.postman.sent if ".ruling." in mail.message_id and mail.to == address("playera")]
        assert f"O-{objection}" in told[-1].text
        assert say(bureau, OUTSIDE, f"{word} O-{objection}: so it is") == [("refused", "league.ruled")]


def test_an_objection_has_a_matter_a_reason_and_its_time(bureau: SeasonBureau) -> None:
    number = over(bureau)

    def refused(text: str, who: str = "playera") -> None:
        before = bureau.told.count("objected")
        bureau.write(who, text, subject=f"Re: [{bureau.tag}]")
        assert bureau.told.count("objected") == before

    refused("object T-99: what table")
    refused("object D-7: what draw")
    refused(f"object T-{number}:")
    refused(f"object T-{number}: I am nobody here", OUTSIDE)
    object_to(bureau, "playera", f"T-{number}")
    refused(f"object T-{number}: once more")
    object_to(bureau, "playerb", "D-1", "the lots were mine")
    bureau.clock.advance(4 * DAY)
    refused(f"object T-{number}: too late", "playerc")
    assert say(bureau, OUTSIDE, "announce: the server moves") == DONE
    bureau.write("playera", f"Einspruch A-{bureau.acts[-1].seq}: warum\nso spät", subject=f"[{bureau.tag}]")
    assert bureau.acts[-1].act.text == "warum so spät"  # type: ignore[union-attr]


def test_an_objection_that_nobody_who_leads_may_decide_on_is_the_operators() -> None:
    bureau = led(WITHIN)
    bureau.begun()
    number = over(bureau)
    objection = object_to(bureau, "playerb", f"T-{number}")
    assert say(bureau, WITHIN, f"organiser\nuphold O-{objection}: mine") == [("refused", "league.own_group")]
    bureau.tick()
    told = [mail for mail in bureau.postman.sent if mail.to == OPERATOR]
    assert any(f"uphold O-{objection}" in mail.text for mail in told)
    assert do(bureau, f"uphold O-{objection}: it is so") == DONE


def test_the_season_waits_for_a_decision(bureau: SeasonBureau) -> None:
    bureau.to("deciding")
    last = max(bureau.season.tables)
    objection = object_to(bureau, "playera", f"T-{last}")
    bureau.tick(10 * DAY)
    assert bureau.season.phase == "deciding"
    assert say(bureau, OUTSIDE, f"dismiss O-{objection}: no") == DONE
    bureau.to("ended")


# -- what there is to decide ---


def test_the_desk_is_quiet_on_quiet_days(bureau: SeasonBureau) -> None:
    bureau.tick(3 * DAY)
    assert desks(bureau) == []


def test_each_line_of_the_desk_can_be_written_back_as_it_stands(bureau: SeasonBureau) -> None:
    number = over(bureau)
    objection = object_to(bureau, "playera", f"T-{number}", "miscounted")
    bureau.tick()
    (text,) = desks(bureau)
    lines = lines_of(text)
    assert [line.partition(":")[0] for line in lines] == [f"uphold O-{objection}", f"dismiss O-{objection}"]
    assert "miscounted" in text
    assert say(bureau, OUTSIDE, lines[0]) == DONE
    bureau.tick(2 * DAY)
    assert len(desks(bureau)) == 1


def test_what_stays_open_is_told_again_on_some_mornings(bureau: SeasonBureau) -> None:
    number = over(bureau)
    object_to(bureau, "playera", f"T-{number}")
    for _ in range(20):
        bureau.tick(DAY)
    assert len(desks(bureau)) == 6  # at once, and on five mornings


def test_who_plays_gets_lines_below_the_head_and_none_of_their_own_group() -> None:
    bureau = led(WITHIN, OUTSIDE)
    bureau.begun()
    number = over(bureau)
    object_to(bureau, "playerb", f"T-{number}")
    bureau.tick()
    assert desks(bureau, WITHIN) == []
    assert len(desks(bureau, OUTSIDE)) == 1
