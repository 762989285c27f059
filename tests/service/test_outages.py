"""Days without a mail server, a mailbox or a database: what goes on, what waits, and that one alarm tells of it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pbem.adapters.store import connections
from pbem.adapters.store.sql import SqlStore
from pbem.host.housekeeping.outage import WORRYING
from pbem.host.ports import Mail, StoreDown
from pbem.mail.outcomes import GIVE_UP
from tests.service.bureau import DAY, HOUR, NAMES, OPERATOR, Bureau, address

IMPORT = "austria: import A lemberg"
MOVES = [
    ("anton", IMPORT),
    ("bert", "italy: import A rome"),
    ("claudia", "france: import A paris"),
    ("daniel", "britain: import A london"),
]


def ids(mails: list[Mail]) -> list[str]:
    return [mail.message_id for mail in mails]


def worries(bureau: Bureau, words: str) -> list[Mail]:
    return [mail for mail in bureau.alarms if words in mail.text]


# -- a day without a mail server ---


@pytest.fixture(params=["nobody there", "a refusal of everything"])
def without_post(bureau: Bureau, request: pytest.FixtureRequest) -> Bureau:
    """No mail goes out: nobody answers there, or everybody is told to come again."""
    if request.param == "nobody there":
        bureau.postman.down = True
    else:
        for who in (*NAMES, OPERATOR):
            bureau.postman.refuse(address(who), "451 disk full", permanent=False)
    return bureau


def test_letters_are_read_and_moves_are_made_while_no_mail_goes_out(without_post: Bureau) -> None:
    for who, move in MOVES:
        without_post.drop(who, move)
        without_post.tick(6 * HOUR)
    assert without_post.awaited == [("emil", "turn", "germany")]
    assert without_post.postman.sent == []


def test_a_clock_that_runs_runs_out_while_no_mail_goes_out_and_no_new_one_begins(without_post: Bureau) -> None:
    for _ in range(25):
        without_post.tick(HOUR)
    assert without_post.awaited == [("bert", "turn", "italy")]
    assert without_post.slot.started is None
    for _ in range(48):
        without_post.tick(HOUR)
    assert without_post.awaited == [("bert", "turn", "italy")]


def turns_told(bureau: Bureau, who: str) -> list[str]:
    """In the order of sending."""
    told = (re.findall(r" · (R-\d+)$", mail.text, re.MULTILINE) for mail in bureau.postman.to(address(who)))
    return [turn for turns in told for turn in turns]


def test_afterwards_everything_goes_out_once_and_one_alarm_with_it(without_post: Bureau) -> None:
    for who, move in MOVES:
        without_post.drop(who, move)
        for _ in range(6):
            without_post.tick(HOUR)
    without_post.postman.down = False
    without_post.postman.mend()
    for _ in range(120):
        without_post.tick(60)
    sent = [mail for mail in without_post.postman.sent if mail not in without_post.alarms]
    assert len(ids(sent)) == len({*ids(sent)})
    assert all(sorted(turns_told(without_post, name)) == ["R-1", "R-2", "R-3", "R-4"] for name in NAMES)
    alarm, well = without_post.alarms
    assert "No mail goes out" in alarm.text
    assert "Since 20" in alarm.text
    assert "Mail goes out again" in well.text
    assert without_post.slot.started is not None


def test_to_everybody_it_goes_out_in_the_order_in_which_it_was_written(bureau: Bureau) -> None:
    bureau.postman.down = True
    for who, move in MOVES:
        bureau.drop(who, move)
        bureau.tick(3 * HOUR)
    bureau.postman.down = False
    bureau.tick(HOUR)
    for name in NAMES:
        assert turns_told(bureau, name) == ["R-1", "R-2", "R-3", "R-4"]


def test_a_short_outage_is_nobodys_business(bureau: Bureau) -> None:
    bureau.postman.down = True
    bureau.write("anton", IMPORT)
    for _ in range(WORRYING // 60 - 1):
        bureau.tick(60)
    bureau.postman.down = False
    for _ in range(60):
        bureau.tick(60)
    assert bureau.alarms == []
    assert len(bureau.postman.sent) == len(NAMES)


def test_a_daemon_that_is_started_anew_for_each_round_tells_it_once(bureau: Bureau) -> None:
    bureau.postman.down = True
    bureau.drop("anton", IMPORT)
    for _ in range(40):
        bureau.restart()
        bureau.tick(HOUR // 2)
    bureau.postman.down = False
    for _ in range(3):
        bureau.restart()
        bureau.tick(HOUR)
    assert len(bureau.alarms) == 2  # that it is so, and that it is over


def test_of_outages_that_come_and_go_one_a_day_is_told(bureau: Bureau) -> None:
    for hour in range(48):
        bureau.drop("zoe", "hello", subject=f"hello {hour}")
        bureau.postman.down = hour % 4 != 3
        bureau.tick(HOUR)
    told = [".well." in mail.message_id for mail in bureau.alarms if "alarm.post" in mail.message_id]
    assert told == [False, True, False, True]  # and of those between neither the beginning nor the end


# -- one mail host that takes nothing ---


def test_of_all_letters_that_wait_for_one_host_one_alarm_tells(bureau: Bureau) -> None:
    for name in NAMES[1:]:
        bureau.postman.refuse(address(name), "451 try again", permanent=False)
    bureau.write("anton", IMPORT)
    for hour in range(20):
        bureau.drop("anton", "status", subject=f"Re: [imp-1] {hour}")
        bureau.tick(HOUR)
    (alarm,) = bureau.alarms
    assert "players.test" in alarm.text
    assert "451 try again" in alarm.text


@pytest.mark.slow
def test_a_letter_is_given_up_after_five_days_and_the_clock_runs_on(bureau: Bureau) -> None:
    bureau.postman.refuse(address("bert"), "451 try again", permanent=False)
    bureau.write("anton", IMPORT)
    for _ in range(4 * 24 + 12):
        bureau.tick(HOUR)
    assert bureau.slot.started is None
    for _ in range(20):
        bureau.tick(HOUR)
    with bureau.store.transaction() as repository:
        assert ("imp-1.1.bert", "451 try again") in [(row.id, row.reason) for row in repository.dead()]
    assert bureau.slot.started is not None
    assert GIVE_UP * HOUR > 5 * DAY
    assert worries(bureau, "can't be delivered")


RETURNED = """\
From: MAILER-DAEMON@mx.players.test
To: {to}
Subject: Undelivered Mail Returned to Sender
Message-ID: <dsn@mx.players.test>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: message/delivery-status

Final-Recipient: rfc822; anton@players.test
Action: failed
Status: 5.1.1

--b--
"""


@pytest.mark.parametrize(
    ("to", "alarms"),
    [
        ("pbem+{tag}@pbem.test", 1),
        ("pbem+bounce.imp-1.abcdefgh2345@pbem.test", 0),
        ("pbem+bounce.imp-1.0.anton@pbem.test", 0),
        ("pbem@pbem.test", 0),
    ],
)
def test_what_comes_back_without_our_letter_is_known_by_its_address(bureau: Bureau, to: str, alarms: int) -> None:
    with bureau.store.transaction() as repository:
        anton = repository.person_at(address("anton"))
    assert anton is not None
    report = RETURNED.format(to=to.format(tag=bureau.identity.returns("imp-1", anton, bureau.clock.now())))
    bureau.mailbox.add(report.replace("\n", "\r\n").encode(), bureau.clock.now())
    bureau.tick()
    assert len(worries(bureau, "A letter about a game has come back")) == alarms


# -- a day without a mailbox ---


def test_while_the_mailbox_is_away_mail_goes_out_and_one_alarm_with_it(bureau: Bureau) -> None:
    bureau.mailbox.down = True
    for _ in range(30):
        bureau.tick(HOUR)
    assert bureau.awaited == [("anton", "turn", "austria_hungary")]  # the clock closes nothing
    assert {mail.to for mail in bureau.postman.sent} == {address("anton"), "operator@pbem.test"}  # his reminders
    (alarm,) = bureau.alarms
    assert "The mailbox can't be used" in alarm.text
    assert "the test took the mailbox down" in alarm.text
    bureau.mailbox.down = False
    bureau.tick(HOUR)
    assert bureau.awaited == [("bert", "turn", "italy")]


def test_letters_that_stay_in_the_inbox_are_dealt_with_once_and_one_alarm_tells(bureau: Bureau) -> None:
    bureau.mailbox.stuck = "NO [OVERQUOTA] full"
    bureau.write("anton", IMPORT)
    for _ in range(20):
        bureau.tick(HOUR // 4)
    assert len(bureau.answers("anton")) == 1
    assert bureau.awaited == [("bert", "turn", "italy")]
    assert len(bureau.mailbox.inbox) == 1
    (alarm,) = bureau.alarms
    assert "OVERQUOTA" in alarm.text
    bureau.mailbox.stuck = None
    bureau.tick()
    assert bureau.mailbox.inbox == []


# -- books that can't be written ---


def test_without_books_the_round_is_left_out_and_nothing_is_lost(bureau: Bureau) -> None:
    bureau.drop("anton", IMPORT)
    bureau.store.down = True  # type: ignore[attr-defined]
    for _ in range(20):
        assert not bureau.daemon.tick()
        bureau.clock.advance(HOUR // 4)
    assert bureau.postman.sent == []
    assert len(bureau.mailbox.inbox) == 1
    bureau.store.down = False  # type: ignore[attr-defined]
    bureau.tick()
    assert bureau.awaited == [("bert", "turn", "italy")]
    bureau.tick()
    assert [".well." in mail.message_id for mail in worries(bureau, "database")] == [False, True]
    assert len(bureau.postman.sent) == len(NAMES) + 2


@contextmanager
def on_disk(folder: Path) -> Iterator[Bureau]:
    """A bureau over a database in a file."""
    store = SqlStore(f"sqlite:///{folder / 'pbem.sqlite'}")
    bureau = Bureau(store)
    bureau.open()
    try:
        yield bureau
    finally:
        store.close()


def test_a_database_that_somebody_locks_for_long_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_PRAGMAS", ("PRAGMA busy_timeout = 20", *connections._PRAGMAS[1:]))
    with on_disk(tmp_path) as bureau:
        move(bureau)
        before = len(bureau.postman.sent)
        other = sqlite3.connect(tmp_path / "pbem.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        for _ in range(3):
            assert not bureau.daemon.tick()
        other.execute("ROLLBACK")
        other.close()
        assert bureau.daemon.tick()
        assert bureau.awaited[0][2] == "italy"
        assert len(bureau.postman.sent) - before == len(NAMES)


def test_on_a_full_disk_nothing_is_lost_and_nothing_done_twice(tmp_path: Path) -> None:
    with on_disk(tmp_path) as bureau:
        before = len(bureau.postman.sent)
        fill(bureau.store)
        for number in range(40):
            bureau.drop("anton", "status", subject=f"Re: [imp-1] {number} {'x' * 500}")
        move(bureau)
        for _ in range(4):
            assert not bureau.daemon.tick()
            bureau.clock.advance(HOUR)
        assert bureau.mailbox.inbox
        make_room(bureau.store)
        for _ in range(4):
            bureau.daemon.tick()
            bureau.clock.advance(HOUR)
        assert bureau.mailbox.inbox == []
        sent = [mail for mail in bureau.postman.sent[before:] if mail not in bureau.alarms]
        answers = [mail for mail in sent if mail.answers]
        assert len({*ids(answers)}) == len(answers) == 41
        assert bureau.awaited[0][2] == "italy"


def move(bureau: Bureau) -> None:
    """Write what Austria-Hungary, which begins, does first."""
    ((seat, _, _),) = bureau.awaited
    bureau.drop(seat, IMPORT)


def fill(store: Any) -> None:
    """Let the file not grow any more."""
    with store.statements() as books:
        pages = books.run("PRAGMA page_count").scalar()
        books.run(f"PRAGMA max_page_count = {pages}")


def make_room(store: Any) -> None:
    with store.statements() as books:
        books.run("PRAGMA max_page_count = 100000")


# -- no lock is held while a server is talked to ---


class Curious:
    """Looks, whenever it is called, whether the database could be written by somebody else.

    Another thread may be at it for a moment; who waits for the call to end would never let go.
    """

    def __init__(self, database: Path) -> None:
        self._database = database
        self.looks = 0

    def look(self, *_: object) -> None:
        other = sqlite3.connect(self._database, timeout=10, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        other.execute("ROLLBACK")
        other.close()
        self.looks += 1


def test_no_lock_is_held_while_a_server_is_talked_to(tmp_path: Path) -> None:
    with on_disk(tmp_path) as bureau:
        curious = Curious(tmp_path / "pbem.sqlite")
        mailbox, shelve, wait = bureau.mailbox, bureau.mailbox.shelve, bureau.mailbox.wait

        def watched(act: Callable[..., Any]) -> Callable[..., Any]:
            def watch(*what: Any) -> Any:
                curious.look()
                return act(*what)

            return watch

        mailbox.before_unread = curious.look
        mailbox.shelve, mailbox.wait = watched(shelve), watched(wait)  # type: ignore[method-assign]
        bureau.postman.delay = curious.look
        move(bureau)
        bureau.tick()
        bureau.daemon._rest()
    assert curious.looks == 1 + 1 + len(NAMES) + 1


# -- the daemon never dies ---


class Rounds:
    """A daemon whose mailbox counts the rounds, and stops it after so many."""

    def __init__(self, bureau: Bureau, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.naps: list[float] = []
        self._left = count
        self._bureau = bureau
        bureau.mailbox.before_unread = self._count
        monkeypatch.setattr("pbem.daemon.time.sleep", self.naps.append)

    def _count(self) -> None:
        self._left -= 1
        if self._left == 0:
            self._bureau.daemon.stop()

    def go(self) -> None:
        self._bureau.daemon.run()
        assert self._left == 0


def test_a_mailbox_that_is_away_is_asked_after_growing_naps(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = Rounds(bureau, 12, monkeypatch)
    bureau.mailbox.down = True
    rounds.go()
    assert rounds.naps[:6] == [2, 4, 8, 16, 32, 64]
    assert rounds.naps[-1] == 600  # ten polls


def test_without_a_mailbox_mail_is_still_sent_when_it_is_due(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = Rounds(bureau, 12, monkeypatch)
    bureau.clock.advance(12 * HOUR - 100)  # a reminder is due in a hundred seconds
    bureau.mailbox.down = True
    rounds.go()
    assert max(rounds.naps) == 100


def test_without_books_the_daemon_naps_and_goes_on(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = Rounds(bureau, 5, monkeypatch)
    bureau.drop("anton", IMPORT)
    bureau.store.down = True  # type: ignore[attr-defined]
    rounds.go()
    assert rounds.naps == [2, 4, 8, 16]


def test_a_fault_of_ours_in_a_round_does_not_end_the_daemon(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = Rounds(bureau, 4, monkeypatch)
    bureau.daemon._delivery.deliver = lambda: 1 // 0  # type: ignore[method-assign]
    rounds.go()
    assert rounds.naps == [2, 4, 8]


def test_books_that_fail_while_the_daemon_rests_do_not_end_it(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> int | None:
        raise StoreDown("locked")

    rounds = Rounds(bureau, 4, monkeypatch)
    bureau.daemon._clock_service.next_instant = fail  # type: ignore[method-assign]
    rounds.go()
    assert bureau.mailbox.waits == [60.0] * 3


def test_a_postman_who_is_away_does_not_keep_the_daemon_busy(bureau: Bureau) -> None:
    """Rows are due, and yet nothing is to be done until he is tried again."""
    bureau.postman.down = True
    bureau.write("anton", IMPORT)
    bureau.daemon._rest()
    assert bureau.mailbox.waits[-1] == 60.0
