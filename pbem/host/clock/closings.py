"""How the time of questions ends: what the move order sheet is to tell of it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.decision import Answer, Decision
from pbem.core.game import AnyOrder
from pbem.core.lapse import Lapsed
from pbem.host.clock.time_sheet import usual_witness
from pbem.host.clock.timing import Timing, slot_of, timing_of
from pbem.host.ports import Slot
from pbem.host.session.absences import held
from pbem.host.session.actors import BOT
from pbem.host.session.acts import Act, Closing, TimeKept
from pbem.host.session.session import Session


class Ending(Struct, frozen=True, kw_only=True):
    """Who ends the time of questions, and how."""

    by: str
    witness: str = ""  # of an end by somebody else; "": the usual one
    written: bool = True  # by the player, not made of silence
    deputy: str = ""  # who wrote it in the place of the player
    lapsed: tuple[Lapsed, ...] = ()  # what was void of it, and what followed of itself
    why: str = ""  # of an end by hand


def time_kept(session: Session, decisions: Sequence[Decision], at: int, ending: Ending) -> TimeKept | None:
    """What the move order sheet tells of these questions; None for what nobody awaited."""
    bots, timing, by = held(session.position.done), timing_of(session), ending.by
    slots = [slot for slot in session.record.slots() if slot.seat not in bots]  # no bot is late, even if it fails
    closings = tuple(_closing(timing, each, slot_of(slots, each), at, written=ending.written) for each in decisions)
    if not closings:
        return TimeKept(by=by, closings=(), deputy=ending.deputy) if ending.deputy else None
    closings = (replace(closings[0], lapsed=ending.lapsed), *closings[1:])
    late = decisions[0].seat
    witness = (ending.witness or usual_witness(session.seats, late, by)) if by not in (late, BOT) else ""
    end = at if at < session.position.at else None
    return TimeKept(by=by, witness=witness, closings=closings, deputy=ending.deputy, why=ending.why, end=end)


def timed(answers: Sequence[Answer[AnyOrder]], kept: Act | None) -> tuple[Answer[AnyOrder], ...]:
    """The answers with how late they are; entries of old releases tell it of their questions alone."""
    closings = kept.closings if isinstance(kept, TimeKept) else ()
    late = {(each.seat, each.kind, each.about): each.late for each in closings}
    return tuple(
        replace(each, late=late.get((each.seat, each.decision.kind, each.decision.about), 0)) if each.decision else each
        for each in answers
    )


def _closing(timing: Timing, decision: Decision, slot: Slot | None, at: int, *, written: bool) -> Closing:
    """What the move order sheet tells of a question that is answered at that instant."""
    return Closing(
        seat=decision.seat,
        kind=decision.kind,
        about=decision.about,
        start=slot.started if slot else None,
        counted=timing.counted(slot, at) if slot else 0,
        late=timing.late(slot, at) if slot else 0,
        written=written,
    )
