"""The mailbox before servers that hang up, say nothing, say half, or say what they may not."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest

from pbem.adapters.imap import mailbox as imap_module
from pbem.adapters.imap.mailbox import ImapMailbox, ImapSettings
from pbem.host.ports import MailboxDown, MailFolder, RawLetter
from tests import servers
from tests.adapters.test_imap import GM, LETTER, NOON, PASSWORD, later, timed
from tests.scripted import CLOSE, HANG, Line
from tests.scripted_imap import BYE, ImapScript

T = TypeVar("T")
SOON, LONG = 0.1, 600.0  # seconds: of a server that falls silent, and of one that may just be slow


@pytest.fixture
def server() -> Iterator[ImapScript]:
    with ImapScript() as made:
        yield made


@contextmanager
def mailbox_on(server: ImapScript, **more: Any) -> Iterator[ImapMailbox]:
    settings: dict[str, Any] = {"host": "127.0.0.1", "user": GM, "password": PASSWORD, "security": "none"}
    settings |= {"port": server.port, "timeout": LONG, "poll": 5.0, **more}
    with closing(ImapMailbox(ImapSettings(**settings))) as mailbox:
        yield mailbox


def patience(told: str) -> float:
    """Seconds to wait for a server that answers so: a slow machine must not be taken for a silent server."""
    return SOON if told == HANG else LONG


def at_last(act: Callable[[], T]) -> T:
    """What comes of it once the server, or the machine, is not too slow for our patience."""
    while True:
        with suppress(MailboxDown):
            return act()


def numbered(number: int) -> bytes:
    return b"Subject: %d\r\n\r\nletter %d\r\n" % (number, number)


def read(mailbox: ImapMailbox) -> list[bytes]:
    return [letter.raw for letter in mailbox.unread()]


def go_round(mailbox: ImapMailbox, taken: list[bytes]) -> None:
    """What the daemon does: each letter is dealt with if it is new, then shelved."""
    for letter in mailbox.unread():
        if letter.raw not in taken:
            taken.append(letter.raw)
        mailbox.shelve([(letter, MailFolder.done)])


# -- gone, silent, saying goodbye ---

EARLY = ["GREETING", "AUTHENTICATE", "LIST", "CREATE", "SELECT"]
LATER = ["UID SEARCH", "UID FETCH", "UID MOVE"]


@pytest.mark.parametrize("told", [HANG, CLOSE, BYE])
@pytest.mark.parametrize("after", [0, 1])
@pytest.mark.parametrize("command", [*EARLY, *LATER])
def test_whenever_a_server_falls_silent_each_letter_is_dealt_with_once(
    server: ImapScript, command: str, after: int, told: str
) -> None:
    letters = [numbered(number) for number in range(3)]
    for number, raw in enumerate(letters):
        server.plant(raw, NOON + number)
    server.once(command, told, after=after)
    taken: list[bytes] = []
    with mailbox_on(server, timeout=patience(told)) as mailbox:
        while server.inbox:
            with suppress(MailboxDown):
                go_round(mailbox, taken)
    assert (server.inbox, taken) == ([], letters)
    assert server.folders["PBEM/Done"] == letters


@pytest.mark.parametrize("told", [HANG, CLOSE, BYE])
@pytest.mark.parametrize("command", [*EARLY[:-2], *LATER[:-1]])
def test_a_server_that_falls_silent_is_reported(server: ImapScript, command: str, told: str) -> None:
    server.plant(LETTER, NOON)
    server.once(command, told)
    with (
        mailbox_on(server, timeout=patience(told)) as mailbox,
        pytest.raises(MailboxDown, match=f"the mailbox of {GM}"),
    ):
        read(mailbox)


@pytest.mark.parametrize("told", [HANG, CLOSE, BYE])
@pytest.mark.parametrize("command", ["NOOP", "IDLE"])
def test_a_server_that_falls_silent_while_we_wait_is_reported(server: ImapScript, command: str, told: str) -> None:
    with mailbox_on(server, timeout=patience(told)) as mailbox:
        at_last(lambda: read(mailbox))
        server.once(command, told)
        with pytest.raises(MailboxDown):
            mailbox.wait(LONG)
        server.plant(LETTER, NOON)
        assert at_last(lambda: read(mailbox)) == [LETTER]


def test_a_goodbye_in_the_middle_of_a_rest_is_heard_at_once(server: ImapScript) -> None:
    with mailbox_on(server, poll=LONG) as mailbox:
        read(mailbox)

        def say_goodbye() -> None:
            server.lines[-1].say("* BYE going down for maintenance")
            server.lines[-1].close()

        with later(SOON, say_goodbye), pytest.raises(MailboxDown):
            mailbox.wait(LONG)


def test_a_server_that_talks_on_and_on_is_given_up(server: ImapScript) -> None:
    """Each of its words comes in time; there is just no end of them."""

    def drip(line: Line, tag: str, arguments: str) -> None:
        line.send(b"* SEARCH")
        while True:
            line.send(b" 1")
            time.sleep(0.02)

    server.once("UID SEARCH", drip)
    with mailbox_on(server, patience=SOON) as mailbox:
        with pytest.raises(MailboxDown):
            read(mailbox)
        server.plant(LETTER, NOON)
        assert at_last(lambda: read(mailbox)) == [LETTER]


# -- half answers, wrong answers ---


def half_a_literal(line: Line, tag: str, arguments: str) -> None:
    line.send(b"* 1 FETCH (UID 1 BODY[]<0> {%d}\r\n%s" % (len(LETTER), LETTER[:20]))
    line.close()


def half_a_line(line: Line, tag: str, arguments: str) -> None:
    line.send(b"* 1 FETCH (UID 1 BODY[]<0> {")
    line.close()


def a_literal_that_is_too_short(line: Line, tag: str, arguments: str) -> None:
    line.send(b"* 1 FETCH (UID 1 BODY[]<0> {20}\r\n%s)\r\n%s OK done\r\n" % (LETTER, tag.encode()))


def nonsense(line: Line, tag: str, arguments: str) -> None:
    line.say(f"* 1 FETCH ((((\r\n{tag} OK done")


@pytest.mark.parametrize(
    ("twist", "after"),
    [
        (half_a_literal, 1),
        (half_a_line, 1),
        (a_literal_that_is_too_short, 1),
        (nonsense, 0),
        (nonsense, 1),
    ],
)
def test_of_half_an_answer_nothing_is_taken_for_a_letter(server: ImapScript, twist: Any, after: int) -> None:
    server.plant(LETTER, NOON)
    server.once("UID FETCH", twist, after=after)
    with mailbox_on(server) as mailbox:
        with pytest.raises(MailboxDown):
            read(mailbox)
        assert read(mailbox) == [LETTER]


@pytest.mark.parametrize("date", ['"yesterday"', "NIL", '"31-Feb-2023 10:00:00 +0000"'])
def test_a_letter_without_a_date_counts_as_the_earliest(server: ImapScript, date: str) -> None:
    def no_date(line: Line, tag: str, arguments: str) -> None:
        line.say(f"* 1 FETCH (UID 1 RFC822.SIZE {len(LETTER)} INTERNALDATE {date})\r\n{tag} OK done")

    server.plant(LETTER, NOON)
    server.once("UID FETCH", no_date)
    with mailbox_on(server) as mailbox:
        (letter,) = mailbox.unread()
    assert (letter.arrived, letter.raw) == (0, LETTER)


def test_a_letter_that_comes_without_a_body_is_asked_for_again(server: ImapScript) -> None:
    def no_body(line: Line, tag: str, arguments: str) -> None:
        if "BODY" in arguments:
            line.say(f"* 1 FETCH (UID 1 BODY[]<0> NIL)\r\n{tag} OK done")
        else:
            server.right(line, tag, "UID FETCH", arguments)

    server.plant(LETTER, NOON)
    server.always("UID FETCH", no_body)
    with mailbox_on(server) as mailbox:
        assert read(mailbox) == read(mailbox) == []
        server.always("UID FETCH", None)
        assert read(mailbox) == [LETTER]
        server.always("UID FETCH", no_body)
        assert read(mailbox) == []
        assert read(mailbox) == [b"X-PBEM-Unreadable: letter 1 of 1, %d bytes\r\n\r\n" % len(LETTER)]


def test_answers_nobody_asked_for_are_passed_over(server: ImapScript) -> None:
    def chatter(line: Line, tag: str, arguments: str) -> None:
        line.say("* 1 FETCH (FLAGS (\\Seen) UID 1)\r\n* 7 FETCH (FLAGS () UID 7)\r\n* OK still here\r\n* 1 EXISTS")
        server.right(line, tag, "UID FETCH", arguments)

    server.plant(LETTER, NOON)
    server.always("UID FETCH", chatter)
    with mailbox_on(server) as mailbox:
        assert read(mailbox) == [LETTER]


@pytest.mark.parametrize("count", [0, 1, 5])
def test_counts_that_repeat_or_shrink_mean_nothing(server: ImapScript, count: int) -> None:
    server.plant(LETTER, NOON)
    with mailbox_on(server) as mailbox:
        assert read(mailbox) == [LETTER]
        server.news += [f"* {count} EXISTS", f"* {count} EXISTS", "* 0 RECENT"]
        assert timed(lambda: mailbox.wait(SOON)) >= SOON
        server.news += [f"* {count} EXISTS"]
        assert read(mailbox) == [LETTER]


def test_news_before_the_idling_begins_is_no_harm(server: ImapScript) -> None:
    def early(line: Line, tag: str, arguments: str) -> None:
        server.plant(LETTER, NOON)
        line.say("* 1 EXISTS")
        server.right(line, tag, "IDLE", arguments)

    with mailbox_on(server) as mailbox:
        read(mailbox)
        server.once("IDLE", early)
        with suppress(MailboxDown):
            mailbox.wait(LONG)
        assert read(mailbox) == [LETTER]


# -- letters that vanish, and numbers that change ---


@pytest.mark.parametrize("after", [0, 1])
def test_what_is_expunged_under_us_is_left_out(server: ImapScript, after: int) -> None:
    for number in range(3):
        server.plant(numbered(number), NOON + number)

    def expunge_first(line: Line, tag: str, arguments: str) -> None:
        del server.inbox[1]
        line.say("* 2 EXPUNGE")
        server.right(line, tag, "UID FETCH", arguments)

    server.once("UID FETCH", expunge_first, after=after)
    with mailbox_on(server) as mailbox:
        assert read(mailbox) == [numbered(0), numbered(2)]


def test_letters_that_are_numbered_anew_are_not_moved_by_their_old_numbers(server: ImapScript) -> None:
    gone = server.plant(numbered(0), NOON)
    server.plant(numbered(1), NOON)
    with mailbox_on(server) as mailbox:
        first, second = mailbox.unread()
        server.inbox.remove(gone)
        server.renumber()  # the second letter has the first one's number now
        server.once("UID FETCH", CLOSE)
        with pytest.raises(MailboxDown):
            mailbox.shelve([(first, MailFolder.done)])
        mailbox.shelve([(first, MailFolder.done)])
        mailbox.shelve([(second, MailFolder.done)])
        assert [letter.raw for letter in server.inbox] == read(mailbox) == [numbered(1)]


def test_letters_that_are_numbered_anew_in_the_middle_of_a_poll_end_it(server: ImapScript) -> None:
    for number in range(12):
        server.plant(numbered(number), NOON + number)
    with mailbox_on(server) as mailbox:
        letters = iter(mailbox.unread())
        taken = [next(letters)]
        server.renumber()
        mailbox.close()
        with pytest.raises(MailboxDown, match="anew"):
            taken += letters
        assert len(read(mailbox)) == 12


def test_a_number_that_is_given_again_against_the_rules_moves_no_other_letter(server: ImapScript) -> None:
    server.plant(numbered(0), NOON)
    with mailbox_on(server) as mailbox:
        (letter,) = mailbox.unread()
        server.inbox.clear()
        server._next_uid = 1
        server.plant(numbered(12345), NOON + 9)
        mailbox.shelve([(letter, MailFolder.done)])
        assert len(server.inbox) == 1
        assert read(mailbox) == [numbered(12345)]


# -- servers with few talents ---


@pytest.mark.parametrize(
    ("capabilities", "used", "unused"),
    [
        ("IMAP4rev1", {"UID COPY", "UID STORE", "EXPUNGE", "LOGIN"}, {"UID MOVE", "UID EXPUNGE", "IDLE"}),
        ("IMAP4rev1 UIDPLUS", {"UID COPY", "UID STORE", "UID EXPUNGE"}, {"UID MOVE", "EXPUNGE", "IDLE"}),
        ("IMAP4rev1 MOVE", {"UID MOVE"}, {"UID COPY", "UID STORE", "EXPUNGE", "IDLE"}),
        ("IMAP4rev1 IDLE", {"UID COPY", "IDLE"}, {"UID MOVE"}),
    ],
)
def test_only_what_the_server_can_do_is_asked_of_it(capabilities: str, used: set[str], unused: set[str]) -> None:
    with ImapScript(capabilities=capabilities) as server:
        server.plant(numbered(0), NOON)
        with mailbox_on(server, password="plain", poll=0.1) as mailbox:
            go_round(mailbox, [])
            mailbox.wait(0.1)
            assert read(mailbox) == []
        assert server.folders["PBEM/Done"] == [numbered(0)]
        assert used <= {*server.commands()}
        assert not unused & {*server.commands()}


def test_idling_is_begun_anew_before_the_server_hangs_up(server: ImapScript, monkeypatch: pytest.MonkeyPatch) -> None:
    """RFC 2177 section 3: a server may hang up after half an hour."""
    assert imap_module._LONGEST_REST < 29 * 60
    monkeypatch.setattr(imap_module, "_LONGEST_REST", 0.01)
    monkeypatch.setattr(imap_module, "_FIRST_REST", 0.01)

    def end_the_fifth() -> None:
        while server.said.count(b"DONE") < 5:
            time.sleep(0.01)
        server.plant(LETTER, NOON)

    with mailbox_on(server, poll=3600) as mailbox:
        read(mailbox)
        with later(0, end_the_fifth):
            mailbox.wait(LONG)
    idling = [command for command in server.commands() if command in ("IDLE", "NOOP")]
    assert idling[:6] == ["NOOP", "IDLE"] * 3
    assert server.said.count(b"DONE") == idling.count("IDLE") >= 5


# -- letters that won't go ---


@pytest.mark.parametrize("answer", ["NO [OVERQUOTA] full", "NO [CANNOT] no", "BAD what?"])
def test_letters_that_will_not_go_are_tried_again_one_by_one(server: ImapScript, answer: str) -> None:
    for number in range(30):
        server.plant(numbered(number), NOON + number)
    server.always("UID MOVE", answer)
    taken: list[bytes] = []
    with mailbox_on(server) as mailbox:
        assert mailbox.stuck is None
        go_round(mailbox, taken)
        assert answer.split(None, 1)[1] in str(mailbox.stuck)
        before = len(server.said)
        for _ in range(5):
            assert read(mailbox) == []  # none is fetched again
            assert timed(lambda: mailbox.wait(0.02)) >= 0.02  # nor is it news
        asked = server.commands()
        assert len(server.said) - before < 5 * 15
        server.plant(numbered(30), NOON)
        assert read(mailbox) == [numbered(30)]
        server.always("UID MOVE", None)
        go_round(mailbox, taken)
        assert mailbox.stuck is None
    assert "UID MOVE" in asked
    assert sorted(server.folders["PBEM/Done"]) == sorted(numbered(number) for number in range(31))


def test_without_move_no_letter_that_will_not_go_is_copied_twice() -> None:
    with ImapScript(capabilities="IMAP4rev1 AUTH=PLAIN") as server:
        server.plant(numbered(0), NOON)
        server.always("UID STORE", "NO read-only")
        with mailbox_on(server) as mailbox:
            go_round(mailbox, [])
            for _ in range(3):
                assert read(mailbox) == []
            assert mailbox.stuck
            assert server.folders["PBEM/Done"] == [numbered(0)]
            server.always("UID STORE", None)
            assert read(mailbox) == []
            assert mailbox.stuck is None
        assert (server.inbox, server.folders["PBEM/Done"]) == ([], [numbered(0)])


def test_a_mailbox_that_can_only_be_read_is_read(server: ImapScript) -> None:
    server.writable = False
    server.always("UID MOVE", "NO [READ-ONLY] no")
    server.plant(numbered(0), NOON)
    with mailbox_on(server) as mailbox:
        taken: list[bytes] = []
        go_round(mailbox, taken)
        go_round(mailbox, taken)
        assert taken == [numbered(0)]
        assert "READ-ONLY" in str(mailbox.stuck)
        server.writable = True
        server.always("UID MOVE", None)
        assert read(mailbox) == []
        assert mailbox.stuck is None


def test_a_shelf_that_was_taken_away_is_made_anew(server: ImapScript) -> None:
    with mailbox_on(server) as mailbox:
        read(mailbox)
        server.folders.clear()
        server.once("UID MOVE", "NO [TRYCREATE] there is no such folder")
        server.plant(numbered(0), NOON)
        go_round(mailbox, [])
        assert mailbox.stuck is None
    assert server.folders == {"PBEM/Done": [numbered(0)]}


# -- letters that are too much ---


def test_the_size_is_asked_before_the_body_is(server: ImapScript) -> None:
    server.plant(LETTER + b"x" * 5_000, NOON)
    with mailbox_on(server, longest=1_000) as mailbox:
        (letter,) = mailbox.unread()
    fetches = [said.partition(b"FETCH ")[2] for said in server.said if b"FETCH" in said]
    assert fetches == [b"1 (RFC822.SIZE INTERNALDATE)", b"1 (BODY.PEEK[HEADER]<0.1000>)"]
    assert (letter.cut, letter.raw) == (1_000, LETTER.partition(b"\r\n\r\n")[0] + b"\r\n\r\n")


def test_a_server_that_lies_about_a_size_brings_no_more_than_we_take(server: ImapScript) -> None:
    server.plant(LETTER + b"x" * 5_000, NOON, size=10)
    with mailbox_on(server, longest=1_000) as mailbox:
        (letter,) = mailbox.unread()
    assert (letter.cut, letter.raw) == (1_000, LETTER.partition(b"\r\n\r\n")[0] + b"\r\n\r\n")


def test_letters_are_fetched_a_few_at_a_time_as_they_are_asked_for(server: ImapScript) -> None:
    for number in range(35):
        server.plant(numbered(number), NOON + number)
    with mailbox_on(server) as mailbox:
        letters = iter(mailbox.unread())
        next(letters)
        assert server.commands().count("UID FETCH") == 2
        assert len(list(letters)) == 34
        assert server.commands().count("UID FETCH") == 5


# -- letters that their own server can't hand over ---


def test_a_letter_that_the_server_refuses_comes_as_one_of_ours_and_keeps_no_other(server: ImapScript) -> None:
    for number in range(3):
        server.plant(numbered(number), NOON + number)

    def refuse_second(line: Line, tag: str, arguments: str) -> None:
        if "BODY" in arguments and "2" in arguments.split(maxsplit=1)[0].split(","):
            line.say(f"{tag} NO [SERVERBUG] this letter is broken")
        else:
            server.right(line, tag, "UID FETCH", arguments)

    server.always("UID FETCH", refuse_second)
    with mailbox_on(server) as mailbox:
        first, broken, third = mailbox.unread()
        mailbox.shelve([(broken, MailFolder.kept)])
    assert [first.raw, third.raw] == [numbered(0), numbered(2)]
    assert broken.raw == b"X-PBEM-Unreadable: letter 2 of 1, %d bytes\r\n\r\n" % len(numbered(1))
    assert server.folders["PBEM/Kept"] == [numbered(1)]


def test_a_letter_that_always_breaks_the_line_is_passed_over_in_the_end(server: ImapScript) -> None:
    for number in range(4):
        server.plant(numbered(number), NOON + number)

    def break_off(line: Line, tag: str, arguments: str) -> None:
        if "BODY" in arguments and "2" in arguments.split(maxsplit=1)[0].split(","):
            line.close()
        server.right(line, tag, "UID FETCH", arguments)

    server.always("UID FETCH", break_off)
    taken: list[RawLetter] = []
    with mailbox_on(server) as mailbox:
        polls = 0
        while server.inbox and polls < 10:
            polls += 1
            with suppress(MailboxDown):
                for letter in mailbox.unread():
                    taken.append(letter)
                    mailbox.shelve([(letter, MailFolder.done)])
    assert polls == 5
    assert [letter.raw[:10] for letter in taken] == [b"Subject: 0", b"X-PBEM-Unr", b"Subject: 2", b"Subject: 3"]


# -- TLS ---


def test_without_starttls_nothing_is_told_in_clear(server: ImapScript) -> None:
    with mailbox_on(server, security="starttls") as mailbox, pytest.raises(MailboxDown, match="STARTTLS"):
        mailbox.unread()
    assert not {"LOGIN", "AUTHENTICATE"} & {*server.commands()}


@pytest.mark.parametrize("told", ["NO not now", CLOSE, HANG])
def test_a_server_that_begins_no_tls_gets_no_password(server: ImapScript, told: str) -> None:
    server.capabilities += " STARTTLS"
    server.once("STARTTLS", told)
    with mailbox_on(server, security="starttls", timeout=patience(told)) as mailbox, pytest.raises(MailboxDown):
        mailbox.unread()
    assert not {"LOGIN", "AUTHENTICATE"} & {*server.commands()}


def test_a_certificate_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    servers.make_certificate(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    trusted = {"security": "tls", "ca_file": tmp_path / "cert.pem"}
    with ImapScript(context=context, tls_at_once=True) as server:
        server.plant(LETTER, NOON)
        with (
            mailbox_on(server, host="localhost", security="tls") as mailbox,
            pytest.raises(MailboxDown, match="CERTIFICATE_VERIFY_FAILED"),
        ):
            mailbox.unread()
        with (
            mailbox_on(server, host="127.0.0.1", **trusted) as mailbox,
            pytest.raises(MailboxDown, match="IP address mismatch"),
        ):
            mailbox.unread()
        assert server.said == []
        with mailbox_on(server, host="localhost", **trusted) as mailbox:
            assert read(mailbox) == [LETTER]
            assert timed(lambda: mailbox.wait(0.1)) >= 0.1
