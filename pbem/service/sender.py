"""Delivers the outbox: each row is rendered when it goes out, and no lock is held while a server is talked to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from msgspec import Struct

from pbem.service.composer import Composer
from pbem.service.correspondence import Alarm, Content
from pbem.service.games import Desk, Games
from pbem.service.ports import Books, Clock, Mail, Post, Postman, Undelivered
from pbem.service.post import LetterJob, QuestionJob, ReportJob, content_job, post, read_job
from pbem.service.slots import LATE_NOTICE, start_slots

LEASE = 120  # seconds for which a row is ours once it is claimed
FIRST_PAUSE, LONGEST_PAUSE = 60, 3_600  # seconds between attempts; doubled from the first to the longest


class Stationery(Protocol):
    """Turns contents into mails."""

    def mail(
        self,
        content: Content,
        *,
        message_id: str,
        to: str,
        in_reply_to: str | None = None,
        references: tuple[str, ...] = (),
        answers: bool = False,
    ) -> Mail: ...


class Letterhead(Struct, frozen=True, kw_only=True):
    """What all our letters bear."""

    domain: str  # right of the @ of our Message-IDs
    operator: str  # who gets the alarms


class Sender:
    """Takes rows from the outbox to the postman."""

    def __init__(self, games: Games, postman: Postman, pages: Stationery, clock: Clock, letterhead: Letterhead) -> None:
        self._games = games
        self._postman = postman
        self._pages = pages
        self._clock = clock
        self._letterhead = letterhead
        self._composer = Composer(games)

    def deliver(self) -> int:
        """Hand over all that is due now; returns how many rows were settled."""
        settled = 0
        while rows := self._claim():
            for row in rows:
                settled += self._deliver(row)
        return settled

    def _claim(self) -> list[Post]:
        now = self._clock.now()
        with self._games.store.transaction() as books:
            return list(books.claim(now, now + LEASE, limit=20))

    def _deliver(self, row: Post) -> bool:
        composed = self._clock.now()
        mail = self._mail(row, composed)
        if mail is None:
            self._settle(row, composed)
            return True
        try:
            self._postman.send(mail)
        except Undelivered as failure:
            self._failed(row, failure)
            return failure.permanent
        self._settle(row, composed)
        return True

    def _mail(self, row: Post, now: int) -> Mail | None:
        """The letter as it is true now; None when there is nothing to say any more."""
        with self._games.work() as desk:
            content = self._composer.content(desk, row, now)
        if content is None:
            return None
        job = read_job(row)
        in_reply_to = job.in_reply_to if isinstance(job, LetterJob) else None
        root = f"<{row.game}.game@{self._letterhead.domain}>"
        thread = (root,) if row.game else ()
        return self._pages.mail(
            content,
            message_id=f"<{row.id}@{self._letterhead.domain}>",
            to=row.to,
            in_reply_to=in_reply_to or (thread[0] if thread else None),
            references=(*thread, *((in_reply_to,) if in_reply_to else ())),
            answers=in_reply_to is not None,
        )

    def _settle(self, row: Post, composed: int) -> None:
        now = self._clock.now()
        with self._games.work() as desk:
            desk.books.delivered(row.id, now)
            self._start(desk, row, now)
            if now - composed > LATE_NOTICE:
                self._repeat_notice(desk.books, row, now)

    def _start(self, desk: Desk, row: Post, now: int) -> None:
        keys = _starts(row)
        if keys and row.game:
            game = desk.game(row.game)
            start_slots(desk.books, game, self._games.table(game).terms, keys, now)

    def _repeat_notice(self, books: Books, row: Post, now: int) -> None:
        """The deadline that was printed is too early: tell the later one."""
        if _starts(row):
            books.post([post(f"{row.id}.again", row.to, read_job(row), now=now, game=row.game, seat=row.seat)])

    # -- failures ---

    def _failed(self, row: Post, failure: Undelivered) -> None:
        now = self._clock.now()
        with self._games.work() as desk:
            if not failure.permanent:
                desk.books.postpone(row.id, now + pause(row.attempts))
                return
            desk.books.bury(row.id, str(failure))
            self._start(desk, row, now)  # the clock runs on: nobody can hold a game up by refusing mail
            desk.books.post(self._alarm(row, failure, now))

    def _alarm(self, row: Post, failure: Undelivered, now: int) -> Iterable[Post]:
        if row.to == self._letterhead.operator:
            return []
        alarm = Alarm(what=f"A letter to {row.to} can't be delivered.", detail=f"{row.id}: {failure}")
        return [post(f"alarm.{row.id}", self._letterhead.operator, content_job(alarm), now=now)]


def pause(attempts: int) -> int:
    """Seconds to wait after so many attempts before this one."""
    return int(min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(attempts, 10)))


def _starts(row: Post) -> tuple[str, ...]:
    job = read_job(row)
    return job.starts if isinstance(job, ReportJob | QuestionJob) else ()
