"""The mailbox letters come into, over IMAP (RFC 3501, 2177 IDLE, 2342 NAMESPACE, 4315 UIDPLUS, 6851 MOVE)."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from socket import IPPROTO_TCP, TCP_NODELAY
from typing import Literal

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError, LoginError
from msgspec import Struct

from pbem.service.ports import MailboxDown, RawLetter, Shelf

_BATCH = 10  # letters in one FETCH, so that a full inbox isn't held in one answer
_FIRST_REST = 1.0  # seconds; see `wait`
_LONGEST_REST = 20 * 60.0  # seconds; a server may hang up after 29 minutes of IDLE (RFC 2177 section 3)


class ImapSettings(Struct, frozen=True, kw_only=True):
    """Where the mailbox is and how it is laid out; folders are written with `/`, whatever the server uses."""

    host: str
    user: str
    password: str
    port: int = 993
    security: Literal["none", "starttls", "tls"] = "tls"  # certificates are always verified
    folder: str = "INBOX"
    done: str = "PBEM/Done"
    kept: str = "PBEM/Kept"
    poll: float = 60.0  # seconds between two looks at the inbox, IDLE or not
    ca_file: Path | None = None  # certificates of the authorities we trust, in PEM, instead of the system's
    timeout: float = 30.0  # seconds for the server's answer to one command
    longest: int = 8 * 1024 * 1024  # bytes of one letter that are read; the server keeps the whole of it

    @property
    def shelves(self) -> dict[Shelf, str]:
        """The folder of every shelf."""
        return {Shelf.done: self.done, Shelf.kept: self.kept}

    def __repr__(self) -> str:
        return f"ImapSettings({self.user} at {self.host}:{self.port})"


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
        self._shelves: dict[Shelf, str] = {}
        self._uidvalidity = 0
        self._read: frozenset[int] = frozenset()  # the UIDs `unread` has returned on this connection

    def unread(self) -> Sequence[RawLetter]:
        """All letters in the inbox, by filing time, then UID; raises `MailboxDown`.

        Nothing is marked as seen (BODY.PEEK). A letter that vanishes meanwhile is left out.
        """
        with self._connected() as client:
            self._select(client)  # also makes the server look again: a search alone may answer from old news
            uids = client.search("ALL")
            letters = [letter for batch in _batches(uids) for letter in self._fetch(client, batch)]
            self._read = frozenset(uids)
        return sorted(letters, key=lambda letter: (letter.arrived, letter.uid))

    def shelve(self, letter: RawLetter, shelf: Shelf) -> None:
        """Move the letter out of the inbox; one that isn't there stays where it is. Raises `MailboxDown`.

        When the server has numbered the inbox anew (UIDVALIDITY, RFC 3501 section 2.3.1.1) nothing is moved:
        the UID may be another letter's now. The letter will be read again and known by its id.
        """
        with self._connected() as client:
            if letter.uidvalidity != self._uidvalidity or not client.search(["UID", letter.uid]):
                return
            if client.has_capability("MOVE"):
                client.move([letter.uid], self._shelves[shelf])
            else:
                _copy_and_expunge(client, letter.uid, self._shelves[shelf])

    def wait(self, seconds: float) -> None:
        """Return when the inbox holds a letter `unread` hasn't returned, or after `seconds`.

        The first rest is short: news that comes in one packet with the answer to IDLE lies unread in a buffer
        until the rest is over.
        """
        end = time.monotonic() + seconds
        span = _FIRST_REST
        with self._connected() as client:
            while not self._has_news(client) and (left := end - time.monotonic()) > 0:
                _rest(client, min(left, span, self._settings.poll, _LONGEST_REST))
                span = _LONGEST_REST

    def close(self) -> None:
        """Log out; the next call connects again."""
        if self._client is not None:
            with suppress(IMAPClientError, OSError):
                self._client.logout()
        self._drop()

    @contextmanager
    def _connected(self) -> Iterator[IMAPClient]:
        try:
            yield self._client or self._connect()
        except LoginError as refusal:
            self._drop()
            raise MailboxDown(self._sentence("refuses the login", refusal)) from None
        except (IMAPClientError, OSError) as failure:
            self._drop()
            raise MailboxDown(self._sentence("can't be used now", failure)) from failure
        except BaseException:  # perhaps in the middle of a command: the connection is of no use any more
            self._drop()
            raise

    def _connect(self) -> IMAPClient:
        settings = self._settings
        context = ssl.create_default_context(cafile=settings.ca_file) if settings.security != "none" else None
        tls = settings.security == "tls"
        client = IMAPClient(
            settings.host, settings.port, ssl=tls, ssl_context=context if tls else None, timeout=settings.timeout
        )
        self._client = client
        if settings.security == "starttls":
            client.starttls(context)  # RFC 9051 section 6.2.1; raises where the server does not offer it
        client.normalise_times = False  # the default is naive local time
        client.socket().setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
        _log_in(client, settings.user, settings.password)
        self._inbox = _furnish(client, settings.folder)
        self._shelves = {shelf: _furnish(client, path) for shelf, path in settings.shelves.items()}
        self._read = frozenset()
        self._select(client)
        return client

    def _select(self, client: IMAPClient) -> None:
        self._uidvalidity = client.select_folder(self._inbox)[b"UIDVALIDITY"]

    def _fetch(self, client: IMAPClient, uids: Sequence[int]) -> Iterator[RawLetter]:
        parts = client.fetch(uids, [f"BODY.PEEK[]<0.{self._settings.longest}>", "INTERNALDATE"])
        for uid, part in parts.items():
            if raw := part.get(b"BODY[]<0>"):
                arrived = int(part[b"INTERNALDATE"].timestamp())
                yield RawLetter(uid=uid, uidvalidity=self._uidvalidity, arrived=arrived, raw=raw)

    def _has_news(self, client: IMAPClient) -> bool:
        client.noop()  # a search alone may answer from old news
        return not self._read.issuperset(client.search("ALL"))

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with suppress(IMAPClientError, OSError):
                client.shutdown()

    def _sentence(self, what: str, failure: Exception) -> str:
        settings = self._settings
        said = str(failure).replace(settings.password or "\0", "***")
        return f"the mailbox of {settings.user} at {settings.host}:{settings.port} {what}: {said}"


def _batches(uids: Sequence[int]) -> Iterator[list[int]]:
    rest = iter(uids)
    while batch := list(islice(rest, _BATCH)):
        yield batch


def _log_in(client: IMAPClient, user: str, password: str) -> None:
    # PLAIN (RFC 4616) takes any UTF-8; LOGIN only ASCII, and its error would quote the password.
    if client.has_capability("AUTH=PLAIN"):
        client.plain_login(user, password)
    elif user.isascii() and password.isascii():
        client.login(user, password)
    else:
        raise LoginError("this server takes ASCII names and passwords only")


def _local_name(client: IMAPClient, path: str) -> str:
    """A folder's name as the server writes it, such as INBOX.PBEM.Done; without levels it is PBEM-Done."""
    if path.upper() == "INBOX":
        return "INBOX"
    prefix, separator = _namespace(client)
    name = (separator or "-").join(path.split("/"))
    return name if name.startswith(prefix) else prefix + name


def _namespace(client: IMAPClient) -> tuple[str, str]:
    """Prefix and separator of the user's own folders (RFC 2342; RFC 3501 section 6.3.8 for the separator)."""
    if client.has_capability("NAMESPACE") and (personal := client.namespace().personal):
        prefix, separator = personal[0]
        return prefix or "", separator or ""
    _, separator, _ = client.list_folders("", "")[0]
    return "", (separator or b"").decode()


def _furnish(client: IMAPClient, path: str) -> str:
    """The server's name for the folder, which is made and subscribed to when missing."""
    name = _local_name(client, path)
    if not client.folder_exists(name):
        try:
            client.create_folder(name)
        except IMAPClientError:
            if not client.folder_exists(name):  # another daemon may have been faster
                raise
        client.subscribe_folder(name)
    return name


def _copy_and_expunge(client: IMAPClient, uid: int, folder: str) -> None:
    """MOVE for old servers; one without UIDPLUS expunges whatever else is marked as deleted, too."""
    client.copy([uid], folder)
    client.delete_messages([uid], silent=True)
    if client.has_capability("UIDPLUS"):
        client.uid_expunge([uid])
    else:
        client.expunge()


def _rest(client: IMAPClient, seconds: float) -> None:
    """Rest until the server says anything, or for `seconds`; without IDLE for `seconds`."""
    if not client.has_capability("IDLE"):
        time.sleep(seconds)
        return
    client.idle()
    _listen(client, seconds)
    client.idle_done()


def _listen(client: IMAPClient, seconds: float) -> None:
    # Not imapclient's idle_check, which takes half a line for a broken connection.
    with DefaultSelector() as selector:
        selector.register(client.socket(), EVENT_READ)
        selector.select(seconds)
