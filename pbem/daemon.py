"""The loop: letters in, clocks, letters out. `pbem run` keeps it going, `pbem tick` goes round once."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from pbem.adapters.imap import ImapMailbox
from pbem.adapters.smtp import SmtpPostman
from pbem.bootstrap import Server, imap_settings, smtp_settings
from pbem.service.archive import Archivist
from pbem.service.ports import Conflict, Mailbox, MailboxDown, Postman
from pbem.settings import Settings

log = logging.getLogger("pbem")

SHORTEST_WAIT = 0.05  # seconds


class _Woken(Exception):
    """A signal has come while we rested."""


class Daemon:
    """One server's work. Killed anywhere and started again, it loses nothing and does nothing twice."""

    def __init__(
        self,
        server: Server,
        mailbox: Mailbox,
        postman: Postman,
        poll_seconds: float,
        archivist: Archivist | None = None,
    ) -> None:
        self._mailbox = mailbox
        self._inbox = server.inbox()
        self._clocks = server.clocks()
        self._sender = server.sender(postman)
        self._clock = server.clock
        self._archivist = archivist
        self._poll_seconds = poll_seconds
        self._failures = 0
        self._stopped = False
        self._resting: int | None = None  # the thread that rests

    def run(self) -> None:
        """Go round until stopped."""
        with suppress(_Woken):
            while not self._stopped:
                self.tick()
                self._rest()

    def stop(self) -> None:
        """Finish the round that is under way, then return from `run`; as a signal's handler it ends a rest, too."""
        self._stopped = True
        if self._resting == threading.get_ident():
            raise _Woken

    def tick(self) -> bool:
        """Go round once; was the mailbox there? Without it the clock closes nothing, but mail still goes out."""
        reached = self._poll()
        try:
            self._sender.deliver()
        except Conflict:
            log.warning("another daemon was at work; the rest of the mail waits for the next round")
        self._archive()
        return reached

    def _archive(self) -> None:
        """Bring up the archive of the games that moved, after the mail about them."""
        try:
            if self._archivist:
                self._archivist.update()
        except Conflict:
            log.warning("another daemon was at work; the archive waits for the next round")

    def _poll(self) -> bool:
        began = self._clock.now()
        try:
            for letter in self._mailbox.unread():
                shelf = self._inbox.take(letter)
                self._mailbox.shelve(letter, shelf)
            self._clocks.polled(began)
        except MailboxDown as down:
            self._failures += 1
            log.warning("%s (failure %d)", down, self._failures)
            return False
        except Conflict:
            log.warning("another daemon was at work; the rest of the letters wait for the next round")
            return True
        self._failures = 0
        return True

    def _rest(self) -> None:
        self._resting = threading.get_ident()
        if not self._stopped:
            self._wait()
        self._resting = None

    def _wait(self) -> None:
        """Wait for a letter, or until something is due; longer each time the mailbox is not there."""
        if self._failures:
            time.sleep(min(self._poll_seconds * 10, 2.0 ** min(self._failures, 16)))
            return
        due = [at for at in (self._clocks.next_instant(), self._sender.next_instant()) if at is not None]
        seconds = min([self._poll_seconds, *(at - self._clock.now() for at in due)])
        try:
            self._mailbox.wait(max(SHORTEST_WAIT, seconds))
        except MailboxDown as down:
            self._failures += 1
            log.warning("%s", down)


@contextmanager
def serving(server: Server, settings: Settings) -> Iterator[Daemon]:
    """The daemon over the mailbox and the mail server of these settings."""
    mailbox = ImapMailbox(imap_settings(settings))
    postman = SmtpPostman(smtp_settings(settings), server.clock)
    try:
        yield Daemon(server, mailbox, postman, settings.mailbox.poll_seconds)
    finally:
        mailbox.close()
        postman.close()
