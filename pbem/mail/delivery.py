"""Delivers the outbox: each letter is rendered when it goes out, and no lock is held while a server is talked to.

That a letter is taken in hand, and that it is out, is written down one by one, so that a daemon that is killed sends no
more than the one twice that it had in hand. But it is durable only for several together: a power cut may have the last
`UNSURE` go out again, with the Message-IDs they had.

Large mail hosts turn away whoever brings too many letters at once, so that each of them gets so many a minute.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing

from pbem.host.housekeeping.outage import Outage
from pbem.host.housekeeping.outages import Outages
from pbem.host.messages.letters import Message
from pbem.host.ports import Conflict, MailTransport, OutboxRow, PostDown, StoreDown, Undelivered
from pbem.mail.context import Context
from pbem.mail.gathering import Gathering
from pbem.mail.lines import Lines, UnderWay
from pbem.mail.mail_writer import MailWriter
from pbem.mail.outcomes import LONGEST_PAUSE, Failures, note_sent, pause
from pbem.mail.pace import Throttle, Turns

LEASE = 300  # seconds for which a row is ours once it is claimed; longer than a server may take for one mail
BUDGET = 30  # seconds of one round; then letters to us and clocks have their turn
SLOW = 20  # seconds for one letter, after which the server is called slow
PATIENCE = 3  # failures in a row after which we look for letters first
UNSURE = 20  # letters that are out and may not be known to be after a power cut


class Delivery:
    """Takes rows from the outbox to the mail server, over as many lines as there are transports."""

    def __init__(
        self,
        context: Context,
        transports: Sequence[MailTransport],
        writer: MailWriter,
        *,
        lease: int = LEASE,
        per_minute: int | None = None,
        gather_seconds: int = 0,
    ) -> None:
        self._games = context.games
        self._clock = context.clock
        self._log = context.log
        self._watch = context.watch
        is_alone = context.games.store.locks.is_alone  # else what is sent is parted among workers, by games
        self._lines = Lines(transports if is_alone else transports[:1])
        self._writer = writer
        self._lease = lease
        self._throttle = Throttle(per_minute)
        self._turns = Turns(context.games)
        self._gathering = Gathering(gather_seconds)
        self._outages = Outages(context.games, context.clock, context.host.operator, context.log)
        self._failures = Failures(context, self._outages)
        self._attempts = 0  # in a row, in which the server was not to be had
        self._hung = 0  # letters in a row over which the server took long, and then did not take them
        self._reason = ""  # of the last letter that was not taken
        self._rests_until = 0  # the server was not to be had: nothing is tried before
        self._unsure = 0  # letters that are settled, and not durably
        self._settled = self._failed = 0  # rows in this round; in a row

    def next_instant(self) -> int | None:
        """When there is something to deliver next."""
        with self._games.store.transaction() as repository:
            due = repository.next_post()
        return None if due is None else max(due, self._rests_until)

    def deliver(self) -> int:
        """Hand over what is due now, unless the server is not to be had; returns how many rows were settled.

        What can't be handed over within the budget of one round waits for the next.
        """
        self._settled = self._failed = 0
        end = self._clock.now() + BUDGET
        self._throttle.shared_by(self._turns.begin())
        with closing(self._turns):
            try:
                while self._failed < PATIENCE and self._clock.now() < end and (row := self._claim()) is not None:
                    self._conclude(self._lines.before(row))
                    self._begin(row)
                    self._conclude(self._lines.arrived())
            finally:
                self._conclude(self._lines.all())
        self._make_sure()
        if self._failed >= PATIENCE and not self._settled:
            self._outages.down(Outage.post, self._reason)
        return self._settled

    def _rests(self, now: int) -> bool:
        """For an hour at most, even if the clock was put back meanwhile."""
        return now < self._rests_until <= now + LONGEST_PAUSE

    def _claim(self) -> OutboxRow | None:
        """One row at a time, so that no lease runs out while others are being sent."""
        while not self._rests(now := self._clock.now()) and self._turns.take(now):
            of = self._turns.matter
            until = now + self._lease
            row = self._games.do(lambda work: self._gathering.claim(work.repository, now, until, of), durable=False)
            if row is None and of is not None:
                self._turns.over()
            elif row is None or self._throttle.earliest(row.to, now) == now:
                return row
            else:
                self._put_back(row, self._throttle.earliest(row.to, now))
        return None

    def _put_back(self, row: OutboxRow, due: int) -> None:
        self._games.do(lambda work: work.repository.put_back(row.id, due), durable=False)

    def _begin(self, row: OutboxRow) -> None:
        """Word it and hand it over; what comes of it is known when it has arrived."""
        composed, began = self._clock.now(), self._watch()
        try:
            content, mail = self._writer.written(row, composed)
        except (Conflict, StoreDown):
            raise
        except Exception as fault:  # noqa: BLE001 - one letter that can't be worded never stops the others
            self._unwritten(row, fault)
            self._note(composed, is_settled=False)
            return
        if mail is not None:
            self._throttle.note(mail.to, self._clock.now())
        self._lines.send(row, content, mail, composed, began)

    def _unwritten(self, row: OutboxRow, fault: Exception) -> None:
        self._log.exception("letter %s could not be written", row.id)
        reason = repr(fault)
        self._games.do(lambda work: self._failures.unwritten(work, row, reason))

    def _conclude(self, arrived: Iterable[UnderWay]) -> None:
        for each in arrived:
            self._note(each.composed, is_settled=self._concluded(each))

    def _note(self, composed: int, *, is_settled: bool) -> None:
        """A row is settled, one way or the other, or has failed."""
        took = self._clock.now() - composed
        if took < SLOW:
            self._outages.up(Outage.slow)
        else:
            self._outages.down(Outage.slow, f"{took} seconds for one letter")
        self._hung = 0 if is_settled or took < SLOW else self._hung + 1
        if self._hung >= PATIENCE:
            self._outages.down(Outage.post, self._reason)
        self._settled += is_settled
        self._failed = 0 if is_settled else self._failed + 1

    def _concluded(self, sent: UnderWay) -> bool:
        row = sent.row
        try:
            sent.arrival.result()
        except PostDown as down:
            self._rest(row, str(down))
            return False
        except Undelivered as failure:
            self._reason, permanent = str(failure), failure.permanent
            self._games.do(lambda work: self._failures.refused(work, row, self._reason, permanent=permanent))
            return permanent
        except Exception as fault:  # noqa: BLE001 - as where it is worded
            self._unwritten(row, fault)
            return False
        if sent.mail is not None:
            self._attempts = 0
        self._settle(row, sent.content, sent.composed)
        if sent.mail is not None:
            self._outages.up(Outage.post)
            facts = {"row": row.id, "game": row.game, "seconds": round(self._watch() - sent.began, 4)}
            self._log.info("letter handed over", extra=facts)
        return True

    def _rest(self, row: OutboxRow, reason: str) -> None:
        """The server is not to be had, which is no fault of the row."""
        self._rests_until = self._clock.now() + pause(self._attempts)
        self._attempts += 1
        self._put_back(row, row.due)
        self._outages.down(Outage.post, reason)

    def _settle(self, row: OutboxRow, content: Message | None, composed: int) -> None:
        """What is out is out: it must not be sent again and again because what comes of it meets a fault of ours."""
        try:
            self._games.do(lambda work: note_sent(work, row, content, composed, self._clock.now()), durable=False)
        except (Conflict, StoreDown):
            raise
        except Exception as fault:  # noqa: BLE001 - whatever it is, the next letter waits
            self._log.exception("letter %s went out, and what begins with it could not be noted", row.id)
            reason = repr(fault)
            self._games.do(lambda work: self._failures.unnoted(work, row, reason))
        self._unsure += 1
        if self._unsure >= UNSURE:
            self._make_sure()

    def _make_sure(self) -> None:
        if self._unsure:
            self._games.store.secure()
            self._unsure = 0
