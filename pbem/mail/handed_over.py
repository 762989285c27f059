"""What follows when a letter of ours has gone out: time begins with it, and who has it has been told so much."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.host.builder.builder import reader_of
from pbem.host.clock.reminders import queue_reminders
from pbem.host.clock.slots import LATE_NOTICE, start_slots
from pbem.host.clock.timing import timing_of
from pbem.host.messages.letters import Message, Report
from pbem.host.messages.rows import DIGEST, Starter, post, read_job, starts_of
from pbem.host.ports import Game, OutboxRow, Repository
from pbem.host.reporting.preferences import having_told
from pbem.host.session.unit_of_work import UnitOfWork


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
    job = read_job(row)
    if isinstance(job, Starter):
        told = replace(job, corrects=True)
        repository.post([post(f"{row.id}.again", row.to, told, now=now, game=row.game, seat=row.seat)])


def _having_told(work: UnitOfWork, row: OutboxRow, report: Report) -> Game:
    game = work.game(report.game)
    member = reader_of(work, game, row)
    return having_told(game, member, report.place.seq) if member else game
