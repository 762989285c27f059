"""No moderators rule on themselves: what a moderator who plays leaves to another one, or to the operator."""

from __future__ import annotations

from pbem.core.decision import TURN
from pbem.core.refusal import Illegal
from pbem.host.clock.time_sheet import sheet
from pbem.host.governance.remarks import objections
from pbem.host.session.bots import held
from pbem.host.session.petitions import petitions
from pbem.host.session.session import Session
from pbem.language.powers import Power, number_in
from pbem.language.words import PRESS_WORDS

TIME = ("extend", "deadline", "strike")  # for a seat: its time, and how late it was


def check_impartial(session: Session, power: Power, seat: str) -> None:
    """`seat`: where whoever presides plays. Raises `Illegal`."""
    if seat and seat in _parties(session, power):
        raise Illegal("power.own_cause")


def _parties(session: Session, power: Power) -> tuple[str, ...]:
    """The seats that a ruling is about."""
    match power.name:
        case "reject" | "validate":
            number = number_in(power.fields["petition"])
            asked = (each.asked for each in petitions(session.position.done) if each.number == number)
            return tuple(seat for one in asked for seat in (one.by, one.seat))
        case "uphold" | "dismiss":
            number = number_in(power.fields["objection"])
            said = (each.said for each in objections(session.position.done) if each.said.number == number)
            return tuple(seat for one in said for seat in (one.by, *_movers(session, one.turn)))
        case name if name in TIME:
            written = power.fields["seat"]
            return awaited_seats(session) if _is_all(written) else (session.reader.seat(written),)
        case _:
            return ()


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
