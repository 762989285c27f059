"""No moderators rule on themselves: what a moderator who plays leaves to another one, or to the operator."""

from __future__ import annotations

from collections.abc import Callable

from pbem.core.decision import TURN
from pbem.host.clock.time_sheet import sheet
from pbem.host.governance.remarks import objections
from pbem.host.session.absences import held
from pbem.host.session.petitions import petitions
from pbem.host.session.session import Session
from pbem.language.moderators import Power, number_in
from pbem.language.words import PRESS_WORDS

Parties = Callable[[Session, Power], tuple[str, ...]]  # the seats that a ruling is about


def of_nobody(_session: Session, _power: Power) -> tuple[str, ...]:
    return ()


def of_petition(session: Session, power: Power) -> tuple[str, ...]:
    """Who asks, and whom it is about."""
    number = number_in(power.fields["petition"])
    asked = (each.asked for each in petitions(session.position.done) if each.number == number)
    return tuple(seat for one in asked for seat in (one.by, one.seat))


def of_objection(session: Session, power: Power) -> tuple[str, ...]:
    """Who objects, and who had the move."""
    number = number_in(power.fields["objection"])
    said = (each.said for each in objections(session.position.done) if each.said.number == number)
    return tuple(seat for one in said for seat in (one.by, *_movers(session, one.turn)))


def of_time(session: Session, power: Power) -> tuple[str, ...]:
    """Whose time it is, or how late they were."""
    written = power.fields["seat"]
    return awaited_seats(session) if _is_all(written) else (session.parser.seat(written),)


def awaited_seats(session: Session) -> tuple[str, ...]:
    """Those whose time runs; where a bot answers there is none."""
    bots = held(session.position.done)
    running = (slot.seat for slot in session.record.slots() if slot.started is not None and slot.seat not in bots)
    return tuple(dict.fromkeys(running))


def _is_all(written: str) -> bool:
    return written.casefold() in PRESS_WORDS["EVERYBODY"]


def _movers(session: Session, turn: int) -> list[str]:
    """Who had the move in a turn."""
    rows = sheet(session.position.done)
    return [row.closing.seat for row in rows if row.turn == turn and row.closing.kind == TURN]
