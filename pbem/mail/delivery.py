"""Delivers the outbox: each letter is rendered when it goes out, and no lock is held while a server is talked to.

That a letter is taken in hand, and that it is out, is written down one by one, so that a daemon that is killed sends no
more than the one twice that it had in hand. But it is durable only for several together: a power cut may have the last
`UNSURE` go out again, with the Message-IDs they had.

Large mail hosts turn away whoever brings too many letters at once, so that each of them gets so many a minute.
"""

from __future__ import annotations

from collections import defaultdict, deque
from contextlib import closing

from pbem.host.housekeeping.outage import Outage
from pbem.host.housekeeping.outages import Outages
from pbem.host.messages.letters import Message
from pbem.host.ports import Conflict, Mail, MailTransport, OutboxRow, PostDown, StoreDown, Undelivered
from pbem.host.session.unit_of_work import Games
from pbem.mail.context import Context
from pbem.mail.gathering import Gathering
from pbem.mail.mail_writer import MailWriter
from pbem.mail.outcomes import LONGEST_PAUSE, Failures, domain_of, note_sent, pause

LEASE = 300  # seconds for which a row is ours once it is claimed; longer than a server may take for one mail
BUDGET = 30  # seconds of one round; then letters to us and clocks have their turn
SLOW = 20  # seconds for one letter, after which the server is called slow
PATIENCE = 3  # failures in a row after which we look for letters first
MINUTE = 60  # seconds
UNSURE = 20  # letters that are out and may not be known to be after a power cut


class Delivery:
    """Takes rows from the outbox to the mail server."""

    def __init__(
        self,
        context: Context,
        transport: MailTransport,
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
        self._transport = transport
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

    def next_instant(self) -> int | None:
        """When there is something to deliver next."""
        with self._games.store.transaction() as repository:
            due = repository.next_post()
        return None if due is None else max(due, self._rests_until)

    def deliver(self) -> int:
        """Hand over what is due now, unless the server is not to be had; returns how many rows were settled.

        What can't be handed over within the budget of one round waits for the next.
        """
        settled = failures = 0
        end = self._clock.now() + BUDGET
        self._throttle.shared_by(self._turns.begin())
        with closing(self._turns):
            while failures < PATIENCE and self._clock.now() < end and (row := self._claim()) is not None:
                if self._deliver(row):
                    settled, failures = settled + 1, 0
                else:
                    failures += 1
        self._make_sure()
        if failures >= PATIENCE and not settled:
            self._outages.down(Outage.post, self._reason)
        return settled

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

    def _deliver(self, row: OutboxRow) -> bool:
        """Is the row settled, one way or the other?"""
        composed = self._clock.now()
        is_settled = self._hand_over(row, composed)
        took = self._clock.now() - composed
        if took < SLOW:
            self._outages.up(Outage.slow)
        else:
            self._outages.down(Outage.slow, f"{took} seconds for one letter")
        self._hung = 0 if is_settled or took < SLOW else self._hung + 1
        if self._hung >= PATIENCE:
            self._outages.down(Outage.post, self._reason)
        return is_settled

    def _hand_over(self, row: OutboxRow, composed: int) -> bool:
        began = self._watch()
        try:
            content, mail = self._writer.written(row, composed)
            if mail is not None:
                self._send(mail)
        except (Conflict, StoreDown):
            raise
        except PostDown as down:
            self._rest(row, str(down))
            return False
        except Undelivered as failure:
            self._reason, permanent = str(failure), failure.permanent
            self._games.do(lambda work: self._failures.refused(work, row, self._reason, permanent=permanent))
            return permanent
        except Exception as fault:  # noqa: BLE001 - one letter that can't be worded never stops the others
            self._log.exception("letter %s could not be written", row.id)
            reason = repr(fault)
            self._games.do(lambda work: self._failures.unwritten(work, row, reason))
            return False
        self._settle(row, content, composed)
        if mail is not None:
            self._outages.up(Outage.post)
            facts = {"row": row.id, "game": row.game, "seconds": round(self._watch() - began, 4)}
            self._log.info("letter handed over", extra=facts)
        return True

    def _send(self, mail: Mail) -> None:
        self._throttle.note(mail.to, self._clock.now())
        self._transport.send(mail)
        self._attempts = 0

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


class Turns:
    """Among several workers the mail of one game goes out by one at a time, in its order: each letter tells what is
    true once those before it are out. What belongs to no game is parted by its reader.
    """

    def __init__(self, games: Games) -> None:
        self._games = games
        self._locks = games.store.locks
        self._passed: set[str] = set()  # what another worker sends, or has nothing that is due any more
        self.matter: str | None = None  # whose turn we have; None: of everything, for nobody else is there

    def begin(self) -> int:
        """A new round; among how many workers."""
        self._passed.clear()
        return self._locks.workers()

    def take(self, now: int) -> bool:
        """Have a turn at the next matter that is due and that no other worker has; is there one?"""
        self.close()
        while not self._locks.is_alone:
            matter = self._games.do(lambda work: work.repository.next_matter(now, self._passed))
            if matter is None:
                return False
            if self._locks.take([_mail_of(matter)]):
                self.matter = matter
                return True
            self._passed.add(matter)
        return True

    def over(self) -> None:
        """There is nothing more to send of it in this round."""
        self._passed.update([self.matter] if self.matter is not None else [])
        self.close()

    def close(self) -> None:
        """Let go of it."""
        if self.matter is not None:
            self._locks.release([_mail_of(self.matter)])
            self.matter = None


def _mail_of(matter: str) -> str:
    return f"mail {matter}"


class Throttle:
    """At most so many letters a minute to one domain; None: as many as there are. A restart begins anew.

    Several workers share them equally.
    """

    def __init__(self, per_minute: int | None) -> None:
        self._whole = self._per_minute = per_minute
        self._sent: dict[str, deque[int]] = defaultdict(deque)  # the last instants, by domain

    def shared_by(self, workers: int) -> None:
        """So many send."""
        if self._whole is not None:
            self._per_minute = max(1, self._whole // workers)

    def earliest(self, address: str, now: int) -> int:
        """When the next letter to this address may go out: now, or within a minute, even if the clock was put back."""
        sent = self._sent[domain_of(address)]
        most = self._per_minute
        return now if most is None or len(sent) < most else max(now, min(now, sent[-most]) + MINUTE)

    def note(self, address: str, now: int) -> None:
        """A letter to this address goes out now."""
        if self._per_minute is not None:
            sent = self._sent[domain_of(address)]
            sent.append(now)
            while self._whole is not None and len(sent) > self._whole:
                sent.popleft()
