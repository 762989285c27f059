"""What a seat has on file in a game: drafts, advance and standing orders."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.decision import Decision
from pbem.core.game import AnyOrder
from pbem.core.seat import Seat
from pbem.host.ports import FiledOrder
from pbem.host.session.session import Session


def filed(session: Session, seat: str, kind: str) -> list[FiledOrder]:
    """All of one kind, in the order in which they are kept."""
    return [each for each in session.record.filed() if each.seat == seat and each.kind == kind]


def drafts(session: Session, decision: Decision) -> list[FiledOrder]:
    """What a seat has written for a decision and not played yet, in the order of playing."""
    return [each for each in filed(session, decision.seat, "draft") if each.key.split("#")[0] == draft_key(decision)]


def binding(session: Session, decision: Decision) -> list[FiledOrder]:
    """Those drafts that are played at an instant of their own, unless they are taken back before."""
    return [each for each in drafts(session, decision) if each.binds is not None]


def order_of(session: Session, kept: FiledOrder) -> AnyOrder:
    """The order that it holds."""
    word = "" if kept.kind == "draft" else f"{kept.kind} "
    try:
        return session.parser.order(word + kept.text)
    except ValueError:  # a word of ours
        closing = _closing(session, kept)
        if closing is None:
            raise
        return closing


def _closing(session: Session, kept: FiledOrder) -> AnyOrder | None:
    """The order that closes a question of many, where it is written as the word of ours that gives it."""
    known = (order for _, order in left_open(session, kept.seat))
    return next((order for order in known if session.rules.notation.write(order) == kept.text), None)


def left_open(session: Session, seat: str) -> Iterator[tuple[Decision, AnyOrder]]:
    """The seat's questions that stay open for many orders, each with the order that closes it."""
    for decision in session.pending():
        order = session.rules.closing(session.state, decision) if decision.seat == seat else None
        if order is not None:
            yield decision, order


def keep(session: Session, seat: Seat, kind: str, key: str, order: AnyOrder, at: int) -> str:
    """Put an order on file, behind those with its key or in their place; returns it in the order language."""
    text = session.rules.notation.write(order)
    if session.rules.files.is_numbered(order):
        known = [int(number) for base, _, number in _keys(session, seat, kind) if base == key and number]
        key = f"{key}#{max(known, default=0) + 1:04}"
    session.record.file(FiledOrder(seat=seat, kind=kind, key=key, text=text, at=at))
    return text


def numbered(session: Session, seat: str) -> list[FiledOrder]:
    """Drafts of a turn that has many orders, as they are counted for their writer."""
    return [each for each in filed(session, seat, "draft") if "#" in each.key]


def _keys(session: Session, seat: Seat, kind: str) -> Iterator[tuple[str, str, str]]:
    return (each.key.partition("#") for each in filed(session, seat, kind))


def draft_key(decision: Decision) -> str:
    """What a draft for this decision is filed under."""
    return f"{decision.kind} {decision.about or ''}".strip()
