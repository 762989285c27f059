"""After something has happened in a game: slots open and close, and letters are queued for everybody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pbem.service.answers import verdict_line
from pbem.service.correspondence import Unused
from pbem.service.games import Desk
from pbem.service.ports import Game, Member, Post
from pbem.service.post import QuestionJob, ReportJob, content_job, mark, to_member
from pbem.service.referee import Referee, Step, Verdict
from pbem.service.slots import renew_slots, slot_key
from pbem.table.decision import Decision
from pbem.table.seat import Seat


def publish(desk: Desk, game: Game, now: int, letter: str = "") -> None:
    """Queue what the referee's last steps have to tell, once. `letter` is the id of the one that made them, if any."""
    referee = desk.referee(game)
    _note_move(desk, game, referee.steps)
    steps, referee.steps = [step for step in referee.steps if step.entry.cause.kind != "act"], []
    unused, referee.unused = referee.unused, []
    if steps:
        opened = renew_slots(desk.books, game, referee, now)
        desk.books.post([*_reports(game, steps, opened, now), *_questions(game, referee, steps, opened, now)])
    desk.books.post(_tell_unused(game, referee, unused, now, letter))
    if referee.rules.finished(referee.state) and game.status != "finished":
        desk.books.save_game(replace(game, status="finished"))


def _note_move(desk: Desk, game: Game, steps: Sequence[Step]) -> None:
    """The archive tells chapters that are over, and tells no more of what was taken back."""
    if _endings(steps) or any(step.entry.rewind_to is not None for step in steps):
        desk.books.set_moved(game.id, steps[-1].entry.seq)


def _endings(steps: Sequence[Step]) -> list[Step]:
    return [step for step in steps if step.after.since > step.entry.seq]


# -- letters ---


def _reports(game: Game, steps: Sequence[Step], opened: Sequence[Decision], now: int) -> list[Post]:
    """One report for each chapter that ended, to everybody; the last one begins the next slot."""
    return [row for step in _endings(steps) for row in _report(game, step, opened if step is steps[-1] else [], now)]


def _report(game: Game, step: Step, opened: Sequence[Decision], now: int) -> list[Post]:
    awaited = {decision.seat for decision in opened}
    first = sorted(game.members, key=lambda member: member.seat not in awaited)
    return [_report_to(game, member, step, opened, now) for member in first]


def _report_to(game: Game, member: Member, step: Step, opened: Sequence[Decision], now: int) -> Post:
    starts = tuple(slot_key(d) for d in opened if d.seat == member.seat)
    job = ReportJob(first=step.before.since, last=step.entry.seq, starts=starts)
    return to_member(game, member, str(step.entry.seq), job, now)


def _questions(game: Game, referee: Referee, steps: Sequence[Step], opened: Sequence[Decision], now: int) -> list[Post]:
    """Questions in the middle of a chapter go to those asked only; a new chapter's are in the report."""
    if steps[-1].after.since > steps[-1].entry.seq:
        return []
    return [
        to_member(game, member, f"{steps[-1].entry.seq}.question", _question(referee, opened, member), now)
        for member in game.members
        if any(decision.seat == member.seat for decision in opened)
    ]


def _question(referee: Referee, opened: Sequence[Decision], member: Member) -> QuestionJob:
    starts = tuple(slot_key(decision) for decision in opened if decision.seat == member.seat)
    return QuestionJob(first=referee.position.since, last=referee.position.seq, starts=starts)


def _tell_unused(
    game: Game, referee: Referee, unused: Sequence[tuple[Seat, Verdict]], now: int, letter: str
) -> Iterator[Post]:
    """The letter is part of their names: several may find an order on file impossible at one entry."""
    cause = mark(letter) if letter else "clock"
    for number, (seat, verdict) in enumerate(unused):
        member = next(m for m in game.members if m.seat == seat)
        job = content_job(Unused(game=game.id, seat=seat, lines=(verdict_line(verdict),)))
        yield to_member(game, member, f"{referee.position.seq}.unused.{cause}.{number}", job, now)
