"""A letter is heard: its orders are checked against what is awaited, played or kept, one after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from pbem.core.decision import Answer, Decision
from pbem.core.filing import Triage
from pbem.core.game import AnyRules
from pbem.core.lapse import Lapsed
from pbem.core.log import Cause
from pbem.core.refusal import DieNeeded, Illegal, NotAwaited, Refusal
from pbem.core.seat import Seat
from pbem.host.clock.time_sheet import sheet
from pbem.host.governance import voting
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.play.results import Outcome, Result, Submission, aside, tried, verdict
from pbem.host.ports import FiledOrder
from pbem.host.session.filed_orders import draft_key, filed
from pbem.host.session.position import Position
from pbem.host.session.session import Session
from pbem.language.ballots import Ballot
from pbem.language.command import Command
from pbem.language.statements import Reading, Statement


class GameCommand(Command, frozen=True, kw_only=True):
    """Does something in a game that is under way, beside its orders."""

    do: Callable[[CommandExecutor, Statement[Any]], Result]  # it raises `Illegal`
    again: Illegal | None = None  # the refusal of all but the last one of a letter, where that counts alone


class CommandExecutor:
    """Does what one seat's letter says in a game."""

    def __init__(self, session: Session, seat: Seat, filed: Submission) -> None:
        self.session = session
        self.adjudicator = Adjudicator(session)
        self.seat = seat
        self.filed = filed
        self.torn: frozenset[int] = frozenset()  # petitions on which the letter votes in several ways
        self.alone = False  # does the letter say one thing only?

    @property
    def at(self) -> int:
        return self.filed.at

    @property
    def rules(self) -> AnyRules:
        return self.session.rules

    @property
    def state(self) -> Any:
        return self.session.state

    def execute(self, reading: Reading[Any]) -> list[Result]:
        """Do what the letter says, or try it out where it asks for that."""
        if any(_mode(statement) == "preview" for statement in reading.statements):
            return self.preview(reading)
        return self.hear(reading)

    def hear(self, reading: Reading[Any]) -> list[Result]:
        """Do what can be done; the verdicts stand in the order written, prose last."""
        passed = [Result(outcome="passed", text=text, line=0) for text in reading.passed]
        if reading.stopped:
            return [*(self._hold(statement) for statement in reading.statements), *passed]
        return [*self._do_all(reading.statements), *passed]

    def preview(self, reading: Reading[Any]) -> list[Result]:
        """What the letter would do, on a copy with the writer's own papers: those of the others are sealed."""
        orders = _previewed(reading.statements, self.session.reader.commands.by_name["play"])
        refusal = self._why_no_preview(orders)
        if refusal:
            return [aside(o) if o.is_aside else verdict("refused", o, refusal=refusal) for o in orders]
        copy = self.session.copy(self.seat)
        self.session.tried = copy
        on_copy = CommandExecutor(copy, self.seat, replace(self.filed, letter=None))
        return [tried(found) for found in on_copy.hear(replace(reading, statements=orders))]

    def _why_no_preview(self, orders: Sequence[Statement[Any]]) -> Illegal | None:
        if is_secret(self.session, self.session.position, self.seat):
            return Illegal("preview.secret")
        asks_for_draft = [order.name for order in orders if not order.is_aside] == ["play"]
        return Illegal("preview.empty") if asks_for_draft and not filed(self.session, self.seat, "draft") else None

    def _do_all(self, statements: Sequence[Statement[Any]]) -> list[Result]:
        """In the order written, but for petitions and votes: those count before the writer rolls out."""
        self.alone = len(statements) == 1
        said = [each.motion for each in statements if isinstance(each.motion, Ballot)]
        self.torn = voting.torn(self.session, said, self.answered)
        motions = [self._do(each, drafting=False) for each in statements if each.motion]
        orders = self._do_orders([each for each in statements if not each.motion])
        return sorted([*motions, *orders], key=lambda verdict: verdict.line)

    def _do_orders(self, statements: Sequence[Statement[Any]]) -> list[Result]:
        drafting = False
        verdicts: list[Result] = []
        for number, statement in enumerate(statements, 1):
            if verdicts and isinstance(verdicts[-1].refusal, DieNeeded):  # what follows hangs on it, too
                verdicts.append(verdict("refused", statement, refusal=verdicts[-1].refusal))
            elif _mode(statement) == "draft":
                drafting = True
            elif (again := _said_again(statement, statements[number:])) is not None:
                verdicts.append(verdict("refused", statement, refusal=again))
            else:
                verdicts.append(self._do(statement, drafting=drafting))
                self.adjudicator.serve_filed(self.at)
        return verdicts

    def _hold(self, statement: Statement[Any]) -> Result:
        """A letter with an unreadable line is not played; what is right in it stays as a draft."""
        if statement.is_aside:
            return aside(statement, stopped=True)
        order = statement.partial if statement.refusal else statement.order
        kept = self._keep_legal(order) if order is not None else None
        outcome: Outcome = "refused" if statement.refusal else "held"
        told = tuple(_unread(refusal) for refusal in statement.more)
        flaws = (*told, *(self._flaws(order, statement.refusal) if order is not None else ()))
        return verdict(outcome, statement, refusal=statement.refusal, kept=kept, flaws=flaws)

    def _flaws(self, order: Any, told: Refusal | None) -> tuple[Lapsed, ...]:
        """What of it can't be done beside what is told already."""
        try:
            decisions = self.rules.address(self.state, self.seat, order)
        except Illegal:
            return ()
        answers = (Answer(seat=self.seat, order=order, decision=decision) for decision in decisions)
        found = [flaw for answer in answers for flaw in self.rules.flaws(self.state, answer)]
        known = (told.code, msgspec.to_builtins(told.facts)) if told else None
        return tuple(flaw for flaw in found if (flaw.code, flaw.facts) != known)

    def _do(self, statement: Statement[Any], *, drafting: bool) -> Result:
        try:
            return self._carry_out(statement, drafting=drafting)
        except Illegal as refusal:
            keeps = statement.name == "order" and refusal.code not in ("turn.past", "turn.closed", "game.over")
            kept = self._keep_legal(statement.order) if keeps else None
            flaws = self._flaws(statement.order, refusal) if keeps else ()
            return verdict("refused", statement, refusal=refusal, kept=kept, flaws=flaws)

    def _carry_out(self, statement: Statement[Any], *, drafting: bool) -> Result:
        if self.session.has_ended and not statement.is_aside:
            raise Illegal("game.over")
        match statement.command:
            case GameCommand() as command:
                return command.do(self, statement)
            case Command(aside=True):
                return aside(statement)
            case _ if drafting or self._stays_on_file(statement.order):
                return self._draft(statement)
            case _:
                return self._order(statement)

    def check_said(self, words: str, *, is_told: bool) -> None:
        """Raises `Illegal` for what the others must not read, and where a letter would tell them all too much."""
        if self.filed.check_words:
            self.filed.check_words(words)
        if is_told:
            self.check_telling(words)

    def check_telling(self, words: str = "") -> None:
        """Raises `Illegal` where a letter would tell all the others too much."""
        if self.filed.check_telling:
            self.filed.check_telling(self.session, self.seat, self.at, words)

    @property
    def answered(self) -> int:
        """The last entry that the letter tells of which is answered; -1 for none."""
        return self.filed.seen.seq if self.filed.seen else -1

    def _order(self, statement: Statement[Any]) -> Result:
        try:
            decisions = self.rules.address(self.state, self.seat, statement.order)
        except NotAwaited as refusal:
            return self._early(statement, self._closed(refusal))
        self.check_present(decisions)
        played = self.played(statement.order, decisions, self.filed.cause)
        return verdict("played", statement, seq=played)

    def played(self, order: Any, decisions: Sequence[Decision], cause: str) -> int:
        if self.filed.deputy and not decisions:
            raise Illegal("deputy.not_asked", seat=self.seat)
        cause_ = Cause(kind=cause, letter=self.filed.letter)
        return self.adjudicator.play(self.seat, order, decisions, self.at, cause_, deputy=self.filed.deputy)

    def check_present(self, decisions: Sequence[Decision]) -> None:
        """Raises `Illegal` for an answer to a letter that was written before these questions were asked."""
        seen = self.filed.seen
        if seen is not None and any(decision.serial > seen.serial for decision in decisions):
            raise Illegal("turn.past", then=seen.turn, now=self.session.position.turn)

    def _closed(self, refusal: NotAwaited) -> Illegal:
        """What became of the question that the writer answers, if it is the one of a letter of ours and is over."""
        seen, about = self.filed.seen, refusal.about
        rows = [row for row in sheet(self.session.position.done) if seen and row.turn == seen.turn]
        mine = [row for row in rows if row.closing.seat == self.seat and about in (None, row.closing.about)]
        if not mine or refusal.is_open:
            return refusal
        row = mine[-1]
        played = self.filed.answered(row.seq) if self.filed.answered else ""
        return Illegal("turn.closed", turn=row.turn, end=row.end, by=row.by, own=not row.forced, played=played)

    def _early(self, statement: Statement[Any], refusal: Illegal) -> Result:
        """Some orders need no word to wait for their question."""
        match self.rules.files.triage(self.state, statement.order):
            case Triage.FILE if not self.filed.deputy:
                return self.file(statement, "advance")
            case Triage.IGNORE:
                return verdict("nothing", statement)
            case _:
                raise refusal

    # -- papers ---

    def _draft(self, statement: Statement[Any]) -> Result:
        """Keep an order without playing it; its items are judged now and again when it is played."""
        decisions = self.rules.address(self.state, self.seat, statement.order)
        self.check_present(decisions)
        refusal = self._why_not(statement.order, decisions)
        kept = self._keep_legal(statement.order)
        if kept is None:
            raise refusal or Illegal("draft.absent")
        return verdict("drafted", statement, refusal=refusal, kept=kept)

    def _why_not(self, order: Any, decisions: Sequence[Decision]) -> Illegal | None:
        try:
            for decision in decisions:
                self.rules.check(self.state, Answer(seat=self.seat, order=order, decision=decision))
        except Illegal as refusal:
            return refusal
        return None

    def _keep_legal(self, order: Any) -> str | None:
        """File the legal part of an order as a draft; what was on file stays when there is none."""
        try:
            decisions = self.rules.address(self.state, self.seat, order)
        except Illegal:
            return None
        for decision in decisions:
            answer = Answer(seat=self.seat, order=order, decision=decision)
            part = self.rules.files.legal_part(self.state, answer)
            if part is not None:
                text = self.rules.notation.write(part)
                self.session.record.file(
                    FiledOrder(seat=self.seat, kind="draft", key=draft_key(decision), text=text, at=self.at)
                )
                return text
        return None

    def file(self, statement: Statement[Any], kind: str) -> Result:
        text = self.rules.notation.write(statement.order)
        self._keep(kind, self.rules.files.key(statement.order), text)
        return verdict("filed", statement, kept=f"{kind} {text}")

    def _keep(self, kind: str, key: str, text: str) -> None:
        self.session.record.file(FiledOrder(seat=self.seat, kind=kind, key=key, text=text, at=self.at))

    def _stays_on_file(self, order: Any) -> bool:
        """Is an answer played only when its writer says so, or by the clock?"""
        if self.session.terms.finality != "on_rollout" or self.filed.cause != "letter":
            return False
        try:
            return bool(self.rules.address(self.state, self.seat, order))
        except Illegal:
            return False


def is_secret(session: Session, position: Position, seat: Seat | None) -> bool:
    """Has somebody else answered a question that is still open to others? A preview would tell that answer."""
    open_ = {decision.serial for decision in session.rules.pending(position.state)}
    return any(serial in open_ and who != seat for serial, who in position.answered)


def _previewed(statements: Sequence[Statement[Any]], play: Command) -> tuple[Statement[Any], ...]:
    """The orders that are tried; the word alone is about the draft on file."""
    orders = tuple(statement for statement in statements if _mode(statement) != "preview")
    if any(not order.is_aside for order in orders):
        return orders
    word = next(statement for statement in statements if _mode(statement) == "preview")
    return (replace(word, command=play), *orders)


def _mode(statement: Statement[Any]) -> str:
    return statement.command.mode if statement.command else ""


def _said_again(statement: Statement[Any], later: Sequence[Statement[Any]]) -> Illegal | None:
    """Why it does not count: what is said later in the letter takes its place."""
    command = statement.command
    counts_once = isinstance(command, GameCommand) and any(each.command is command for each in later)
    return command.again if isinstance(command, GameCommand) and counts_once else None


def _unread(refusal: Refusal) -> Lapsed:
    facts: dict[str, Any] = msgspec.to_builtins(refusal.facts)
    return Lapsed(void=True, code=refusal.code, facts=facts, text=str(facts.pop("item", "")))
