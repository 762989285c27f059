"""No letter stops the next one: whatever is wrong with it, it is tried a few times, then moved aside and told of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.adapters.store.sql import SqlBooks
from pbem.bootstrap import Server
from pbem.host.lobby.policy import LobbyPolicy
from pbem.host.ports import Conflict, MailFolder, StoreDown, Taken
from pbem.mail.incoming import Incoming
from pbem.mail.routes import Routes
from pbem.mail.seen import ROUNDS
from tests.service.bureau import HOST, HOUR, MINUTE, Bureau, address

IMPORT = "austria: import A lemberg"
YAN, ZOE = "yan@players.test", "zoe@players.test"

Harm = Callable[..., Any]


def is_well(bureau: Bureau) -> bool:
    """Is every letter out of the inbox, and does the clock go on?"""
    return bureau.mailbox.inbox == [] and bureau.daemon.tick()


def goes_on(bureau: Bureau) -> None:
    """Bert's next letter is played or answered, and time runs out for whoever is awaited."""
    answered = len(bureau.answers("claudia"))
    bureau.write("claudia", "status")
    assert len(bureau.answers("claudia")) == answered + 1
    before = bureau.slot.key
    for _ in range(4):
        bureau.tick(13 * HOUR)
    assert bureau.slot.key != before


# -- ids of rows ---


def test_two_equal_lines_that_each_send_a_letter_are_both_carried_out(bureau: Bureau) -> None:
    bureau.write("anton", "address x@y.test\naddress x@y.test")
    assert is_well(bureau)
    goes_on(bureau)


def test_to_and_fro_between_two_addresses_in_one_letter_stops_nothing(bureau: Bureau) -> None:
    for number in "ab":
        (check,) = [m for m in bureau.write("anton", f"address {number}@y.test") if m.to == f"{number}@y.test"]
        bureau.write(check.to, "confirm", to=check.reply_to or "", subject=f"Re: {check.subject}")
    bureau.write("b@y.test", "address a@y.test\naddress b@y.test\n" * 2, to=bureau.way_back("b@y.test"))
    assert is_well(bureau)
    goes_on(bureau)


def test_whoever_declined_may_be_invited_again() -> None:
    made = Bureau()
    made.restart_with(
        Server(made.store, made.clock, made.server.host, made.identity, policy=LobbyPolicy(open_to="anyone"))
    )
    (check,) = made.write(ZOE, "new game players 3", to=HOST, subject="hello")
    made.write(ZOE, "new game players 3", to=check.reply_to or "", subject=f"Re: {check.subject}")
    for _ in range(4):  # whether Yan hears of it again is another matter
        made.write(ZOE, f"invite {YAN}", subject="[imp-1]")
        invited = made.postman.to(YAN)[-1]
        made.write(YAN, "decline", to=invited.reply_to or "", subject=f"Re: {invited.subject}")
        assert is_well(made)
    assert len({mail.message_id for mail in made.postman.sent}) == len(made.postman.sent)


# -- letters that fail ---


def harmed(monkeypatch: pytest.MonkeyPatch, who: str, harm: Harm) -> None:
    """Whatever is done for letters of that sender ends so."""
    deal_with = Routes.deal_with

    def met(self: Routes, incoming: Incoming) -> Any:
        if incoming.letter.sender == address(who):
            harm(incoming.work)
        return deal_with(self, incoming)

    monkeypatch.setattr(Routes, "deal_with", met)


def fall_over(_: object) -> None:
    raise ZeroDivisionError("the test broke it")


def take_twice(desk: Any) -> None:
    desk.repository.append("imp-1", 0, b"a second beginning")


def lose_a_race(_: object) -> None:
    raise Conflict("the test was first")


def lose_the_books(_: object) -> None:
    raise StoreDown("the test took them away")


@pytest.mark.parametrize("harm", [fall_over, take_twice])
def test_a_fault_of_ours_is_owned_up_to_at_once_and_the_next_letter_read(
    desk: Bureau, monkeypatch: pytest.MonkeyPatch, harm: Harm
) -> None:
    desk.open(3)
    harmed(monkeypatch, "anton", harm)
    bad = desk.drop("anton", "status")
    desk.write("bert", "status")
    assert desk.mailbox.on(MailFolder.kept) == [bad]
    assert len(desk.alarms) == 1
    assert [len(desk.answers(who)) for who in ("anton", "bert")] == [2, 2]
    assert is_well(desk)


def test_a_race_is_waited_for_and_after_three_rounds_the_letter_is_moved_aside(
    desk: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.open(3)
    harmed(monkeypatch, "anton", lose_a_race)
    bad = desk.drop("anton", "status", id_="<race@home.test>")
    desk.drop("bert", "status")
    for _ in range(ROUNDS):
        assert not desk.daemon.tick()
        assert len(desk.mailbox.inbox) == 2
        desk.restart()
    desk.tick(MINUTE)
    assert desk.mailbox.on(MailFolder.kept) == [bad]
    assert len(desk.alarms) == 1
    assert "3 rounds" in desk.alarms[0].text
    assert [len(desk.answers(who)) for who in ("anton", "bert")] == [2, 2]
    assert is_well(desk)


def test_a_race_that_ends_costs_the_letter_nothing(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        harmed(patch, "anton", lose_a_race)
        bureau.write("anton", IMPORT)
        bureau.tick()
    bureau.tick()
    assert bureau.awaited == [("bert", "turn", "italy")]
    assert is_well(bureau)


class Killed(BaseException):
    """What no daemon lives through."""


def test_a_letter_that_kills_the_daemon_is_moved_aside_unread(desk: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.open(3)
    read = desk.server.read
    bombs = []

    def kill(raw: bytes) -> Any:
        if b"kaboom" in raw:
            bombs.append(raw)
            raise Killed
        return read(raw)

    bad = desk.drop("anton", "kaboom")
    desk.drop("bert", "status")
    for _ in range(ROUNDS):
        server = Server(desk.store, desk.clock, desk.server.host, desk.identity)
        server.read = kill
        desk.restart_with(server)
        with pytest.raises(Killed):
            desk.tick()
    desk.tick()
    assert len(bombs) == ROUNDS
    assert desk.mailbox.on(MailFolder.kept) == [bad]
    assert [len(desk.answers(who)) for who in ("anton", "bert")] == [2, 2]
    assert "3 rounds" in desk.alarms[-1].text
    assert is_well(desk)


def test_a_letter_that_can_not_even_be_put_by_is_moved_aside(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = SqlBooks.note

    def refuse(self: SqlBooks, letter: str, raw: Any, **facts: Any) -> None:
        if b"anton" in raw.raw:
            raise Taken("the test wants it so")
        kept(self, letter, raw, **facts)

    monkeypatch.setattr(SqlBooks, "note", refuse)
    bad = bureau.drop("anton", IMPORT)
    bureau.write("bert", "status")
    assert bureau.mailbox.on(MailFolder.kept) == [bad]
    assert len(bureau.answers("bert")) == 1
    assert is_well(bureau)


def test_rounds_without_books_are_no_fault_of_the_letter(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    bureau.drop("anton", IMPORT)
    with monkeypatch.context() as patch:
        harmed(patch, "anton", lose_the_books)
        for _ in range(ROUNDS + 2):
            assert not bureau.daemon.tick()
    bureau.tick()
    assert bureau.awaited == [("bert", "turn", "italy")]
