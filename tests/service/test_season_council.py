"""The entrants of a season ask each other and vote by mail; what they decide is done, and nobody's vote is told before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pbem.core.log import is_digest
from pbem.host.play.results import Result
from pbem.host.ports import Mail
from pbem.league import acts
from pbem.league.proof.evidence import Published
from pbem.league.proof.verdict import verify
from tests.service.bureau import HOST, OPERATOR, address
from tests.service.season import DAY, PEOPLE, SeasonBureau, playing

ANNA, BRUNO, CARLA, DORA, EMMA, FRITZ = PEOPLE[:6]


def words(mail: Mail) -> str:
    return " ".join(mail.text.split())


def about(bureau: SeasonBureau, *said: str) -> list[Mail]:
    """The letters about the season whose subjects hold these words."""
    mails = [mail for mail in bureau.postman.sent if mail.game == bureau.tag and not mail.answers]
    return [mail for mail in mails if all(each in mail.subject for each in said)]


def write(bureau: SeasonBureau, who: str, text: str, *, to: str = "Your tables") -> Mail:
    """In answer to the letter of the season whose subject holds these words."""
    mail = next(mail for mail in reversed(about(bureau, to)) if mail.to == address(who))
    sent = bureau.write(who, text, to=mail.reply_to or HOST, subject=f"Re: {mail.subject}", References=mail.message_id)
    return next(each for each in sent if each.answers)


@pytest.fixture
def bureau() -> SeasonBureau:
    return playing()


def decide(bureau: SeasonBureau, people: tuple[str, ...], vote: str = "for P-1") -> None:
    for who in people:
        write(bureau, who, vote)


# -- asking and voting ---


def test_a_petition_is_told_to_all_entrants_and_decided_by_more_than_half_of_them(bureau: SeasonBureau) -> None:
    told = write(bureau, ANNA, "petition change Longer reserves\nThey are away a lot.\nSET reserves.hours = 72")
    assert "posted" in words(told)
    asked = about(bureau, "Petition P-1: Longer reserves")
    assert {mail.to for mail in asked} == {address(who) for who in bureau.people}
    assert "It needs more than half of all 6 votes" in words(asked[0])
    assert "It sets reserves.hours to 72, at once." in words(asked[0])
    assert "P-1: For" in words(write(bureau, BRUNO, "for P-1"))
    write(bureau, CARLA, "gegen P-1")
    assert bureau.season.petitions[1].status == "open"
    write(bureau, DORA, "a favore", to="Petition P-1")
    assert bureau.season.petitions[1].status == "open"
    write(bureau, EMMA, "yes", to="Petition P-1")
    assert bureau.season.petitions[1].status == "passed"
    assert bureau.season.settings.reserves.hours == 72
    over = about(bureau, "P-1 has passed")
    assert len(over) == 6
    assert f"Against: player {bureau.number(CARLA)}" in words(over[0])


def test_what_frozen_keys_are_set_to_binds_from_the_next_season(bureau: SeasonBureau) -> None:
    write(bureau, ANNA, "petition change Other points\nSET scoring.system = squares")
    decide(bureau, (BRUNO, CARLA, DORA))
    assert bureau.season.petitions[1].status == "passed"
    assert bureau.season.settings.scoring.system == "places"
    assert "set" not in bureau.told
    bureau.to("ended")
    bureau.tag = "euro-2"
    assert bureau.season.settings.scoring.system == "squares"


def test_the_load_is_raised_only_if_each_consents(bureau: SeasonBureau) -> None:
    write(bureau, ANNA, "petition change More at once\nSET table.load = 3")
    decide(bureau, (BRUNO, CARLA, DORA, EMMA))
    assert bureau.season.petitions[1].status == "open"
    write(bureau, FRITZ, "for P-1")
    assert bureau.season.settings.table.load == 3


def test_another_length_of_the_season_moves_its_end(bureau: SeasonBureau) -> None:
    before = bureau.season.calendar.ends
    write(bureau, ANNA, "petition change Two weeks more\nSET season.weeks = 19")
    decide(bureau, (BRUNO, CARLA, DORA))
    assert bureau.season.calendar.ends - before == 14 * DAY


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("petition finish all is said", "In a league a petition may be"),
        ("petition change\nSET name = asia", "stays what it is"),
        ("petition change\nSET scoring.ties = wins", "can’t be the value of scoring.ties"),
        ("petition change\nSET table.load = 1", "can only be raised"),
        ("petition change\nSET foo.bar = 1", "foo.bar"),
        ("petition change\nSET organisers = x@y.test", "petition replace by NAME"),
        ("petition change\nSET options.slot_hours = 48", "options.slot_hours"),
        ("petition clarify\nSET table.load = 3", "petition change"),
        ("petition suspend 15 days", "14 days at most"),
        ("petition replace claudia", "Say who is to lead"),
        ("petition replace by nobody@y.test", "nobody@y.test"),
        ("petition change", "does not say what it is about"),
        ("for P-7", "no petition P-7"),
    ],
)
def test_what_can_t_be_asked_is_refused_with_why(bureau: SeasonBureau, text: str, refusal: str) -> None:
    told = words(write(bureau, ANNA, text))
    assert refusal in told
    assert bureau.season.petitions == {}


def test_before_the_draw_and_when_it_is_over_nobody_votes(bureau: SeasonBureau) -> None:
    bureau.to("ended")
    assert "The season is over" in words(write(bureau, ANNA, "petition clarify what?", to="is over"))
    early = SeasonBureau()
    early.to("entries")
    early.enter()
    early.to("muster")
    assert "Nothing is drawn yet" in words(write(early, ANNA, "petition clarify what?", to="Will you play"))


def test_two_votes_of_one_letter_count_for_none(bureau: SeasonBureau) -> None:
    write(bureau, ANNA, "petition clarify What is a week?")
    told = words(write(bureau, BRUNO, "for P-1\nagainst P-1"))
    assert "in more than one way" in told
    assert [*bureau.season.petitions[1].votes] == [bureau.number(ANNA)]


def test_a_petition_is_taken_back_while_nobody_else_has_voted(bureau: SeasonBureau) -> None:
    write(bureau, ANNA, "petition clarify What is a week?")
    assert "can vote against it" in words(write(bureau, BRUNO, "withdraw P-1"))
    write(bureau, ANNA, "withdraw P-1")
    assert bureau.season.petitions[1].status == "withdrawn"
    write(bureau, ANNA, "petition clarify What is a week?")
    write(bureau, BRUNO, "abstain P-2")
    assert "Others have voted" in words(write(bureau, ANNA, "withdraw P-2"))


def test_nobody_floods_the_others_with_petitions(bureau: SeasonBureau) -> None:
    for _ in range(3):
        write(bureau, ANNA, "petition clarify What is a week?")
        write(bureau, ANNA, f"withdraw P-{max(bureau.season.petitions)}")
    assert "within a day" in words(write(bureau, ANNA, "petition clarify What is a week?"))
    assert len(bureau.season.petitions) == 3


def test_a_petition_closes_after_its_days_and_silence_is_no_side(bureau: SeasonBureau) -> None:
    write(bureau, ANNA, "petition clarify What is a week?")
    write(bureau, BRUNO, "petition change Anything\nin words")
    for _ in range(8):
        bureau.tick(DAY)
    assert [each.status for each in bureau.season.petitions.values()] == ["passed", "failed"]


def test_the_petitions_are_listed(bureau: SeasonBureau) -> None:
    assert "There has been no petition in euro-1" in words(write(bureau, ANNA, "petitions"))
    write(bureau, ANNA, "petition clarify What is a week?")
    told = words(write(bureau, BRUNO, "Anträge"))
    assert "P-1, a clarification: What is a week?" in told
    assert "1 of 6 have voted" in told


# -- what follows ---


def test_a_suspension_stops_the_time_of_all_games(bureau: SeasonBureau) -> None:
    write(bureau, ANNA, "petition suspend 3 days Holidays")
    decide(bureau, (BRUNO, CARLA, DORA))
    (pause,) = bureau.season.pauses
    assert pause.end is not None
    assert pause.end - pause.start == 3 * DAY
    for table in bureau.running:
        with bureau.server.games.work() as work:
            done = work.done(work.game(table.game))
        assert any(type(each.act).__name__ == "Paused" for each in done)


def test_two_thirds_break_the_season_off(bureau: SeasonBureau) -> None:
    write(bureau, ANNA, "petition abort Nobody plays")
    decide(bureau, (BRUNO, CARLA))
    assert bureau.running
    write(bureau, DORA, "for P-1")
    bureau.tick()
    assert bureau.season.phase == "deciding"
    assert all(table.noted is not None and table.noted.void for table in bureau.season.tables.values())


def test_who_is_voted_to_lead_the_league_is_asked_and_accepts(bureau: SeasonBureau) -> None:
    write(bureau, ANNA, f"petition replace by {address(BRUNO)}: no answers")
    assert address(BRUNO) not in str(bureau.acts[-1].act)
    decide(bureau, (CARLA, DORA, EMMA))
    assert "does not ask you" in words(write(bureau, CARLA, "accept P-1"))
    assert "You lead euro-1" in words(write(bureau, BRUNO, "accept P-1", to="Will you lead"))
    assert bureau.season.leaders == (bureau.number(BRUNO),)


def test_a_petition_that_is_not_in_order_is_off_the_table_within_a_day(bureau: SeasonBureau) -> None:
    write(bureau, ANNA, "petition clarify Who is the best")
    write(bureau, ANNA, "petition clarify Who is the best of all")
    assert [each.outcome for each in organise(bureau, "reject P-1: it asks nothing")] == ["done"]
    assert bureau.season.petitions[1].status == "rejected"
    assert "it asks nothing" in words(about(bureau, "P-1")[-1])
    bureau.tick(2 * DAY)
    assert [each.outcome for each in organise(bureau, "reject P-2: it asks nothing")] == ["refused"]


def organise(bureau: SeasonBureau, *lines: str) -> Sequence[Result]:
    found = bureau.server.leagues.organise(bureau.tag, lines).results
    bureau.tick()
    return found


def test_where_nobody_decides_on_an_objection_the_entrants_are_asked_who_should_lead(bureau: SeasonBureau) -> None:
    write(bureau, ANNA, "object D-1: the lots were mine")
    bureau.tick(15 * DAY)
    (petition,) = bureau.season.petitions.values()
    assert (petition.asked.kind, petition.asked.person, petition.asked.whom) == ("replace", None, None)
    assert any("O-1" in mail.text for mail in bureau.postman.sent if mail.to == OPERATOR)
    bureau.tick(10 * DAY)
    assert len(bureau.season.petitions) == 1


# -- whose it is ---


def test_in_a_letter_of_a_game_it_is_the_game_s_and_out_of_the_blue_nobody_guesses(bureau: SeasonBureau) -> None:
    table = bureau.running[0]
    who = next(who for who in bureau.people if bureau.number(who) in table.seated)
    bureau.write(who, "petition clarify What is a week?", subject=f"[{table.game}]")
    assert bureau.season.petitions == {}
    (told,) = bureau.write(who, "petition clarify What is a week?", to=HOST, subject="hello")
    assert "This may be meant for euro-1" in words(told)
    assert table.game in words(told)
    assert bureau.season.petitions == {}


def test_whoever_is_in_no_league_votes_nowhere(bureau: SeasonBureau) -> None:
    bureau.know("stranger@players.test")
    bureau.write("stranger@players.test", "for P-1", to=HOST, subject="hello")
    assert bureau.season.petitions == {}


# -- secrecy ---


def test_votes_are_published_with_the_decision_and_the_chain_holds_before_it(bureau: SeasonBureau) -> None:
    write(bureau, ANNA, "petition change Other points\nSET scoring.system = squares")
    write(bureau, BRUNO, "against P-1")
    log = bureau.server.leagues.published("euro-1").log
    assert sum(map(is_digest, log)) == 1
    assert not any(b'"voted"' in line for line in log)
    verdict = verify(Published(log=log))
    assert verdict.fault is None
    assert "votes are taken as given" in verdict.sentence
    for _ in range(8):
        bureau.tick(DAY)
    later = bureau.server.leagues.published("euro-1").log
    assert not any(map(is_digest, later))
    assert verify(Published(log=later)).fault is None
    assert [own for own, line in zip(log, later, strict=False) if own != line] == [
        line for line in log if is_digest(line)
    ]


def test_an_act_that_is_left_out_as_if_it_were_a_vote_is_found(bureau: SeasonBureau) -> None:
    from pbem.core.log import digest_of

    log = [*bureau.server.leagues.published("euro-1").log]
    log[-1] = digest_of(log[-1])
    fault = verify(Published(log=log)).fault
    assert fault is not None
    assert fault.check == "V1"


def test_a_decision_against_the_votes_is_found(bureau: SeasonBureau, monkeypatch: Any) -> None:
    write(bureau, ANNA, "petition change Other points\nSET scoring.system = squares")
    with bureau.server.games.work() as work:
        work.season("euro-1").enter(bureau.clock.now(), "clock", acts.Decided(number=1, passed=True))
    fault = verify(Published(log=bureau.server.leagues.published("euro-1").log)).fault
    assert fault is not None
    assert "decided otherwise" in fault.what


def test_no_letter_tells_a_vote_before_the_decision(bureau: SeasonBureau) -> None:
    write(bureau, ANNA, "petition change Other points\nSET scoring.system = squares")
    write(bureau, BRUNO, "against P-1 My secret reason")
    told = write(bureau, CARLA, "petitions")
    assert "secret reason" not in told.text + (told.html or "")
    assert "2 of 6 have voted" in words(told)


# -- which letters come ---


def test_who_wants_their_own_tables_alone_hears_of_no_petition(bureau: SeasonBureau) -> None:
    write(bureau, FRITZ, "reports mine")
    write(bureau, ANNA, "petition clarify What is a week?")
    assert address(FRITZ) not in {mail.to for mail in about(bureau, "Petition P-1")}
