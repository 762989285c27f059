"""Whom a petition is about: nothing is decided before they have had a slot, or a day that counts, to say something."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.core.decision import TURN
from pbem.host.calendar.counting import HOUR
from pbem.host.clock.timing import petition_key, timing_of
from pbem.host.ports import Slot
from pbem.host.session.actors import BOT
from pbem.host.session.acts import Done, Ejected, TimeKept
from pbem.host.session.petitions import Petition, open_petitions, petitions
from pbem.host.session.session import Session

HOURS = 24  # counted, from its posting, of which the person is told at once
FOREVER = 1 << 62  # an end that nobody knows yet


def decidable(session: Session, petition: Petition) -> tuple[int | None, int]:
    """From when on it may be decided, None while nobody knows; and when the silent are deemed to abstain."""
    asked = petition.asked
    if not petition.about_person or asked.by == asked.seat:
        return petition.at, asked.closes
    since = _heard(session, petition)
    return since, FOREVER if since is None else max(since, asked.closes)


def _heard(session: Session, petition: Petition) -> int | None:
    """When the person has had a slot that began since, or the hours, or has left."""
    counted = timing_of(session).reached(_slot(petition), HOURS * HOUR)
    seat = petition.asked.seat
    over = (each.at for each in session.position.done if each.seq > petition.seq and _is_heard(each, seat, petition.at))
    return min((at for at in (counted, next(over, None)) if at is not None), default=None)


def _is_heard(done: Done, seat: str, posted: int) -> bool:
    match done.act:
        case Ejected(seat=gone):
            return gone == seat
        case TimeKept(by=by, closings=closings) if by != BOT:
            return any(
                each.seat == seat and each.kind == TURN and each.start is not None and each.start >= posted
                for each in closings
            )
        case _:
            return False


def _slot(petition: Petition) -> Slot:
    """As if the person were asked since then."""
    key = petition_key(petition.number)
    return Slot(key=key, seat=petition.asked.seat, opened=petition.at, started=petition.at)


def watched(session: Session, petition: Petition, slot: Slot) -> Slot:
    """The slot of its votes with its instants as they are to be now: pauses may move them."""
    since, ends = decidable(session, petition)
    if since is None:
        return replace(slot, deadline=None, closes=None, due=None)
    due = ends if petition.result(since, FOREVER) is None else since
    return replace(slot, deadline=ends, closes=due + 1, due=due)  # a vote in that very second counts


def open_slot(session: Session, number: int, at: int) -> None:
    """Let the clock know when it is to count the votes."""
    petition = next(each for each in petitions(session.position.done) if each.number == number)
    slot = Slot(key=petition_key(number), seat="", opened=at)
    session.record.put_slot(watched(session, petition, slot))


def reckoned(session: Session, slot: Slot) -> Slot:
    """The slot of a petition as it is to be now."""
    open_ = {petition_key(each.number): each for each in open_petitions(session.position.done)}
    return watched(session, open_[slot.key], slot) if slot.key in open_ else slot
