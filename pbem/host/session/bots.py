"""A bot holds a seat whose player is silent or gone, till he writes again or a substitute sits down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pbem.host.session.acts import BotLeft, BotSeated, Done, Seated

if TYPE_CHECKING:
    from pbem.host.play.referee import Referee
    from pbem.host.ports import Slot

BOT = "bot"  # how the log calls whoever answers there
HOST = "clock"


def held(done: Sequence[Done]) -> Mapping[str, BotSeated]:
    """The seats for which a bot answers."""
    found: dict[str, BotSeated] = {}
    for each in done:
        match each.act:
            case BotSeated() as act:
                found[act.seat] = act
            case BotLeft(seat=seat) | Seated(seat=seat):
                found.pop(seat, None)
            case _:
                pass
    return found


def hold(referee: Referee, seat: str, at: int) -> None:
    """Nobody answers there: does a bot, by what was agreed on?"""
    if referee.terms.bots == "yes":
        begin(referee, seat, at, by=HOST)


def begin(referee: Referee, seat: str, at: int, *, by: str, why: str = "") -> None:
    """From now on a bot answers there, unless one does already."""
    if seat not in held(referee.position.done):
        referee.note(at, BotSeated(by=by, seat=seat, why=why))


def end(referee: Referee, seat: str, at: int, *, by: str, why: str = "") -> None:
    """No bot answers there any more, if one did: what is awaited has all of its time again."""
    if seat in held(referee.position.done):
        referee.note(at, BotLeft(by=by, seat=seat, why=why))
        for slot in referee.record.slots():
            if slot.seat == seat:
                referee.record.close_slot(slot.key)


def is_bots(slot: Slot) -> bool:
    """Does a bot answer there? It has no deadline, but something to do."""
    return slot.due is not None and slot.deadline is None
