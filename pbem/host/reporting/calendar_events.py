"""What a letter brings for its reader's calendar: the end of the time they have for what they are asked.

A slot is in the letter that begins it, in those that tell that its end has moved, and in the answer to their wish for
such files. Once it has been answered it is taken out again, in a letter that goes out anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.decision import Decision
from pbem.core.game import AnyEntry
from pbem.host.clock.timing import Timing, slot_key, timing_of
from pbem.host.messages import letters, replies
from pbem.host.messages.rows import (
    DigestJob,
    Job,
    LetterJob,
    QuestionJob,
    ReportJob,
    jobs_of,
    mark,
    read_job,
    starts_of,
)
from pbem.host.ports import Game, Member, OutboxRow, Person, Slot
from pbem.host.reporting.answers import in_slot
from pbem.host.session.acts import TimeKept, read_act
from pbem.host.session.unit_of_work import UnitOfWork, read_entries

MOVING = ("deadline_set", "clock_set", "away", "back")  # what may move the end of a slot; pauses have their own letters


class Appointment(Struct, frozen=True, kw_only=True):
    """The end of a slot, as it is to stand in the calendar."""

    uid: str  # the same for this slot in every letter
    kind: str  # of the question, in the game's words
    about: str | None
    at: int  # the deadline; of what is over when that was
    since: int  # when this became true: a later one takes the place of an earlier one
    over: bool  # it is to be taken out


def answered(entries: Iterable[AnyEntry], seat: str, *, oneself: bool) -> tuple[replies.Answered, ...]:
    """The slots of a seat that were closed in these entries after their time had begun, by them or by others."""
    kept = ((entry, read_act(entry.act)) for entry in entries if entry.act is not None)
    return tuple(
        replies.Answered(key=slot_key(answer.decision), kind=closing.kind, about=closing.about, at=entry.at)
        for entry, act in kept
        if isinstance(act, TimeKept) and _is_own(act, seat, entry.cause.kind) is oneself
        for answer, closing in zip(entry.answers, act.closings, strict=True)
        if answer.decision is not None and closing.seat == seat and closing.start is not None
    )


def _is_own(act: TimeKept, seat: str, cause: str) -> bool:
    """Have they answered themselves, not a moderator or a deputy in their place, and is it played at once?"""
    return act.by == seat and not act.deputy and cause != "moderator" and act.end is None


class CalendarEvents:
    """The calendar's part of one letter."""

    def __init__(self, work: UnitOfWork, game: Game, member: Member, domain: str, now: int) -> None:
        self._work = work
        self._game = game
        self._member = member
        self._domain = domain
        self._now = now

    def of(self, row: OutboxRow, content: letters.Message) -> Iterator[Appointment]:
        """What goes with this letter; the same books give the same."""
        job, session = read_job(row), self._work.session(self._game)
        slots = {slot.key: slot for slot in self._work.repository.slots(self._game.id)}
        asked = {slot_key(each): each for each in session.pending() if each.seat == self._member.seat}
        over = {one.key: one for each in jobs_of(job) for one in self._answered(each, content)}
        yield from (self._over(one) for one in over.values() if one.key not in slots)
        last = max((each.at for each in session.position.done), default=0)
        for key, decision in asked.items():
            begins = key in starts_of(job)
            if key in slots and (begins or (_tells_all(content) and slots[key].started is not None)):
                yield from self._open(decision, slots[key], timing_of(session), last)

    def _open(self, decision: Decision, slot: Slot, timing: Timing, last: int) -> Iterator[Appointment]:
        """The end of a slot that runs, or begins with this letter; while nobody knows it there is none."""
        runs = slot.started is not None
        told = in_slot(decision, timing.reckoned(replace(slot, started=slot.started or self._now)))
        if told.deadline is not None or runs:
            yield Appointment(
                uid=self._uid(slot.key),
                kind=told.kind,
                about=told.about,
                at=self._now if told.deadline is None else told.deadline,
                since=max(slot.started or 0, last) if runs else self._now,
                over=told.deadline is None,
            )

    def _over(self, one: replies.Answered) -> Appointment:
        uid = self._uid(one.key)
        return Appointment(uid=uid, kind=one.kind, about=one.about, at=one.at, since=one.at + 1, over=True)

    def _uid(self, key: str) -> str:
        return f"{self._game.id}.{mark(key)}@{self._domain}"

    def _answered(self, job: Job, content: letters.Message) -> tuple[replies.Answered, ...]:
        """What they have answered by the letter that is answered here, or others in their place meanwhile."""
        match job:
            case ReportJob(first=first, last=last) | QuestionJob(first=first, last=last):
                return self._ended_by_others(first, last)
            case DigestJob() if isinstance(content, letters.Report):
                return self._ended_by_others(self._member.told + 1, content.place.seq)
            case LetterJob():
                said = letters.part(content, replies.Reply)
                return said.answered if said else ()
            case _:
                return ()

    def _ended_by_others(self, first: int, last: int) -> tuple[replies.Answered, ...]:
        rules = self._work.games.load(self._game).rules
        entries = read_entries(rules, self._work.repository, self._game.id, first - 1, last)
        return answered(entries, self._member.seat, oneself=False)


def appointments(
    work: UnitOfWork, row: OutboxRow, content: letters.Message, reader: Person | None, domain: str, now: int
) -> tuple[Appointment, ...]:
    """What goes with a letter, for a player who wants it."""
    game = work.repository.game(row.game or "")
    if game is None or reader is None or not reader.calendar or game.status == "inviting":
        return ()
    member = next((one for one in game.members if one.seat == row.seat and one.person.id == reader.id), None)
    return tuple(CalendarEvents(work, game, member, domain, now).of(row, content)) if member else ()


def _tells_all(content: letters.Message) -> bool:
    """Does the letter tell of ends that have moved, or is it the first after their wish?"""
    return any(map(_moves, letters.parts_of(content)))


def _moves(content: letters.Message) -> bool:
    match content:
        case letters.Halt():
            return True
        case letters.Notice(kind=kind):
            return kind in MOVING
        case replies.Reply(calendar=calendar):
            return calendar is True
        case _:
            return False
