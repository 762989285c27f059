"""Moderators without a seat: what they are told, what they may ask, and how they and the operator prove themselves."""

from __future__ import annotations

import pytest

from tests.service.bureau import DAY, HOST, NAMES, OPERATOR, Bureau, prefix
from tests.service.test_moderation import MODERATOR, acts, appoint


@pytest.fixture
def led(bureau: Bureau) -> Bureau:
    """A game with a moderator who does not play."""
    appoint(bureau, MODERATOR)
    return bureau


def reply_to(bureau: Bureau, who: str) -> str:
    """The way back of the last letter that somebody got."""
    return bureau.postman.to(who)[-1].reply_to or HOST


# -- what they are told ---


def test_a_moderator_gets_the_reports_with_what_everybody_may_see(led: Bureau) -> None:
    sent = led.write("anton", "austria: taxation")
    report = next(mail for mail in sent if mail.to == MODERATOR)
    assert "Austria-Hungary" in report.text
    assert "bert" in report.text
    assert report.subject.startswith("[imp-1")
    assert prefix(sent).count("zoe") == 1


def test_a_game_with_a_moderator_begins_with_a_letter_to_him(lots: None) -> None:
    made = Bureau()
    made.server.new_game(made.terms(), [f"{name}={name}@players.test" for name in NAMES], [f"Zoe={MODERATOR}"])
    for name in NAMES:
        made.write(name, "join", subject="[imp-1] you are invited")
    (opening,) = made.postman.to(MODERATOR)
    assert "You moderate it" in opening.text
    made.write(MODERATOR, "announce: Have fun", to=opening.reply_to or "")
    assert made.outcomes(MODERATOR) == [("done", None)]


@pytest.mark.parametrize("language", ["en", "de", "it"])
def test_a_moderator_chooses_his_reports_his_language_and_his_zone(led: Bureau, language: str) -> None:
    led.write(MODERATOR, f"reports mine\nlanguage {language}\nzone Rome")
    assert led.outcomes(MODERATOR) == [("set", None)] * 3
    (own,) = led.game.moderators
    assert (own.reports, own.person.language, own.person.zone) == ("mine", language, "Europe/Rome")
    assert "zoe" not in prefix(led.write("anton", "austria: taxation"))
    assert "zoe" in prefix(led.write(MODERATOR, "announce: Notices still come"))


def test_a_moderator_gets_one_report_of_the_day(led: Bureau) -> None:
    led.write(MODERATOR, "reports digest 18:00")
    led.write("anton", "austria: taxation")
    led.write("bert", "italy: taxation")
    before = len(led.postman.to(MODERATOR))
    led.tick(DAY - 60)
    digest, *_ = led.postman.to(MODERATOR)[before:]
    assert "Italy" in digest.text
    assert "Austria-Hungary" in digest.text
    (own,) = led.game.moderators
    assert own.told >= 2


def test_he_hears_that_time_stands_still_that_somebody_is_late_and_what_is_written_to_all(led: Bureau) -> None:
    assert "zoe" in prefix(led.write(MODERATOR, "pause 2 days: holidays"))
    assert "zoe" in prefix(led.write("bert", "press to all: Merry Christmas"))
    assert "zoe" not in prefix(led.write("bert", "press anton: A secret"))


def test_one_who_plays_too_gets_each_letter_once(bureau: Bureau) -> None:
    appoint(bureau, "anton@players.test")
    sent = bureau.write("anton", "austria: taxation")
    assert prefix(sent).count("anton") == 1


def test_he_hears_of_a_player_who_can_not_be_reached(led: Bureau) -> None:
    led.postman.refuse("bert@players.test")
    sent = [*led.write("anton", "austria: taxation"), *led.tick(60)]
    (alarm,) = [mail for mail in sent if mail.to == MODERATOR and "can't be delivered" in mail.text]
    led.write(MODERATOR, "extend bert 24h: his mail is down", to=alarm.reply_to or "")
    assert led.outcomes(MODERATOR) == [("done", None)]


# -- what they may ask ---


@pytest.mark.parametrize(
    "word", ["status", "board", "history", "clock", "rules", "petitions", "help", "reports", "records", "moveorder"]
)
def test_a_moderator_asks_what_players_ask(led: Bureau, word: str) -> None:
    led.write("anton", "austria: taxation")
    led.write(MODERATOR, word)
    assert led.outcomes(MODERATOR) == [("shown", None)]
    assert led.replies(MODERATOR)[-1].problem is None


def test_a_moderator_sees_how_all_do_but_nothing_that_is_sealed(led: Bureau) -> None:
    led.write("bert", "advance italy: production_1")
    led.write(MODERATOR, "eject fritz: rude")
    led.postman.refuse("claudia@players.test")
    led.write("anton", "austria: taxation")
    (answer,) = led.write(MODERATOR, "status")
    assert "fritz: the seat is free" in answer.text
    assert "bert: advance order" not in answer.text  # it was played
    assert "came back from claudia@players.test" in " ".join(answer.text.split())
    assert "550 unknown" in answer.text
    assert "You have nothing on file" not in answer.text
    led.write("claudia", "draft\nfrance: production_1")
    (answer,) = led.write(MODERATOR, "status")
    assert "claudia: draft" in answer.text
    assert "production" not in answer.text.lower()
    (answer,) = led.write("bert", "status")
    assert "anton@players.test" not in answer.text


def test_a_moderator_sees_refusals_votes_and_since_when_somebody_is_awaited(led: Bureau) -> None:
    with led.server.games.work() as desk:
        desk.repository.wait(desk.repository.add_person("Nina", "nina@elsewhere.test", 0).id, 0)
    led.write("anton", "austria: factory brest")
    led.write("bert", "petition change More beer")
    led.write("fritz", "I am out of office", Auto_Submitted="auto-replied")
    (answer,) = led.write(MODERATOR, "status")
    text = " ".join(answer.text.split())
    assert "something was refused" in text
    assert "More beer" in text
    assert "from a machine, not answered" in text
    assert "anton: Austria-Hungary’s turn, asked" in text
    assert "Nina <nina@elsewhere.test>" in text


@pytest.mark.parametrize("head", ["moderator\nstatus", "Moderation: Lage", "board\nmoderatore\nstato\nannuncio: ciao"])
def test_a_moderator_who_plays_sees_the_whole_game_below_that_word(bureau: Bureau, head: str) -> None:
    appoint(bureau, "anton@players.test")
    bureau.write("claudia", "advance france: production_1")
    (answer,) = [mail for mail in bureau.write("anton", head) if mail.answers]
    assert {outcome for outcome, _ in bureau.outcomes("anton")} <= {"shown", "done"}
    assert "bert (bert@players.test)" in answer.text
    assert "claudia: advance order" in answer.text
    assert "France: production" not in answer.text
    (answer,) = bureau.write("anton", "status")
    assert "bert@players.test" not in answer.text


def test_what_a_moderator_who_plays_chooses_above_and_below_that_word_stays(bureau: Bureau) -> None:
    appoint(bureau, "anton@players.test")
    bureau.write("anton", "language de\nmoderator\nzone Rome\nreports mine")
    (own,) = (member for member in bureau.game.members if member.seat == "anton")
    assert (own.person.language, own.person.zone, own.reports) == ("de", "Europe/Rome", "mine")


def test_a_moderator_who_plays_an_anonymous_game_learns_of_nobody_who_they_are(lots: None) -> None:
    made = Bureau()
    made.server.new_game(made.terms(anonymous="until_end"), [f"{name}={name}@players.test" for name in NAMES[:3]])
    for name in NAMES[:3]:
        made.write(name, "join", subject="[imp-1] you are invited")
    appoint(made, "anton@players.test")
    others = [member.seat for member in made.game.members if member.person.address != "anton@players.test"]
    before = acts(made)
    for power in (
        "promote bert@players.test: help",
        "ernenne bert@players.test: Hilfe",
        "hand over to nina@elsewhere.test: I move",
        f"replace {others[0]} by bert@players.test: why",
        f"sostituisci {others[0]} con nina@elsewhere.test: perché",
        f"offer {others[0]} to bert@players.test",
        "status",
    ):
        sent = made.write("anton", f"moderator\n{power}")
        expected = ("shown", None) if power == "status" else ("refused", "power.hidden")
        assert made.outcomes("anton") == [expected], power
        for mail in sent:
            read = mail.text.replace(power, "")
            assert not any(each in read for each in ("bert@", "claudia@", "Bert", "Claudia")), read
    assert acts(made) == before
    made.write("anton", f"moderator\npromote {others[0]}: help")
    assert made.outcomes("anton") == [("done", None)]


def test_before_the_beginning_a_moderator_sees_who_has_answered(lots: None) -> None:
    made = Bureau()
    made.invite(3)
    made.tick()
    appoint(made, MODERATOR)
    made.write("anton", "join", subject="[imp-1]")
    (answer,) = made.write(MODERATOR, "status")
    assert "anton (anton@players.test): has said yes" in answer.text
    assert "bert (bert@players.test): has not answered" in answer.text


def test_powers_and_words_in_one_letter(led: Bureau) -> None:
    led.write(MODERATOR, "Dear house\nstatus\npause: a storm")
    assert led.outcomes(MODERATOR) == [("done", None), ("passed", None), ("shown", None)]


# -- who they are ---


def test_a_moderator_proves_himself_with_any_letter_of_ours(led: Bureau) -> None:
    led.write(MODERATOR, "announce: Hello", to=HOST)
    assert acts(led) == []
    led.write(MODERATOR, "announce: Hello", to=reply_to(led, MODERATOR))
    assert [act["type"] for act in acts(led)] == ["announced"]
    led.write(MODERATOR, "announce: Again", to=led.answers(MODERATOR)[-1].reply_to or "")
    assert led.outcomes(MODERATOR) == [("done", None)]


def test_the_operator_need_not_have_been_in_any_game(bureau: Bureau) -> None:
    bureau.write(OPERATOR, "announce: Hello", to=HOST)
    assert acts(bureau) == []
    assert bureau.replies(OPERATOR)[-1].problem == "identity.no_token"
    bureau.write(OPERATOR, "announce: Hello", to=reply_to(bureau, OPERATOR))
    assert acts(bureau) == [{"type": "announced", "by": "operator", "text": "Hello"}]
    bureau.write(OPERATOR, "status\nreports mine")
    assert bureau.outcomes(OPERATOR) == [("shown", None), ("refused", "reports.operator")]


def test_a_letter_that_only_claims_to_be_the_operators_does_nothing(bureau: Bureau) -> None:
    bureau.write(OPERATOR, "end: I am the operator, am I not?", to=bureau.way_back("anton"))
    assert acts(bureau) == []
    assert bureau.game.status == "running"


def test_who_plays_and_moderates_an_anonymous_game_is_called_by_his_seat(lots: None) -> None:
    made = Bureau()
    players = [f"{name.title()} Müller={name}@players.test" for name in NAMES[:3]]
    made.server.new_game(made.terms(anonymous="always"), players, [f"Zoe={MODERATOR}"])
    for name in NAMES[:3]:
        made.write(name, "join", subject="[imp-1] you are invited")
    seat = next(member.seat for member in made.game.members if member.person.address == "anton@players.test")
    made.write(MODERATOR, f"promote {seat}: I need help")
    sent = made.write("anton", "moderator\nannounce: I help")
    assert [act["by"] for act in acts(made)] == ["moderator Zoe", f"moderator {seat}"]
    others = [mail for mail in sent if mail.to in ("bert@players.test", "claudia@players.test")]
    assert len(others) == 2
    assert not any("anton" in (mail.text + mail.subject).lower() for mail in others)
