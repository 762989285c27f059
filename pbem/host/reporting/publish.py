"""After something has happened in a game: slots open and close, and letters are queued for everybody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.core.decision import Decision
from pbem.core.game import AnyRules
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host.clock.reminders import move_reminders
from pbem.host.clock.slots import renew_slots
from pbem.host.clock.timing import is_petition, slot_key, timing_of
from pbem.host.messages.letters import Halt, Tidings, Unused
from pbem.host.messages.rows import QuestionJob, ReportJob, content_job, mark, to_member
from pbem.host.play.results import Result
from pbem.host.ports import FiledOrder, Game, Member, OutboxRow, Repository
from pbem.host.reporting.answers import awaited, going_on, is_asked, verdict_line
from pbem.host.reporting.deputies import tell_deputies
from pbem.host.reporting.notices import changes_position, notices, queue_tallies
from pbem.host.reporting.preferences import having_told, queue_digest
from pbem.host.season.hands import note_hands, note_search, table_of
from pbem.host.season.holidays import note_absences
from pbem.host.season.rating import rate
from pbem.host.season.results import note_result
from pbem.host.season.telling import tell
from pbem.host.session.absences import held
from pbem.host.session.acts import (
    Away,
    Back,
    ClockSet,
    DeadlineSet,
    Decided,
    Ejected,
    Offered,
    Paused,
    Rejected,
    Resumed,
    Seated,
    Withdrawn,
)
from pbem.host.session.session import Session, Step
from pbem.host.session.unit_of_work import UnitOfWork

SEARCHING = (Offered, Seated, Ejected, Decided, Rejected, Withdrawn)  # acts that begin or end a search for somebody


def publish(work: UnitOfWork, game: Game, now: int, letter: str = "") -> None:
    """Queue what the session's last steps have to tell, once. `letter` is the id of the one that made them, if any."""
    session = work.session(game)
    if any(isinstance(step.act, SEARCHING) for step in session.steps):
        _note_seats(work, game, session.steps, now)
    note_absences(work, game, now)
    _note_move(work, game, session.steps)
    _tell_halts(work, game, session, now)
    steps, session.steps = session.steps, []
    queue_tallies(work.repository, game, steps, now)
    if session.has_ended:
        _spend(session)
    unused, session.unused = session.unused, []
    work.repository.post(_tell_unused(game, session, unused, now, letter))
    if any(changes_position(step) for step in steps) or session.has_ended:
        _begin_anew(work.repository, game)
    moves = [step for step in steps if step.entry.cause.kind != "act" and not changes_position(step)]
    bots = held(session.position.done)
    new = renew_slots(session, now) if steps and not session.has_ended else []
    asks = dict.fromkeys((*new, *_going_on(session, steps)))
    opened = [decision for decision in asks if decision.seat not in bots]  # a bot gets no mail
    dropped, session.dropped = session.dropped, []
    tell_deputies(work, game, steps, opened, now)
    work.repository.post(notices(game, steps, () if moves else opened, dropped, now))
    if moves:
        game = _tell(work.repository, game, News(rules=session.rules, steps=tuple(moves), opened=tuple(opened)), now)
    if session.has_ended and game.status != "finished":
        work.repository.save_game(replace(game, status="finished"))
        work.repository.set_moved(game.id, session.position.seq)
        note_result(work, game, now)
        rate(work, work.game(game.id))


def _going_on(session: Session, steps: Sequence[Step]) -> Iterator[Decision]:
    """Open questions of which the time stood still before these steps, and runs again."""
    stood = steps[0].before.stood if steps else ()
    running = [each.decision for each in session.position.stood if each.pause.end is None]
    pending = session.pending()
    was = (each.decision for each in stood if each.pause.end is None)
    return (decision for decision in was if decision in pending and decision not in running)


def _note_seats(work: UnitOfWork, game: Game, steps: Sequence[Step], now: int) -> None:
    """The season of a table hears of seats that change hands, and for which somebody is looked."""
    found = table_of(work, game)
    if found is not None:
        if any(isinstance(step.act, Seated | Ejected) for step in steps):
            note_hands(work, game, now)
        note_search(work, game, now)
        tell(work, found.desk, now)


def _spend(session: Session) -> None:
    """What waited to be played in a game that is over never will be; its writers are told."""
    for kept in [each for each in session.record.filed() if each.binds is not None]:
        session.record.discard(kept)
        session.unused.append((kept, Illegal("game.over")))


def _begin_anew(repository: Repository, game: Game) -> None:
    """The position is not the one that was told: what is awaited has all of its time again."""
    for slot in repository.slots(game.id):
        if not is_petition(slot):
            repository.close_slot(game.id, slot.key)


def _note_move(work: UnitOfWork, game: Game, steps: Sequence[Step]) -> None:
    """The archive tells chapters that are over, and tells no more of what was taken back."""
    if any(is_over(step) or step.entry.rewind_to is not None for step in steps):
        work.repository.set_moved(game.id, steps[-1].entry.seq)


class News(Struct, frozen=True, kw_only=True):
    """What the last steps of the session have brought."""

    rules: AnyRules
    steps: tuple[Step, ...]
    opened: tuple[Decision, ...]  # questions that are new, or of which the time runs again

    @property
    def endings(self) -> list[Step]:
        """The steps with which a chapter was over."""
        return [step for step in self.steps if is_over(step)]

    @property
    def told(self) -> int:
        """The last entry of the last chapter that is over: who gets a letter has been told all up to it."""
        return self.steps[-1].after.since - 1

    def asked_of(self, game: Game, member: Member) -> tuple[str, ...]:
        """The slots of the new questions that are for them to answer."""
        state = self.steps[-1].after.state
        mine = (each for each in self.opened if is_asked(self.rules, state, game, each, member))
        return tuple(slot_key(decision) for decision in mine)

    def tidings(self, game: Game, member: Member) -> Tidings:
        """What they learn at once of the orders of others."""
        others = [step for step in self.steps if all(each.seat != member.seat for each in step.entry.answers)]
        told = (self.rules.tidings(step.after.state, step.entry.events, Seat(member.seat)) for step in others)
        events = (event for each in told for event in each)
        return Tidings(game=game.id, seat=member.seat, events=tuple(map(msgspec.to_builtins, events)))

    def is_told(self, step: Step, wanted: str, *, asked: bool) -> bool:
        """Does somebody who wants these reports get a letter with the end of this chapter?"""
        if wanted == "all" or step.before.seq < 0 or self.rules.finished(step.after.state):
            return True
        if step is not self.endings[-1]:
            return False
        return is_over(self.steps[-1]) if asked else wanted == "round" and any(map(self._ended_round, self.endings))

    def _ended_round(self, step: Step) -> bool:
        return self.rules.round(step.after.state) > self.rules.round(step.before.state)


def is_over(step: Step) -> bool:
    """Was a chapter over with this step?"""
    return step.after.since > step.entry.seq


# -- letters ---


def _tell(repository: Repository, game: Game, news: News, now: int) -> Game:
    """Queue what each member gets now, those who are asked first; the game with what each has been told."""
    told, rows = game, list[OutboxRow]()
    asked = [(news.asked_of(game, member), member) for member in game.readers]
    for starts, member in sorted(asked, key=lambda one: not one[0]):
        jobs = _letters(member, news, starts)
        rows += (to_member(game, member, name, job, now) for name, job in jobs)
        if member.seat and not jobs and (tidings := news.tidings(game, member)).events:
            rows.append(to_member(game, member, f"{news.steps[-1].after.name}.tidings", content_job(tidings), now))
        if jobs:
            told = having_told(told, member, news.told)
        elif news.endings:
            queue_digest(repository, game, member, now)
    repository.post(rows)
    if told is not game:
        repository.save_game(told)
    return told


def _letters(member: Member, news: News, starts: tuple[str, ...]) -> list[tuple[str, ReportJob | QuestionJob]]:
    """What each is called, and what it tells: chapters that are over, the last with what is asked of them, or has
    followed; in the middle of one questions only.

    Each goes on where the one before it ended.
    """
    jobs: list[tuple[str, ReportJob | QuestionJob]] = []
    first, last = member.told + 1, news.steps[-1]
    asks = bool(starts) and not is_over(last)
    for step in news.endings[:-1] if asks else news.endings:  # a question tells the turn before it, too
        if step.entry.seq > member.told and news.is_told(step, member.reports, asked=bool(starts)):
            begins = starts if step is last else ()
            follows = last.entry.seq if step is news.endings[-1] and step is not last and not asks else None
            job = ReportJob(first=first, last=step.entry.seq, upto=follows, starts=begins)
            jobs.append((step.after.name, job))
            first = step.entry.seq + 1
    if asks:
        jobs.append((f"{last.after.name}.question", QuestionJob(first=first, last=last.entry.seq, starts=starts)))
    return jobs


def _tell_halts(work: UnitOfWork, game: Game, session: Session, now: int) -> None:
    """Everybody hears once that time does not count, or counts again, and when what is asked now ends."""
    if any(_moves_time(step) for step in session.steps):
        move_reminders(work.repository, game, timing_of(session))
    for step in session.steps:
        if isinstance(step.act, Paused | Resumed):
            told, what = _halt(work, game, step, step.act), f"{step.after.name}.halt"
            jobs = ((member, content_job(replace(told, seat=member.seat))) for member in game.readers)
            work.repository.post(to_member(game, member, what, job, now) for member, job in jobs)


def _moves_time(step: Step) -> bool:
    """Does other time count from then on?"""
    is_act = isinstance(step.act, Paused | Resumed | DeadlineSet | ClockSet | Away | Back)
    return is_act or step.before.stood != step.after.stood


def _halt(work: UnitOfWork, game: Game, step: Step, act: Paused | Resumed) -> Halt:
    return Halt(
        game=game.id,
        seat=None,
        cause=act.cause,
        by=act.by,
        why=act.why,
        start=act.at if isinstance(act, Resumed) else act.start,
        end=None if isinstance(act, Resumed) else act.end,
        resumed=isinstance(act, Resumed),
        awaited=awaited(work.repository, game, work.session(game)),
        goes_on=going_on(step.after.done, act.at) if isinstance(act, Resumed) else (),
    )


def _tell_unused(
    game: Game, session: Session, unused: Sequence[tuple[FiledOrder, Illegal]], now: int, letter: str
) -> Iterator[OutboxRow]:
    """The letter is part of their names: several may find an order on file impossible at one entry."""
    cause = mark(letter) if letter else "clock"
    for number, (kept, refusal) in enumerate(unused):
        member = next((m for m in game.members if m.seat == kept.seat), None)
        if member is None:
            continue
        told = verdict_line(Result(outcome="unused", text=kept.text, line=0, refusal=refusal))
        job = content_job(Unused(game=game.id, seat=kept.seat, lines=(told,)))
        yield to_member(game, member, f"{session.position.name}.unused.{cause}.{number}", job, now)
