"""Delivers the outbox: each letter is rendered when it goes out, and no lock is held while a server is talked to.

That a letter is taken in hand is written down before it goes, and that it is out before the next does, so that a daemon
that is killed sends no more twice than it had in hand: one over each line. But it is durable only for several together:
a power cut may have the last `UNSURE` go out again, with the Message-IDs they had.

Large mail hosts turn away whoever brings too many letters at once, so that each of them gets so many a minute.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from pbem.host.housekeeping.outage import Outage
from pbem.host.housekeeping.outages import Outages
from pbem.host.ports import Conflict, Mail, MailTransport, OutboxRow, PostDown, StoreDown, Undelivered
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.mail.context import Context
from pbem.mail.gathering import Gathering
from pbem.mail.lines import Lines, UnderWay
from pbem.mail.mail_writer import MailWriter, Unworded
from pbem.mail.outcomes import LONGEST_PAUSE, Failures, note_sent, pause
from pbem.mail.pace import Throttle, Turns

LEASE = 300  # seconds for which a row is ours once it is claimed; longer than a server may take for one mail
BUDGET = 30  # seconds of one round; then letters to us and clocks have their turn
SLOW = 20  # seconds for one letter, after which the server is called slow
PATIENCE = 3  # failures in a row after which we look for letters first
UNSURE = 20  # letters that are out and may not be known to be after a power cut
AHEAD = 5  # letters that are looked up in one transaction


class Ready(Struct, frozen=True, kw_only=True):
    """A row, and what it says at an instant, where that is known."""

    row: OutboxRow
    at: int
    is_told: bool = False  # else it is looked up once others are out
    unworded: Unworded | None = None  # nothing, where there is nothing to say any more
    mail: Mail | None = None  # in the words of its reader, where there was time for them


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
        self._out: list[UnderWay] = []  # letters that are out, which is not written down
        self._unsure = 0  # letters that are settled, and not durably
        self._settled = self._failed = 0  # rows in this round; in a row
        self._ahead = deque[Ready]()  # what comes next, and is not claimed yet
        self._is_last = False  # does nothing come behind what is under way?

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
        self._look_no_further()
        end = self._clock.now() + BUDGET
        self._throttle.shared_by(self._turns.begin())
        with closing(self._turns):
            try:
                while self._failed < PATIENCE and self._clock.now() < end and (ready := self._claim()) is not None:
                    self._begin(ready)
                    self._word_ahead()
                    self._conclude(self._lines.free())
            finally:
                self._conclude(self._lines.all())
                self._write_down()
        self._make_sure()
        if self._failed >= PATIENCE and not self._settled:
            self._outages.down(Outage.post, self._reason)
        return self._settled

    def _rests(self, now: int) -> bool:
        """For an hour at most, even if the clock was put back meanwhile."""
        return now < self._rests_until <= now + LONGEST_PAUSE

    def _claim(self) -> Ready | None:
        """One row at a time, so that no lease runs out while others are being sent."""
        while not self._rests(now := self._clock.now()) and self._turns.take(now):
            of = self._turns.matter
            claimed = self._claimed(now, of)
            row = claimed.row if claimed else None
            if claimed is None and of is not None:
                self._turns.over()
            elif row is None or self._throttle.earliest(row.to, now) == now:
                return claimed
            else:
                self._put_back(row, self._throttle.earliest(row.to, now))
        return None

    def _claimed(self, now: int, of: str | None) -> Ready | None:
        """A row that is due. In the same transaction what is out is written down, and looked up what the row says.

        Where anything goes wrong with that, each is done by itself, and seen what it is. Behind the last of several it
        is durable, and takes those before it along.
        """
        durable = bool(self._out) and (self._is_last or self._unsure + len(self._out) >= UNSURE)
        try:
            claimed = self._games.do(lambda work: self._next(work, now, of), durable=durable)
        except (Conflict, StoreDown):
            raise
        except Exception:  # noqa: BLE001 - with which of them it is, and what comes of it, is seen one by one
            self._look_no_further()
            self._write_down()
            row = self._games.do(lambda work: self._taken(work, now, of), durable=False)
            return Ready(row=row, at=now) if row else None
        self._unsure = 0 if durable else self._unsure + len(self._out)
        self._out.clear()
        if claimed is not None and self._ahead and claimed.row is self._ahead[0].row:
            self._ahead.popleft()
        else:
            self._look_no_further()
        return claimed

    def _look_no_further(self) -> None:
        """What was looked up ahead is looked up again: it may be so no longer."""
        self._ahead.clear()
        self._is_last = False

    def _next(self, work: UnitOfWork, now: int, of: str | None) -> Ready | None:
        for each in self._out:
            self._note_sent(work, each)
        ahead = self._ahead[0] if self._ahead else None
        if ahead is not None and ahead.at == now and work.repository.take(ahead.row, now + self._lease):
            return ahead if ahead.is_told else self._looked_up(work, ahead.row, now)
        row = self._taken(work, now, of)
        return self._looked_up(work, row, now) if row else None

    def _taken(self, work: UnitOfWork, now: int, of: str | None) -> OutboxRow | None:
        row = next(self._gathering.due(work.repository, now, now + self._lease, of), None)
        if row is not None:
            work.repository.take(row, now + self._lease)
        return row

    def _looked_up(self, work: UnitOfWork, row: OutboxRow, now: int, before: Iterable[OutboxRow] = ()) -> Ready:
        """What it says now, unless that hangs on what is under way, or on what goes before it."""
        if self._lines.can_be_worded(row, before):
            return self._told(work, row, now)
        return Ready(row=row, at=now)

    def _told(self, work: UnitOfWork, row: OutboxRow, now: int) -> Ready:
        return Ready(row=row, at=now, is_told=True, unworded=self._writer.told(work, row, now))

    def _put_back(self, row: OutboxRow, due: int) -> None:
        self._games.do(lambda work: work.repository.put_back(row.id, due), durable=False)

    def _begin(self, ready: Ready) -> None:
        """Word it and hand it over; what comes of it is known when it has arrived."""
        row = ready.row
        is_under_way = self._lines.has(row)  # its lease has run out meanwhile
        self._conclude(self._lines.before(row))
        self._write_down()
        if is_under_way:
            return
        began, composed = self._watch(), ready.at if ready.is_told else self._clock.now()
        try:
            if not ready.is_told:
                with self._games.work(durable=False) as work:
                    ready = self._told(work, row, composed)
            unworded = ready.unworded
            mail = ready.mail or (self._writer.worded(unworded) if unworded else None)
        except (Conflict, StoreDown):
            raise
        except Exception as fault:  # noqa: BLE001 - one letter that can't be worded never stops the others
            self._unwritten(row, fault)
            self._note(composed, is_settled=False)
            return
        if mail is not None:
            self._throttle.note(mail.to, self._clock.now())
        self._lines.send(row, unworded.content if unworded else None, mail, composed, began)

    def _word_ahead(self) -> None:
        """While no line is free: find what comes next, and word the first of it as it would be worded then.

        It is claimed once what is under way is written down, and what goes wrong with it is seen then.
        """
        if not self._lines.are_busy:
            return
        now, of = self._clock.now(), self._turns.matter
        with suppress(Exception):
            if not self._ahead or self._ahead[0].at != now:
                self._look_no_further()
                self._ahead.extend(self._games.do(lambda work: self._behind(work, now, of), durable=False))
                self._is_last = not self._ahead
            if self._ahead and (unworded := self._ahead[0].unworded) is not None:
                self._ahead[0] = replace(self._ahead[0], mail=self._writer.worded(unworded))

    def _behind(self, work: UnitOfWork, now: int, of: str | None) -> list[Ready]:
        """The next few; up to one of which it is not known yet what it says."""
        found: list[Ready] = []
        for row in self._gathering.due(work.repository, now, now + self._lease, of):
            found.append(self._looked_up(work, row, now, [each.row for each in found]))
            if len(found) == AHEAD or not found[-1].is_told:
                break
        return found

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
        self._out.append(sent)
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

    def _write_down(self) -> None:
        """What is out is out: it must not be sent again and again because what comes of it meets a fault of ours."""
        while self._out:
            sent = self._out[0]
            try:
                self._games.do(partial(self._note_sent, sent=sent), durable=False)
            except (Conflict, StoreDown):
                raise
            except Exception as fault:  # noqa: BLE001 - whatever it is, the next letter waits
                self._log.exception("letter %s went out, and what begins with it could not be noted", sent.row.id)
                self._games.do(partial(self._failures.unnoted, row=sent.row, fault=repr(fault)))
            self._out.remove(sent)
            self._unsure += 1

    def _note_sent(self, work: UnitOfWork, sent: UnderWay) -> None:
        note_sent(work, sent.row, sent.content, sent.composed, self._clock.now())

    def _make_sure(self) -> None:
        if self._unsure:
            self._games.store.secure()
            self._unsure = 0
