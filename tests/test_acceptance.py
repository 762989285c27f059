"""The acceptance checks of docs/reference/procedure.md, section 12: where each is made, and two that are made here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from imapclient import IMAPClient

from pbem.adapters.embedded_server import EmbeddedMailServer
from pbem.adapters.imap.mailbox import ImapMailbox, ImapSettings
from pbem.core.chance import draw
from pbem.daemon import Daemon
from pbem.host.ports import RawLetter
from tests.service.bureau import HOST, Bureau

ROOT = Path(__file__).parent
PASSWORD = "secret"
CHECKS = [
    ("1 lateness", "service/test_counting.py", "test_whole_periods_are_late_once_the_first_is_over"),
    ("2 the deadline", "service/test_counting.py", "test_the_deadline_is_the_first_instant_by_which_the_slot_has_counted"),
    ("2 one more pause", "service/test_counting.py", "test_one_more_pause_never_makes_anybody_later"),
    ("2 the union", "service/test_counting.py", "test_overlapping_pauses_are_worth_as_much_as_their_union_apart"),
    ("3 summer time", "service/test_counting.py", "test_24_hours_are_86400_seconds_whatever_the_wall_shows"),
    ("4 the poll", "test_acceptance.py", "test_a_turn_is_closed_only_after_a_poll_that_began_later"),
    ("5 rolled out", "plays/procedure/rolled_out_partial_maneuver.play", ""),
    ("6 the tally", "plays/procedure/petition_5.2_tally.play", ""),
    ("6 deemed Quorum", "plays/procedure/petition_rolled_out.play", ""),
    ("7 a suspension", "plays/procedure/petition_suspended_clock.play", ""),
    ("7 after the end", "plays/procedure/petition_suspended_late.play", ""),
    ("8 the fold", "service/test_record.py", "test_the_hash_chain_holds_and_the_stored_entries_fold_to_the_same_document"),
    ("8 the same letters", "test_simulation.py", "test_a_season_comes_again_by_its_seed"),
    ("8 killed", "test_crash.py", "test_a_daemon_killed_at_any_step_leaves_everything_as_if_it_had_not_been"),
    ("9 the secret", "service/test_verify.py", "test_lots_follow_from_the_secret"),
    ("9 even odds", "test_acceptance.py", "test_lots_are_even"),
    ("10 machines", "service/test_ignored.py", "test_no_machine_is_answered_nor_played"),
    ("10 the token", "service/test_identity.py", "test_a_letter_without_the_token_changes_nothing_and_the_owner_hears_of_it"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "test"), [check[1:] for check in CHECKS], ids=[check[0] for check in CHECKS])
def test_each_check_is_where_it_is_said_to_be(file: str, test: str) -> None:
    assert f"def {test}(" in (ROOT / file).read_text() if test else (ROOT / file).exists()


# -- 4: over a real mailbox, with a letter that is delivered late ---


class Slow(ImapMailbox):
    """A mailbox whose poll takes its time: `meanwhile` happens when all that was there has been read."""

    meanwhile: Callable[[], None] | None = None

    def unread(self) -> Iterator[RawLetter]:
        yield from super().unread()
        happens, self.meanwhile = self.meanwhile, None
        if happens:
            happens()


@pytest.fixture
def bureau(monkeypatch: pytest.MonkeyPatch) -> Bureau:
    monkeypatch.setattr("pbem.core.chance.draw", lambda *_: 0)
    made = Bureau()
    made.open()
    return made


def test_a_turn_is_closed_only_after_a_poll_that_began_later(bureau: Bureau) -> None:
    deadline = bureau.slot.deadline
    assert deadline is not None
    with EmbeddedMailServer({HOST: PASSWORD}, bureau.clock) as office:
        mailbox = Slow(
            ImapSettings(host=office.host, port=office.imap_port, user=HOST, password=PASSWORD, security="none")
        )

        def delivered_late() -> None:
            """It was filed in time, and comes into sight when the poll is over and the deadline, too."""
            letter = bureau.letter("anton", "austria: import A lemberg")
            with IMAPClient(office.host, office.imap_port, ssl=False, timeout=600) as client:
                client.plain_login(HOST, PASSWORD)
                client.append("INBOX", letter, msg_time=datetime.fromtimestamp(deadline - 1, UTC))
            bureau.clock.set(deadline + 60)

        bureau.clock.set(deadline - 1)
        mailbox.meanwhile = delivered_late
        bureau.daemon = Daemon(bureau.server, mailbox, bureau.postman, 60.0)
        bureau.daemon.tick()
        assert bureau.awaited[0][0] == "anton"
        bureau.daemon.tick()
        mailbox.close()
    assert bureau.awaited[0][0] == "bert"
    causes = [entry["cause"]["kind"] for entry in bureau.entries if entry["answers"]]
    assert causes == ["letter"]


# -- 9: even odds ---


@pytest.mark.slow
def test_lots_are_even() -> None:
    """The sum of two dice, a hundred thousand times: chi-square with ten degrees of freedom, one in a thousand."""
    rolls = 100_000
    found = Counter(draw(b"secret", f"imp-1|{n}|a", 6) + draw(b"secret", f"imp-1|{n}|b", 6) for n in range(rolls))
    expected = {total: rolls * (6 - abs(5 - total)) / 36 for total in range(11)}
    assert sum((found[total] - even) ** 2 / even for total, even in expected.items()) < 29.6
