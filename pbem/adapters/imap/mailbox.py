"""The mailbox letters come into, over IMAP (RFC 3501, 2177 IDLE)."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from selectors import EVENT_READ, DefaultSelector
from socket import IPPROTO_TCP, SHUT_RDWR, TCP_NODELAY, socket

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, IMAPClientReadOnlyError, LoginError

from pbem.adapters.imap.cleaning import Known, dealt_with, old, take_out, written_by
from pbem.adapters.imap.folders import Shelves, furnish
from pbem.adapters.imap.letters import Slip, fetch, heads, parted, slip_of, slips, unreadable
from pbem.adapters.login import Account, Bearer, Login, NoToken, mechanism
from pbem.host.ports import MailboxDown, MailFolder, RawLetter

_BATCH = 10  # letters in one FETCH, so that a full inbox isn't held in one answer
_HEADS = 100  # letters whose headers are fetched in one
_MOST_OLD = 500  # letters that one `expire` looks at
_TRIES = 3  # times that a letter may break the connection, or be there and yet not come
_FIRST_REST = 1.0  # seconds; see `wait`
_LONGEST_REST = 20 * 60.0  # seconds; a server may hang up after 29 minutes of IDLE (RFC 2177 section 3)


class ImapSettings(Account, frozen=True, kw_only=True):
    """Where the mailbox is and how it is laid out; folders are written with `/`, whatever the server uses."""

    user: str
    folder: str = "INBOX"
    done: str = "PBEM/Done"
    kept: str = "PBEM/Kept"
    poll: float = 60.0  # seconds between two looks at the inbox, IDLE or not
    patience: float = 300.0  # seconds for all that is asked at once
    longest: int = 1024 * 1024  # bytes of one letter that are read; the server keeps the whole of it


def backoff(failures: int, *, first: float = 1.0, longest: float = 300.0) -> float:
    """Seconds to wait after so many failures in a row: `first`, doubled each time, at most `longest`."""
    return min(longest, first * 2.0 ** min(max(failures - 1, 0), 60))


class ImapMailbox:
    """One inbox; fulfils `ports.Mailbox`.

    It connects when first asked. Whatever goes wrong raises `MailboxDown` and drops the connection, and the
    next call connects afresh; how long to wait before that (`backoff`) is the caller's business.
    """

    def __init__(self, settings: ImapSettings) -> None:
        self._settings = settings
        self._client: IMAPClient | None = None
        self._inbox = ""
        self._shelves = Shelves({MailFolder.done: settings.done, MailFolder.kept: settings.kept})
        self._login = Login(settings)
        self._uidvalidity = 0
        self._read: set[int] = set()  # the UIDs `unread` has returned on this connection, or need not
        self._foreign: dict[MailFolder, set[int]] = {}  # the UIDs of old letters among the shelved that we do not know
        self._singly = False  # the last poll broke off while letters were fetched
        self._suspects: set[Slip] = set()  # whose `fetch` broke off: one of them may have broken the line
        self._failures: Counter[Slip] = Counter()  # to fetch this very letter

    def unread(self) -> Iterator[RawLetter]:
        """All letters in the inbox, by filing time, then UID; raises `MailboxDown`, also on the way.

        They are fetched a few at a time. Nothing is marked as seen (BODY.PEEK). A letter that vanishes meanwhile is
        left out, of one with more than `longest` bytes only the header comes, and one that the server can't bring
        itself to hand over comes as a header of ours.
        """
        return self._letters(self._found())

    def heads(self) -> Iterator[RawLetter]:
        """The headers of the same letters, in the same order; raises `MailboxDown`, also on the way."""
        for some in parted(self._found(), _HEADS):
            with self.connected() as client:
                told = {head.uid: head for head in heads(client, some, self._settings.longest)}
            self._read.update(slip.uid for slip in some)
            yield from (told.get(slip.uid) or unreadable(slip) for slip in some)

    def fetch(self, heads: Sequence[RawLetter]) -> list[RawLetter]:
        """The whole of these letters; what lies there no more is left out. Raises `MailboxDown`."""
        wanted = [*map(slip_of, heads)]
        size = _BATCH if self._suspects.isdisjoint(wanted) else 1
        self._suspects.update(wanted)
        letters = [letter for some in parted(wanted, size) for letter in self._batch(some)]
        self._suspects.difference_update(wanted)
        return letters

    def _found(self) -> list[Slip]:
        """What lies in the inbox now."""
        with self.connected() as client:
            self._select(client)  # also makes the server look again: a search alone may answer from old news
            self._shelves.put_again(client, self._uidvalidity)
            self._read = self._shelves.unmoved(self._uidvalidity)
            found = slips(client, self._uidvalidity, self._read)
        self._failures = Counter({slip: self._failures[slip] for slip in found if slip in self._failures})
        return found

    def shelve(self, letters: Sequence[tuple[RawLetter, MailFolder]]) -> None:
        """Move the letters out of the inbox; one that isn't there stays where it is. Raises `MailboxDown`.

        When the server has numbered the inbox anew (UIDVALIDITY, RFC 3501 section 2.3.1.1) nothing is moved:
        the UIDs may be other letters' now. The letters will be read again and known by their ids.
        """
        with self.connected() as client:
            self._shelves.put(client, self._uidvalidity, letters)

    def expire(self, shelf: MailFolder, before: int, known: Known) -> int:
        """Delete the letters on that shelf that were filed before then and are known. Raises `MailboxDown`."""
        with self.connected() as client:
            client.select_folder(self._shelves.names[shelf])
            foreign = self._foreign.setdefault(shelf, set())
            found = old(client, before, foreign, _MOST_OLD)
            ours = dealt_with(client, found, known)
            foreign.update(set(found) - set(ours))
            taken = take_out(client, ours)
            self._select(client)
        return taken

    def drop(self, letters: Collection[str]) -> int:
        """Delete the letters with these ids from the shelf `kept`; how many. Raises `MailboxDown`."""
        with self.connected() as client:
            client.select_folder(self._shelves.names[MailFolder.kept])
            taken = take_out(client, dealt_with(client, client.search("ALL"), letters.__contains__))
            self._select(client)
        return taken

    def erase(self, address: str) -> int:
        """Delete all that came from that address from the shelves; how many letters. Raises `MailboxDown`."""
        taken = 0
        with self.connected() as client:
            for folder in self._shelves.names.values():
                client.select_folder(folder)
                taken += take_out(client, written_by(client, address))
            self._select(client)
        return taken

    @property
    def folders(self) -> tuple[str, dict[MailFolder, str]]:
        """What the server calls the inbox and the shelves, once we have been connected."""
        return self._inbox, self._shelves.names

    @property
    def stuck(self) -> str | None:
        """Why letters that have been dealt with still lie in the inbox; None when there are none."""
        said = self._shelves.stuck
        return None if said is None else self._sentence("lets no letter out of the inbox", said)

    def wait(self, seconds: float) -> None:
        """Return when the inbox holds a letter `unread` hasn't returned, or after `seconds`.

        The first rest is short: news that comes in one packet with the answer to IDLE lies unread in a buffer
        until the rest is over.
        """
        end = time.monotonic() + seconds
        span = _FIRST_REST
        with self.connected(hurry=False) as client:
            while not self._has_news(client) and (left := end - time.monotonic()) > 0:
                _rest(client, min(left, span, self._settings.poll, _LONGEST_REST))
                span = _LONGEST_REST

    def close(self) -> None:
        """Log out; the next call connects again."""
        if self._client is not None:
            with suppress(IMAPClientError, OSError):
                self._client.logout()
        self._drop()

    # -- the connection ---

    @contextmanager
    def connected(self, *, hurry: bool = True) -> Iterator[IMAPClient]:
        """The connection, with the inbox selected, for as long as the block lasts. Raises `MailboxDown`."""
        try:
            client = self._client or self._connect()
            with _hurried(client, self._settings.patience) if hurry else nullcontext():
                yield client
        except (LoginError, NoToken) as refusal:
            self._drop()
            raise MailboxDown(self._sentence("refuses the login", str(refusal))) from None
        except Exception as failure:  # also what the library makes of nonsense: KeyError, ValueError and the like
            self._drop()
            raise MailboxDown(self._sentence("can't be used now", str(failure) or repr(failure))) from failure
        except BaseException:  # perhaps in the middle of a command: the connection is of no use any more
            self._drop()
            raise

    def _connect(self) -> IMAPClient:
        settings = self._settings
        tls = settings.security == "tls"
        context = settings.certificates() if tls else None
        client = IMAPClient(settings.host, settings.port, ssl=tls, ssl_context=context, timeout=settings.timeout)
        self._client = client
        if settings.security == "starttls":
            client.starttls(
                settings.certificates()
            )  # RFC 9051 section 6.2.1; raises where the server does not offer it
        client.normalise_times = False  # the default is naive local time
        client.socket().setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
        by_token = partial(_log_in_by_token, client, settings.user)
        self._login.perform(partial(_log_in, client, settings.user), by_token, LoginError)
        self._inbox = furnish(client, settings.folder)
        self._shelves.furnish(client)
        self._read, self._foreign = set(), {}
        self._select(client)
        return client

    def _select(self, client: IMAPClient) -> None:
        try:
            found = client.select_folder(self._inbox)
        except IMAPClientReadOnlyError:  # letters can still be read and answered
            found = client.select_folder(self._inbox, readonly=True)
        self._uidvalidity = found.get(b"UIDVALIDITY", 0)

    def _has_news(self, client: IMAPClient) -> bool:
        client.noop()  # a search alone may answer from old news
        return not self._read.issuperset(client.search("ALL"))

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with suppress(IMAPClientError, OSError):
                client.shutdown()

    def _sentence(self, what: str, said: str) -> str:
        settings = self._settings
        return f"the mailbox of {settings.user} at {settings.host}:{settings.port} {what}: {self._login.hide(said)}"

    # -- reading ---

    def _letters(self, found: Sequence[Slip]) -> Iterator[RawLetter]:
        for batch in parted(found, 1 if self._singly else _BATCH):
            letters = self._batch(batch)
            self._read.update(slip.uid for slip in batch)
            yield from letters
        self._singly = False

    def _batch(self, batch: list[Slip]) -> list[RawLetter]:
        """After a poll that broke off letters are fetched one by one: so the one that breaks the line gets known."""
        hopeless = [slip for slip in batch if self._failures[slip] >= _TRIES]
        wanted = [slip for slip in batch if slip not in hopeless]
        try:
            found = self._fetch(wanted) if wanted else []
        except MailboxDown:
            self._failures.update(wanted if len(wanted) == 1 else ())
            self._singly = True
            raise
        there = {letter.uid for letter in found}
        self._failures.update(slip for slip in wanted if slip.uid not in there)  # perhaps it has just vanished
        return [*found, *map(unreadable, hopeless)]

    def _fetch(self, wanted: list[Slip]) -> list[RawLetter]:
        with self.connected() as client:
            if self._uidvalidity != wanted[0].uidvalidity:
                raise IMAPClientError("the letters in the inbox are numbered anew")
            return fetch(client, wanted, self._settings.longest)


@contextmanager
def _hurried(client: IMAPClient, seconds: float) -> Iterator[None]:
    """Hang up on a server that talks on for so long: each of its words may come in time, and yet there is no end."""
    timer = threading.Timer(seconds, lambda: socket.shutdown(client.socket(), SHUT_RDWR))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _log_in(client: IMAPClient, user: str, password: str) -> None:
    # PLAIN (RFC 4616) takes any UTF-8; LOGIN only ASCII, and its error would quote the password.
    if client.has_capability("AUTH=PLAIN"):
        client.plain_login(user, password)
    elif user.isascii() and password.isascii():
        client.login(user, password)
    else:
        raise LoginError("this server takes ASCII names and passwords only")


def _log_in_by_token(client: IMAPClient, user: str, token: str) -> None:
    offered = {each.decode().removeprefix("AUTH=") for each in client.capabilities()}
    way = mechanism(offered)
    try:
        client.sasl_login(way, Bearer(way, user, token))
    except IMAPClientAbortError as failure:  # some hang up on a token that is over
        raise LoginError(str(failure)) from None


def _rest(client: IMAPClient, seconds: float) -> None:
    """Rest until the server says anything, or for `seconds`; without IDLE for `seconds`."""
    if not client.has_capability("IDLE"):
        time.sleep(seconds)
        return
    client.idle()
    with DefaultSelector() as selector:  # not imapclient's idle_check, which takes half a line for a broken connection
        selector.register(client.socket(), EVENT_READ)
        selector.select(seconds)
    client.idle_done()
