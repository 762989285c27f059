"""What goes out in one letter is told once: the course of the game, each question and its deadline, each petition."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from pbem.host.messages import letters
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import (
    DeputyJob,
    Job,
    NoticeJob,
    QuestionJob,
    ReportJob,
    SubstituteJob,
    starts_of,
)

COURSE = (letters.Final, letters.Substitute, letters.Opening, letters.Report, letters.Question)  # where the game stands


# -- before it is looked up ---


def joined(jobs: Sequence[Job]) -> list[Job]:
    """One of them tells the course of the game, up to the last entry of which there is something to tell."""
    course = [job for job in jobs if isinstance(job, ReportJob | QuestionJob)]
    deputy = [job for job in jobs if isinstance(job, DeputyJob)][:1]
    others: list[Job] = [job for job in jobs if not isinstance(job, ReportJob | QuestionJob | DeputyJob)]
    if any(isinstance(job, SubstituteJob) for job in jobs):
        return others  # it tells all
    if len(jobs) > 1 and course:
        course = [_course(course, [job.seq for job in jobs if isinstance(job, NoticeJob)])]
    return [*others, *deputy, *course]


def _course(course: Sequence[ReportJob | QuestionJob], noticed: Sequence[int]) -> ReportJob | QuestionJob:
    first, last = min(job.first for job in course), max(job.last for job in course)
    starts = tuple(key for job in course for key in starts_of(job))
    upto = max([last, *noticed, *(job.upto or 0 for job in course if isinstance(job, ReportJob))])
    if any(isinstance(job, QuestionJob) for job in course):
        return QuestionJob(first=first, last=upto, starts=starts)
    return ReportJob(first=first, last=last, upto=upto if upto > last else None, starts=starts)


# -- when it is ---


def told_once(told: Sequence[letters.Message]) -> letters.Message | None:
    """One message of several."""
    if len(told) < 2:
        return told[0] if told else None
    news = sorted(_petitions_once(_overdue_once([each for each in told if not isinstance(each, Reply)])), key=_weight)
    asking = min((each for each in reversed(news) if _asks(each)), key=_asks, default=None)
    parts = [each if each is asking else _asking_nothing(each) for each in news]
    replies = [_short(each, parts, asks=asking is not None) for each in told if isinstance(each, Reply)]
    found: list[Any] = [*replies, *parts]
    first = found[0]
    return letters.Gathered(game=first.game, seat=first.seat, parts=tuple(found)) if len(found) > 1 else first


def _overdue_once(parts: Sequence[letters.Message]) -> Sequence[letters.Message]:
    """Of each question that nobody has answered how it stands now."""
    last = {_question(each): each for each in parts if isinstance(each, letters.Overdue)}
    return [each for each in parts if not isinstance(each, letters.Overdue) or each is last[_question(each)]]


def _question(overdue: letters.Overdue) -> tuple[str, str, str | None]:
    return overdue.awaited.seat, overdue.awaited.kind, overdue.awaited.about


def _weight(part: letters.Message) -> int:
    """The end of the game comes first, then how it went and what is asked, then whatever else there is."""
    return 0 if _ends(part) else 1 if isinstance(part, COURSE) else 2


def _ends(part: letters.Message) -> bool:
    return isinstance(part, letters.Final) or (isinstance(part, letters.Notice) and part.secret is not None)


def _asks(part: letters.Message) -> int:
    """Which of several tells who is asked what, the first of these; 0: it does not."""
    match part:
        case letters.Notice(after=after):
            return 3 if after is None else 2
        case letters.Tally():
            return 4
        case letters.Halt():
            return 5
        case _:
            return 1 if isinstance(part, COURSE) else 0


def _asking_nothing(part: letters.Message) -> letters.Message:
    match part:
        case letters.Notice():
            return replace(part, awaited=(), questions=(), after=None)
        case letters.Tally():
            return replace(part, awaited=(), questions=())
        case letters.Halt():
            return replace(part, awaited=())
        case _:
            return part


def _short(reply: Reply, parts: Sequence[letters.Message], *, asks: bool) -> Reply:
    """An answer without what its letter tells anyhow."""
    known = {_same(event) for part in parts for event in _events(part)}
    happened = (*reply.events, *(event for line in reply.lines for event in line.events))
    if all(_same(event) in known for event in happened):
        reply = replace(reply, events=(), lines=tuple(replace(line, events=()) for line in reply.lines))
    return replace(
        reply,
        awaited=() if asks else reply.awaited,
        over=reply.over and not any(map(_ends, parts)),
    )


def _same(event: Mapping[str, Any]) -> bytes:
    """Whether it was kept with an answer or looked up just now."""
    return msgspec.json.encode(msgspec.to_builtins(event, str_keys=True), order="sorted")


def _events(part: letters.Message) -> Iterator[Mapping[str, Any]]:
    yield from getattr(part, "events", ())
    for turn in getattr(part, "turns", ()):
        yield from turn.events


# -- petitions: how one stands is told where something has become of it, else in the tally, else with the report ---


def _petitions_once(parts: Sequence[letters.Message]) -> Sequence[letters.Message]:
    noticed = [each for each in parts if isinstance(each, letters.Notice) and each.petition]
    last = {each.petition.name: each for each in noticed if each.petition}
    left = [_with_dropped(each, noticed) for each in parts if each not in noticed or each in last.values()]
    listed: list[letters.Message] = [_listing(each, last) for each in left]
    tallied = {one.name for each in listed if isinstance(each, letters.Tally) for one in each.petitions}
    told = [each if isinstance(each, letters.Tally) else _listing(each, tallied) for each in listed]
    return [each for each in told if not isinstance(each, letters.Tally) or each.petitions]


def _with_dropped(part: letters.Message, noticed: Sequence[letters.Notice]) -> letters.Message:
    """It tells for the earlier ones about the same petition what is no longer on file."""
    if not isinstance(part, letters.Notice) or part.petition is None:
        return part
    name = part.petition.name
    return replace(part, dropped=tuple(text for each in noticed if _is_about(each, name) for text in each.dropped))


def _is_about(notice: letters.Notice, name: str) -> bool:
    return notice.petition is not None and notice.petition.name == name


def _listing(part: letters.Message, told: Container[str]) -> letters.Message:
    """Without the petitions of which another part tells."""
    if not isinstance(part, letters.Report | letters.Substitute | letters.Tally):
        return part
    return replace(part, petitions=tuple(one for one in part.petitions if one.name not in told))
