"""Rows for the outbox: what is to be said to whom, with ids that stay the same whenever it is said again.

An id names its occasion. What has one occasion only is posted unless it is there (`post_once`); whatever else is said
again on the same occasion, such as an invitation after a no, is numbered (see `row_ids`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.host.messages.brevity import brief
from pbem.host.messages.replies import Reply
from pbem.host.messages.row_ids import ANSWER
from pbem.host.ports import Game, Letter, Mailed, Member, OutboxRow, Repository

DIGEST = "digest"
OWN_ID = re.compile(r"<([^<>@]+)@[^<>@]*>")  # the Message-ID of a row
CORRECTION = "again."  # before the id of the row that is corrected


class Starter(Struct, frozen=True, kw_only=True):
    """What time may begin with."""

    starts: tuple[str, ...] = ()  # slots that begin when this has been handed over
    corrects: bool = False  # an earlier one, which came too late for the deadline in it


class ReportJob(Starter, frozen=True, kw_only=True, tag="report"):
    """Chapters that are over: entries `first` to `last`; rendered when it is delivered."""

    first: int
    last: int
    upto: int | None = None  # the last entry of what has followed already, if anything has


class QuestionJob(Starter, frozen=True, kw_only=True, tag="question"):
    """Questions to one seat in the middle of a chapter, after entry `last`, with all from entry `first` on."""

    first: int
    last: int


class DigestJob(Struct, frozen=True, kw_only=True, tag=DIGEST):
    """The daily report of what is over by then and has not been told; there may be nothing."""

    at: int


class ReminderJob(Struct, frozen=True, kw_only=True, tag="reminder"):
    slot: str
    hours: int = 0  # before the end
    started: int | None = None  # when the slot began; one that has begun anew has its own reminders


class OverdueJob(Struct, frozen=True, kw_only=True, tag="overdue"):
    """Somebody is still overdue, so many counted days after the deadline; rendered when it is delivered."""

    slot: str
    deadline: int  # that was missed; one that is set later has its own
    days: int


class NoticeJob(Starter, frozen=True, kw_only=True, tag="notice"):
    """What was done beside the orders in entry `seq`; rendered when it is delivered."""

    seq: int
    dropped: tuple[str, ...] = ()  # what the reader had on file, and no longer has


class TallyJob(Struct, frozen=True, kw_only=True, tag="tally"):
    """How the votes on the petitions stand that are open when it is delivered; there may be none."""


class InviteeJob(Struct, frozen=True, kw_only=True, tag="invited_again"):
    """Somebody has been invited and said nothing for long; rendered when it is delivered."""


class UnansweredJob(Struct, frozen=True, kw_only=True, tag="unanswered"):
    """To whoever can begin the game: who has not answered yet; rendered when it is delivered."""

    seats: tuple[str, ...]  # that were invited together


class EmptySeatJob(Struct, frozen=True, kw_only=True, tag="empty_seat"):
    """Nobody plays a seat, since so many days; rendered when it is delivered."""

    seat: str
    seq: int  # of the entry since which it is empty
    days: int


class ArrivalsJob(Struct, frozen=True, kw_only=True, tag="arrivals"):
    """To whoever can begin the game: who has come since; rendered when it is delivered."""

    here: tuple[str, ...]  # who had come before


class DeclinedJob(Struct, frozen=True, kw_only=True, tag="declined"):
    """To whoever can begin the game: somebody stays away; rendered when it is delivered."""

    seat: str


class SubstituteJob(Starter, frozen=True, kw_only=True, tag="substitute"):
    """All that somebody must know who takes a seat over after entry `seq`."""

    seq: int


class DeputyJob(Struct, frozen=True, kw_only=True, tag="deputy"):
    """What is asked of a seat when it is delivered, to whoever writes for it then, with all from entry `first` on."""

    first: int


class SeasonJob(Struct, frozen=True, kw_only=True, tag="season"):
    """What has happened in a season, or will; rendered when it is delivered."""

    what: str  # as the letters of a season are called: open, muster … (`pbem.host.builder.leagues`)
    about: int = 0  # a table, an act, a petition, or since when a round is told
    more: int = 0  # hours before a table's end, or days that a round tells


class LetterJob(Struct, frozen=True, kw_only=True, tag="letter"):
    """A letter whose content is already known."""

    content: Any  # one of `correspondence`, as plain values
    in_reply_to: str | None = None  # the id of a letter to us
    follows: str | None = None  # the row of an earlier letter of ours to the same reader
    about: str | None = None  # what an answer is about, where that is no game
    subject: str = ""  # of the letter to us


class GatheredJob(Struct, frozen=True, kw_only=True, tag="gathered"):
    """All of this in one letter to one reader."""

    jobs: tuple[Job, ...]  # as they were posted; none is itself one of these


Job = (
    ReportJob
    | QuestionJob
    | DigestJob
    | ReminderJob
    | OverdueJob
    | NoticeJob
    | TallyJob
    | InviteeJob
    | UnansweredJob
    | ArrivalsJob
    | DeclinedJob
    | EmptySeatJob
    | SubstituteJob
    | DeputyJob
    | SeasonJob
    | LetterJob
    | GatheredJob
)


def jobs_of(job: Job) -> tuple[Job, ...]:
    """What it has to tell, one by one."""
    return job.jobs if isinstance(job, GatheredJob) else (job,)


def starts_of(job: Job) -> tuple[str, ...]:
    """The slots that begin when it has been handed over."""
    return tuple(key for each in jobs_of(job) if isinstance(each, Starter) for key in each.starts)


def correction(row: OutboxRow, now: int) -> OutboxRow:
    """What of it tells when time ends, to be told anew with the deadline that is true."""
    told = together([replace(each, corrects=True) for each in jobs_of(read_job(row)) if isinstance(each, Starter)])
    return post(f"{CORRECTION}{row.id}", row.to, told, now=now, game=row.game, seat=row.seat)


def corrected(row: OutboxRow) -> str | None:
    """The row that this one corrects."""
    return row.id.removeprefix(CORRECTION) if row.id.startswith(CORRECTION) else None


def corrects(job: Job) -> bool:
    """Does it tell anew what an earlier one told, with the deadline that is true?"""
    return any(isinstance(each, Starter) and each.corrects for each in jobs_of(job))


def together(jobs: Sequence[Job]) -> Job:
    """One job of one or several."""
    return jobs[0] if len(jobs) == 1 else GatheredJob(jobs=tuple(jobs))


def letter_job(job: Job) -> LetterJob | None:
    """What in it answers a letter, or is a letter whose content was known; None where all is looked up."""
    if isinstance(job, LetterJob):
        return job
    found = (each for each in jobs_of(job) if isinstance(each, LetterJob))
    return next((each for each in found if each.content["type"] == "reply"), None)


_encode = msgspec.json.Encoder(order="sorted").encode
_decode = msgspec.json.Decoder(Job).decode


def read_job(post: OutboxRow | Mailed) -> Job:
    job: Job = _decode(post.data)
    return job


def with_job(row: OutboxRow, job: Job) -> OutboxRow:
    """The row with something else to tell."""
    return replace(row, data=_encode(job))


def post(
    id_: str,
    to: str,
    job: Job,
    *,
    now: int,
    due: int | None = None,
    game: str | None = None,
    seat: str | None = None,
) -> OutboxRow:
    """A row for the outbox, to go out at once unless `due` says later."""
    kind = str(type(job).__struct_config__.tag)
    return OutboxRow(
        id=id_,
        to=to,
        kind=kind,
        data=_encode(job),
        game=game,
        seat=seat,
        created=now,
        due=now if due is None else due,
    )


def to_member(game: Game, member: Member, what: str, job: Job, now: int, due: int | None = None) -> OutboxRow:
    """To a player, or to a moderator, who has no seat."""
    return post(
        f"{game.id}.{what}.{member.seat or f'moderator{member.person.id}'}",
        member.person.address,
        job,
        now=now,
        due=due,
        game=game.id,
        seat=member.seat or None,
    )


def post_once(repository: Repository, rows: Iterable[OutboxRow]) -> None:
    """Queue what is told once on its occasion, however often that comes."""
    once = [*rows]
    posted = repository.posted([row.id for row in once])
    repository.post(row for row in once if row.id not in posted)


def content_job(
    content: Struct, in_reply_to: str | None = None, follows: str | None = None, about: str | None = None
) -> LetterJob:
    plain = msgspec.to_builtins(content, str_keys=True)
    return LetterJob(content=plain, in_reply_to=in_reply_to, follows=follows, about=about)


def mark(letter: str) -> str:
    """A letter's id in a form that can be part of ours."""
    return hashlib.sha256(letter.encode()).hexdigest()[:20]


def occasion(letter: Letter) -> str:
    """Names one dealing with a letter."""
    return f"{mark(letter.id)}.{letter.again}" if letter.again else mark(letter.id)


def answer_id(letter: Letter) -> str:
    """The row of our one answer to a letter; it comes from the letter's id, so there can't be two."""
    return f"{ANSWER}{occasion(letter)}"


def answer(letter: Letter, reply: Reply, now: int, to: str | None = None, about: str | None = None) -> OutboxRow:
    """The answer goes to the letter's sender, unless somebody else should hear of it."""
    job = replace(content_job(brief(reply), letter.message_id, about=about), subject=letter.subject)
    return post(answer_id(letter), to or letter.sender, job, now=now, game=reply.game or reply.season, seat=reply.seat)


def problem(code: str, game: str | None = None, seat: str | None = None, **facts: Any) -> Reply:
    """A reply about the letter as a whole."""
    return Reply(game=game, seat=seat, lines=(), cut=(), on_file=(), awaited=(), problem=code, facts=facts)
