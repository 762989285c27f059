"""What a row of the outbox says, looked up when it is delivered: per seat, with what that seat may see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.host.builder.leagues import season_news
from pbem.host.builder.memory import Chapters
from pbem.host.builder.notices import arrivals, halt, invited_again, notice, reminder, still_empty, tally, unanswered
from pbem.host.builder.occasion import Addressed, Occasion
from pbem.host.builder.once import joined, told_once
from pbem.host.builder.reports import digest, for_deputy, question, report, substitute
from pbem.host.housekeeping.lapsing import still_overdue
from pbem.host.messages import letters, rows
from pbem.host.ports import Game, Member, OutboxRow
from pbem.host.session.absences import acting, stand_in
from pbem.host.session.unit_of_work import UnitOfWork


class MessageBuilder:
    """Makes the contents of letters out of the books."""

    def __init__(self, *, pictures: bool = False) -> None:
        self._pictures = pictures  # then each report tells the course of the game, for charts
        self._chapters = Chapters()

    def content(self, work: UnitOfWork, row: OutboxRow, now: int) -> letters.Message | None:
        """None when there is nothing to say any more, as for a reminder of what has been answered."""
        told = [self._told(work, row, job, now) for job in joined(rows.jobs_of(rows.read_job(row)))]
        return told_once([each for each in told if each is not None])

    def _told(self, work: UnitOfWork, row: OutboxRow, job: rows.Job, now: int) -> letters.Message | None:
        if isinstance(job, rows.SeasonJob):
            return season_news(work, row, job, now)
        if isinstance(job, rows.LetterJob):
            content = letters.read_message(job.content)
            return halt(self._of(work, row, now), content) if isinstance(content, letters.Halt) else content
        of = self._of(work, row, now)
        if isinstance(job, rows.NoticeJob):
            return notice(of, row.seat, job)
        if isinstance(job, rows.EmptySeatJob):
            return still_empty(of, job)
        member, until = _reader_until(work, of.game, row, now)
        if member is None:
            return None  # they do not play any more
        return _TO_MEMBER[type(job)](of.to(member, until), job)

    def _of(self, work: UnitOfWork, row: OutboxRow, now: int) -> Occasion:
        game = work.game(row.game or "")
        return Occasion(work=work, game=game, now=now, chapters=self._chapters, pictures=self._pictures)


_TO_MEMBER: Mapping[type, Callable[[Addressed, Any], letters.Message | None]] = {
    rows.ReportJob: report,
    rows.DigestJob: digest,
    rows.QuestionJob: question,
    rows.ReminderJob: reminder,
    rows.OverdueJob: lambda to, job: still_overdue(to.work, to.game, to.member, job, to.now),
    rows.DeputyJob: for_deputy,
    rows.TallyJob: tally,
    rows.SubstituteJob: substitute,
    rows.ArrivalsJob: arrivals,
    rows.DeclinedJob: arrivals,
    rows.InviteeJob: invited_again,
    rows.UnansweredJob: unanswered,
}


def reader_of(work: UnitOfWork, game: Game, row: OutboxRow) -> Member | None:
    """Who sits there, unless the letter was for somebody who sat there before; or a moderator, who has no seat."""
    person, seat = work.repository.person_at(row.to.lower()), row.seat or ""
    return next((m for m in game.readers if m.seat == seat and person and m.person.id == person.id), None)


def _reader_until(work: UnitOfWork, game: Game, row: OutboxRow, now: int) -> tuple[Member | None, int | None]:
    """Whom the letter is for; until when, where that is somebody who writes for another."""
    member = reader_of(work, game, row)
    return (member, None) if member else _deputy_of(work, game, row, now)


def _deputy_of(work: UnitOfWork, game: Game, row: OutboxRow, now: int) -> tuple[Member | None, int | None]:
    """Who writes for the seat now, if the letter is for them, and until when."""
    done = work.session(game).position.done
    member, one = stand_in(work.repository, game, done, row.seat or "", now), acting(done, row.seat or "", now)
    if member is None or one is None or member.person.address != row.to.lower():
        return None, None
    return member, one.end
