"""What a row of the outbox says, looked up when it is delivered: per seat, with what that seat may see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, assert_never

import msgspec
from msgspec.structs import replace

from pbem.core.chance import commitment
from pbem.core.decision import Answer, Decision
from pbem.core.game import AnyRules
from pbem.core.log import Entry
from pbem.core.presenter import View
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host import messages as co
from pbem.host.archive.record_play import play_file
from pbem.host.calendar.counting import HOUR
from pbem.host.clock.time_sheet import lateness
from pbem.host.clock.timing import Timing, is_petition, slot_key, timing_of
from pbem.host.housekeeping.lapsing import still_overdue
from pbem.host.lobby.arrivals import arrivals
from pbem.host.lobby.empty_seats import still_empty
from pbem.host.lobby.invitations import invitation
from pbem.host.messages.rows import (
    ArrivalsJob,
    DeclinedJob,
    DeputyJob,
    DigestJob,
    EmptySeatJob,
    InviteeJob,
    LetterJob,
    NoticeJob,
    OverdueJob,
    QuestionJob,
    ReminderJob,
    ReportJob,
    SubstituteJob,
    TallyJob,
    UnansweredJob,
    read_job,
)
from pbem.host.ports import Game, Member, OutboxRow, Slot
from pbem.host.reporting.answers import in_slot, on_file, plain
from pbem.host.reporting.chapters import (
    Chapter,
    Stretch,
    blank,
    ended,
    events_of,
    said_in,
    seen,
    stretch,
    turn,
    whole,
)
from pbem.host.reporting.preferences import digest_after
from pbem.host.reporting.tallies import register, remarks, still_open, told_of
from pbem.host.session.acts import BotLeft, Corrected, Ended, Rewound
from pbem.host.session.anonymity import who_was_who
from pbem.host.session.bots import held
from pbem.host.session.deputies import acting, stand_in
from pbem.host.session.identity import Place
from pbem.host.session.position import Position
from pbem.host.session.session import LoadedGame
from pbem.host.session.unit_of_work import Games, UnitOfWork, read_entries

KEPT = 50  # stretches of games that are remembered: a report goes to several people


class MessageBuilder:
    """Makes the contents of letters out of the books."""

    def __init__(self, games: Games, *, pictures: bool = False) -> None:
        self._games = games
        self._pictures = pictures  # then each report tells the course of the game, for charts
        self._known: dict[tuple[str, int, int], Stretch] = {}

    def content(self, desk: UnitOfWork, row: OutboxRow, now: int) -> co.Message | None:
        """None when there is nothing to say any more, as for a reminder of what has been answered."""
        job = read_job(row)
        if isinstance(job, LetterJob):
            content: co.Message = msgspec.convert(job.content, co.Message)
            return content
        game = desk.game(row.game or "")
        if isinstance(job, NoticeJob):
            return self._notice(desk, game, row.seat, job, now)
        if isinstance(job, EmptySeatJob):
            return still_empty(desk, game, job)
        member, until = _reader_until(desk, game, row, now)
        if member is None:
            return None  # he does not play any more
        match job:
            case ReportJob():
                return self._report(desk, game, member, self._stretch(desk, game, job.first, job.upto or job.last), now)
            case DigestJob():
                return self._digest(desk, game, member, job, now)
            case QuestionJob():
                return self._question(desk, game, member, job, now)
            case ReminderJob():
                told = self._reminder(desk, game, member, job, now)
                return replace(told, until=until) if told else None
            case OverdueJob():
                return still_overdue(desk, game, member, job, now)
            case DeputyJob():
                return self._stead(desk, game, member, job.first, until, now)
            case TallyJob():
                return self._tally(desk, game, member)
            case SubstituteJob():
                return self._substitute(desk, game, member, job, now)
            case ArrivalsJob() | DeclinedJob():
                return arrivals(game, self._games.table(game).terms, member, job)
            case InviteeJob() | UnansweredJob():
                return self._unanswered(game, member, job)
            case _:
                assert_never(job)

    # -- the kinds of letters ---

    def _unanswered(self, game: Game, member: Member, job: InviteeJob | UnansweredJob) -> co.Message | None:
        """What is still true of invitations that nobody had answered."""
        if game.status != "inviting":
            return None
        if isinstance(job, InviteeJob):
            again = replace(invitation(game, self._games.table(game).terms, member), again=True)
            return again if member.joined is None else None
        silent = tuple(each.seat for each in game.members if each.seat in job.seats and each.joined is None)
        here = tuple(each.seat for each in game.members if each.joined is not None)
        return co.Unanswered(game=game.id, seat=member.seat or None, silent=silent, here=here) if silent else None

    def _report(self, desk: UnitOfWork, game: Game, member: Member, told: Stretch, now: int) -> co.Message:
        if told.before.seq < 0:
            return self._opening(desk, game, member, told.over[0], now)
        table, after = self._at(game, told.begun.after), told.begun.after
        session = desk.session(game)
        done = session.position.done  # what was decided since is told as decided
        is_over = table.rules.finished(after.state)
        shared: dict[str, Any] = {
            "game": game.id,
            "seat": member.seat,
            "turns": tuple(turn(table, chapter) for chapter in told.over),
            "before": table.rules.view(told.before.state, _eyes(member)),
            "after": table.rules.view(after.state, _eyes(member)),
            "course": self._course(desk, game, member, after) if self._pictures or is_over else (),
            "late": lateness(after.done),
        }
        if is_over:
            people = who_was_who(game, table.terms.anonymous)
            return co.Final(**shared, commitment=commitment(game.secret), secret=game.secret, people=people)
        return co.Report(
            **shared,
            events=events_of(told.begun.entries),
            place=place(table.rules, after),
            awaited=self._awaited(desk, game, table, after, now),
            facts=_facts(desk, game, table, after, member),
            **_standing(desk, game, table, after, member),
            slot_hours=table.terms.slot_hours,
            bots=tuple(held(desk.session(game).position.done)),
            petitions=() if session.has_ended else still_open(done),
            rulings=register(done),
            remarks=remarks(done),
        )

    def _course(self, desk: UnitOfWork, game: Game, member: Member, upto: Position) -> tuple[View, ...]:
        """The last position of each round."""
        rules = self._games.table(game).rules
        positions = self._games.positions(desk.books, game, upto.seq)[1:]
        last = {rules.round(position.state): position.state for position in positions}
        return tuple(rules.view(state, _eyes(member)) for state in last.values())

    def _digest(self, desk: UnitOfWork, game: Game, member: Member, job: DigestJob, now: int) -> co.Message | None:
        """What was over at the time he wants to be told; he may have chosen another since."""
        if digest_after(member, job.at - 1) != job.at:
            return None
        found = self._stretch(desk, game, member.told + 1, desk.session(game).position.seq)
        over = tuple(takewhile(lambda chapter: chapter.entries[-1].at <= job.at, found.over))
        return self._report(desk, game, member, ended(over), now) if over else None

    def _opening(self, desk: UnitOfWork, game: Game, member: Member, chapter: Chapter, now: int) -> co.Message:
        table = self._games.table(game)
        return co.Opening(
            game=game.id,
            place=place(table.rules, chapter.after),
            seat=member.seat,
            title=table.terms.setup.game,
            edition=table.terms.setup.edition,
            commitment=commitment(game.secret),
            draws=tuple(msgspec.to_builtins(draw) for entry in chapter.entries for draw in entry.draws),
            events=events_of(chapter.entries),
            after=table.rules.view(chapter.after.state, _eyes(member)),
            awaited=self._awaited(desk, game, table, chapter.after, now),
            facts=_facts(desk, game, table, chapter.after, member),
            **_standing(desk, game, table, chapter.after, member),
            slot_hours=table.terms.slot_hours,
            policy=table.terms.policy,
            grace_hours=table.terms.grace_hours,
        )

    def _question(self, desk: UnitOfWork, game: Game, member: Member, job: QuestionJob, now: int) -> co.Question | None:
        open_ = {slot.key for slot in desk.books.slots(game.id)}
        if not open_ & {*job.starts}:
            return None
        told = self._stretch(desk, game, job.first, job.last)
        after = told.begun.after
        table = self._at(game, after)
        return co.Question(
            game=game.id,
            place=place(table.rules, after),
            seat=member.seat,
            turns=tuple(turn(table, chapter) for chapter in told.over),
            said=said_in(table, told.begun.entries),
            events=events_of(told.begun.entries),
            before=table.rules.view(told.before.state, _eyes(member)),
            now=table.rules.view(after.state, _eyes(member)),
            awaited=self._awaited(desk, game, table, after, now),
            facts=_facts(desk, game, table, after, member),
            **_standing(desk, game, table, after, member),
            slot_hours=table.terms.slot_hours,
        )

    def _stead(
        self, desk: UnitOfWork, game: Game, member: Member, first: int, until: int | None, now: int
    ) -> co.Message | None:
        """What is asked of a seat, to whoever writes for it."""
        last = desk.session(game).position.seq
        slots = (slot for slot in desk.books.slots(game.id) if slot.seat == member.seat and not is_petition(slot))
        keys = tuple(slot.key for slot in slots)
        told = self._question(desk, game, member, QuestionJob(first=first, last=last, starts=keys), now)
        return replace(told, until=until) if told else None

    def _reminder(self, desk: UnitOfWork, game: Game, member: Member, job: ReminderJob, now: int) -> co.Reminder | None:
        slot = next((s for s in desk.books.slots(game.id) if s.key == job.slot), None)
        session = desk.session(game)
        decision = next((d for d in session.pending() if slot_key(d) == job.slot), None)
        if slot is None or decision is None or job.started not in (None, slot.started):
            return None
        timing, left = timing_of(session), timing_of(session).left(slot, now)
        if not left or _is_overtaken(timing, slot, job, now):
            return None
        return co.Reminder(
            game=game.id,
            place=place(session.rules, session.position),
            seat=member.seat,
            awaited=in_slot(decision, slot),
            hours=-(-left // HOUR),
            on_file=on_file(session, member.seat),
        )

    def _notice(self, desk: UnitOfWork, game: Game, seat: str | None, job: NoticeJob, now: int) -> co.Message:
        position = self._games.positions(desk.books, game, job.seq)[-1]
        table, done = self._at(game, position), position.done[-1]
        is_back = isinstance(done.act, BotLeft) and bool(job.starts)
        is_moved = is_back or isinstance(done.act, Rewound | Corrected)
        member = next((m for m in game.members if m.seat == seat), None)
        reader = Seat(member.seat) if member else None
        return co.Notice(
            game=game.id,
            place=place(table.rules, position),
            seat=seat,
            kind=str(type(done.act).__struct_config__.tag),
            act=msgspec.to_builtins(seen(table.rules, position.state, done).act),
            dropped=job.dropped,
            after=table.rules.view(position.state, reader) if is_moved else None,
            awaited=self._awaited(desk, game, table, position, now),
            facts=_facts(desk, game, table, position, member) if member and is_moved else (),
            slot_hours=table.terms.slot_hours,
            petition=told_of(done.act, desk.session(game).position.done, ended=desk.session(game).has_ended),
            commitment=commitment(game.secret) if isinstance(done.act, Ended) else None,
            secret=game.secret if isinstance(done.act, Ended) else None,
        )

    def _tally(self, desk: UnitOfWork, game: Game, member: Member) -> co.Message | None:
        session = desk.session(game)
        asked = () if session.has_ended else still_open(session.position.done)
        here = place(session.rules, session.position)
        return co.Tally(game=game.id, place=here, seat=member.seat, petitions=asked) if asked else None

    def _substitute(self, desk: UnitOfWork, game: Game, member: Member, job: SubstituteJob, now: int) -> co.Message:
        """All that has happened in the game, for somebody who plays it from here on."""
        agreed = self._games.table(game)
        entries = read_entries(agreed.rules, desk.books, game.id)
        run = whole(agreed, entries)
        now_at = run.begun.after
        table = self._at(game, now_at)
        hidden = table.rules.hides(now_at.state)
        return co.Substitute(
            game=game.id,
            place=place(table.rules, now_at),
            seat=member.seat,
            title=agreed.terms.setup.game,
            edition=agreed.terms.setup.edition,
            players=tuple(agreed.terms.setup.seats),
            turns=tuple(turn(agreed, chapter) for chapter in run.over[1:]),
            after=table.rules.view(now_at.state, _eyes(member)),
            awaited=self._awaited(desk, game, table, now_at, now),
            facts=_facts(desk, game, table, now_at, member),
            slot_hours=table.terms.slot_hours,
            policy=table.terms.policy,
            grace_hours=table.terms.grace_hours,
            on_file=on_file(desk.session(game), member.seat),
            record=None if hidden else play_file(game.id, agreed, _told_of(run, entries)),
            petitions=still_open(now_at.done),
            rulings=register(now_at.done),
            remarks=remarks(now_at.done),
        )

    # -- what they say ---

    def _at(self, game: Game, position: Position) -> LoadedGame:
        """The game as it was played then."""
        return self._games.table(game, position.done)

    def _awaited(
        self, desk: UnitOfWork, game: Game, table: LoadedGame, position: Position, now: int
    ) -> tuple[co.Awaited, ...]:
        """Deadlines that are running, and for what begins with this letter, a slot from now.

        What has been answered since is awaited no more.
        """
        slots = {slot.key: slot for slot in desk.books.slots(game.id)}
        timing = timing_of(desk.session(game))
        asked = [(d, slots[slot_key(d)]) for d in table.rules.pending(position.state) if slot_key(d) in slots]
        bots = held(timing.done)
        return tuple(in_slot(d, timing.reckoned(replace(slot, started=slot.started or now)), bots) for d, slot in asked)

    def _stretch(self, desk: UnitOfWork, game: Game, first: int, last: int) -> Stretch:
        key = (game.id, first, last)
        if key not in self._known:
            found = self._read(desk, game, first, last)
            while len(self._known) >= KEPT:
                del self._known[next(iter(self._known))]
            self._known[key] = found
        return self._known[key]

    def _read(self, desk: UnitOfWork, game: Game, first: int, last: int) -> Stretch:
        """The chapters from an entry on, folded from the nearest known beginning of one."""
        table = self._games.table(game)
        start = self._nearest(game, first) or blank(table)
        entries = read_entries(table.rules, desk.books, game.id, start.seq, last)
        if any(entry.rewind_to is not None and entry.rewind_to < start.seq for entry in entries):
            start, entries = blank(table), read_entries(table.rules, desk.books, game.id, upto=last)
        return stretch(table, start, entries).since(first)

    def _nearest(self, game: Game, first: int) -> Position | None:
        mine = [known for (id_, _, _), known in self._known.items() if id_ == game.id]
        begins = [position for known in mine for position in (known.before, *(each.after for each in known.over))]
        return max((p for p in begins if p.seq < first), key=lambda p: p.seq, default=None)


def reader_of(desk: UnitOfWork, game: Game, row: OutboxRow) -> Member | None:
    """Who sits there, unless the letter was for somebody who sat there before; or a moderator, who has no seat."""
    person, seat = desk.books.person_at(row.to.lower()), row.seat or ""
    return next((m for m in game.readers if m.seat == seat and person and m.person.id == person.id), None)


def _reader_until(desk: UnitOfWork, game: Game, row: OutboxRow, now: int) -> tuple[Member | None, int | None]:
    """Whom the letter is for; until when, where that is somebody who writes for another."""
    member = reader_of(desk, game, row)
    return (member, None) if member else _deputy_of(desk, game, row, now)


def _deputy_of(desk: UnitOfWork, game: Game, row: OutboxRow, now: int) -> tuple[Member | None, int | None]:
    """Who writes for the seat now, if the letter is for him, and until when."""
    done = desk.session(game).position.done
    member, one = stand_in(desk.books, game, done, row.seat or "", now), acting(done, row.seat or "", now)
    if member is None or one is None or member.person.address != row.to.lower():
        return None, None
    return member, one.end


def _eyes(member: Member) -> Seat | None:
    """Whose secrets he sees: a moderator nobody's."""
    return Seat(member.seat) if member.seat else None


def _told_of(run: Stretch, entries: Sequence[Entry[Any, Any]]) -> Sequence[Entry[Any, Any]]:
    """The log without what has been answered in the chapter under way: that may be sealed."""
    first = run.begun.entries[0].seq if run.begun.entries else len(entries)
    return entries[:first]


def _is_overtaken(timing: Timing, slot: Slot, job: ReminderJob, now: int) -> bool:
    """The next reminder is due already, as after a sleep of ours: one is enough."""
    return any(at is not None and at <= now for hours, at in timing.reminders(slot) if hours < job.hours)


def place(rules: AnyRules, position: Position) -> Place:
    """The moment of a position, as a letter tells it."""
    serials = [decision.serial for decision in rules.pending(position.state)]
    return Place(turn=position.turn, seq=position.seq, serial=max(serials, default=0))


def _facts(
    desk: UnitOfWork, game: Game, table: LoadedGame, position: Position, member: Member
) -> tuple[Mapping[str, Any], ...]:
    """What the game says about each question that is still open to this member."""
    if member.seat in held(desk.session(game).position.done):
        return ()
    open_ = {slot.key for slot in desk.books.slots(game.id)}
    mine = [d for d in table.rules.pending(position.state) if d.seat == member.seat and slot_key(d) in open_]
    return tuple(table.rules.ask(position.state, decision) for decision in mine)


def _standing(desk: UnitOfWork, game: Game, table: LoadedGame, position: Position, member: Member) -> dict[str, Any]:
    """What they have on file for whatever will be asked; apart what is about an open question and can't answer it."""
    papers = [p for p in desk.books.papers(game.id) if (p.seat, p.kind) == (member.seat, "standing")]
    asked = [decision for decision in table.rules.pending(position.state) if decision.seat == member.seat]
    flaws = {paper.text: _why_idle(table, position.state, asked, paper.text) for paper in papers}
    idle = tuple(co.Flaw(text=text, code=why.code, facts=plain(why.facts)) for text, why in flaws.items() if why)
    return {"standing": tuple(text for text, why in flaws.items() if why is None), "idle": idle}


def _why_idle(table: LoadedGame, state: Any, asked: Sequence[Decision], text: str) -> Illegal | None:
    """Why a standing order did not answer what is asked; None when it is about something else."""
    order = table.reader.order(f"standing {text}")
    for decision in asked:
        served = table.rules.files.serve(state, decision, [order])
        if served is not None:
            try:
                table.rules.check(state, Answer(seat=decision.seat, order=served[1], decision=decision))
            except Illegal as refusal:
                return refusal
    return None
