"""What becomes of a letter of ours: time begins with it once it is out, and whoever has it has been told so much.

What does not go out is tried again for days, then given up, and the operator hears of it.
"""

from __future__ import annotations

from pbem.host.builder.builder import reader_of
from pbem.host.clock.reminders import queue_reminders
from pbem.host.clock.slots import LATE_NOTICE, start_slots
from pbem.host.clock.timing import timing_of
from pbem.host.housekeeping.outage import Outage
from pbem.host.housekeeping.outages import Outages
from pbem.host.messages.alarms import Sentence, Trouble
from pbem.host.messages.letters import Message, Report
from pbem.host.messages.rows import DIGEST, correction, read_job, starts_of
from pbem.host.ports import Game, OutboxRow, Repository
from pbem.host.reporting.alarms import post_alarm
from pbem.host.reporting.preferences import having_told
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.mail.bounces import failed
from pbem.mail.context import Context

WORRYING = 8  # temporary failures of one row, some four hours of them, before the operator hears of it
GIVE_UP = 125  # temporary failures of one row: five days of them
FIRST_PAUSE, LONGEST_PAUSE = 60, 3_600  # seconds between attempts; doubled from the first to the longest


# -- gone out ---


def note_sent(work: UnitOfWork, row: OutboxRow, content: Message | None, composed: int, now: int) -> None:
    """A letter that was composed at an instant is out now; without content there was nothing to say any more."""
    if content is None:
        work.repository.put_away(row.id)
    else:
        work.repository.delivered(row.id, now)
    if row.kind == DIGEST and isinstance(content, Report):
        work.repository.save_game(_having_told(work, row, content))
    if start_time(work, row, now) and content is not None and now - composed > LATE_NOTICE:
        _correct(work.repository, row, now)


def start_time(work: UnitOfWork, row: OutboxRow, now: int) -> bool:
    """Does any time begin with it?"""
    keys = starts_of(read_job(row))
    if not keys or not row.game:
        return False
    game = work.game(row.game)
    session = work.session(game)
    started = start_slots(session, keys, now)
    queue_reminders(work.repository, game, timing_of(session), started, now)
    return bool(started)


def _correct(repository: Repository, row: OutboxRow, now: int) -> None:
    """The deadline that was printed is too early: tell the one that is true now, however long that takes."""
    repository.post([correction(row, now)])


def _having_told(work: UnitOfWork, row: OutboxRow, report: Report) -> Game:
    game = work.game(report.game)
    member = reader_of(work, game, row)
    return having_told(game, member, report.place.seq) if member else game


# -- not gone out ---


class Failures:
    """What becomes of a row that was not taken, or could not be worded."""

    def __init__(self, context: Context, outages: Outages) -> None:
        self._clock = context.clock
        self._operator = context.host.operator
        self._outages = outages

    def refused(self, work: UnitOfWork, row: OutboxRow, reason: str, *, permanent: bool) -> None:
        """After five days a letter is given up (RFC 5321 section 4.5.4.1)."""
        now = self._clock.now()
        if not permanent and row.attempts < GIVE_UP:
            work.repository.postpone(row.id, now + pause(row.attempts))
            if row.attempts == WORRYING:
                self._worry(work, row, reason)
            return
        work.repository.bury(row.id, reason)
        start_time(work, row, now)  # the clock runs on: nobody can hold a game up by refusing mail
        counted = failed(work.repository, row.to) if permanent else ()
        self._alarm(work, row, Trouble.dead.say(to=row.to), " ".join(filter(None, (reason, *counted))))

    def _worry(self, work: UnitOfWork, row: OutboxRow, reason: str) -> None:
        """One alarm for all who are with the same mail host, and none while no mail goes out at all."""
        if self._concerns_player(row) and not self._outages.is_worrying(work, Outage.post):
            domain = domain_of(row.to)
            what = Trouble.waiting.say(to=row.to, domain=domain)
            self._outages.tell(work, f"waiting.{domain}", what, f"{row.id}: {reason}")

    def unwritten(self, work: UnitOfWork, row: OutboxRow, fault: str) -> None:
        """A fault of ours: it is tried again, for it may have been mended meanwhile."""
        work.repository.postpone(row.id, self._clock.now() + pause(row.attempts))
        if row.attempts == 0:
            self._alarm(work, row, Trouble.unwritten.say(to=row.to), fault, "stuck")

    def unnoted(self, work: UnitOfWork, row: OutboxRow, fault: str) -> None:
        """It went out, and what begins with it met a fault of ours."""
        work.repository.delivered(row.id, self._clock.now())
        self._alarm(work, row, Trouble.unnoted.say(to=row.to), fault, "unnoted")

    def _alarm(self, work: UnitOfWork, row: OutboxRow, what: Sentence, detail: str, why: str = "dead") -> None:
        if not self._concerns_player(row):
            return
        to, now, about, told = self._operator, self._clock.now(), f"{row.id}.{why}", f"{row.id}: {detail}"
        game = work.repository.game(row.game or "") if why == "dead" else None
        post_alarm(work.repository, what, told, about=about, operator=to, now=now, game=game)

    def _concerns_player(self, row: OutboxRow) -> bool:
        """The operator can't be told of letters to themselves, and strangers are many."""
        return row.seat is not None and row.to != self._operator


def domain_of(address: str) -> str:
    return address.rpartition("@")[2].lower()


def pause(attempts: int) -> int:
    """Seconds to wait after so many attempts before this one."""
    return int(min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(attempts, 10)))
