"""The mailbox: one contract for the fake, the embedded post office and Dovecot, then what IMAP adds."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from datetime import UTC, datetime

import pytest
from imapclient import IMAPClient
from msgspec.structs import replace

from pbem.adapters.embedded_server import EmbeddedMailServer
from pbem.adapters.imap.mailbox import ImapMailbox, ImapSettings, backoff
from pbem.adapters.mime import read_letter
from pbem.host.ports import MailboxDown, MailFolder
from tests import servers
from tests.fakes import FakeClock, FakeMailbox

GM = "gm@pbem.test"
PASSWORD = "Schlüssel$7"
HOUR, DAY = 3_600, 86_400
SOON = 0.1  # seconds, by which somebody waits already, who else finds what came meanwhile
LONG = 600  # seconds; what waits for so long has been forgotten
NOON = 1_700_000_000  # in the past, because Dovecot turns a future INTERNALDATE into now
LETTER = b"From: anna@pbem.test\r\nTo: gm@pbem.test\r\nSubject: Z\xc3\xbcge\r\n\r\nGr\xc3\xbc\xc3\x9fe\r\n.\r\n"
EXTENSIONS = {"IDLE", "MOVE", "NAMESPACE", "UIDPLUS"}


class FakeSite:
    """The contract's ground on the fake."""

    def __init__(self) -> None:
        self.mailbox = FakeMailbox()

    def plant(self, raw: bytes, arrived: int) -> None:
        self.mailbox.add(raw, arrived)

    def shelved(self, shelf: MailFolder) -> list[bytes]:
        return [letter.raw for letter in self.mailbox.on(shelf)]


class ImapSite:
    """The contract's ground on a server: our mailbox, and a second client beside it."""

    def __init__(self, host: str, port: int) -> None:
        self.settings = ImapSettings(
            host=host, port=port, user=GM, password=PASSWORD, security="none", poll=0.1, timeout=LONG
        )
        self.mailbox = ImapMailbox(self.settings)

    @contextmanager
    def client(self) -> Iterator[IMAPClient]:
        with IMAPClient(self.settings.host, self.settings.port, ssl=False, timeout=LONG) as client:
            client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            client.plain_login(GM, PASSWORD)
            yield client

    def plant(self, raw: bytes, arrived: int = NOON) -> None:
        with self.client() as client:
            client.append("INBOX", raw, msg_time=datetime.fromtimestamp(arrived, UTC))

    def forget_inbox(self) -> None:
        """Lose the letters and their numbers, as a restored backup may."""
        with self.client() as client:
            client.rename_folder("INBOX", "Backup")

    def shelved(self, shelf: MailFolder) -> list[bytes]:
        with self.client() as client:
            names = [name for _, _, name in client.list_folders() if name.endswith(shelf.capitalize())]
            client.select_folder(names[0])
            return [part[b"BODY[]"] for part in client.fetch(client.search(), ["BODY.PEEK[]"]).values()]


class DovecotSite(ImapSite):
    """The same on Dovecot, which won't rename its inbox."""

    def __init__(self, server: servers.Dovecot) -> None:
        super().__init__(server.host, server.imap_port)
        self._server = server

    def forget_inbox(self) -> None:
        self._server.forget_inbox(GM)


@contextmanager
def embedded(post_office: EmbeddedMailServer) -> Iterator[ImapSite]:
    post_office.open_account(GM, PASSWORD)
    site = ImapSite(post_office.host, post_office.imap_port)
    yield site
    site.mailbox.close()


@contextmanager
def on_dovecot(server: servers.Dovecot) -> Iterator[ImapSite]:
    server.open_account(GM, PASSWORD)
    site = DovecotSite(server)
    yield site
    site.mailbox.close()


def hide_extensions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every server look like a plain one of 1996."""
    honest = IMAPClient.has_capability
    monkeypatch.setattr(IMAPClient, "has_capability", lambda self, name: name not in EXTENSIONS and honest(self, name))


def ground(kind: str, request: pytest.FixtureRequest) -> AbstractContextManager[ImapSite | FakeSite]:
    """The contract's ground of this kind."""
    if kind == "fake":
        return nullcontext(FakeSite())
    if kind == "embedded_plain":
        hide_extensions(request.getfixturevalue("monkeypatch"))
    if "dovecot" in kind:
        return on_dovecot(request.getfixturevalue(kind))
    return embedded(request.getfixturevalue("post_office"))


# The old one can do no more than `embedded_plain`, but is the real thing.
DOVECOTS = [
    pytest.param("dovecot", marks=pytest.mark.dovecot),
    pytest.param("old_dovecot", marks=[pytest.mark.dovecot, pytest.mark.slow]),
]
SERVERS = ["embedded", "embedded_plain", *DOVECOTS]


@pytest.fixture(params=["fake", *SERVERS])
def site(request: pytest.FixtureRequest) -> Iterator[ImapSite | FakeSite]:
    with ground(request.param, request) as made:
        yield made


@pytest.fixture(params=SERVERS)
def imap(request: pytest.FixtureRequest) -> Iterator[ImapSite]:
    with ground(request.param, request) as made:
        assert isinstance(made, ImapSite)
        yield made


@pytest.fixture
def office(post_office: EmbeddedMailServer) -> Iterator[ImapSite]:
    with embedded(post_office) as made:
        yield made


# -- the contract, which the fake keeps too ---


def test_letters_come_by_filing_time_then_uid(site: ImapSite | FakeSite) -> None:
    for raw, arrived in ((b"a: 3\r\n\r\n", NOON + 5), (b"a: 1\r\n\r\n", NOON), (b"a: 2\r\n\r\n", NOON)):
        site.plant(raw, arrived)
    letters = list(site.mailbox.unread())
    assert [(letter.raw[:4], letter.arrived) for letter in letters] == [
        (b"a: 1", NOON),
        (b"a: 2", NOON),
        (b"a: 3", NOON + 5),
    ]
    assert letters[0].uid < letters[1].uid
    assert len({letter.uidvalidity for letter in letters}) == 1


def test_a_letter_is_read_byte_by_byte_and_stays_until_shelved(site: ImapSite | FakeSite) -> None:
    site.plant(LETTER, NOON)
    assert list(site.mailbox.unread()) == list(site.mailbox.unread())
    assert [letter.raw for letter in site.mailbox.unread()] == [LETTER]


def test_an_empty_inbox_is_a_completed_poll(site: ImapSite | FakeSite) -> None:
    assert list(site.mailbox.unread()) == []


@pytest.mark.parametrize("shelf", MailFolder)
def test_a_shelved_letter_leaves_the_inbox_for_its_shelf_once(site: ImapSite | FakeSite, shelf: MailFolder) -> None:
    site.plant(LETTER, NOON)
    site.plant(b"Subject: another\r\n\r\n", NOON + 1)
    first, other = site.mailbox.unread()
    site.mailbox.shelve([(first, shelf)])
    site.mailbox.shelve([(first, shelf)])
    assert list(site.mailbox.unread()) == [other]
    assert site.shelved(shelf) == [LETTER]


def test_old_letters_that_were_dealt_with_leave_their_shelf(site: ImapSite | FakeSite) -> None:
    """What is young, kept for a person, or none of ours stays; without a Message-ID a letter is known by its bytes."""
    nameless = b"From: anna@pbem.test\r\n\r\nhello\r\n"
    letters = {name: f"Message-ID: <{name}@x>\r\n\r\n{name}\r\n".encode() for name in ("old", "kept", "other", "young")}
    for arrived, raw in enumerate((*letters.values(), nameless), NOON):
        site.plant(raw, arrived + DAY if raw == letters["young"] else arrived)
    for letter in list(site.mailbox.unread()):
        site.mailbox.shelve([(letter, MailFolder.kept if letter.raw == letters["kept"] else MailFolder.done)])
    ours = {read_letter(raw).id for raw in (*letters.values(), nameless)} - {"<other@x>"}
    assert [site.mailbox.expire(MailFolder.done, NOON + HOUR, ours.__contains__) for _ in range(2)] == [2, 0]
    assert sorted(site.shelved(MailFolder.done)) == sorted([letters["other"], letters["young"]])
    assert site.shelved(MailFolder.kept) == [letters["kept"]]
    site.plant(LETTER, NOON)
    (letter,) = site.mailbox.unread()
    site.mailbox.shelve([(letter, MailFolder.done)])
    assert LETTER in site.shelved(MailFolder.done)


def test_a_shelf_that_is_very_full_is_emptied_by_and_by(imap: ImapSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.adapters.imap.mailbox._MOST_OLD", 2)
    for number in range(5):
        imap.plant(b"Message-ID: <%d@x>\r\n\r\n" % number, NOON + number)
    for letter in list(imap.mailbox.unread()):
        imap.mailbox.shelve([(letter, MailFolder.done)])
    taken = [imap.mailbox.expire(MailFolder.done, NOON + HOUR, lambda name: name != "<1@x>") for _ in range(4)]
    assert taken == [1, 2, 1, 0]
    assert imap.shelved(MailFolder.done) == [b"Message-ID: <1@x>\r\n\r\n"]


def test_what_is_dropped_leaves_the_shelf_for_a_person(imap: ImapSite) -> None:
    nameless = b"From: anna@pbem.test\r\n\r\nhello\r\n"
    for number, raw in enumerate((nameless, b"Message-ID: <1@x>\r\n\r\n", b"Message-ID: <2@x>\r\n\r\n")):
        imap.plant(raw, NOON + number)
    for letter in list(imap.mailbox.unread()):
        imap.mailbox.shelve([(letter, MailFolder.kept)])
    assert [imap.mailbox.drop([read_letter(nameless).id, "<1@x>"]) for _ in range(2)] == [2, 0]
    assert imap.shelved(MailFolder.kept) == [b"Message-ID: <2@x>\r\n\r\n"]


def test_a_writer_s_letters_leave_both_shelves(imap: ImapSite) -> None:
    his, other = (
        b"From: Eve <Eve@pbem.test>\r\n\r\n%d\r\n",
        b"From: steve@pbem.test\r\nTo: eve@pbem.test\r\n\r\nhello\r\n",
    )
    for number, raw in enumerate((his % 1, other, his % 2, b"From: eve@pbem.test.example\r\n\r\nhello\r\n")):
        imap.plant(raw, NOON + number)
    for letter in list(imap.mailbox.unread()):
        imap.mailbox.shelve([(letter, MailFolder.kept if letter.arrived == NOON else MailFolder.done)])
    imap.plant(his % 3, NOON)
    assert [imap.mailbox.erase("eve@pbem.test") for _ in range(2)] == [2, 0]
    assert len(imap.shelved(MailFolder.done)) == 2
    assert imap.shelved(MailFolder.kept) == []
    assert len(list(imap.mailbox.unread())) == 1  # what has not been dealt with yet will be


def test_a_letter_that_comes_between_two_polls_is_in_the_second(site: ImapSite | FakeSite) -> None:
    site.mailbox.unread()
    site.plant(LETTER, NOON)
    assert len(list(site.mailbox.unread())) == 1


# -- what IMAP adds ---


def test_waiting_ends_with_a_new_letter(imap: ImapSite) -> None:
    imap.mailbox.unread()
    with later(SOON, lambda: imap.plant(LETTER)):
        imap.mailbox.wait(LONG)
    assert len(list(imap.mailbox.unread())) == 1


@pytest.mark.slow
@pytest.mark.parametrize("imap", ["embedded", DOVECOTS[0]], indirect=True)
def test_the_server_tells_of_a_new_letter_long_before_the_next_poll(
    imap: ImapSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.adapters.imap.mailbox._FIRST_REST", SOON)  # and then comes the long one
    with opened(imap.settings, poll=LONG) as mailbox, later(3 * SOON, lambda: imap.plant(LETTER)):
        mailbox.wait(LONG)


def test_waiting_ends_at_once_when_a_letter_came_since_the_last_poll(imap: ImapSite) -> None:
    imap.plant(LETTER)
    (first,) = imap.mailbox.unread()
    imap.plant(LETTER, NOON + 1)
    imap.mailbox.shelve([(first, MailFolder.done)])  # its answer may carry the news of the second away
    with opened(imap.settings, poll=LONG) as mailbox:
        mailbox.wait(LONG)


def test_waiting_lasts_when_there_is_nothing_but_what_was_read(imap: ImapSite) -> None:
    imap.plant(LETTER)
    assert len(list(imap.mailbox.unread())) == 1
    assert timed(lambda: imap.mailbox.wait(SOON)) >= SOON


def test_a_letter_that_vanishes_is_left_out(imap: ImapSite) -> None:
    imap.plant(LETTER)
    (letter,) = imap.mailbox.unread()
    with imap.client() as client:
        client.select_folder("INBOX")
        client.delete_messages([letter.uid])
        client.expunge()
    assert list(imap.mailbox.unread()) == []
    imap.mailbox.shelve([(letter, MailFolder.done)])
    assert imap.shelved(MailFolder.done) == []


def test_an_inbox_numbered_anew_keeps_the_wrong_letter_from_being_moved(imap: ImapSite) -> None:
    imap.plant(LETTER)
    (old,) = imap.mailbox.unread()
    imap.mailbox.close()
    imap.forget_inbox()
    imap.plant(b"Subject: another\r\n\r\n")
    imap.mailbox.shelve([(old, MailFolder.done)])
    (new,) = imap.mailbox.unread()
    assert (new.uid, new.uidvalidity != old.uidvalidity) == (old.uid, True)
    assert imap.shelved(MailFolder.done) == []


def test_many_letters_come_in_batches(imap: ImapSite) -> None:
    with imap.client() as client:
        for number in range(25):
            client.append("INBOX", b"Subject: %d\r\n\r\n" % number)
    assert len(list(imap.mailbox.unread())) == 25


def test_folders_are_made_in_the_manner_of_the_server_and_subscribed(imap: ImapSite) -> None:
    imap.mailbox.unread()
    imap.mailbox.close()
    imap.mailbox.unread()
    with imap.client() as client:
        wanted = {imap_name(client, "PBEM", "Done"), imap_name(client, "PBEM", "Kept")}
        assert wanted <= {name for _, _, name in client.list_folders()}
        assert wanted <= {name for _, _, name in client.list_sub_folders()}


def test_of_a_letter_that_is_too_long_only_the_header_comes(imap: ImapSite) -> None:
    long = LETTER + b"x" * 1_000
    imap.plant(long)
    imap.plant(LETTER, NOON + 1)
    with opened(imap.settings, longest=200) as mailbox:
        cut, whole = mailbox.unread()
        mailbox.shelve([(cut, MailFolder.kept)])
    header = LETTER.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
    assert (cut.raw, cut.size, cut.cut) == (header, len(long), 200)
    assert (whole.raw, whole.size, whole.cut) == (LETTER, len(LETTER), None)
    assert imap.shelved(MailFolder.kept) == [long]


# -- when things go wrong ---


def test_a_lost_connection_is_reported_and_the_next_call_connects_again(office: ImapSite) -> None:
    with (
        servers.wire(office.settings.port) as line,
        opened(office.settings, port=line.port) as mailbox,
    ):
        mailbox.unread()
        line.cut()
        with pytest.raises(MailboxDown, match="can't be used now"):
            mailbox.unread()
        office.plant(LETTER)
        (letter,) = mailbox.unread()
        line.cut()
        with pytest.raises(MailboxDown):
            mailbox.shelve([(letter, MailFolder.done)])
        mailbox.shelve([(letter, MailFolder.done)])
    assert office.shelved(MailFolder.done) == [LETTER]


def test_a_connection_lost_while_waiting_is_reported(imap: ImapSite) -> None:
    with (
        servers.wire(imap.settings.port) as line,
        opened(imap.settings, port=line.port) as mailbox,
    ):
        mailbox.unread()
        with later(SOON, line.cut), pytest.raises(MailboxDown):
            mailbox.wait(LONG)


def test_a_post_office_that_closes_while_we_wait_is_reported(clock: FakeClock) -> None:
    with EmbeddedMailServer({GM: PASSWORD}, clock) as office:
        mailbox = ImapSite(office.host, office.imap_port).mailbox
        mailbox.unread()
        with later(SOON, office.close), pytest.raises(MailboxDown):
            mailbox.wait(LONG)
    with pytest.raises(MailboxDown, match="refused"):
        mailbox.unread()


def test_a_server_that_says_nothing_is_given_up(office: ImapSite) -> None:
    with socket.create_server((servers.HOST, 0)) as mute:
        port = mute.getsockname()[1]
        with (
            opened(office.settings, port=port, timeout=0.2) as mailbox,
            pytest.raises(MailboxDown, match="timed out"),
        ):
            mailbox.wait(LONG)


@pytest.mark.parametrize("plain", [False, True])
def test_a_wrong_password_is_told_without_the_password(
    office: ImapSite, monkeypatch: pytest.MonkeyPatch, plain: bool
) -> None:
    settings = replace(office.settings, password="Klöße" if not plain else "Kloss")
    if plain:
        monkeypatch.setattr("tests.adapters.test_imap.EXTENSIONS", {"AUTH=PLAIN"})
        hide_extensions(monkeypatch)
    with opened(settings) as mailbox, pytest.raises(MailboxDown) as down:
        mailbox.unread()
    assert f"the mailbox of {GM}" in str(down.value)
    assert "refuses the login" in str(down.value)
    assert settings.password not in f"{down.value} {down.value.__cause__} {down.value.__context__} {settings}"


@pytest.mark.dovecot
def test_tls_is_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    with servers.dovecot(tls=True) as server:
        server.open_account(GM, PASSWORD)
        settings = ImapSettings(host="localhost", port=server.imaps_port, user=GM, password=PASSWORD)
        with opened(settings) as mailbox:
            with pytest.raises(MailboxDown, match="CERTIFICATE_VERIFY_FAILED"):
                mailbox.unread()
            monkeypatch.setenv("SSL_CERT_FILE", str(server.certificate))
            server.deliver(GM, LETTER)
            assert len(list(mailbox.unread())) == 1


def test_backoff_doubles_up_to_a_limit() -> None:
    assert [backoff(failures) for failures in (0, 1, 2, 3, 9, 10, 10_000)] == [1, 1, 2, 4, 256, 300, 300]
    assert backoff(5, first=0.5, longest=3) == 3


def test_a_server_that_is_not_installed_is_a_skip_or_when_required_a_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PBEM_REQUIRE_SERVERS", raising=False)
    with pytest.raises(pytest.skip.Exception, match="isn't installed"):
        servers.require("no-such-server", package="none")
    monkeypatch.setenv("PBEM_REQUIRE_SERVERS", "1")
    with pytest.raises(pytest.fail.Exception, match="PBEM_REQUIRE_SERVERS=1"):
        servers.require("no-such-server", package="none")


# -- tools ---


def opened(settings: ImapSettings, **changes: object) -> closing[ImapMailbox]:
    """A mailbox that is closed at the end of the block."""
    return closing(ImapMailbox(replace(settings, **changes)))


def imap_name(client: IMAPClient, *path: str) -> str:
    ((_, separator, _),) = client.list_folders("", "INBOX")
    name = separator.decode().join(path)
    return f"INBOX.{name}" if separator == b"." else name


def timed(act: Callable[[], None]) -> float:
    began = time.monotonic()
    act()
    return time.monotonic() - began


@contextmanager
def later(seconds: float, act: Callable[[], object]) -> Iterator[None]:
    """Let something happen while the block runs."""
    timer = threading.Timer(seconds, act)
    timer.start()
    yield
    timer.join()
