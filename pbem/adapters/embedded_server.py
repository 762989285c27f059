"""The embedded post office: a real IMAP and a real SMTP server inside the process.

pymap and aiosmtpd share one asyncio event loop in a thread of its own and listen on loopback, on ports the
system chooses. Everything is kept in memory. It serves the demo and the tests: any program on this machine
may hand mail in, so it is no server for the network.
"""

from __future__ import annotations

import asyncio
import threading
from argparse import Namespace
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Self, TypeVar
from weakref import WeakSet

from aiosmtpd.smtp import SMTP, Envelope, Session
from proxyprotocol.noop import ProxyProtocolNoop
from proxyprotocol.result import ProxyResultLocal
from proxyprotocol.sock import SocketInfo
from pymap.backend.dict import Config, Identity, Login
from pymap.backend.dict.filter import FilterSet
from pymap.backend.dict.mailbox import MailboxData, MailboxSet
from pymap.concurrent import Event, Subsystem
from pymap.imap import IMAPServer
from pymap.parsing.message import AppendMessage
from pymap.selected import SelectedMailbox
from pymap.user import Passwords, UserMetadata
from pysasl.hashing import BuiltinHash

from pbem.host.ports import Clock

T = TypeVar("T")

_HOST = "127.0.0.1"
_NAME = "postoffice.localhost"
_PATIENCE = 10.0  # seconds for anything asked of the loop's thread


class EmbeddedMailServer:
    """A post office for the given accounts; a context manager, open from entry to exit.

    Letters are stamped with the clock's time (INTERNALDATE, RFC 3501 section 2.3.3) when they come in, and
    keep the envelope's sender in a Return-Path (RFC 5321 section 4.4). A recipient without an account is
    refused with 550 at RCPT. Addresses are matched without regard to case by SMTP, as written by IMAP.
    """

    def __init__(self, accounts: Mapping[str, str], clock: Clock) -> None:
        """`accounts` maps addresses to passwords; the clock is read on the post office's own thread."""
        self.host = _HOST
        self.imap_port = 0
        self.smtp_port = 0
        self.accounts: dict[str, str] = {}
        self._first = dict(accounts)
        self._mailroom = _Mailroom(clock)
        self._loop: asyncio.AbstractEventLoop
        self._thread: threading.Thread

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="pbem-postoffice", daemon=True)
        self._thread.start()
        try:
            self.imap_port, self.smtp_port = self._ask(self._mailroom.open())
            for address, password in self._first.items():
                self.open_account(address, password)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open_account(self, address: str, password: str) -> None:
        """Open one more mailbox; raises ValueError when the address has one."""
        self._ask(self._mailroom.add(address, password))
        self.accounts[address] = password

    def close(self) -> None:
        """Close for good, as if the machine had gone down: connections break, letters are lost."""
        if self._loop.is_closed():
            return
        try:
            self._ask(self._mailroom.close())
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(_PATIENCE)
            self._loop.close()

    def _ask(self, errand: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(errand, self._loop).result(_PATIENCE)


class _Mailroom:
    """What lives on the loop's thread: both servers and the mailboxes between them."""

    def __init__(self, clock: Clock) -> None:
        self._config = _config()
        self._login = Login(self._config)
        self._imap = IMAPServer(self._login, self._config)
        self._desk = _Desk(clock)
        self._lines: WeakSet[SMTP] = WeakSet()
        self._servers: list[asyncio.Server] = []

    async def open(self) -> tuple[int, int]:
        """Listen; the IMAP port and the SMTP port."""
        loop = asyncio.get_running_loop()
        self._servers = [
            await asyncio.start_server(self._serve, _HOST, 0),
            await loop.create_server(self._answer, _HOST, 0),
        ]
        imap, smtp = (server.sockets[0].getsockname()[1] for server in self._servers)
        return imap, smtp

    async def add(self, address: str, password: str) -> None:
        if address.lower() in self._desk.boxes:
            raise ValueError(f"{address} has an account")
        hashed = await Passwords(self._config).hash_password(password)
        user = UserMetadata(self._config, address, password=hashed)
        await Identity(address, self._login, None, frozenset()).set(user)
        boxes = _Boxes()
        self._config.set_cache[address] = (boxes, FilterSet())
        self._desk.boxes[address.lower()] = boxes

    async def close(self) -> None:
        for server in self._servers:
            server.close()
        for line in self._lines:
            if line.transport is not None:
                line.transport.close()
        work = asyncio.all_tasks() - {asyncio.current_task()}
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        caller = SocketInfo.get(writer, ProxyResultLocal(), unique_id=b"")
        # Cancelled is how we close; asyncio would report a cancelled connection as a crash.
        with suppress(asyncio.CancelledError, ConnectionError):
            await self._imap(reader, writer, caller)
        with suppress(ConnectionError):
            await writer.wait_closed()

    def _answer(self) -> SMTP:
        line = SMTP(self._desk, hostname=_NAME, ident="PBEM", enable_SMTPUTF8=True, loop=asyncio.get_running_loop())
        self._lines.add(line)
        return line


class _Desk:
    """Where SMTP hands letters in; the names of its methods are aiosmtpd's."""

    def __init__(self, clock: Clock) -> None:
        self.boxes: dict[str, MailboxSet] = {}
        self._clock = clock

    async def handle_RCPT(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if _box(address) not in self.boxes:
            return f"550 5.1.1 <{address}>: there is no such mailbox here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        arrived = datetime.fromtimestamp(self._clock.now(), UTC)
        letter = f"Return-Path: <{envelope.mail_from}>\r\n".encode() + bytes(envelope.original_content or b"")
        for address in sorted({_box(recipient) for recipient in envelope.rcpt_tos}):
            inbox = await self.boxes[address].get_mailbox("INBOX")
            await inbox.append(AppendMessage(letter, arrived), recent=True)
        return "250 2.0.0 OK"


def _box(address: str) -> str:
    """The mailbox of an address: what follows + in its local part is the owner's own affair (RFC 5233)."""
    name, _, domain = address.lower().rpartition("@")
    return f"{name.partition('+')[0]}@{domain}"


class _Boxes(MailboxSet):
    """The folders of one account."""

    def __init__(self) -> None:
        super().__init__()
        self._inbox = _Inbox(self._content_cache, self._thread_cache)


class _Inbox(MailboxData):
    """An inbox whose IDLE begins with what is new since the last command.

    pymap's waits for the next change instead: a letter that comes in just before IDLE would lie unnoticed,
    and a DONE that overtakes the wait would be lost.
    """

    async def update_selected(self, selected: SelectedMailbox, *, wait_on: Event | None = None) -> SelectedMailbox:
        if wait_on is not None and (wait_on.is_set() or selected.mod_sequence != self._mod_sequences.highest):
            wait_on = None
        return await super().update_selected(selected, wait_on=wait_on)


class _Config(Config):
    """pymap's settings with a greeting that asks no name server for ours."""

    @property
    def greeting(self) -> bytes:
        return f"{_NAME} ready".encode()


def _config() -> Config:
    """Settings for loopback: no TLS, one round of hashing, no thread pool, no pause after a wrong name."""
    return _Config(
        Namespace(),
        host=_HOST,
        port=0,
        demo_data=False,
        demo_user="",
        demo_password="",
        tls_enabled=False,
        proxy_protocol=ProxyProtocolNoop(),
        hash_context=BuiltinHash(rounds=1),
        cpu_subsystem=Subsystem.for_asyncio(),
        invalid_user_sleep=0.0,
    )
