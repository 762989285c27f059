"""What goes out in one letter: all that waits for the same reader of a game, the answer to their own letter first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.host.messages.row_ids import ANSWER
from pbem.host.messages.rows import (
    DeputyJob,
    Job,
    LetterJob,
    NoticeJob,
    OverdueJob,
    QuestionJob,
    ReportJob,
    SubstituteJob,
    TallyJob,
    corrects,
    jobs_of,
    read_job,
    together,
    with_job,
)
from pbem.host.ports import OutboxRow

PATIENT_JOBS = (ReportJob, QuestionJob, NoticeJob, DeputyJob)  # they may wait a moment for what comes next
PATIENT_LETTERS = ("halt", "unused", "tidings", "deputised")
JOBS = (*PATIENT_JOBS, SubstituteJob, TallyJob, OverdueJob)  # press has threads of its own, reminders their hour
LETTERS = (*PATIENT_LETTERS, "reply", "deputy", "overdue")
UNPROVED = "identity."  # problems of letters that may not be theirs to whom we answer


def is_answer(row: OutboxRow) -> bool:
    """Does it answer a letter? Each letter has its own."""
    return row.id.startswith(ANSWER)


def can_join(row: OutboxRow) -> bool:
    """May it be told in one letter with something else?"""
    job = read_job(row)
    return row.game is not None and not corrects(job) and all(map(_joins, jobs_of(job)))


def can_wait(row: OutboxRow) -> bool:
    """May something else come first that is then told in the same letter?"""
    return all(_is(each, PATIENT_JOBS, PATIENT_LETTERS) for each in jobs_of(read_job(row)))


def _joins(job: Job) -> bool:
    return _is(job, JOBS, LETTERS) and not (isinstance(job, LetterJob) and _is_apart(job))


def _is_apart(job: LetterJob) -> bool:
    """Is it about something else than how the game goes, or about a letter that may not be its reader's?"""
    return job.about is not None or str(job.content.get("problem")).startswith(UNPROVED)


def _is(job: Job, jobs: tuple[type, ...], letters: Sequence[str]) -> bool:
    return job.content["type"] in letters if isinstance(job, LetterJob) else isinstance(job, jobs)


def letter_with(rows: Iterable[OutboxRow], row: OutboxRow) -> list[OutboxRow]:
    """Of rows in the order of their posting those that go out with one of them; no more are read than that takes.

    What came after an answer goes with it, up to the next answer; with the first what came before it, too.
    """
    letter: list[OutboxRow] = []
    for each in rows:
        if is_answer(each) and any(map(is_answer, letter)):
            if any(one.id == row.id for one in letter):
                return letter
            letter = []
        letter.append(each)
    return letter if any(each.id == row.id for each in letter) else [row]


def gathered(letter: Sequence[OutboxRow], first: OutboxRow) -> OutboxRow:
    """All of it in one row."""
    return with_job(first, together([job for row in letter for job in jobs_of(read_job(row))]))


def first_of(letter: Sequence[OutboxRow], row: OutboxRow) -> OutboxRow:
    """Under whose name it goes out: the answer's, for that is looked for again."""
    return next(filter(is_answer, letter), row)


def due_at(letter: Sequence[OutboxRow], now: int, seconds: int) -> int:
    """When it goes out: a while after the first of it was posted, unless there is something that can't wait."""
    patient = all(map(can_wait, letter))
    return min(now, *(row.created for row in letter)) + seconds if patient else now
