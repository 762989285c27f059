"""The loop: letters in, clocks, letters out. `pbem run` keeps it going, `pbem tick` goes round once."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress

from pbem.adapters.imap.mailbox import ImapMailbox, backoff
from pbem.adapters.mail_accounts import imap_settings, smtp_settings
from pbem.adapters.metrics import NOWHERE, MetricsFiles
from pbem.adapters.smtp import SmtpTransport
from pbem.bootstrap import Server, archivist
from pbem.host.archive.archivist import Archivist
from pbem.host.housekeeping.outage import Outage
from pbem.host.ports import Conflict, Mailbox, MailboxDown, MailFolder, MailTransport, RawLetter, StoreDown, held
from pbem.mail.watchdog import Part, Watchdog
from pbem.settings import Settings

log = logging.getLogger("pbem")

SHORTEST_WAIT = 0.05  # seconds
BETWEEN_LOOKS = 60.0  # seconds, of the watchdog
CLOCKS, SEASONS, ARCHIVE, TIDYING = "clocks", "seasons", "archive", "tidying"  # what one worker at a time sees to
LAST_LOOK = 1.0  # seconds that we wait for one that is under way; it may hang where the round did


class _Woken(BaseException):
    """A signal has come while we rested. No fault, so that nobody takes it for one on the way."""


class Daemon:
    """One server's work. Killed anywhere and started again, it loses nothing and does nothing twice."""

    def __init__(
        self,
        server: Server,
        mailbox: Mailbox,
        transport: MailTransport,
        poll_seconds: float,
        archivist: Archivist | None = None,
        metrics: MetricsFiles = NOWHERE,
        watchdog: Watchdog | None = None,
        *,
        more: Sequence[MailTransport] = (),
    ) -> None:
        """`more`: transports for mails that go at the same time."""
        self._mailbox = mailbox
        self._locks = server.store.locks
        self._inbox = server.inbox()
        self._sorting = server.sorting()
        self._clock_service = server.clock_service()
        self._season_service = server.season_service()
        self._delivery = server.delivery(transport, *more)
        self._outages = server.outages()
        self._clock_monitor = server.clock_monitor()
        self._retention = server.retention()
        self._clock = server.clock
        self._archivist = archivist
        self._server = server
        self._metrics = metrics
        self._watchdog = watchdog
        self._poll_seconds = poll_seconds
        self._failures = 0
        self._stopped = False
        self._resting: int | None = None  # the thread that rests

    def run(self) -> None:
        """Go round until stopped."""
        with self._watched(), suppress(_Woken):
            while not self._stopped:
                self._failures = 0 if self.tick() else self._failures + 1
                self._rest()

    def stop(self) -> None:
        """Finish the round that is under way, then return from `run`; as a signal's handler it ends a rest, too."""
        self._stopped = True
        if self._resting == threading.get_ident():
            raise _Woken

    def tick(self) -> bool:
        """Go round once; was everything in reach, and all done? What is not is tried again the next time.

        Without the mailbox the clock closes nothing, but mail still goes out; without the mail server letters are read
        and clocks go on. What meets a fault of ours does not keep the rest from being done.
        """
        parts = (
            self._look_at_the_clock,
            self._poll,
            self._lead_seasons,
            self._deliver,
            self._archive,
            self._tidy,
            self._write_metrics,
        )
        try:
            done = [self._guarded(part) for part in parts]
            self._outages.up(Outage.database)
        except StoreDown as down:
            self._outages.down(Outage.database, str(down))
            return False
        return all(done)

    def _guarded(self, part: Callable[[], bool]) -> bool:
        try:
            return part()
        except StoreDown:
            raise
        except Exception:
            log.exception("a part of this round met a fault of ours; the next one may fare better")
            return False

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Somebody looks, in a thread, whether the rounds go on."""
        over = threading.Event()
        thread = threading.Thread(target=self._watch, args=(over,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join(LAST_LOOK)

    def _watch(self, over: threading.Event) -> None:
        while self._watchdog is not None and not over.wait(BETWEEN_LOOKS):
            try:
                self._watchdog.look()
            except Exception:
                log.exception("the watchdog met a fault of ours")

    def _has_done(self, part: Part) -> None:
        if self._watchdog is not None:
            self._watchdog.done(part)

    def _archive(self) -> bool:
        """Bring up the archive of the games that moved, after the mail about them."""
        try:
            with held(self._locks, ARCHIVE) as leads:
                if leads and self._archivist:
                    self._archivist.update()
        except Conflict:
            log.warning("another daemon was at work; the archive waits for the next round")
        return True

    def _write_metrics(self) -> bool:
        """Whoever watches sees from the instants in them when this is no longer done."""
        if not self._metrics.wanted:
            return True
        try:
            self._metrics.write(self._server.app.vitals(), self._clock.now())
        except OSError as problem:
            log.warning("the health or metrics file can't be written: %s", problem)
        except Conflict:
            pass
        return True

    def _tidy(self) -> bool:
        with suppress(Conflict), held(self._locks, TIDYING) as leads:  # an hour later will do
            if leads:
                self._retention.tidy(self._mailbox)
        return True

    def _look_at_the_clock(self) -> bool:
        with suppress(Conflict, StoreDown):  # time stands still anyway, and the rest of the round tells of the books
            self._clock_monitor.look()
        return True

    def _poll(self) -> bool:
        began = self._clock.now()
        try:
            with held(self._locks, CLOCKS) as leads:
                if not leads and not self._clock_service.has_reached(began):
                    return True  # whoever leads holds the games first in which time ran out meanwhile
                self._read_letters(began, leads=leads)
        except MailboxDown as down:
            self._outages.down(Outage.mailbox, str(down))
            self._has_done(Part.poll)
            return False
        except Conflict:
            log.warning("another daemon was at work; the rest of the letters wait for the next round")
            return False
        self._outages.up(Outage.mailbox)
        self._look_for_stuck()
        self._has_done(Part.poll)
        return True

    def _read_letters(self, began: int, *, leads: bool) -> None:
        """Of several workers one at a time leads: it sees to it that all letters are dealt with, and closes clocks."""
        behind = [began] if leads else []  # an instant that is reached once the first letters were heard of

        def reach() -> None:
            if behind:
                self._clock_service.reached(behind.pop())

        def deal(some: Sequence[RawLetter]) -> Iterator[tuple[RawLetter, MailFolder]]:
            for letter in some:
                self._clock.heard(letter.arrived)
            reach()
            return self._inbox.take_all(some)

        self._sorting.hand_out(self._mailbox, deal, to_the_end=leads)
        reach()
        if leads:
            self._clock_service.polled(began)

    def _lead_seasons(self) -> bool:
        """Behind the letters: what ended by them makes room for what is to begin."""
        try:
            with held(self._locks, SEASONS) as leads:
                if leads:
                    self._season_service.look()
        except Conflict:
            log.warning("another daemon was at work; what is due in the seasons waits for the next round")
        return True

    def _look_for_stuck(self) -> None:
        stuck = self._mailbox.stuck
        if stuck is None:
            self._outages.up(Outage.shelves)
        else:
            self._outages.down(Outage.shelves, stuck)

    def _deliver(self) -> bool:
        try:
            self._delivery.deliver()
        except Conflict:
            log.warning("another daemon was at work; the rest of the mail waits for the next round")
            return True
        self._has_done(Part.delivery)
        return True

    def _rest(self) -> None:
        """Wait for a letter, or until something is due; longer each time something was left undone."""
        if self._failures:
            longest = backoff(self._failures, first=2.0, longest=self._poll_seconds * 10)
            self._rest_by(time.sleep, self._until_due(longest, self._delivery.next_instant))
            return
        instants = (self._delivery.next_instant, self._clock_service.next_instant, self._season_service.next_instant)
        seconds = self._until_due(self._poll_seconds, *instants)
        try:
            self._rest_by(self._mailbox.wait, seconds)
        except MailboxDown as down:
            self._failures += 1
            self._outages.down(Outage.mailbox, str(down))

    def _rest_by(self, wait: Callable[[float], object], seconds: float) -> None:
        """A signal ends it, and nothing else: what is done elsewhere is done to its end."""
        self._resting = threading.get_ident()
        try:
            if not self._stopped:
                wait(seconds)
        finally:
            self._resting = None

    def _until_due(self, longest: float, *instants: Callable[[], int | None]) -> float:
        """Seconds until the first of these instants, at most so many."""
        try:
            due = [at - self._clock.now() for instant in instants if (at := instant()) is not None]
        except (Conflict, StoreDown):
            due = []
        return max(SHORTEST_WAIT, min([longest, *due]))


@contextmanager
def serving(server: Server, settings: Settings) -> Iterator[Daemon]:
    """The daemon over the mailbox and the mail server of these settings."""
    pages, poll_seconds = archivist(server, settings), settings.mailbox.poll_seconds
    metrics = MetricsFiles(health=settings.health_file, metrics=settings.metrics_file)
    imap, smtp = imap_settings(settings), smtp_settings(settings)
    transport, other = SmtpTransport(smtp, server.clock), SmtpTransport(smtp, server.clock)
    with ExitStack() as stack, closing(other), closing(transport), closing(ImapMailbox(imap)) as mailbox:
        more = [SmtpTransport(smtp, server.clock) for _ in range(1, settings.smtp.connections)]
        for each in more:
            stack.enter_context(closing(each))
        watchdog = server.watchdog(other, poll_seconds)
        yield Daemon(server, mailbox, transport, poll_seconds, pages, metrics, watchdog, more=more)
