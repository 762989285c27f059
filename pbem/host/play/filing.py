"""What of a letter is put on file: drafts, advance and standing orders, and what is right in a refused order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from pbem.core.decision import Answer, Decision
from pbem.core.game import AnyRules
from pbem.core.lapse import Lapsed
from pbem.core.refusal import Illegal, Refusal
from pbem.core.seat import Seat
from pbem.host.play.results import Outcome, Result, Submission, aside, result
from pbem.host.play.timely import TooLate, check_present
from pbem.host.ports import FiledOrder
from pbem.host.session.filed_orders import draft_key
from pbem.host.session.session import Session
from pbem.language.statements import Statement


class Filing:
    """Keeps orders of one seat's letter, and discards what it withdraws."""

    def __init__(self, session: Session, seat: Seat, submission: Submission) -> None:
        self._session = session
        self._seat = seat
        self._submission = submission

    @property
    def _rules(self) -> AnyRules:
        return self._session.rules

    def draft(self, statement: Statement[Any]) -> Result:
        """Keep an order without playing it; its items are judged now and again when it is played."""
        decisions = self._rules.address(self._session.state, self._seat, statement.order)
        check_present(self._session, self._submission, decisions)
        refusal = self._why_not(statement.order, decisions)
        kept = self._keep_legal(statement.order)
        if kept is None:
            raise refusal or Illegal("draft.absent")
        return result("drafted", statement, refusal=refusal, kept=kept)

    def file(self, statement: Statement[Any], kind: str) -> Result:
        """Keep an order as it is, in the place of one with the same key."""
        text = self._rules.notation.write(statement.order)
        self._keep(kind, self._rules.files.key(statement.order), text)
        return result("filed", statement, kept=f"{kind} {text}")

    def hold(self, statement: Statement[Any]) -> Result:
        """A letter with an unreadable line is not played; what is right in it stays as a draft."""
        if statement.is_aside:
            return aside(statement, stopped=True)
        order = statement.partial if statement.refusal else statement.order
        kept = self._keep_legal(order) if order is not None else None
        outcome: Outcome = "refused" if statement.refusal else "held"
        told = tuple(_unread(refusal) for refusal in statement.more)
        flaws = (*told, *(self._flaws(order, statement.refusal) if order is not None else ()))
        return result(outcome, statement, refusal=statement.refusal, kept=kept, flaws=flaws)

    def refused(self, statement: Statement[Any], refusal: Illegal) -> Result:
        """What is right in an order stays as a draft, unless it comes too late."""
        keeps = statement.name == "order" and not isinstance(refusal, TooLate)
        kept = self._keep_legal(statement.order) if keeps else None
        flaws = self._flaws(statement.order, refusal) if keeps else ()
        return result("refused", statement, refusal=refusal, kept=kept, flaws=flaws)

    def _flaws(self, order: Any, told: Refusal | None) -> tuple[Lapsed, ...]:
        """What of it can't be done beside what is told already."""
        found = [flaw for each in self._answers(order) for flaw in self._rules.flaws(self._session.state, each)]
        known = (told.code, msgspec.to_builtins(told.facts)) if told else None
        return tuple(flaw for flaw in found if (flaw.code, flaw.facts) != known)

    def _why_not(self, order: Any, decisions: Sequence[Decision]) -> Illegal | None:
        try:
            for decision in decisions:
                self._rules.check(self._session.state, Answer(seat=self._seat, order=order, decision=decision))
        except Illegal as refusal:
            return refusal
        return None

    def _keep_legal(self, order: Any) -> str | None:
        """File the legal part of an order as a draft; what was on file stays when there is none."""
        for answer in self._answers(order):
            part = self._rules.files.legal_part(self._session.state, answer)
            if part is not None and answer.decision is not None:
                text = self._rules.notation.write(part)
                self._keep("draft", draft_key(answer.decision), text)
                return text
        return None

    def _answers(self, order: Any) -> list[Answer[Any]]:
        """The order as the answer to each question that it is about; none where it is about none."""
        try:
            decisions = self._rules.address(self._session.state, self._seat, order)
        except Illegal:
            return []
        return [Answer(seat=self._seat, order=order, decision=decision) for decision in decisions]

    def _keep(self, kind: str, key: str, text: str) -> None:
        at = self._submission.at
        self._session.record.file(FiledOrder(seat=self._seat, kind=kind, key=key, text=text, at=at))


def _unread(refusal: Refusal) -> Lapsed:
    facts: dict[str, Any] = msgspec.to_builtins(refusal.facts)
    return Lapsed(void=True, code=refusal.code, facts=facts, text=str(facts.pop("item", "")))
