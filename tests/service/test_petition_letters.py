"""Petitions by mail: who is told of one, how an answer to it votes, and what a decision changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.host.clock.slots import note
from pbem.host.ports import Mail
from pbem.host.session.acts import Seated
from pbem.host.session.pauses import pauses
from tests.depth import examples_of
from tests.service.bureau import DAY, HOUR, NAMES, Bureau, address, prefix
from tests.service.test_moderation import MODERATOR, acts, appoint, check_record, told


def letter_of(bureau: Bureau, who: str, subject: str) -> Mail:
    """The last letter to somebody that is about this, or tells it among other things."""
    return next(mail for mail in reversed(bureau.postman.to(address(who))) if tells(mail, subject))


def tells(mail: Mail, subject: str) -> bool:
    return subject in mail.subject or subject.upper() in " ".join(mail.text.split())


def answer(bureau: Bureau, who: str, mail: Mail, text: str) -> Sequence[Mail]:
    assert mail.reply_to
    return bureau.write(who, text, subject=f"Re: {mail.subject}", to=mail.reply_to)


def kinds(bureau: Bureau) -> list[Any]:
    return [act["type"] for act in acts(bureau)]


def test_everybody_is_told_of_a_petition_and_may_answer_with_one_word(bureau: Bureau) -> None:
    sent = bureau.write("anton", "petition change Slower clock\nWe are all busy.\nSET slot_hours = 48")
    assert sorted(prefix(sent)) == sorted(NAMES)
    assert bureau.outcomes("anton") == [("posted", None)]
    letter = letter_of(bureau, "bert", "P-1: Slower clock")
    assert "We are all busy." in letter.text
    assert "slot_hours is 48" in " ".join(letter.text.split())
    assert "We are all busy." in str(letter.html)
    bureau.write("claudia", "petition clarify Something else")
    answer(bureau, "bert", letter, "for")
    assert bureau.outcomes("bert") == [("voted", None)]
    assert [(act["number"], act["vote"]) for act in acts(bureau) if act["type"] == "voted"] == [(1, "for")]
    assert told(answer(bureau, "daniel", letter_of(bureau, "daniel", "P-1"), "P-1 against, I like it fast")) == []


def test_a_decision_is_told_to_all_and_binds(bureau: Bureau) -> None:
    bureau.write("anton", "petition change Slower clock\nSET slot_hours = 48")
    bureau.write("bert", "for P-1 yes please")
    bureau.write("claudia", "for P-1")
    sent = bureau.write("daniel", "for P-1")
    assert sorted(prefix(sent)) == sorted(NAMES)
    letter = letter_of(bureau, "emil", "P-1 has passed")
    assert "For: anton, bert, claudia and daniel" in letter.text or "For: anton, bert, claudia, daniel" in letter.text
    assert "yes please" in letter.text
    assert kinds(bureau) == ["petitioned", "voted", "voted", "voted", "decided", "option_set"]
    bureau.write("anton", "austria: taxation")
    bureau.tick()
    slot = bureau.slot
    assert slot.started is not None
    assert slot.deadline == slot.started + 48 * 3_600
    bureau.write("emil", "rules")
    assert "P-1, a change: Slower clock (anton)" in letter_of(bureau, "emil", "").text
    check_record(bureau)


def test_petitions_and_status_tell_which_are_open(bureau: Bureau) -> None:
    bureau.write("anton", "petitions")
    assert "no petition" in letter_of(bureau, "anton", "").text
    bureau.write("anton", "petition clarify Fleets")
    for word in ("petitions", "status"):
        bureau.write("bert", word)
        assert "P-1, a clarification: Fleets (anton)" in letter_of(bureau, "bert", "").text


def test_reports_name_the_open_petitions(bureau: Bureau) -> None:
    bureau.write("anton", "petition clarify Fleets\nend petition\naustria: taxation")
    report = letter_of(bureau, "claudia", "Turn 1")
    assert "P-1, a clarification: Fleets (anton)" in " ".join(report.text.split())


def test_a_game_that_is_finished_by_agreement_ends_with_its_final_letter(bureau: Bureau) -> None:
    bureau.write("anton", "petition finish")
    for who in ("bert", "claudia"):
        bureau.write(who, "for")
    sent = bureau.write("daniel", "for")
    assert sorted({*prefix(mail for mail in sent if "The game is over" in mail.subject)}) == sorted(NAMES)
    assert "The players have agreed to end the game here" in " ".join(letter_of(bureau, "emil", "over").text.split())
    assert bureau.document["finished"] is True
    assert bureau.game.status == "finished"
    check_record(bureau)


def test_a_stopped_letter_does_not_vote(bureau: Bureau) -> None:
    bureau.write("anton", "petition clarify Fleets")
    bureau.write("bert", "for P-1\nitaly: import X nowhere")
    assert bureau.outcomes("bert")[0] == ("held", None)
    assert kinds(bureau) == ["petitioned"]


def test_a_preview_posts_nothing(bureau: Bureau) -> None:
    bureau.write("anton", "preview\npetition clarify Fleets")
    assert bureau.outcomes("anton") == [("tried", None)]
    assert kinds(bureau) == []


def test_at_its_cap_a_petition_is_decided_by_the_clock_and_told(bureau: Bureau) -> None:
    bureau.write("anton", "petition suspend 12h A wedding")
    posted = bureau.clock.now()
    assert told(bureau.at(posted + DAY)) == []
    sent = bureau.at(posted + DAY + 60)
    assert sorted({*prefix(mail for mail in sent if tells(mail, "P-1 has passed"))}) == sorted(NAMES)
    assert [act["end"] - act["start"] for act in acts(bureau) if act["type"] == "paused"] == [DAY // 2]


def test_a_rewinding_takes_no_petition_back(bureau: Bureau) -> None:
    appoint(bureau, address("anton"))
    bureau.write("anton", "austria: taxation")
    bureau.write("bert", "petition clarify Fleets")
    bureau.write("anton", "moderator: rewind to turn 1: a mistake")
    bureau.write("claudia", "for P-1")
    assert bureau.outcomes("claudia") == [("voted", None)]
    assert any(slot.key == "petition 1" for slot in bureau.slots)


def sit(bureau: Bureau, seat: str) -> None:
    """Somebody else plays a seat from now on, at the same address."""
    with bureau.server.games.work() as desk:
        game = desk.game("imp-1")
        note(desk.session(game), bureau.clock.now(), Seated(by="operator", seat=seat, person=2))


def tally(bureau: Bureau, who: str = "emil") -> str:
    bureau.write(who, "petitions")
    return " ".join(letter_of(bureau, who, "").text.split())


def test_a_substitute_has_no_vote_before_a_full_round(bureau: Bureau) -> None:
    bureau.write("anton", "petition clarify Fleets")
    sit(bureau, "bert")
    bureau.write("bert", "against P-1\npetition change Everything")
    assert bureau.outcomes("bert") == [("heard", None), ("refused", "petition.not_elector")]
    assert [act["counts"] for act in acts(bureau) if act["type"] == "voted"] == [False]
    assert "Till then the seat counts as Quorum." in " ".join(letter_of(bureau, "bert", "").text.split())
    assert "Quorum: bert" in tally(bureau)


def test_a_substitute_does_not_wipe_the_vote_of_who_sat_there_before(bureau: Bureau) -> None:
    bureau.write("anton", "petition change Fleets")
    bureau.write("bert", "for P-1")
    sit(bureau, "bert")
    sit(bureau, "anton")
    for _ in range(2):
        bureau.write("bert", "against P-1 I would not")
        assert "counts as For, as the player before you voted" in " ".join(letter_of(bureau, "bert", "").text.split())
    assert "For: anton, bert Not yet" in tally(bureau)
    assert "I would not" in tally(bureau)


def test_a_substitute_may_ask_for_another_one(bureau: Bureau) -> None:
    sit(bureau, "bert")
    bureau.write("bert", "petition replace claudia\nend petition\npetition replace bert: I can't")
    assert bureau.outcomes("bert") == [("refused", "petition.not_elector"), ("posted", None)]
    assert "Quorum: bert Not yet" in tally(bureau)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("petition change Clock\nSET slot_hours = 48\nSET slot_hours = 36", "petition.twice"),
        ("petition change Clock\nSET slot_hours = 48\nSET slot_hours = 48", None),
        ("petition change Clock\nSET idle_days = sat\nSET holidays = IT", None),
    ],
)
def test_a_petition_says_one_thing(bureau: Bureau, text: str, code: str | None) -> None:
    bureau.write("anton", text)
    assert bureau.outcomes("anton") == [("refused" if code else "posted", code)]


def test_two_votes_of_one_letter_that_differ_are_both_refused(bureau: Bureau) -> None:
    for number in (1, 2):
        bureau.write("anton", f"petition clarify Fleets {number}")
    two = ("refused", "petition.two_votes")
    bureau.write("bert", "for P-1\nagainst P-2\nP-1 against")
    assert bureau.outcomes("bert") == [two, ("voted", None), two]
    answer(bureau, "claudia", letter_of(bureau, "claudia", "P-1"), "for\nagainst P-1\nfor P-1")
    assert bureau.outcomes("claudia") == [two, two, two]
    bureau.write("daniel", "for P-1\nfor P-1 really")
    assert bureau.outcomes("daniel") == [("voted", None), ("voted", None)]


def rule(bureau: Bureau, text: str, name: str) -> None:
    bureau.write("anton", text)
    for who in ("bert", "claudia", "daniel"):
        bureau.write(who, f"for {name}")


def test_a_ruling_of_text_alone_is_told_with_its_text_for_ever(bureau: Bureau) -> None:
    rule(bureau, "petition change\nNobody attacks Portugal.", "P-1")
    for number in range(2, 10):
        bureau.write("emil", f"petition clarify Canal {number}")
        bureau.write("emil", f"withdraw P-{number}")
    bureau.write("fritz", "rules")
    for text in (tally(bureau), letter_of(bureau, "fritz", "").text):
        assert "Nobody attacks Portugal." in text


def test_reports_print_the_text_of_what_was_ruled(bureau: Bureau) -> None:
    rule(bureau, "petition change\nNobody attacks Portugal.\nSET slot_hours = 48", "P-1")
    bureau.write("anton", "austria: taxation")
    report = letter_of(bureau, "claudia", "Turn 1")
    for page in (report.text.partition("RULINGS")[2], str(report.html)):
        assert "Nobody attacks Portugal." in page
        assert "slot_hours to 48" in " ".join(page.split())


# -- remarks and form ---


def test_an_interpretation_is_told_to_all_at_once_and_stands_in_every_report(bureau: Bureau) -> None:
    bureau.write("anton", "austria: import A lemberg")
    sent = bureau.write(
        "bert", "interpret anton 1: Lemberg lies east.\nSo I read it.\nend interpretation\nitaly: import A rome"
    )
    assert bureau.outcomes("bert") == [("posted", None), ("played", None)]
    assert sorted({*prefix(mail for mail in sent if tells(mail, "I-1"))}) == sorted(NAMES)
    letter = letter_of(bureau, "emil", "I-1: how bert reads turn 1 of anton")
    assert "So I read it." in letter.text
    assert "So I read it." in str(letter.html)
    report = letter_of(bureau, "claudia", "Turn 3")
    assert "So I read it." in report.text.partition("RULINGS")[2]
    assert "R-2" in report.text
    for word in ("rules", "petitions"):
        bureau.write("daniel", word)
        assert "So I read it." in letter_of(bureau, "daniel", "").text
    check_record(bureau)


def test_an_objection_is_decided_by_a_moderator_and_told(bureau: Bureau) -> None:
    appoint(bureau, "zoe@players.test")
    bureau.write("anton", "austria: taxation")
    sent = bureau.write("bert", "object R-1: The tax is one too low.")
    assert sorted(prefix(sent)) == sorted([*NAMES, "zoe"])
    assert not bureau.alarms
    bureau.write("zoe", "dismiss O-1: two factories, no flag")
    assert bureau.outcomes("zoe") == [("done", None)]
    letter = letter_of(bureau, "emil", "O-1 has been dismissed")
    assert "two factories, no flag" in letter.text
    bureau.write("bert", "italy: taxation")
    report = letter_of(bureau, "claudia", "Turn 3")
    for page in (report.text, str(report.html)):
        assert "O-1: bert objects to the report of turn 1 (dismissed):" in page
        assert "The reason: two factories, no flag" in page
    check_record(bureau)


def test_without_a_moderator_the_operator_hears_of_an_objection(bureau: Bureau) -> None:
    bureau.write("anton", "austria: taxation")
    bureau.write("bert", "object R-1: The tax is one too low.")
    assert ["O-1" in mail.text for mail in bureau.alarms] == [True]


def test_a_remark_with_an_order_below_it_is_stopped(bureau: Bureau) -> None:
    bureau.write("anton", "austria: taxation")
    bureau.write("bert", "interpret anton 1: fine\nitaly: taxation")
    assert bureau.outcomes("bert") == [("refused", "remark.order_inside")]
    assert kinds(bureau) == []


def test_a_rejected_petition_is_told_with_the_reason(bureau: Bureau) -> None:
    appoint(bureau, "zoe@players.test")
    bureau.write("anton", "petition change Free beer")
    bureau.write("zoe", "reject P-1: no question of the game")
    letter = letter_of(bureau, "emil", "P-1 is not in order")
    assert "no question of the game" in " ".join(letter.text.split())
    assert not any(slot.key == "petition 1" for slot in bureau.slots)
    bureau.write("bert", "for P-1")
    assert bureau.outcomes("bert") == [("refused", "petition.over")]


def test_a_substitute_reads_in_his_first_letter_what_was_ruled_and_what_is_open(bureau: Bureau) -> None:
    appoint(bureau, "zoe@players.test")
    bureau.write("anton", "petition clarify Canals are open")
    bureau.write("anton", "austria: import A lemberg")
    for who in ("bert", "claudia", "daniel"):
        bureau.write(who, "for P-1")
    bureau.write("bert", "interpret anton 1: Lemberg lies east.\nend interpretation\nobject R-1: One too many.")
    bureau.write("zoe", "uphold O-1: so it is")
    bureau.write("emil", "petition change Slower clock")
    bureau.know("nina@players.test")
    bureau.write("zoe", "replace fritz by nina@players.test: he moves")
    letter = letter_of(bureau, "nina", "")
    for page in (letter.text, str(letter.html)):
        for words in ("Canals are open", "Lemberg lies east.", "One too many.", "so it is", "Slower clock"):
            assert words in page


# -- as people write ---


def test_a_word_that_answers_the_letter_of_a_petition_votes(bureau: Bureau) -> None:
    for number in (1, 2):
        bureau.write("anton", f"petition clarify Fleets {number}")
    for who, text, vote in (
        ("bert", "Yes\nRegards, Bert", "for"),
        ("claudia", "Nein, danke", "against"),
        ("emil", "Nein, das will ich nicht", None),
        ("daniel", "no", "against"),
    ):
        answer(bureau, who, letter_of(bureau, who, "P-1"), text)
        said = [act["vote"] for act in acts(bureau) if act["type"] == "voted" and act["by"] == who]
        assert said == ([vote] if vote else [])
    assert {act["number"] for act in acts(bureau) if act["type"] == "voted"} == {1}


def test_a_word_that_answers_another_letter_does_not_vote(bureau: Bureau) -> None:
    bureau.write("bert", "petition clarify Fleets")
    bureau.write("anton", "yes\nhello all\naustria: taxation")
    assert sorted(bureau.outcomes("anton")) == [("passed", None), ("passed", None), ("played", None)]
    assert "voted" not in kinds(bureau)
    bureau.write("claudia", "Ok.")
    assert bureau.outcomes("claudia") == [("refused", "yes.unclear")]
    assert "for P-1, against P-1, quorum P-1" in " ".join(letter_of(bureau, "claudia", "").text.split())


def test_a_vote_that_can_not_be_read_is_answered_with_how_to_vote(bureau: Bureau) -> None:
    bureau.write("bert", "petition clarify Fleets")
    bureau.write("anton", "I am not for P-1\nhello all\naustria: taxation")
    assert ("refused", "petition.unclear") in bureau.outcomes("anton")
    assert ("played", None) in bureau.outcomes("anton")
    assert "Write one of these lines: for P-1" in " ".join(bureau.answers("anton")[-1].text.split())


def test_a_player_hears_who_may_pause_and_how_to_ask_for_it(bureau: Bureau) -> None:
    for line, form in (("pause 2 days: a storm", "petition suspend 48h"), ("resume: all is well", "petition resume")):
        for text in (line, f"{line}\naustria: taxation"):
            bureau.write("anton", text)
            assert ("refused", "power.players") in bureau.outcomes("anton")
            assert form in " ".join(bureau.answers("anton")[-1].text.split())
    assert bureau.awaited[0][0] == "anton"


# -- one story ---


STEPS = ("bert", "claudia", "daniel", "play", "tick", "down", "up", "withdraw")


@pytest.mark.slow
@given(st.lists(st.sampled_from(STEPS), max_size=12))
@settings(max_examples=examples_of(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_letter_calls_open_what_an_earlier_one_has_told_as_decided(opened: Bureau, steps: list[str]) -> None:
    """While reports are queued, a petition is voted on, decided or withdrawn; each letter tells how it is by then."""
    bureau = opened.copy()
    bureau.write("fritz", "petition change Nobody attacks Portugal")
    for step in [*steps, "up"]:
        match step:
            case "play":
                seat, _, nation = bureau.awaited[0]
                bureau.write(seat, f"{nation}: investor")
            case "down" | "up":
                bureau.postman.down = step == "down"
            case "tick":
                bureau.tick(60)
            case "withdraw":
                bureau.write("fritz", "withdraw P-1")
            case _:
                bureau.write(step, "for P-1")
    bureau.tick(3 * HOUR)
    for name in NAMES:
        over = False
        for mail in bureau.postman.to(address(name)):
            text = " ".join(mail.text.split())
            is_open = "Portugal (fritz): open until" in text or "decided as soon as its outcome" in text
            assert not (over and is_open), (mail.subject, text)
            over = over or "It passed" in text or "It was withdrawn" in text


def test_a_report_that_goes_out_after_a_decision_tells_it(bureau: Bureau) -> None:
    bureau.write("fritz", "petition change Nobody attacks Portugal")
    for who in ("bert", "claudia"):
        bureau.write(who, "for P-1")
    bureau.postman.down = True
    bureau.write("anton", "austria: taxation")
    bureau.write("daniel", "for P-1")
    bureau.postman.down = False
    bureau.tick(2 * HOUR)
    report = letter_of(bureau, "emil", "Turn 1")
    assert "Nobody attacks Portugal (fritz): open until" not in " ".join(report.text.split())
    assert "Nobody attacks Portugal" in report.text.partition("RULINGS")[2]


# -- who ends a pause ---


def suspend(bureau: Bureau, length: str) -> None:
    bureau.write("anton", f"petition suspend {length}")
    number = kinds(bureau).count("petitioned")
    for who in ("bert", "claudia", "daniel"):
        bureau.write(who, f"for P-{number}")


def ends(bureau: Bureau) -> list[int | None]:
    with bureau.server.games.work() as desk:
        return [each.end for each in pauses(desk.session(desk.game("imp-1")).position.done)]


def test_a_moderator_does_not_end_what_the_players_have_voted(bureau: Bureau) -> None:
    appoint(bureau, MODERATOR)
    suspend(bureau, "48h Holidays")
    suspend(bureau, "24h from 2027-06-01 12:00 UTC Summer")
    voted = ends(bureau)
    bureau.write(MODERATOR, "resume: go on")
    assert bureau.outcomes(MODERATOR) == [("refused", "resume.not_yours")]
    said = " ".join(letter_of(bureau, MODERATOR, "").text.split())
    assert said.count("by “petition resume”") == 2
    bureau.write(MODERATOR, "pause: a storm")
    sent = bureau.write(MODERATOR, "resume: it is over")
    assert ends(bureau) == [*voted, bureau.clock.now()]
    letter = next(mail for mail in sent if mail.to == address("emil"))
    assert "A pause has been ended, another goes on" in letter.subject
    text = " ".join(letter.text.split())
    assert "The moderator Zoe has ended the pause" in text
    assert "time does not count all the same until" in text
    assert "Time counts again" not in text
    assert "time does not count from" in text
    assert bureau.slot.deadline is not None
    check_record(bureau)


def test_the_players_end_by_a_petition_what_they_have_voted(bureau: Bureau) -> None:
    appoint(bureau, MODERATOR)
    bureau.write("anton", "petition resume too early")
    assert bureau.outcomes("anton") == [("refused", "petition.not_suspended")]
    suspend(bureau, "48h Holidays")
    bureau.write(MODERATOR, "pause: a storm")
    bureau.write("emil", "petition resume We are all back")
    for who in ("anton", "bert"):
        bureau.write(who, "for P-2")
    sent = bureau.write("claudia", "for P-2")
    assert ends(bureau) == [bureau.clock.now(), None]
    letter = next(mail for mail in sent if mail.to == address("fritz") and "A pause" in mail.subject)
    text = " ".join(letter.text.split())
    assert "Petition P-2 has ended the suspension that the players had voted" in text
    assert "A moderator has ordered a pause: time does not count all the same, till it is ended." in text
    assert "We are all back" in text
    sent = bureau.write(MODERATOR, "resume: it is over")
    assert "Time counts again" in next(mail for mail in sent if mail.to == address("fritz")).subject
    bureau.write("fritz", "history")
    assert "Petition P-2 has ended the suspension" in " ".join(letter_of(bureau, "fritz", "").text.split())


def test_a_suspension_to_come_is_told_as_one(bureau: Bureau) -> None:
    suspend(bureau, "24h from 2027-06-01 12:00 UTC Summer")
    letter = bureau.postman.to(address("emil"))[-1]
    assert tells(letter, "P-1 has passed")
    assert "If it passes" not in letter.text
    assert "does not count from Tue 1 Jun 2027" in " ".join(letter.text.split())


# -- once a day ---


def tallies(mails: Sequence[Mail]) -> list[Mail]:
    return [mail for mail in mails if tells(mail, "How the votes stand")]


def test_once_a_day_all_hear_how_the_votes_stand_on_all_that_is_open(bureau: Bureau) -> None:
    bureau.write("anton", "petition change Slower clock\nWe are all busy.")
    posted = bureau.clock.now()
    bureau.at(posted + 3_600)
    bureau.write("claudia", "petition clarify Fleets")
    bureau.write("bert", "for P-1")
    assert tallies(bureau.at(posted + DAY - 60)) == []
    sent = tallies(bureau.at(posted + DAY + 1))
    assert sorted(prefix(sent)) == sorted(NAMES)
    assert "For: anton, bert" in sent[0].text
    assert "Not yet: claudia" in sent[0].text
    assert "Fleets" in str(sent[0].html)
    assert tallies(bureau.at(posted + DAY + 7_200)) == []
    assert len(tallies(bureau.at(posted + 2 * DAY + 1))) == len(NAMES)


def test_an_answer_to_the_daily_letter_votes(bureau: Bureau) -> None:
    bureau.write("anton", "petition change Slower clock")
    bureau.at(bureau.clock.now() + DAY + 1)
    answer(bureau, "daniel", letter_of(bureau, "daniel", "How the votes stand"), "against")
    assert bureau.outcomes("daniel") == [("voted", None)]


def test_what_is_decided_is_told_no_more(bureau: Bureau) -> None:
    bureau.write("anton", "petition suspend 12h A wedding")
    bureau.write("anton", "petition change Slower clock")
    bureau.write("anton", "withdraw P-2")
    assert tallies(bureau.at(bureau.clock.now() + DAY + 60)) == []


def test_with_the_game_a_petition_is_void(bureau: Bureau) -> None:
    bureau.write("anton", "petition change Slower clock")
    bureau.write("anton", "petition abort")
    for who in ("bert", "claudia", "daniel"):
        bureau.write(who, "for P-2")
    assert tallies(bureau.at(bureau.clock.now() + DAY + 60)) == []
    bureau.write("emil", "petitions")
    text = " ".join(letter_of(bureau, "emil", "").text.split())
    assert "P-1, a change: Slower clock (anton)" in text
    assert "The game ended before it was decided" in text


# -- what a change binds, where no play can show it ---


def change(bureau: Bureau, sets: str) -> None:
    bureau.write("fritz", f"petition change We try it\nSET {sets}")
    for who in ("anton", "bert", "claudia"):
        bureau.write(who, "for")


def test_a_change_of_press_binds_from_then_on(bureau: Bureau) -> None:
    bureau.write("bert", "press to all: Hello")
    assert bureau.outcomes("bert") == [("sent", None)]
    change(bureau, "press = none")
    bureau.write("bert", "press to all: Hello again")
    assert bureau.outcomes("bert") == [("refused", "press.none")]


def test_a_change_of_the_reminders_binds_for_what_is_asked_from_then_on(bureau: Bureau) -> None:
    change(bureau, "remind_hours = 2")
    bureau.write("anton", "austria: taxation")
    begun = bureau.clock.now()
    reminded = [bureau.at(begun + hours * 3_600 + 60) for hours in (13, 19, 23)]
    assert [[mail.to for mail in sent if ".reminder." in mail.message_id] for sent in reminded] == [
        [],
        [],
        [address("bert")],
    ]


def test_a_change_of_cash_is_refused_with_the_reason(bureau: Bureau) -> None:
    bureau.write("anton", "petition change Secret cash\nSET cash = secret")
    assert bureau.outcomes("anton") == [("refused", "option.fixed")]
    assert "can’t be made secret again" in " ".join(letter_of(bureau, "anton", "").text.split())


def test_a_change_of_the_limit_of_forced_closes_binds_from_then_on(bureau: Bureau) -> None:
    bureau.at(bureau.clock.now() + DAY + 60)
    assert kinds(bureau) == []
    change(bureau, "forced_limit = 1")
    bureau.at(bureau.clock.now() + DAY + 60)
    posted = [(act["by"], act["kind"], act["seat"]) for act in acts(bureau) if act["type"] == "petitioned"]
    assert posted == [("fritz", "change", ""), ("clock", "replace", "bert")]


def test_a_change_of_the_days_of_absence_binds_from_then_on(bureau: Bureau) -> None:
    deadline = bureau.slot.deadline
    bureau.write("anton", "away until tomorrow")
    assert bureau.slot.deadline == deadline
    bureau.write("anton", "away none")
    change(bureau, "away_days = 3")
    bureau.write("anton", "away until tomorrow")
    assert (bureau.slot.deadline or 0) > (deadline or 0)


def test_a_vote_that_comes_in_the_second_of_the_deadline_counts_before_the_clock(bureau: Bureau) -> None:
    deadline = bureau.slot.deadline
    bureau.write("anton", "petition suspend 12h A wedding")
    assert deadline
    for who in ("bert", "claudia"):
        bureau.write(who, "for")
    bureau.clock.set(deadline)
    bureau.drop("daniel", "for", arrived=deadline)
    bureau.tick(60)
    assert [(act["start"], act["end"]) for act in acts(bureau) if act["type"] == "paused"] == [
        (deadline, deadline + DAY // 2)
    ]
    assert bureau.awaited == [("anton", "turn", "austria_hungary")]
    assert bureau.slot.deadline == deadline


def test_a_deadline_that_is_over_is_not_undone_by_a_later_vote(bureau: Bureau) -> None:
    deadline = bureau.slot.deadline
    bureau.write("anton", "petition suspend 12h A wedding")
    assert deadline
    for who in ("bert", "claudia"):
        bureau.write(who, "for")
    bureau.clock.set(deadline + 1)
    bureau.drop("daniel", "for", arrived=deadline + 1)
    bureau.tick(60)
    assert bureau.awaited == [("bert", "turn", "italy")]
