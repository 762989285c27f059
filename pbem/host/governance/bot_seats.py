"""A bot holds a seat whose player is silent or gone, till they write again or a substitute sits down."""

from __future__ import annotations

from pbem.host.clock.slots import note
from pbem.host.session.actors import CLOCK
from pbem.host.session.acts import BotLeft, BotSeated
from pbem.host.session.bots import held
from pbem.host.session.session import Session


def hold(session: Session, seat: str, at: int) -> None:
    """Nobody answers there: does a bot, by what was agreed on?"""
    if session.terms.bots == "yes":
        begin(session, seat, at, by=CLOCK)


def begin(session: Session, seat: str, at: int, *, by: str, why: str = "") -> None:
    """From now on a bot answers there, unless one does already."""
    if seat not in held(session.position.done):
        note(session, at, BotSeated(by=by, seat=seat, why=why))


def end(session: Session, seat: str, at: int, *, by: str, why: str = "") -> None:
    """No bot answers there any more, if one did: what is awaited has all of its time again."""
    if seat in held(session.position.done):
        note(session, at, BotLeft(by=by, seat=seat, why=why))
        for slot in session.record.slots():
            if slot.seat == seat:
                session.record.close_slot(slot.key)
