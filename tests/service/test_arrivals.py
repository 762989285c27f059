"""Whoever can begin a game that gathers hears who has come and who stays away, in few letters."""

from __future__ import annotations

import pytest

from pbem.host.lobby.gathering import GATHERED
from pbem.host.ports import Mail
from tests.service.bureau import DAY, HOUR, OPERATOR, Bureau, prefix
from tests.service.test_moderation import MODERATOR, appoint
from tests.service.test_openings import WALT, XENIA, YAN, ZOE, answer_to, ask, office


@pytest.fixture
def public(lots: None) -> Bureau:
    made = office("anyone")
    made.clock.set(made.clock.now() // GATHERED * GATHERED + HOUR)
    return made


def told(bureau: Bureau, seconds: int = GATHERED) -> list[Mail]:
    return bureau.tick(seconds)


def words(mail: Mail) -> str:
    return " ".join(mail.text.split())


def test_all_who_join_within_some_hours_are_told_in_one_letter(public: Bureau) -> None:
    ask(public, ZOE, "new game players 5")
    assert [mail.to for mail in ask(public, YAN, "join imp-1")] == [YAN]
    assert [mail.to for mail in ask(public, XENIA, "join imp-1")] == [XENIA]
    (letter,) = told(public)
    assert letter.to == ZOE
    assert letter.subject.endswith("yan and xenia have joined")
    assert "Here so far: zoe, yan and xenia. Seats free for anybody: 2." in words(letter)
    assert told(public, DAY) == []
    ask(public, WALT, "join imp-1")
    (letter,) = told(public)
    assert letter.subject.endswith("walt has joined")


def test_the_letter_begins_the_game(public: Bureau) -> None:
    ask(public, ZOE, "new game players 5")
    ask(public, YAN, "join imp-1")
    (letter,) = told(public)
    answer_to(public, letter, "start")
    assert public.game.status == "running"


def test_who_declines_is_told_at_once(public: Bureau) -> None:
    (opened,) = ask(public, ZOE, "new game players 3")
    answer_to(public, opened, f"invite {YAN}\ninvite {XENIA}")
    sent = public.write(YAN, "no thanks")
    (letter,) = [mail for mail in sent if mail.to == ZOE]
    assert letter.subject.endswith("yan stays away")
    assert "Invited, without a yes: 1. Seats free for anybody: 1." in words(letter)
    answer_to(public, letter, f"invite {WALT}")
    assert [member.seat for member in public.game.members] == ["zoe", "xenia", "walt"]


def test_who_comes_and_leaves_again_is_told_once(public: Bureau) -> None:
    ask(public, ZOE, "new game players 4")
    (joined,) = ask(public, YAN, "join imp-1")
    sent = answer_to(public, joined, "decline")
    assert sorted(mail.to for mail in sent) == [YAN, ZOE]
    assert told(public) == []


def test_a_game_that_has_begun_meanwhile_tells_nothing(public: Bureau) -> None:
    ask(public, ZOE, "new game players 3")
    ask(public, YAN, "join imp-1")
    ask(public, XENIA, "join imp-1")
    assert public.game.status == "running"
    assert [mail for mail in told(public) if "joined" in mail.subject] == []


def test_a_new_first_player_hears_that_the_old_one_has_left(public: Bureau) -> None:
    (opened,) = ask(public, ZOE, "new game players 4")
    ask(public, YAN, "join imp-1")
    sent = answer_to(public, opened, "decline")
    (letter,) = [mail for mail in sent if mail.to == YAN]
    assert letter.subject.endswith("zoe stays away")


def test_in_an_anonymous_game_nobody_is_named(public: Bureau) -> None:
    (opened,) = ask(public, ZOE, "new game players 4 anonymous until_end")
    sent = answer_to(public, opened, f"invite {YAN}\ninvite {XENIA}")
    invited = {mail.to: mail for mail in sent}
    answer_to(public, invited[YAN], "join")
    (letter,) = told(public)
    assert "Somebody has joined the game. Players here so far: 2." in words(letter)
    (welcome,) = answer_to(public, invited[XENIA], "I'd love to!")
    mine, yans, xenias = (member.seat for member in public.game.members)
    (away, _) = sorted(answer_to(public, welcome, "decline"), key=lambda mail: mail.to != ZOE)
    assert "Somebody does not want to play" in words(away)
    for mail in (letter, away):
        seen = f"{mail.subject} {mail.text} {mail.html} {mail.message_id}".replace(mine, "")
        assert not {name for name in (yans, xenias, "yan", "xenia") if name in seen}


def test_moderators_hear_of_games_that_the_operator_starts_and_the_operator_does_not(lots: None) -> None:
    bureau = Bureau()
    bureau.clock.set(bureau.clock.now() // GATHERED * GATHERED)
    bureau.invite(4)
    bureau.tick()
    appoint(bureau, MODERATOR)
    bureau.write("anton", "join")
    assert sorted(prefix(bureau.write("bert", "decline"))) == ["bert", "zoe"]
    assert prefix(bureau.write("bert", "decline")) == ["bert"]
    (letter,) = bureau.tick(GATHERED)
    assert letter.to == MODERATOR
    assert "anton has joined the game" in words(letter)
    assert not [mail for mail in bureau.postman.to(OPERATOR) if "joined" in mail.subject]
