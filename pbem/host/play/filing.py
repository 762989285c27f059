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
from pbem.host.play.results import Outcome, Result, aside, result
from pbem.host.play.submission import Submission, TooLate, check_present
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

    def draft(self, statement: Statement[Any], decisions: Sequence[Decision]) -> Result:
        """Keep an answer without playing it; its items are judged now and again when it is played."""
        check_present(self._session, self._submission, decisions)
        answers = self._answers(statement.order, decisions)
        refusal = self._why_not(answers)
        kept = self._keep_legal(answers)
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
        unread = tuple(_unread(refusal) for refusal in statement.more)
        return self._not_played("refused" if statement.refusal else "held", statement, order, statement.refusal, unread)

    def refused(self, statement: Statement[Any], refusal: Illegal) -> Result:
        """What is right in an order stays as a draft, unless it comes too late."""
        keeps = statement.name == "order" and not isinstance(refusal, TooLate)
        return self._not_played("refused", statement, statement.order if keeps else None, refusal)

    def _not_played(
        self,
        outcome: Outcome,
        statement: Statement[Any],
        order: Any | None,
        refusal: Refusal | None,
        unread: tuple[Lapsed, ...] = (),
    ) -> Result:
        """What is right in the order stays as a draft; what is wrong with it beside the refusal is told."""
        answers = [] if order is None else self._answers(order, self._addressed(order))
        kept = self._keep_legal(answers)
        return result(outcome, statement, refusal=refusal, kept=kept, flaws=(*unread, *self._flaws(answers, refusal)))

    def _flaws(self, answers: Sequence[Answer[Any]], told: Refusal | None) -> tuple[Lapsed, ...]:
        """What of it can't be done beside what is told already."""
        found = [flaw for each in answers for flaw in self._rules.flaws(self._session.state, each)]
        known = (told.code, msgspec.to_builtins(told.facts)) if told else None
        return tuple(flaw for flaw in found if (flaw.code, flaw.facts) != known)

    def _why_not(self, answers: Sequence[Answer[Any]]) -> Illegal | None:
        try:
            for answer in answers:
                self._rules.check(self._session.state, answer)
        except Illegal as refusal:
            return refusal
        return None

    def _keep_legal(self, answers: Sequence[Answer[Any]]) -> str | None:
        """File the legal part of an order as a draft; what was on file stays when there is none."""
        for answer in answers:
            part = self._rules.files.legal_part(self._session.state, answer)
            if part is not None and answer.decision is not None:
                text = self._rules.notation.write(part)
                self._keep("draft", draft_key(answer.decision), text)
                return text
        return None

    def _addressed(self, order: Any) -> Sequence[Decision]:
        """The questions that it is about, if any."""
        try:
            return self._rules.address(self._session.state, self._seat, order)
        except Illegal:
            return ()

    def _answers(self, order: Any, decisions: Sequence[Decision]) -> list[Answer[Any]]:
        return [Answer(seat=self._seat, order=order, decision=decision) for decision in decisions]

    def _keep(self, kind: str, key: str, text: str) -> None:
        at = self._submission.at
        self._session.record.file(FiledOrder(seat=self._seat, kind=kind, key=key, text=text, at=at))


def _unread(refusal: Refusal) -> Lapsed:
    facts: dict[str, Any] = msgspec.to_builtins(refusal.facts)
    return Lapsed(void=True, code=refusal.code, facts=facts, text=str(facts.pop("item", "")))
