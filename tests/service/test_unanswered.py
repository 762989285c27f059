"""Invitations that nobody answers: who is asked once more, and who hears that the game can begin without him."""

from __future__ import annotations

from tests.service.bureau import DAY, HOUR, Bureau, address, prefix
from tests.service.test_moderation import MODERATOR, appoint
from tests.service.test_petition_letters import answer, letter_of


def test_who_says_nothing_is_asked_once_more_and_who_has_answered_is_not(lots: None) -> None:
    bureau = Bureau()
    bureau.invite(3)
    bureau.tick()
    bureau.write("anton", "join", subject="[imp-1] you are invited")
    bureau.write("bert", "decline", subject="[imp-1] you are invited")
    assert bureau.tick(72 * HOUR - 60) == []
    sent = bureau.tick(60)
    assert sorted(prefix(sent)) == ["bert", "claudia"]
    assert "no answer has come" in letter_of(bureau, "claudia", "Once more").text
    assert bureau.tick(10 * DAY) == []


def test_whoever_asked_for_the_game_hears_of_it_and_begins_without_them(lots: None) -> None:
    bureau = Bureau()
    with bureau.store.transaction() as repository:
        repository.add_person("Anton", address("anton"), 0)
    bureau.write("anton", "new game players 3", subject="hello")
    answer(bureau, "anton", bureau.postman.to(address("anton"))[-1], "new game players 3")
    bureau.write("anton", f"invite {address('bert')}\ninvite {address('claudia')}")
    bureau.write("bert", "join")
    bureau.tick(6 * HOUR)
    sent = bureau.tick(66 * HOUR)
    assert sorted(prefix(sent)) == ["anton", "claudia"]
    told = letter_of(bureau, "anton", "claudia has not answered yet")
    assert "Here so far: anton and bert" in " ".join(told.text.split())
    answer(bureau, "anton", told, "start")
    assert bureau.game.status == "running"
    assert sorted(member.seat for member in bureau.game.members) == ["anton", "bert"]
    assert [mail for mail in bureau.tick(5 * DAY) if "Once more" in mail.subject] == []


def test_days_that_do_not_count_are_not_counted(lots: None) -> None:
    bureau = Bureau()
    bureau.invite(2, idle_days="mon, tue, wed, thu, fri, sat")
    bureau.tick()
    assert bureau.tick(13 * DAY) == []


def test_moderators_hear_of_invitations_that_they_send_themselves(lots: None) -> None:
    bureau = Bureau()
    bureau.invite(3)
    bureau.tick()
    appoint(bureau, MODERATOR)
    for each in ("anton", "bert", "claudia"):
        bureau.write(each, "join" if each != "claudia" else "decline", subject="[imp-1] you are invited")
    bureau.write(MODERATOR, "invite nina@players.test as nina")
    bureau.tick(6 * HOUR)
    sent = bureau.tick(66 * HOUR)
    assert sorted(prefix(sent)) == ["claudia", "nina", "zoe"]
    assert letter_of(bureau, MODERATOR, "nina has not answered yet").reply_to
