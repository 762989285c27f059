"""What a seat has on file in a game: drafts, advance and standing orders."""

from __future__ import annotations

from typing import Any

from pbem.core.decision import Decision
from pbem.host.ports import FiledOrder
from pbem.host.session.session import Session


def filed(session: Session, seat: str, kind: str) -> list[FiledOrder]:
    """All of one kind, in the order in which they are kept."""
    return [each for each in session.record.filed() if each.seat == seat and each.kind == kind]


def drafted(session: Session, decision: Decision) -> Any | None:
    """The order that a seat has written for a decision and not played yet."""
    drafts = [each for each in filed(session, decision.seat, "draft") if each.key == draft_key(decision)]
    return order_of(session, drafts[0]) if drafts else None


def order_of(session: Session, kept: FiledOrder) -> Any:
    """The order that it holds."""
    word = "" if kept.kind == "draft" else f"{kept.kind} "
    return session.parser.order(word + kept.text)


def discard_draft(session: Session, decision: Decision) -> None:
    for each in filed(session, decision.seat, "draft"):
        if each.key == draft_key(decision):
            session.record.discard(each)


def draft_key(decision: Decision) -> str:
    """What a draft for this decision is filed under."""
    return f"{decision.kind} {decision.about or ''}".strip()
