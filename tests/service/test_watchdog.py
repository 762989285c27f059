"""A round that stays away is told of from outside, once; stopping is no outage; a slow mail server holds nothing up."""

from __future__ import annotations

import threading

import pytest
from msgspec.structs import replace

from pbem.adapters.mail_renderer import AllPages
from pbem.daemon import Daemon
from pbem.games import GAMES
from pbem.host.housekeeping.outage import Outage
from pbem.host.housekeeping.outages import SURE
from pbem.host.ports import Mail, MailboxDown, Vitals
from pbem.mail.delivery import SLOW
from pbem.mail.watchdog import PATIENCE, Watchdog
from tests.fakes import FakePostman
from tests.service.bureau import HOUR, NAMES, OPERATOR, Bureau

IMPORT = "austria: import A lemberg"


def vitals(bureau: Bureau) -> Vitals:
    with bureau.store.transaction() as repository:
        return repository.vitals(bureau.clock.now())


# -- rounds that stay away ---


class Kennel:
    """A watchdog, its own postman, and a daemon that it looks after."""

    def __init__(self, bureau: Bureau) -> None:
        self.postman = FakePostman()
        server, clock = bureau.server, bureau.clock
        context = replace(server.mail, clock=clock, watch=lambda: float(clock.now()))
        self.dog = Watchdog(context, self.postman, AllPages(GAMES))
        self.daemon = Daemon(server, bureau.mailbox, bureau.postman, 60.0, watchdog=self.dog)

    @property
    def told(self) -> list[str]:
        return [" ".join(mail.text.split()) for mail in self.postman.to(OPERATOR)]


def test_a_daemon_that_hangs_is_told_of_once_and_that_it_is_well_again(bureau: Bureau) -> None:
    kennel = Kennel(bureau)
    kennel.daemon.tick()
    for _ in range(12):
        bureau.clock.advance(PATIENCE // 4)
        kennel.dog.look()
    (told,) = kennel.told
    assert "The mailbox has not been read through since" in told
    assert "The outbox has not been gone through since" in told
    assert vitals(bureau).down == {"rounds": bureau.clock.now() - 3 * PATIENCE}
    kennel.daemon.tick()
    for _ in range(3):
        kennel.dog.look()
    assert "goes its rounds again" in kennel.told[-1]
    assert len(kennel.told) == 2
    assert vitals(bureau).down == {}


def test_letters_that_can_not_be_read_for_a_fault_of_ours_are_told_of(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    kennel = Kennel(bureau)
    with monkeypatch.context() as patch:
        patch.setattr(bureau.mailbox, "unread", lambda: 1 / 0)
        for _ in range(3):
            assert not kennel.daemon.tick()
            bureau.clock.advance(PATIENCE // 2 + 1)
            kennel.dog.look()
    (told,) = kennel.told
    assert "mailbox" in told
    assert "outbox" not in told


def test_a_watchdog_whose_letter_is_not_taken_tries_again_and_needs_no_books(bureau: Bureau) -> None:
    kennel = Kennel(bureau)
    bureau.store.down = True  # type: ignore[attr-defined]
    kennel.postman.down = True
    for _ in range(3):
        bureau.clock.advance(PATIENCE)
        kennel.dog.look()
    kennel.postman.down = False
    kennel.dog.look()
    assert len(kennel.told) == 1
    bureau.store.down = False  # type: ignore[attr-defined]
    kennel.dog.look()
    assert list(vitals(bureau).down) == ["rounds"]


def test_what_is_told_elsewhere_is_not_told_twice(bureau: Bureau) -> None:
    kennel = Kennel(bureau)
    bureau.mailbox.down = bureau.postman.down = True
    for _ in range(8):
        kennel.daemon.tick()
        bureau.clock.advance(PATIENCE // 2)
        kennel.dog.look()
    assert kennel.told == []


def test_a_daemon_that_runs_is_looked_after_in_a_thread_until_it_stops(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = threading.Event()
    kennel = Kennel(bureau)
    monkeypatch.setattr("pbem.daemon.BETWEEN_LOOKS", 0.0)
    monkeypatch.setattr(kennel.dog, "look", looks.set)

    def hang(_: float) -> None:
        assert looks.wait(60)
        kennel.daemon.stop()

    before = {*threading.enumerate()}
    monkeypatch.setattr(bureau.mailbox, "wait", hang)
    kennel.daemon.run()
    assert {*threading.enumerate()} <= before


# -- a part of the round that fails ---


def test_a_fault_in_one_part_of_the_round_does_not_keep_the_others_from_being_done(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bureau.daemon._clock_monitor, "look", lambda: 1 / 0)
    monkeypatch.setattr(bureau.daemon._retention, "tidy", lambda _: 1 / 0)
    bureau.drop("anton", IMPORT)
    assert not bureau.daemon.tick()
    assert bureau.awaited == [("bert", "turn", "italy")]
    assert len(bureau.answers("anton")) == 1


# -- stopping ---


def test_a_clean_stop_is_no_outage(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    def wait(_: float) -> None:
        try:
            bureau.daemon.stop()  # as a signal's handler would, in the middle of a rest
        except Exception as failure:
            raise MailboxDown(repr(failure)) from failure

    monkeypatch.setattr(bureau.mailbox, "wait", wait)
    bureau.daemon.run()
    assert vitals(bureau).down == {}


def test_what_a_daemon_noted_that_is_gone_is_found_well_by_another(bureau: Bureau) -> None:
    other = Daemon(bureau.server, bureau.mailbox, bureau.postman, 60.0)
    other.tick()
    bureau.mailbox.down = True
    bureau.daemon.tick()
    assert list(vitals(bureau).down) == ["mailbox"]
    bureau.mailbox.down = False
    bureau.clock.advance(SURE + 1)
    other.tick()
    assert vitals(bureau).down == {}


# -- a slow mail server ---


def test_letters_are_read_between_those_that_a_slow_mail_server_takes(bureau: Bureau) -> None:
    """Forty-five seconds for each: six letters would take five minutes."""
    taken: list[Mail] = []

    def dawdle(mail: Mail) -> None:
        bureau.clock.advance(45)
        taken.append(mail)

    bureau.postman.delay = dawdle
    bureau.write("anton", IMPORT)
    assert len(taken) == 1
    assert list(vitals(bureau).down) == [Outage.slow]
    assert bureau.daemon._until_due(60.0, bureau.daemon._delivery.next_instant) < 1
    bureau.drop("bert", "italy: import A rome")
    bureau.tick()
    assert bureau.awaited == [("claudia", "turn", "france")]
    while (before := len(taken)) is not None and bureau.tick():
        assert len(taken) == before + 1
    assert len(taken) == len(NAMES) + 1
    bureau.postman.delay = lambda _: None
    bureau.clock.advance(HOUR)
    bureau.write("claudia", "status")
    assert vitals(bureau).down == {}


def test_a_mail_server_that_hangs_costs_a_round_one_letter(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    send, tried = bureau.postman.send, []

    def hang(mail: Mail) -> None:
        tried.append(mail)
        bureau.clock.advance(6 * SLOW)
        bureau.postman.fail("timed out")
        send(mail)

    monkeypatch.setattr(bureau.postman, "send", hang)
    bureau.write("anton", IMPORT)
    assert len(tried) == 1
    assert list(vitals(bureau).down) == [Outage.slow]
    for _ in range(2):
        bureau.tick(60)
    assert len(tried) == 3
    assert list(vitals(bureau).down) == [Outage.post, Outage.slow]  # none goes out at all
    monkeypatch.setattr(bureau.postman, "send", send)
    for _ in range(3):
        bureau.tick(HOUR)
    assert vitals(bureau).down == {}
