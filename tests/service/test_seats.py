"""Who sits where: inviting, ejecting, replacing; what a substitute is told, and what his predecessor can do."""

from __future__ import annotations

import pytest

from tests.service.bureau import NAMES, Bureau, prefix
from tests.service.test_moderation import MODERATOR, acts, appoint, check_record, told

NEW = "nina@players.test"


@pytest.fixture
def led(bureau: Bureau) -> Bureau:
    """A game with a moderator who does not play."""
    appoint(bureau, MODERATOR)
    return bureau


@pytest.fixture
def inviting(lots: None) -> Bureau:
    """A game of three whose players have not answered, with a moderator."""
    made = Bureau()
    made.invite(3)
    made.tick()
    appoint(made, MODERATOR)
    return made


# -- before the beginning ---


def test_more_are_invited_and_the_game_begins_with_those_who_came(inviting: Bureau) -> None:
    sent = inviting.write(MODERATOR, "invite Nina@Players.test as nina\nseat otto otto@players.test")
    assert inviting.outcomes(MODERATOR) == [("done", None), ("done", None)]
    assert told(sent) == ["nina", "otto"]
    inviting.write("nina", "join", subject="[imp-1]")
    assert inviting.game.status == "inviting"
    sent = inviting.write(MODERATOR, "start")
    assert inviting.game.status == "running"
    assert sorted(prefix(sent)) == ["nina", "otto", "zoe"]
    assert sorted(m.seat for m in inviting.game.members) == ["nina", "otto"]
    assert [seat for seat, _, _ in inviting.awaited] == [inviting.slot.seat]


@pytest.mark.parametrize(
    ("letter", "code"),
    [
        ("start", "start.players"),
        ("invite anton@players.test as other", "seat.sits_already"),
        ("invite other@players.test as anton", "seat.name_taken"),
        ("invite other@players.test as clock", "seat.name_reserved"),
        ("invite other@players.test as 9", "seat.name"),
        ("invite a..b(@players.test as other", "seat.address"),
        ("announce: Hello", "letter.not_begun"),
        ("rewind to turn 1: why", "letter.not_begun"),
        ("promote nobody", "promote.unknown"),
        ("promote zoe@players.test", "promote.already"),
        ("cancel the game", "power.why"),
    ],
)
def test_what_can_not_be_done_before_the_beginning(inviting: Bureau, letter: str, code: str) -> None:
    inviting.write(MODERATOR, letter)
    assert inviting.outcomes(MODERATOR) == [("refused", code)]
    assert inviting.game.status == "inviting"
    assert len(inviting.game.members) == 3


def test_a_game_is_called_off_before_it_begins(inviting: Bureau) -> None:
    inviting.write(MODERATOR, "cancel the game: too few")
    assert inviting.game.status == "finished"


# -- while it runs ---


def test_a_substitute_gets_the_whole_history_and_a_fresh_clock(led: Bureau) -> None:
    led.know(NEW)
    led.write("anton", "austria: taxation")
    led.write("bert", "italy: import A rome\nstanding peace")
    led.write("claudia", "draft\nfrance: taxation")
    led.clock.advance(20 * 3_600)
    sent = led.write(MODERATOR, f"replace claudia by {NEW}: she has no time any more")
    assert led.outcomes(MODERATOR) == [("done", None)]
    assert sorted(prefix(sent)) == sorted([*NAMES, "nina", "zoe"])
    letter = next(mail for mail in led.postman.to(NEW) if mail.attachments)
    (record,) = [file for file in letter.attachments if file.name.endswith(".play")]
    assert b"bert> italy: import A rome" in record.data
    assert "italy: import A rome".replace("italy", "Italy").replace("rome", "Rome") in letter.text
    assert led.slot.started == led.clock.now()
    assert acts(led)[-1]["type"] == "seated"
    assert led.papers[1:] == [("claudia", "draft", "france: taxation")]
    led.write("claudia", "play")
    assert led.replies("claudia")[-1].problem == "letter.stranger"
    led.write("nina", "play")
    assert led.outcomes("nina") == [("played", None)]
    check_record(led)


def test_nobody_is_awaited_on_a_free_seat_until_somebody_sits_there(led: Bureau) -> None:
    sent = led.write(MODERATOR, "eject bert: rude letters")
    assert {*told(sent)} == {*NAMES, "zoe", "operator"}
    led.write("anton", "austria: taxation")
    assert led.awaited == [("bert", "turn", "italy")]
    assert led.slot.started is None
    assert {*told(led.tick(100 * 3_600))} == {"zoe", "operator"}  # that the seat is still empty
    led.write("bert", "italy: taxation")
    assert led.replies("bert")[-1].problem == "letter.stranger"
    led.know(NEW)
    led.write(MODERATOR, f"replace bert by {NEW}: from the waiting list")
    assert led.slot.started == led.clock.now()
    led.write("nina", "italy: taxation")
    assert led.outcomes("nina") == [("played", None)]
    assert [m.seat for m in led.game.members] == [*NAMES]


@pytest.mark.parametrize(
    ("letter", "code"),
    [
        ("eject bert", "power.why"),
        ("replace bert by claudia@players.test: x", "seat.sits_already"),
        ("replace nobody by nina@players.test: x", "name.unknown"),
        (f"invite {NEW}: x", "power.not_here"),
        ("start: now", "power.not_here"),
    ],
)
def test_what_can_not_be_done_while_it_runs(led: Bureau, letter: str, code: str) -> None:
    led.write(MODERATOR, letter)
    assert led.outcomes(MODERATOR) == [("refused", code)]
    assert acts(led) == []


# -- moderators ---


def test_moderators_are_made_and_relieved(led: Bureau) -> None:
    led.write(MODERATOR, "promote anton: he knows the rules")
    led.write("anton", "moderator\nannounce: I am here to help")
    assert led.outcomes("anton") == [("done", None)]
    led.write(MODERATOR, "hand over to bert: I am on a journey")
    assert [act["type"] for act in acts(led)] == ["promoted", "announced", "promoted"]
    led.write(MODERATOR, "announce: still here")
    assert led.replies(MODERATOR)[-1].problem == "letter.stranger"
    led.write("bert", "moderator: announce: now it is me")
    assert led.outcomes("bert") == [("done", None)]
