"""The referee: plays what is ordered, keeps papers and log, and sees who is next.

There is one referee: letters, play files and the clock all come to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.chance import Chance, Lots, NoLots
from pbem.core.decision import Answer, Decision
from pbem.core.lapse import Lapsed
from pbem.core.log import Cause, Entry, seal
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host.clock.penalties import penalties, resolved
from pbem.host.clock.time_sheet import usual_witness
from pbem.host.clock.timing import Timing, closing, is_petition, of
from pbem.host.governance import silence, voting
from pbem.host.play.executor import CommandExecutor, draft_key
from pbem.host.play.results import ReplyContext, Result, Submission
from pbem.host.ports import FiledOrder
from pbem.host.session.acts import Act, ClockSet, Done, Ended, TimeKept, entered
from pbem.host.session.bots import BOT, held
from pbem.host.session.deputies import part_his
from pbem.host.session.effect import since
from pbem.host.session.position import Position, advanced, rewound
from pbem.host.session.record import Notebook, Record
from pbem.language.parser import Reader

if TYPE_CHECKING:
    from pbem.host.session.unit_of_work import Table


class Step(Struct, frozen=True, kw_only=True):
    """An entry that was just written, with the positions around it."""

    entry: Entry[Any, Any]
    before: Position
    after: Position


Equip = Callable[[Sequence[Done]], "Table"]  # the rules and terms that are in force after what was done


class Referee:
    """Leads one game. It changes nothing but its record and its own position."""

    def __init__(self, equip: Equip, reader: Reader[Any], record: Record, position: Position) -> None:
        self._equip = equip
        self._take(equip(position.done))
        self.reader = reader
        self.record = record
        self.position = position
        self.steps: list[Step] = []  # what this referee has written
        self.dropped: list[FiledOrder] = []  # what a rewinding has thrown away
        self.unused: list[tuple[Seat, Result]] = []  # orders on file that were due and not possible
        self.tried: Referee | None = None  # on whose copy of the game the last preview was played

    @property
    def seats(self) -> Sequence[str]:
        return self.reader.seats

    @property
    def has_ended(self) -> bool:
        """By its rules, or because it was ended by hand."""
        return self.rules.finished(self.state) or any(isinstance(each.act, Ended) for each in self.position.done)

    @property
    def state(self) -> Any:
        return self.position.state

    @property
    def timing(self) -> Timing:
        """How time is counted now."""
        return Timing(terms=self.terms, done=self.position.done)

    def pending(self) -> Sequence[Decision]:
        """What is awaited; nothing of a game that is over, however it ended."""
        return () if self.has_ended else self.rules.pending(self.state)

    def document(self) -> Mapping[str, object]:
        """The state document of language.md; a game that was broken off awaits nobody either, and has no winners."""
        document = self.rules.document(self.state)
        return {**document, "awaiting": []} if self.has_ended else document

    # -- the beginning ---

    def open(self, at: int, chance: Chance, lots: dict[str, list[tuple[str, str]]]) -> None:
        events = self.rules.open(self.state, chance, lots)
        self._enter(at, Cause(kind="opening"), events=events, chance=chance)

    def lay_out(self, at: int, lines: Sequence[Any]) -> None:
        """Put a given position on the table. Raises `Impossible`."""
        self._enter(at, Cause(kind="given"), events=self.rules.given(self.state, lines))

    # -- letters ---

    def hear(
        self,
        seat: Seat,
        lines: Sequence[str],
        at: int,
        letter: str | None = None,
        seen: ReplyContext | None = None,
        cause: str = "letter",
        zone: str = "UTC",
        check_words: Callable[[str], None] | None = None,
        check_telling: Callable[[Referee, str, int, str], None] | None = None,
        is_power: Callable[[str], bool] | None = None,
        answered: Callable[[int], str] | None = None,
    ) -> list[Result]:
        """Read a letter's lines and do what can be done; the verdicts stand in the order written, prose last."""
        reading = self.reader.read(lines, is_power)
        filed = Submission(
            at=at,
            letter=letter,
            cause=cause,
            seen=seen,
            zone=zone,
            check_words=check_words,
            check_telling=check_telling,
            answered=answered,
        )
        hearing = CommandExecutor(self, seat, filed)
        if cause == "letter":
            silence.broken(self, seat, at)
        if any(statement.command == "preview" for statement in reading.statements):
            return hearing.preview(reading)
        return hearing.hear(reading)

    def hear_deputy(
        self,
        deputy: str,
        seat: Seat,
        lines: Sequence[str],
        at: int,
        letter: str | None = None,
        seen: ReplyContext | None = None,
    ) -> list[Result]:
        """What somebody writes in the place of a player who is away. The caller has seen that he may."""
        reading, refused = part_his(self.reader.read(lines), seat)
        hearing = CommandExecutor(self, seat, Submission(at=at, letter=letter, seen=seen, deputy=deputy))
        tries = any(statement.command == "preview" for statement in reading.statements)
        heard = hearing.preview(reading) if tries else hearing.hear(reading)
        return sorted([*heard, *refused], key=lambda verdict: (verdict.outcome == "passed", verdict.line))

    def rehearse(self, seat: Seat, lines: Sequence[str], at: int) -> list[Result]:
        """What these orders would do; nothing changes."""
        return CommandExecutor(self.copy(seat), seat, Submission(at=at)).hear(self.reader.read(lines))

    def copy(self, seat: Seat) -> Referee:
        """The same game and clock, with the papers of one seat alone."""
        copy = Referee(self._equip, self.reader, Notebook(), self.position)
        for paper in self.record.papers():
            if paper.seat == seat:
                copy.record.file(paper)
        for slot in self.record.slots():
            copy.record.put_slot(slot)
        return copy

    # -- moves ---

    def play(
        self,
        seat: Seat,
        order: Any,
        decisions: Sequence[Decision],
        at: int,
        cause: Cause,
        *,
        by: str = "",
        witness: str = "",
        written: bool = True,
        deputy: str = "",
        lapsed: Sequence[Lapsed] = (),
        why: str = "",
    ) -> int:
        """Resolve an order and write the entry; its number. Raises `Illegal`; then nothing has changed.

        `by` is who ended the time of the questions, if not the seat itself, before that `witness`, and `why` where
        that was by hand; `deputy` wrote it.
        """
        answers = tuple(Answer(seat=seat, order=order, decision=d) for d in decisions) or (
            Answer(seat=seat, order=order),
        )
        kept = self._time_kept(
            decisions, at, by or seat, witness, written=written, deputy=deputy, lapsed=lapsed, why=why
        )
        events = resolved(self.rules, self.state, answers, kept, NoLots())
        self._enter(at, cause, answers, events, act=kept)
        played = self.position.seq
        for decision in decisions:
            self._discard(seat, "draft", draft_key(decision))
        voting.roll_out(self, decisions, at)
        return played

    def papers(self, seat: Seat, kind: str) -> list[FiledOrder]:
        return [paper for paper in self.record.papers() if paper.seat == seat and paper.kind == kind]

    def drafted(self, decision: Decision) -> Any | None:
        drafts = [p for p in self.papers(decision.seat, "draft") if p.key == draft_key(decision)]
        return self._read(drafts[0]) if drafts else None

    def _read(self, paper: FiledOrder) -> Any:
        word = "" if paper.kind == "draft" else f"{paper.kind} "
        return self.reader.order(word + paper.text)

    def _discard(self, seat: Seat, kind: str, key: str) -> None:
        for paper in self.papers(seat, kind):
            if paper.key == key:
                self.record.discard(paper)

    # -- what answers by itself ---

    def serve_papers(self, at: int) -> None:
        """Let advance and standing orders answer, until a question is left that none of them answers."""
        served = [True]
        while any(served) and self.record.papers():
            served = [self._serve(decision, at) for decision in self.pending()]

    def _serve(self, decision: Decision, at: int) -> bool:
        if decision not in self.pending():
            return False
        return any(self._serve_kind(decision, kind, at) for kind in ("advance", "standing"))

    def _serve_kind(self, decision: Decision, kind: str, at: int) -> bool:
        filed = [(self._read(paper), paper) for paper in self.papers(decision.seat, kind)]
        found = self.rules.serve(self.state, decision, [order for order, _ in filed])
        if found is None:
            return False
        paper = next(paper for order, paper in filed if order is found[0])
        try:
            self.play(decision.seat, found[1], [decision], at, Cause(kind=kind))
        except Illegal as refusal:
            self._not_used(paper, refusal)
            return False
        if kind == "advance":
            self.record.discard(paper)
        return True

    def _not_used(self, paper: FiledOrder, refusal: Illegal) -> None:
        """An advance order is spent; a standing order waits for a better time."""
        if paper.kind == "advance":
            self.record.discard(paper)
            verdict = Result(outcome="unused", text=paper.text, line=0, refusal=refusal)
            self.unused.append((Seat(paper.seat), verdict))

    # -- the clock ---

    def lapse(self, decision: Decision, at: int, by: str = "clock", witness: str = "", why: str = "") -> None:
        """The time for this decision is ended: what was written stands, nothing new is made up.

        `why` is the reason of who presides, if the time was ended by hand: then it tells nothing of the player.
        """
        if decision not in self.pending():
            return
        written = self.drafted(decision)
        kept = self._time_kept([decision], at, by, witness, written=written is not None, why=why)
        _, state = penalties(self.rules, self.state, [decision], kept)
        order = self.rules.fallback(state, decision, written)
        self.play(
            decision.seat,
            order,
            [decision],
            at,
            Cause(kind="lapse"),
            by=by,
            witness=witness,
            written=written is not None,
            lapsed=self.rules.lapsed(state, decision, written),
            why=why,
        )
        if not why:
            silence.notice(self, decision.seat, at)
        self.serve_papers(at)

    def _time_kept(
        self,
        decisions: Sequence[Decision],
        at: int,
        by: str,
        witness: str,
        *,
        written: bool,
        deputy: str = "",
        lapsed: Sequence[Lapsed] = (),
        why: str = "",
    ) -> TimeKept | None:
        """What the move order sheet tells of these questions; None for what nobody awaited."""
        bots, timing = held(self.position.done), self.timing
        slots = [slot for slot in self.record.slots() if slot.seat not in bots]  # a bot is never late, even if it fails
        closings = tuple(closing(timing, decision, of(slots, decision), at, written=written) for decision in decisions)
        if not closings:
            return None
        closings = (replace(closings[0], lapsed=tuple(lapsed)), *closings[1:])
        forced = by not in (decisions[0].seat, BOT)
        saw = (witness or usual_witness(self.seats, decisions[0].seat, by)) if forced else ""
        end = at if at < self.position.at else None
        return TimeKept(by=by, witness=saw, closings=closings, deputy=deputy, why=why, end=end)

    # -- the log ---

    def note(self, at: int, act: Act) -> None:
        """Enter what was done beside the orders."""
        self._enter(at, Cause(kind="act"), act=act)

    def set_clock(self, at: int, by: str, why: str) -> None:
        """The log has instants that were not yet: from now on it goes by the clock again."""
        was = self.position.at
        self.position = replace(self.position, at=at)
        self.note(at, ClockSet(by=by, was=was, why=why))

    def correct(self, at: int, lines: Sequence[Any], act: Act) -> None:
        """Put the position right as a play file's `given` lines do. Raises `Impossible`; then nothing has changed."""
        self._enter(at, Cause(kind="given"), events=self.rules.given(self.state, lines), act=act)

    def stop(self, at: int) -> None:
        """End the game with the scores as they stand."""
        self._enter(at, Cause(kind="stop"), events=self.rules.stop(self.state))

    def rewind(self, at: int, then: Position, act: Act) -> None:
        """Take the game to a position that it has been in."""
        entry = self._sealed(at, Cause(kind="act"), rewind_to=then.seq, act=entered(act))
        self._append(entry, rewound(self.position, then, entry))

    def drop(self, since: int) -> None:
        """Throw away what was put on file for one time after an instant that the game has gone back to."""
        late = [paper for paper in self.record.papers() if paper.kind != "standing" and paper.at > since]
        for paper in late:
            self.record.discard(paper)
        self.dropped += late

    def _enter(
        self,
        at: int,
        cause: Cause,
        answers: tuple[Answer[Any], ...] = (),
        events: Sequence[Any] = (),
        chance: Chance | None = None,
        act: Act | None = None,
    ) -> None:
        draws = tuple(chance.draws) if isinstance(chance, Lots) else ()
        done = entered(act) if act else None
        entry = self._sealed(at, cause, answers=answers, events=tuple(events), draws=draws, act=done)
        self._append(entry, advanced(self.rules, self.position, entry))

    def _sealed(self, at: int, cause: Cause, **facts: Any) -> Entry[Any, Any]:
        """The next entry of the log; its instant is never before that of the last one."""
        seq, prev, at = self.position.seq + 1, self.position.prev, since(at, self.position.at)
        return seal(Entry(seq=seq, at=at, cause=cause, prev=prev, rules_version=self.rules.version, **facts))

    def _append(self, entry: Entry[Any, Any], after: Position) -> None:
        self.record.append(entry)
        self.steps.append(Step(entry=entry, before=self.position, after=after))
        self.position = after
        if entry.act is not None:
            self._take(self._equip(after.done))
            self._recount()

    def _take(self, table: Table) -> None:
        """Go by the rules and the terms that are in force now."""
        self.rules, self.terms = table.rules, table.terms

    def _recount(self) -> None:
        """What was done may have changed which time counts, for the slots that run, too."""
        timing = self.timing
        for slot in self.record.slots():
            reckoned = voting.reckoned(self, slot) if is_petition(slot) else timing.reckoned(slot)
            if reckoned != slot:
                self.record.put_slot(reckoned)
