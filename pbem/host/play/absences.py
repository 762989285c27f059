"""A player says that they are away, and who may write for them, or that they are back.

See docs/reference/procedure.md, section 8.3.
"""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host.calendar.moments import parse_range
from pbem.host.clock.slots import note
from pbem.host.session.absences import away_now
from pbem.host.session.actors import DEPUTY
from pbem.host.session.acts import Away, Back
from pbem.host.session.session import Session
from pbem.language.absences import Leave


def declare(session: Session, seat: Seat, leave: Leave, at: int, zone: str) -> Away | Back | None:
    """They are away, or back; None for a word that only asks. Raises `Illegal`; then nothing has changed."""
    known = away_now(session.position.done, seat, at)
    if leave.back:
        if known is None:
            raise Illegal("away.not")
        return _noted(session, Back(by=seat), at)
    if not leave.span and leave.deputy is None:
        return None
    if not leave.span and known is None:
        raise Illegal("deputy.when")
    start, end = (known.start, known.end) if known and not leave.span else parse_range(leave.span, zone, at)
    deputy, person = ("", None) if leave.deputy is None else _deputy(session, seat, leave.deputy, at)
    return _noted(session, Away(by=seat, start=max(start, at), end=end, deputy=deputy, person=person), at)


def _deputy(session: Session, seat: Seat, written: str, at: int) -> tuple[str, int | None]:
    """How the log calls them, and the number of somebody who does not play. Raises `Illegal`."""
    if "@" in written:
        return _by_address(session, seat, written.lower(), at)
    try:
        named = session.parser.seat(written)
    except Illegal:
        others = tuple(each for each in session.seats if each != seat)
        raise Illegal("deputy.unknown", read=written, candidates=others) from None
    return _fellow(seat, named), None


def _by_address(session: Session, seat: Seat, address: str, at: int) -> tuple[str, int | None]:
    """In an anonymous game the answer would tell whether they play here, too."""
    if session.terms.anonymous != "no":
        raise Illegal("deputy.hidden", read=address)
    sits = session.record.place_of(address)
    if sits == "":
        raise Illegal("deputy.presides", read=address)
    if sits is not None:
        return _fellow(seat, sits), None
    return DEPUTY, session.record.candidate(address, at, seat)


def _fellow(seat: str, named: str) -> str:
    if named == seat:
        raise Illegal("deputy.self")
    return named


def _noted(session: Session, act: Away | Back, at: int) -> Away | Back:
    note(session, at, act)
    return act
