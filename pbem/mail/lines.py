"""Mails under way to the mail server: several at once, where there are several lines to it.

What is sent, and in which order each reader gets it, does not depend on their number: to one domain one mail goes at a
time, and where something begins when a mail is out (time, a digest's next day), the next of that game is worded once
that is written down. While all lines are busy, what comes next may be worded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import chain

from msgspec import Struct

from pbem.host.messages.letters import Message
from pbem.host.messages.rows import DIGEST, read_job, starts_of
from pbem.host.ports import Mail, MailTransport, OutboxRow
from pbem.mail.outcomes import domain_of

# Seconds in which a server nearby has been told all of a mail. Meanwhile we do nothing: our thread would have the
# interpreter, and the line's would get it for each of the server's answers in turn only when ours lets go of it.
HEAD_START = 0.002


class UnderWay(Struct, frozen=True, kw_only=True):
    """A mail that was handed to a line."""

    row: OutboxRow
    content: Message | None
    mail: Mail | None  # None: there is nothing to say any more
    composed: int
    began: float  # by the stopwatch
    line: MailTransport | None
    arrival: Future[None]  # what the server says


class Lines:
    """Used by one thread, which learns here what has arrived, and writes it down."""

    def __init__(self, transports: Sequence[MailTransport]) -> None:
        self._free = [*transports]
        self._pool = ThreadPoolExecutor(len(transports))
        self._under_way: list[UnderWay] = []

    def free(self) -> Iterator[UnderWay]:
        """Those whose arrival is known, so that a line is free."""
        yield from self.arrived()
        while not self._free:
            wait([each.arrival for each in self._under_way], return_when=FIRST_COMPLETED)
            yield from self.arrived()

    @property
    def are_busy(self) -> bool:
        """Is none free?"""
        return not self._free

    def has(self, row: OutboxRow) -> bool:
        """Is it under way?"""
        return any(each.row.id == row.id for each in self._under_way)

    def can_be_worded(self, row: OutboxRow, before: Iterable[OutboxRow]) -> bool:
        """Does what it says hang on none of those under way, and of these? Then at most its turn must come."""
        return not any(_decides(each, row) for each in chain((each.row for each in self._under_way), before))

    def before(self, row: OutboxRow) -> Iterator[UnderWay]:
        """Those that must have arrived and be written down before this one is worded."""
        domain = domain_of(row.to)
        for each in [e for e in self._under_way if domain_of(e.row.to) == domain or _decides(e.row, row)]:
            yield self._waited_for(each)

    def send(self, row: OutboxRow, content: Message | None, mail: Mail | None, composed: int, began: float) -> None:
        """Hand it to a line that is free; without a mail it has arrived."""
        line = self._free.pop() if mail is not None else None
        arrival = self._pool.submit(line.send, mail) if line is not None and mail is not None else _none()
        self._under_way.append(
            UnderWay(row=row, content=content, mail=mail, composed=composed, began=began, line=line, arrival=arrival)
        )
        wait([arrival], timeout=HEAD_START)

    def arrived(self) -> Iterator[UnderWay]:
        """Those whose arrival is known."""
        for each in [each for each in self._under_way if each.arrival.done()]:
            yield self._waited_for(each)

    def all(self) -> Iterator[UnderWay]:
        """All, as soon as they have arrived."""
        while self._under_way:
            yield self._waited_for(self._under_way[0])

    def _waited_for(self, one: UnderWay) -> UnderWay:
        wait([one.arrival])
        self._under_way.remove(one)
        if one.line is not None:
            self._free.append(one.line)
        return one


def _decides(one: OutboxRow, other: OutboxRow) -> bool:
    """Does what the other says hang on whether the one is out?"""
    if one.to == other.to:
        return True
    return one.game == other.game is not None and (one.kind == DIGEST or bool(starts_of(read_job(one))))


def _none() -> Future[None]:
    """In the place of the arrival of a mail that says nothing any more."""
    arrival = Future[None]()
    arrival.set_result(None)
    return arrival
