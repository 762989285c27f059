"""What a row of the outbox says, looked up when it is delivered: per seat, with what that seat may see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

import msgspec

from pbem.service import correspondence as co
from pbem.service.answers import on_file
from pbem.service.games import Desk, Games, Table, Terms, read_entries
from pbem.service.ports import Game, Member, Post
from pbem.service.position import Position, positions
from pbem.service.post import LetterJob, QuestionJob, ReminderJob, ReportJob, read_job
from pbem.service.slots import HOUR, slot_key
from pbem.table.chance import commitment
from pbem.table.log import Entry, live
from pbem.table.seat import Seat

KEPT = 50  # chapters whose positions are remembered: a report goes to several people


class Chapter(msgspec.Struct, frozen=True, kw_only=True):
    """A few entries of a game, with the positions before and after them."""

    entries: tuple[Entry[Any, Any], ...]
    before: Position
    after: Position


class Composer:
    """Makes the contents of letters out of the books."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._chapters: dict[tuple[str, int, int], Chapter] = {}

    def content(self, desk: Desk, row: Post, now: int) -> co.Content | None:
        """None when there is nothing to say any more, as for a reminder of what has been answered."""
        job = read_job(row)
        if isinstance(job, LetterJob):
            content: co.Content = msgspec.convert(job.content, co.Content)
            return content
        game = desk.game(row.game or "")
        member = next(m for m in game.members if m.seat == row.seat)
        match job:
            case ReportJob():
                return self._report(desk, game, member, job, now)
            case QuestionJob():
                return self._question(desk, game, member, job, now)
            case ReminderJob():
                return self._reminder(desk, game, member, job, now)
            case _:
                assert_never(job)

    # -- the kinds of letters ---

    def _report(self, desk: Desk, game: Game, member: Member, job: ReportJob, now: int) -> co.Content:
        table, chapter = self._games.table(game), self._chapter(desk, game, job.first, job.last)
        if job.first == 0:
            return self._opening(desk, game, member, chapter, now)
        shared: dict[str, Any] = {
            "game": game.id,
            "seat": member.seat,
            "said": said_in(table, chapter),
            "events": events_of(chapter),
            "before": table.rules.view(chapter.before.state, Seat(member.seat)),
            "after": table.rules.view(chapter.after.state, Seat(member.seat)),
        }
        if table.rules.finished(chapter.after.state):
            return co.Final(**shared, commitment=commitment(game.secret), secret=game.secret)
        return co.Report(
            **shared,
            seq=job.last,
            awaited=self._awaited(desk, game, table, chapter.after, now),
            facts=_facts(desk, game, table, chapter.after, member),
            slot_hours=table.terms.slot_hours,
        )

    def _opening(self, desk: Desk, game: Game, member: Member, chapter: Chapter, now: int) -> co.Content:
        table = self._games.table(game)
        return co.Opening(
            game=game.id,
            seat=member.seat,
            title=table.terms.setup.game,
            edition=table.terms.setup.edition,
            commitment=commitment(game.secret),
            draws=tuple(msgspec.to_builtins(draw) for entry in chapter.entries for draw in entry.draws),
            events=events_of(chapter),
            after=table.rules.view(chapter.after.state, Seat(member.seat)),
            awaited=self._awaited(desk, game, table, chapter.after, now),
            facts=_facts(desk, game, table, chapter.after, member),
            slot_hours=table.terms.slot_hours,
        )

    def _question(self, desk: Desk, game: Game, member: Member, job: QuestionJob, now: int) -> co.Content | None:
        open_ = {slot.key for slot in desk.books.slots(game.id)}
        if not open_ & {*job.starts}:
            return None
        table, chapter = self._games.table(game), self._chapter(desk, game, job.first, job.last)
        return co.Question(
            game=game.id,
            seat=member.seat,
            said=said_in(table, chapter),
            events=events_of(chapter),
            now=table.rules.view(chapter.after.state, Seat(member.seat)),
            awaited=self._awaited(desk, game, table, chapter.after, now),
            facts=_facts(desk, game, table, chapter.after, member),
            slot_hours=table.terms.slot_hours,
        )

    def _reminder(self, desk: Desk, game: Game, member: Member, job: ReminderJob, now: int) -> co.Content | None:
        slot = next((s for s in desk.books.slots(game.id) if s.key == job.slot), None)
        referee = desk.referee(game)
        decision = next((d for d in referee.pending() if slot_key(d) == job.slot), None)
        if slot is None or slot.deadline is None or slot.deadline <= now or decision is None:
            return None
        if _is_overtaken(self._games.table(game).terms, job, slot.deadline, now):
            return None
        return co.Reminder(
            game=game.id,
            seat=member.seat,
            awaited=co.Awaited(seat=member.seat, kind=decision.kind, about=decision.about, deadline=slot.deadline),
            hours=-(-(slot.deadline - now) // HOUR),
            on_file=on_file(referee, member.seat),
        )

    # -- what they say ---

    def _awaited(self, desk: Desk, game: Game, table: Table, position: Position, now: int) -> tuple[co.Awaited, ...]:
        """Deadlines that are running, and for what begins with this letter, a slot from now.

        What has been answered since is awaited no more.
        """
        slots = {slot.key: slot.deadline for slot in desk.books.slots(game.id)}
        begins = now + table.terms.slot_hours * HOUR
        return tuple(
            co.Awaited(seat=d.seat, kind=d.kind, about=d.about, deadline=slots[slot_key(d)] or begins)
            for d in table.rules.pending(position.state)
            if slot_key(d) in slots
        )

    def _chapter(self, desk: Desk, game: Game, first: int, last: int) -> Chapter:
        key = (game.id, first, last)
        if key not in self._chapters:
            while len(self._chapters) >= KEPT:
                del self._chapters[next(iter(self._chapters))]
            self._chapters[key] = self._read_chapter(desk, game, first, last)
        return self._chapters[key]

    def _read_chapter(self, desk: Desk, game: Game, first: int, last: int) -> Chapter:
        """Fold the log up to the chapter, unless the chapter before it is still known."""
        table = self._games.table(game)
        known = next((c.after for (g, _, end), c in self._chapters.items() if g == game.id and end == first - 1), None)
        start = known or Position(state=table.rules.blank(table.terms.setup))
        entries = read_entries(table.rules, desk.books, game.id, start.seq, last)
        if any(entry.rewind_to is not None for entry in entries) and known:
            start = Position(state=table.rules.blank(table.terms.setup))
            entries = read_entries(table.rules, desk.books, game.id, upto=last)
        course = positions(table.rules, start, entries)
        told = tuple(entry for entry in live(entries) if entry.seq >= first)
        return Chapter(entries=told, before=course[first - start.seq - 1], after=course[-1])


def _is_overtaken(terms: Terms, job: ReminderJob, deadline: int, now: int) -> bool:
    """The next reminder is due already, as after a sleep of ours: one is enough."""
    return any(deadline - hours * HOUR <= now for hours in terms.remind_hours if 0 < hours < job.hours)


def said_in(table: Table, chapter: Chapter) -> tuple[co.Said, ...]:
    """The orders of a chapter, each once; what nobody wrote has no text."""
    return tuple(
        co.Said(seat=answer.seat, text=order_text(table, answer.order), cause=entry.cause.kind)
        for entry in chapter.entries
        for answer in entry.answers[:1]
    )


def order_text(table: Table, order: Any) -> str:
    """The order in the order language; "" for what can't be written, as a skipped turn."""
    try:
        return table.rules.phrases.write(order)
    except ValueError:
        return ""


def events_of(chapter: Chapter) -> tuple[Mapping[str, Any], ...]:
    return tuple(msgspec.to_builtins(event) for entry in chapter.entries for event in entry.events)


def _facts(desk: Desk, game: Game, table: Table, position: Position, member: Member) -> tuple[Mapping[str, Any], ...]:
    """What the game says about each question that is still open to this member."""
    open_ = {slot.key for slot in desk.books.slots(game.id)}
    mine = [d for d in table.rules.pending(position.state) if d.seat == member.seat and slot_key(d) in open_]
    return tuple(table.rules.ask(position.state, decision) for decision in mine)
