"""Mails that go over several lines at once: each reader gets the same, in the same order, and no domain two at a time."""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from threading import Barrier, Lock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.daemon import Daemon
from pbem.host.ports import Mail, PostDown, Undelivered
from pbem.mail.lines import Lines
from pbem.mail.outcomes import domain_of
from tests.rules.tables import examples
from tests.service.bureau import Bureau, SlowPostman

PLAYERS = ("anton@a.test", "bert@b.test", "claudia@c.test", "daniel@a.test", "emil@b.test", "fritz@d.test")
STRANGERS = ("zoe@a.test", "yves@b.test", "xenia@e.test", "walter@f.test")
LETTERS = (*((who, "status") for who in PLAYERS), *((who, "hello") for who in STRANGERS))
LINES = 4


class Wire(SlowPostman):
    """What all lines of a server share: they take their time, by chance, and look who else is under way."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        self.most = 0  # under way at once
        self._dice = random.Random(seed)
        self._lock = Lock()
        self._busy = Counter[str]()  # by domain

    def send(self, mail: Mail) -> None:
        with self._lock:
            self._busy[domain_of(mail.to)] += 1
            assert self._busy[domain_of(mail.to)] == 1
            self.most = max(self.most, self._busy.total())
            rest = self._dice.random() / 1_000
        time.sleep(rest)
        with self._lock:
            self._busy[domain_of(mail.to)] -= 1
            super().send(mail)

    def by_reader(self) -> dict[str, list[Mail]]:
        found = defaultdict[str, list[Mail]](list)
        for mail in self.sent:
            found[mail.to].append(mail)
        return found


def with_lines(bureau: Bureau, wire: SlowPostman, lines: int, lease: int | None = None) -> Bureau:
    bureau.postman = wire
    bureau.daemon = Daemon(bureau._server(lease), bureau.mailbox, wire, 60.0, more=[wire] * (lines - 1))
    return bureau


@pytest.fixture(scope="module")
def table() -> Bureau:
    """A game among people at four domains."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.core.chance.draw", lambda *_: 0)
        made = Bureau()
        made.server.new_game(made.terms(), [f"{who.partition('@')[0]}={who}" for who in PLAYERS])
        for who in PLAYERS:
            made.write(who, "join", subject="[imp-1] you are invited")
    assert made.game.status == "running"
    return made


def written(bureau: Bureau, letters: Sequence[tuple[str, str]]) -> None:
    for who, words in letters:
        bureau.drop(who, words)
    bureau.tick()


@pytest.mark.slow
@given(letters=st.lists(st.sampled_from(LETTERS), max_size=8), seed=st.integers(0, 99))
@examples(5)
def test_each_reader_gets_over_several_lines_what_they_would_get_over_one(
    table: Bureau, letters: Sequence[tuple[str, str]], seed: int
) -> None:
    one, many = (with_lines(table.copy(), Wire(seed), lines) for lines in (1, LINES))
    for bureau in (one, many):
        written(bureau, [*letters, (PLAYERS[0], "austria: import A lemberg")])
    assert isinstance(one.postman, Wire)
    assert isinstance(many.postman, Wire)
    assert many.postman.by_reader() == one.postman.by_reader()
    assert one.postman.most == 1


@pytest.mark.slow
@given(letters=st.lists(st.sampled_from(LETTERS), max_size=8))
@examples(7)
def test_mails_that_are_looked_up_together_say_what_each_would_say_by_itself(
    table: Bureau, letters: Sequence[tuple[str, str]]
) -> None:
    alone, ahead = (with_lines(table.copy(), Wire(), 1) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lines, "are_busy", False)  # so nothing is looked up while another is under way
        written(alone, [*letters, (PLAYERS[0], "austria: import A lemberg"), *letters])
    written(ahead, [*letters, (PLAYERS[0], "austria: import A lemberg"), *letters])
    assert ahead.postman.sent == alone.postman.sent


def test_a_mail_that_is_under_way_for_longer_than_it_is_ours_goes_out_once(table: Bureau) -> None:
    bureau = with_lines(table.copy(), Wire(), LINES, lease=0)
    written(bureau, LETTERS)
    assert Counter(mail.to for mail in bureau.postman.sent) == Counter(who for who, _ in LETTERS)


def test_whoever_is_awaited_has_the_news_before_the_others_are_told_how_long(table: Bureau) -> None:
    """Time begins with that letter, and all others tell when it ends."""
    bureau = with_lines(table.copy(), Wire(), LINES)
    written(bureau, [(PLAYERS[0], "austria: import A lemberg")])
    reports = [mail.to for mail in bureau.postman.sent if not mail.answers]
    assert reports[0] == PLAYERS[1]
    assert sorted(mail.to for mail in bureau.postman.sent) == sorted(PLAYERS)


class Meeting(SlowPostman):
    """Hands no mail over before as many are under way."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._barrier = Barrier(number, timeout=60)

    def send(self, mail: Mail) -> None:
        self._barrier.wait()
        super().send(mail)


def test_mails_to_as_many_domains_as_there_are_lines_are_under_way_at_once(table: Bureau) -> None:
    bureau = with_lines(table.copy(), Meeting(LINES), LINES)
    written(bureau, [(who, "hello") for who in STRANGERS])
    assert sorted(mail.to for mail in bureau.postman.sent) == sorted(STRANGERS)


@pytest.mark.parametrize("failure", [PostDown("gone"), Undelivered("no", permanent=False), ZeroDivisionError("oops")])
def test_one_that_does_not_go_out_is_tried_again_and_the_others_go(table: Bureau, failure: Exception) -> None:
    class Harmed(Wire):
        harm: Exception | None = failure

        def send(self, mail: Mail) -> None:
            if mail.to == STRANGERS[1] and self.harm:
                raise self.harm
            super().send(mail)

    wire = Harmed()
    bureau = with_lines(table.copy(), wire, LINES)
    written(bureau, [(who, "hello") for who in STRANGERS])
    wire.harm = None
    bureau.tick(3_600)
    assert Counter(mail.to for mail in wire.sent if mail.to in STRANGERS) == Counter(STRANGERS)
