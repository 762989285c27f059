"""What of a letter is put on file: drafts, advance and standing orders, and what is right in a refused order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from pbem.core.chance import Withheld
from pbem.core.decision import Answer, Decision
from pbem.core.game import AnyOrder, AnyRules, AnyState
from pbem.core.lapse import Lapsed
from pbem.core.refusal import Illegal, Refusal
from pbem.core.seat import Seat
from pbem.host.calendar.zones import MINUTE
from pbem.host.clock.slots import recount
from pbem.host.play.results import Outcome, Result, Submission, TooLate, aside, check_present, result
from pbem.host.ports import FiledOrder
from pbem.host.session.filed_orders import binding, draft_key, drafts, keep, order_of
from pbem.host.session.session import Session
from pbem.language.statements import Statement


class Filing:
    """Keeps orders of one seat's letter, and discards what it withdraws."""

    def __init__(self, session: Session, seat: Seat, submission: Submission) -> None:
        self._session = session
        self._seat = seat
        self._submission = submission
        self._reached: dict[object, AnyState | None] = {}  # positions behind the orders that lie on file before another

    @property
    def _rules(self) -> AnyRules:
        return self._session.rules

    def draft(self, statement: Statement[AnyOrder], decisions: Sequence[Decision]) -> Result:
        """Keep an answer without playing it; its items are judged now and again when it is played."""
        check_present(self._session, self._submission, decisions)
        answers = self._answers(statement.ordered, decisions)
        refusal = self._why_not(answers)
        kept = self._keep_legal(answers)
        if kept is None:
            raise refusal or Illegal("draft.absent")
        recount(self._session)
        return result("drafted", statement, refusal=refusal, kept=kept)

    def bind(self, statement: Statement[AnyOrder], decisions: Sequence[Decision]) -> Result:
        """Keep an answer to be played a while later, in the place of one that waits for that already."""
        check_present(self._session, self._submission, decisions)
        refusal = self._why_not(self._answers(statement.ordered, decisions))
        if refusal is not None:
            raise refusal
        for decision in decisions:
            self._keep("draft", draft_key(decision), statement.ordered)
            self._let_bind(decision, drafts(self._session, decision)[-1:])
        return self._binds_later(statement)

    def bind_drafts(self, statement: Statement[AnyOrder], decision: Decision, papers: Sequence[FiledOrder]) -> Result:
        """Let all drafts for a question be played a while later; the first is judged now, too."""
        check_present(self._session, self._submission, [decision])
        answer = Answer(seat=self._seat, order=order_of(self._session, papers[0]), decision=decision)
        self._rules.check(self._session.state, answer)
        self._let_bind(decision, papers)
        return self._binds_later(statement)

    def _let_bind(self, decision: Decision, papers: Sequence[FiledOrder]) -> None:
        """Drafts are to be played a while after this letter, and what waits for that already with them."""
        binds, said = self._binds, self._submission
        for each in binding(self._session, decision):
            self._session.record.file(replace(each, binds=binds))
        for each in papers:
            paper = replace(each, at=said.at, binds=binds, letter=said.letter or "", deputy=said.deputy)
            self._session.record.file(paper)
        recount(self._session)

    def _binds_later(self, statement: Statement[AnyOrder]) -> Result:
        """What its writer is told of an order that binds later."""
        told = {"at": self._binds, "minutes": self._session.terms.hold_minutes}
        return result("binds", statement, told=told)

    def _binds_already(self, answer: Answer[AnyOrder]) -> bool:
        return answer.decision is not None and bool(binding(self._session, answer.decision))

    @property
    def _binds(self) -> int:
        return self._submission.at + MINUTE * self._session.terms.hold_minutes

    def file(self, statement: Statement[AnyOrder], kind: str) -> Result:
        """Keep an order as it is, in the place of one with the same key."""
        text = self._keep(kind, self._rules.files.key(statement.ordered), statement.ordered)
        return result("filed", statement, kept=f"{kind} {text}")

    def hold(self, statement: Statement[AnyOrder]) -> Result:
        """A letter with an unreadable line is not played; what is right in it stays as a draft."""
        if statement.command.aside:
            return aside(statement, stopped=True)
        order = statement.partial if statement.refusal else statement.order
        unread = tuple(_unread(refusal) for refusal in statement.more)
        return self._not_played("refused" if statement.refusal else "held", statement, order, statement.refusal, unread)

    def refused(self, statement: Statement[AnyOrder], refusal: Illegal) -> Result:
        """What is right in an order stays as a draft, unless it comes too late; one of many falls alone."""
        keeps = (
            statement.command.name == "order" and not isinstance(refusal, TooLate) and not self._is_one_of(statement)
        )
        return self._not_played("refused", statement, statement.order if keeps else None, refusal)

    def _is_one_of(self, statement: Statement[AnyOrder]) -> bool:
        return statement.order is not None and self._rules.files.is_numbered(statement.order)

    def _not_played(
        self,
        outcome: Outcome,
        statement: Statement[AnyOrder],
        order: AnyOrder | None,
        refusal: Refusal | None,
        unread: tuple[Lapsed, ...] = (),
    ) -> Result:
        """What is right in the order stays as a draft; what is wrong with it beside the refusal is told."""
        answers = [] if order is None else self._answers(order, self._addressed(order))
        kept = self._keep_legal([each for each in answers if not self._binds_already(each)])
        return result(outcome, statement, refusal=refusal, kept=kept, flaws=(*unread, *self._flaws(answers, refusal)))

    def _flaws(self, answers: Sequence[Answer[AnyOrder]], told: Refusal | None) -> tuple[Lapsed, ...]:
        """What of it can't be done beside what is told already."""
        found = [flaw for each in answers for flaw in self._rules.flaws(self._session.state, each)]
        known = (told.code, msgspec.to_builtins(told.facts)) if told else None
        return tuple(flaw for flaw in found if (flaw.code, flaw.facts) != known)

    def _why_not(self, answers: Sequence[Answer[AnyOrder]]) -> Illegal | None:
        try:
            for answer in answers:
                state = self._ahead(answer)
                if state is not None:
                    self._rules.check(state, answer)
        except Illegal as refusal:
            return refusal
        return None

    def _keep_legal(self, answers: Sequence[Answer[AnyOrder]]) -> str | None:
        """File the legal part of an order as a draft; what was on file stays when there is none."""
        for answer in answers:
            state = self._ahead(answer)
            part = answer.order if state is None else self._rules.files.legal_part(state, answer)
            if part is not None and answer.decision is not None:
                return self._keep("draft", draft_key(answer.decision), part)
        return None

    def _ahead(self, answer: Answer[AnyOrder]) -> AnyState | None:
        """The position in which an order on file would be played; None when that hangs on a die, or can't be."""
        if answer.decision is None or not self._rules.files.is_numbered(answer.order):
            return self._session.state
        return self._after(answer.decision, drafts(self._session, answer.decision))

    def _after(self, decision: Decision, before: Sequence[FiledOrder]) -> AnyState | None:
        if not before:
            return self._session.state
        known = self._session.position.seq, decision, tuple(each.text for each in before)
        if known not in self._reached:
            state, order = self._after(decision, before[:-1]), order_of(self._session, before[-1])
            answer = Answer(seat=self._seat, order=order, decision=decision)
            self._reached[known] = None if state is None else self._played(state, answer)
        return self._reached[known]

    def _played(self, state: AnyState, answer: Answer[AnyOrder]) -> AnyState | None:
        try:
            return self._rules.resolve(state, [answer], Withheld()).state
        except Illegal:
            return None

    def _addressed(self, order: AnyOrder) -> Sequence[Decision]:
        """The questions that it is about, if any."""
        try:
            return self._rules.address(self._session.state, self._seat, order)
        except Illegal:
            return ()

    def _answers(self, order: AnyOrder, decisions: Sequence[Decision]) -> list[Answer[AnyOrder]]:
        return [Answer(seat=self._seat, order=order, decision=decision) for decision in decisions]

    def _keep(self, kind: str, key: str, order: AnyOrder) -> str:
        return keep(self._session, self._seat, kind, key, order, self._submission.at)


def _unread(refusal: Refusal) -> Lapsed:
    facts: dict[str, Any] = msgspec.to_builtins(refusal.facts)
    return Lapsed(void=True, code=refusal.code, facts=facts, text=str(facts.pop("item", "")))
