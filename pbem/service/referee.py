"""The referee: checks orders against what is awaited, keeps or plays them, and sees who is next.

There is one referee: letters, play files and the clock all come to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.language.petitions import Motion
from pbem.language.reader import ASIDES, Reader, Reading, Statement
from pbem.service import voting
from pbem.service.acts import Act, Done, Ended, TimeKept, entered
from pbem.service.ports import Paper
from pbem.service.position import Position, advanced, rewound
from pbem.service.record import Notebook, Record
from pbem.service.timing import Timing, closing, of
from pbem.table.chance import Chance, Lots, NoLots
from pbem.table.decision import Answer, Decision
from pbem.table.log import Cause, Entry, seal
from pbem.table.refusal import Illegal, Refusal
from pbem.table.seat import Seat

if TYPE_CHECKING:
    from pbem.service.games import Table

Outcome = Literal[
    "played",
    "filed",
    "drafted",
    "refused",
    "held",
    "shown",
    "set",
    "withdrawn",
    "nothing",
    "unused",
    "passed",
    "tried",
    "sent",
    "unsent",
    "done",
    "posted",
    "voted",
]


class Verdict(Struct, frozen=True, kw_only=True):
    """What became of one order of a letter."""

    outcome: Outcome
    text: str  # as the writer wrote it
    line: int
    refusal: Refusal | None = None
    kept: str | None = None  # what of it is on file now, in the order language
    seq: int | None = None  # the entry it made
    aside: Statement[Any] | None = None  # for the house to answer
    to: tuple[str, ...] = ()  # the seats that press has gone to


class Seen(Struct, frozen=True, kw_only=True):
    """What the writer had before his eyes: the letter of ours that he answers."""

    turn: int
    serial: int  # of the last question that had been asked then; -1 when that part of the game was taken back
    seq: int = -1  # of the last entry that it told


class Filed(Struct, frozen=True, kw_only=True):
    """The letter that is being heard."""

    at: int
    letter: str | None = None  # its id
    cause: str = "letter"
    seen: Seen | None = None  # unless it answers no letter about a turn
    zone: str = "UTC"  # in which its writer means his times
    check_words: Callable[[str], None] | None = None  # raises `Illegal` for what the others must not read


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
        self.dropped: list[Paper] = []  # what a rewinding has thrown away
        self.unused: list[tuple[Seat, Verdict]] = []  # orders on file that were due and not possible
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
        return self.rules.pending(self.state)

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
        seen: Seen | None = None,
        cause: str = "letter",
        zone: str = "UTC",
        check_words: Callable[[str], None] | None = None,
    ) -> list[Verdict]:
        """Read a letter's lines and do what can be done; the verdicts stand in the order written, prose last."""
        reading = self.reader.read(lines)
        filed = Filed(at=at, letter=letter, cause=cause, seen=seen, zone=zone, check_words=check_words)
        if any(statement.command == "preview" for statement in reading.statements):
            return self._try(seat, reading, filed)
        return self._hear(seat, reading, filed)

    def _hear(self, seat: Seat, reading: Reading[Any], filed: Filed) -> list[Verdict]:
        passed = [Verdict(outcome="passed", text=text, line=0) for text in reading.passed]
        if reading.stopped:
            return [*(self._hold(seat, statement, filed.at) for statement in reading.statements), *passed]
        return [*self._do_all(seat, reading.statements, filed), *passed]

    def _try(self, seat: Seat, reading: Reading[Any], filed: Filed) -> list[Verdict]:
        """What the letter would do, on a copy with the writer's own papers: those of the others are sealed."""
        orders = _previewed(reading.statements)
        refusal = self._why_no_preview(seat, orders)
        if refusal:
            return [aside(o) if o.command in ASIDES else _verdict("refused", o, refusal=refusal) for o in orders]
        self.tried = self._copy(seat)
        rest = replace(reading, statements=orders)
        return [_tried(verdict) for verdict in self.tried._hear(seat, rest, replace(filed, letter=None))]

    def rehearse(self, seat: Seat, lines: Sequence[str], at: int) -> list[Verdict]:
        """What these orders would do; nothing changes."""
        return self._copy(seat)._hear(seat, self.reader.read(lines), Filed(at=at))

    def _copy(self, seat: Seat) -> Referee:
        """The same game with the papers of one seat alone."""
        copy = Referee(self._equip, self.reader, Notebook(), self.position)
        for paper in self.record.papers():
            if paper.seat == seat:
                copy.record.file(paper)
        return copy

    def _why_no_preview(self, seat: Seat, orders: Sequence[Statement[Any]]) -> Illegal | None:
        if self._is_secret(seat):
            return Illegal("preview.secret")
        asks_for_draft = [order.command for order in orders if order.command not in ASIDES] == ["play"]
        return Illegal("preview.empty") if asks_for_draft and not self.papers(seat, "draft") else None

    def _is_secret(self, seat: Seat) -> bool:
        """Has somebody else answered a question that is still open to others? A preview would tell his answer."""
        open_ = {decision.serial for decision in self.pending()}
        return any(serial in open_ and who != seat for serial, who in self.position.answered)

    def _do_all(self, seat: Seat, statements: Sequence[Statement[Any]], filed: Filed) -> list[Verdict]:
        """In the order written, but for petitions and votes: those count before the writer rolls out."""
        motions = [self._do(seat, each, filed, drafting=False) for each in statements if each.motion]
        orders = self._do_orders(seat, [each for each in statements if not each.motion], filed)
        return sorted([*motions, *orders], key=lambda verdict: verdict.line)

    def _do_orders(self, seat: Seat, statements: Sequence[Statement[Any]], filed: Filed) -> list[Verdict]:
        drafting = False
        verdicts = []
        for statement in statements:
            if statement.command == "draft":
                drafting = True
            else:
                verdicts.append(self._do(seat, statement, filed, drafting=drafting))
                self.serve_papers(filed.at)
        return verdicts

    def _hold(self, seat: Seat, statement: Statement[Any], at: int) -> Verdict:
        """A letter with an unreadable line is not played; what is right in it stays as a draft."""
        if statement.command in ASIDES:
            return aside(statement, stopped=True)
        order = statement.partial if statement.refusal else statement.order
        kept = self._keep_legal(seat, order, at) if order is not None else None
        outcome: Outcome = "refused" if statement.refusal else "held"
        return Verdict(outcome=outcome, text=statement.text, line=statement.line, refusal=statement.refusal, kept=kept)

    def _do(self, seat: Seat, statement: Statement[Any], filed: Filed, *, drafting: bool) -> Verdict:
        try:
            return self._carry_out(seat, statement, filed, drafting=drafting)
        except Illegal as refusal:
            keeps = statement.command == "order" and refusal.code != "turn.past"
            kept = self._keep_legal(seat, statement.order, filed.at) if keeps else None
            return Verdict(outcome="refused", text=statement.text, line=statement.line, refusal=refusal, kept=kept)

    def _carry_out(self, seat: Seat, statement: Statement[Any], filed: Filed, *, drafting: bool) -> Verdict:
        order, at = statement.order, filed.at
        match statement.command:
            case "order" if drafting or self._stays_on_file(seat, order, filed):
                return self._draft(seat, statement, filed)
            case "order":
                return self._order(seat, statement, filed)
            case "advance":
                self.rules.check_early(self.state, order)
                return self._file(seat, statement, "advance", at)
            case "standing" if order is not None:
                return self._file(seat, statement, "standing", at)
            case "standing_none":
                return self._withdraw(seat, statement, ("standing",))
            case "play":
                return self._play(seat, statement, filed)
            case "rollout":
                return self._roll_out(seat, statement, filed)
            case "cancel":
                return self._withdraw(seat, statement, ("draft", "advance"))
            case "petition":
                return self._move(seat, statement, filed)
            case _:
                return aside(statement)

    def _move(self, seat: Seat, statement: Statement[Any], filed: Filed) -> Verdict:
        """Post a petition, vote, or take one back."""
        if self.has_ended:
            raise Illegal("game.over")
        voting.count(self, filed.at)
        motion = statement.motion
        if filed.check_words and motion:
            filed.check_words(motion.words)
        if isinstance(motion, Motion):
            voting.post(self, seat, motion, filed.at, filed.zone)
            return _verdict("posted", statement)
        assert motion is not None, "a line about petitions has been read"
        voting.vote(self, seat, motion, filed.seen.seq if filed.seen else -1, filed.at)
        return _verdict("voted" if motion.vote else "withdrawn", statement)

    def _order(self, seat: Seat, statement: Statement[Any], filed: Filed) -> Verdict:
        try:
            decisions = self.rules.address(self.state, seat, statement.order)
        except Illegal as refusal:
            if refusal.code != "order.not_awaited":
                raise
            return self._early(seat, statement, filed.at, refusal)
        self._check_present(decisions, filed)
        played = self.play(seat, statement.order, decisions, filed.at, Cause(kind=filed.cause, letter=filed.letter))
        return _verdict("played", statement, seq=played)

    def _check_present(self, decisions: Sequence[Decision], filed: Filed) -> None:
        """Raises `Illegal` for an answer to a letter that was written before these questions were asked."""
        seen = filed.seen
        if seen is not None and any(decision.serial > seen.serial for decision in decisions):
            raise Illegal("turn.past", then=seen.turn, now=self.position.turn)

    def _early(self, seat: Seat, statement: Statement[Any], at: int, refusal: Illegal) -> Verdict:
        """Some orders need no word to wait for their question."""
        match self.rules.early(self.state, statement.order):
            case "file":
                return self._file(seat, statement, "advance", at)
            case "ignore":
                return _verdict("nothing", statement)
            case _:
                raise refusal

    def play(
        self,
        seat: Seat,
        order: Any,
        decisions: Sequence[Decision],
        at: int,
        cause: Cause,
        *,
        by: str = "",
        written: bool = True,
    ) -> int:
        """Resolve an order and write the entry; its number. Raises `Illegal`; then nothing has changed.

        `by` is who ended the time of the questions, if not the seat itself.
        """
        answers = tuple(Answer(seat=seat, order=order, decision=d) for d in decisions) or (
            Answer(seat=seat, order=order),
        )
        events = self.rules.resolve(self.state, answers, NoLots())
        kept = self._time_kept(decisions, at, by or seat, written=written)
        self._enter(at, cause, answers, events, act=kept)
        played = self.position.seq
        for decision in decisions:
            self._discard(seat, "draft", _key(decision))
        voting.roll_out(self, decisions, at)
        return played

    # -- papers ---

    def _draft(self, seat: Seat, statement: Statement[Any], filed: Filed) -> Verdict:
        """Keep an order without playing it; its items are judged now and again when it is played."""
        decisions = self.rules.address(self.state, seat, statement.order)
        self._check_present(decisions, filed)
        refusal = self._why_not(seat, statement.order, decisions)
        kept = self._keep_legal(seat, statement.order, filed.at)
        if kept is None:
            raise refusal or Illegal("draft.absent")
        return _verdict("drafted", statement, refusal=refusal, kept=kept)

    def _why_not(self, seat: Seat, order: Any, decisions: Sequence[Decision]) -> Illegal | None:
        try:
            for decision in decisions:
                self.rules.check(self.state, Answer(seat=seat, order=order, decision=decision))
        except Illegal as refusal:
            return refusal
        return None

    def _keep_legal(self, seat: Seat, order: Any, at: int) -> str | None:
        """File the legal part of an order as a draft; what was on file stays when there is none."""
        try:
            decisions = self.rules.address(self.state, seat, order)
        except Illegal:
            return None
        for decision in decisions:
            part = self.rules.legal_part(self.state, Answer(seat=seat, order=order, decision=decision))
            if part is not None:
                text = self.rules.phrases.write(part)
                self.record.file(Paper(seat=seat, kind="draft", key=_key(decision), text=text, at=at))
                return text
        return None

    def _file(self, seat: Seat, statement: Statement[Any], kind: str, at: int) -> Verdict:
        text = self.rules.phrases.write(statement.order)
        key = self.rules.filing(statement.order)
        self.record.file(Paper(seat=seat, kind=kind, key=key, text=text, at=at))
        return _verdict("filed", statement, kept=f"{kind} {text}")

    def _withdraw(self, seat: Seat, statement: Statement[Any], kinds: Sequence[str]) -> Verdict:
        for kind in kinds:
            for paper in self.papers(seat, kind):
                self.record.discard(paper)
        return _verdict("withdrawn", statement)

    def _play(self, seat: Seat, statement: Statement[Any], filed: Filed) -> Verdict:
        """Play the draft of the first question that has one."""
        for decision in self.pending():
            order = self._drafted(decision) if decision.seat == seat else None
            if order is not None:
                self._check_present([decision], filed)
                played = self.play(seat, order, [decision], filed.at, Cause(kind="draft", letter=filed.letter))
                return _verdict("played", statement, seq=played)
        raise Illegal("draft.absent")

    def _stays_on_file(self, seat: Seat, order: Any, filed: Filed) -> bool:
        """Is an answer played only when its writer says so, or by the clock?"""
        if self.terms.finality != "on_rollout" or filed.cause != "letter":
            return False
        try:
            return bool(self.rules.address(self.state, seat, order))
        except Illegal:
            return False

    def _roll_out(self, seat: Seat, statement: Statement[Any], filed: Filed) -> Verdict:
        """End the time of another player who is late (procedure.md, section 2)."""
        late = Seat(statement.rest)
        if late == seat:
            return self._play(seat, statement, filed)
        if self.terms.policy != "on_request":
            raise Illegal("rollout.not_here")
        slots = self.record.slots()
        mine = [(decision, of(slots, decision)) for decision in self.pending() if decision.seat == late]
        over = [decision for decision, slot in mine if slot and self.timing.is_overdue(slot, filed.at)]
        if not over:
            raise Illegal("rollout.not_overdue", seat=late)
        for decision in over:
            self.lapse(decision, filed.at, by=seat)
        return _verdict("played", statement, seq=self.position.seq)

    def papers(self, seat: Seat, kind: str) -> list[Paper]:
        return [paper for paper in self.record.papers() if paper.seat == seat and paper.kind == kind]

    def _drafted(self, decision: Decision) -> Any | None:
        drafts = [p for p in self.papers(decision.seat, "draft") if p.key == _key(decision)]
        return self._read(drafts[0]) if drafts else None

    def _read(self, paper: Paper) -> Any:
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

    def _not_used(self, paper: Paper, refusal: Illegal) -> None:
        """An advance order is spent; a standing order waits for a better time."""
        if paper.kind == "advance":
            self.record.discard(paper)
            verdict = Verdict(outcome="unused", text=paper.text, line=0, refusal=refusal)
            self.unused.append((Seat(paper.seat), verdict))

    # -- the clock ---

    def lapse(self, decision: Decision, at: int, by: str = "clock") -> None:
        """The time for this decision is ended: what was written stands, nothing new is made up."""
        if decision not in self.pending():
            return
        written = self._drafted(decision)
        order = self.rules.fallback(self.state, decision, written)
        self.play(decision.seat, order, [decision], at, Cause(kind="lapse"), by=by, written=written is not None)
        self.serve_papers(at)

    def _time_kept(self, decisions: Sequence[Decision], at: int, by: str, *, written: bool) -> TimeKept | None:
        """What the move order sheet tells of these questions; None for what nobody awaited."""
        slots, timing = self.record.slots(), self.timing
        closings = tuple(closing(timing, decision, of(slots, decision), at, written=written) for decision in decisions)
        return TimeKept(by=by, closings=closings) if closings else None

    # -- the log ---

    def note(self, at: int, act: Act) -> None:
        """Enter what was done beside the orders."""
        self._enter(at, Cause(kind="act"), act=act)

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
        """The next entry of the log."""
        seq, prev = self.position.seq + 1, self.position.prev
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
            reckoned = timing.reckoned(slot)
            if reckoned != slot:
                self.record.put_slot(reckoned)


def _key(decision: Decision) -> str:
    """What a draft for this decision is filed under."""
    return f"{decision.kind} {decision.about or ''}".strip()


def aside(statement: Statement[Any], *, stopped: bool = False) -> Verdict:
    """A word to the house, which will answer it; press of a letter that is stopped goes nowhere."""
    if statement.refusal:
        return _verdict("refused", statement, refusal=statement.refusal)
    if statement.to and stopped:
        return _verdict("unsent", statement)
    return _verdict("shown", statement, aside=statement)


def _previewed(statements: Sequence[Statement[Any]]) -> tuple[Statement[Any], ...]:
    """The orders that are tried; the word alone is about the draft on file."""
    orders = tuple(statement for statement in statements if statement.command != "preview")
    if any(order.command not in ASIDES for order in orders):
        return orders
    word = next(statement for statement in statements if statement.command == "preview")
    return (replace(word, command="play"), *orders)


def _tried(verdict: Verdict) -> Verdict:
    """Of a preview: nothing was played, nothing is on file, no press was sent."""
    if verdict.aside and verdict.aside.to:
        return replace(verdict, outcome="unsent", aside=None, refusal=Illegal("press.preview"))
    done = verdict.outcome in ("played", "filed", "drafted", "withdrawn", "posted", "voted")
    return replace(verdict, outcome="tried" if done else verdict.outcome, kept=None, seq=None)


def _verdict(outcome: Outcome, statement: Statement[Any], **more: Any) -> Verdict:
    return Verdict(outcome=outcome, text=statement.text, line=statement.line, **more)
