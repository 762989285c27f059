"""The move order sheet: how long each answer took, who was late, and how its time ended.

See docs/reference/procedure.md, section 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import asdict, replace

from pbem.core.decision import MODERATOR, Answer, Decision
from pbem.core.game import AnyOrder
from pbem.core.lapse import Lapsed
from pbem.host.clock.timing import Timing, slot_of, timing_of
from pbem.host.messages.parts import Kept
from pbem.host.ports import Slot
from pbem.host.session.absences import held
from pbem.host.session.actors import BOT
from pbem.host.session.acts import Act, BotLeft, Closing, Done, Rewound, Seated, Struck, TimeKept
from pbem.host.session.effect import since
from pbem.host.session.session import Session


def sheet(done: Sequence[Done]) -> tuple[Kept, ...]:
    """All rows, in the order of their ends; nothing takes one away."""
    void = _void(done)
    return tuple(
        _row(each, each.act, closing, void=(each.seq, closing.seat) in void)
        for each in done
        if isinstance(each.act, TimeKept)
        for closing in each.act.closings
    )


def _row(done: Done, kept: TimeKept, closing: Closing, *, void: bool) -> Kept:
    end = done.at if kept.end is None else kept.end
    seq, turn, by, witness = done.seq, done.turn, kept.by, kept.witness
    return Kept(**asdict(closing), seq=seq, turn=turn, end=end, by=by, witness=witness, why=kept.why, void=void)


def _void(done: Sequence[Done]) -> frozenset[tuple[int, str]]:
    """The entries and seats whose rows count for nothing."""
    rows: list[tuple[int, int, str]] = []  # turn, entry, seat
    struck: set[tuple[int, str]] = set()
    taken: list[set[tuple[int, str]]] = []  # by each rewinding that stands
    for each in done:
        match each.act:
            case TimeKept(closings=closings):
                rows += [(each.turn, each.seq, closing.seat) for closing in closings]
            case Rewound(forward=True):
                del taken[-1:]
            case Rewound(turn=turn):
                taken.append({(seq, seat) for then, seq, seat in rows if then >= turn})
            case Struck(seat=seat, turn=turn):
                struck |= {(seq, whose) for then, seq, whose in rows if (then, whose) == (turn, seat)}
            case _:
                pass
    return frozenset(struck.union(*taken))


def usual_witness(seats: Sequence[str], late: str, by: str) -> str:
    """The next in order after the one who was late, if there is a third player.

    See docs/reference/procedure.md, sections 4, 8.4.
    """
    place = seats.index(late)
    order = (*seats[place + 1 :], *seats[:place])
    return next((seat for seat in order if seat != by), "")


def lateness(done: Sequence[Done]) -> Mapping[str, int]:
    """How many slots who sits there now has been late by, all together; those that never were are left out.

    It stays with the person: a substitute begins without any (docs/reference/procedure.md, section 8.3).
    """
    found: dict[str, int] = {}
    void = _void(done)
    for each in done:
        if isinstance(each.act, Seated):
            found.pop(each.act.seat, None)
        elif isinstance(each.act, TimeKept):
            for closing in each.act.closings:
                late = 0 if (each.seq, closing.seat) in void else closing.late
                found[closing.seat] = found.get(closing.seat, 0) + late
    return {seat: late for seat, late in found.items() if late}


def forced_in_a_row(done: Sequence[Done], seat: str) -> int:
    """How often the time of who sits there now was ended by others, since they last answered themselves.

    What an order on file has answered before its time began tells nothing of that person, nor does what a bot has
    answered, or what was ended by hand, taken back or struck.
    """
    count = 0
    void = _void(done)
    for each in done:
        match each.act:
            case Seated(seat=other) | BotLeft(seat=other) if other == seat:
                count = 0
            case TimeKept(by=by, why=why) if by == BOT or why or (each.seq, seat) in void:
                pass
            case TimeKept(by=by, closings=closings):
                for closing in closings:
                    if closing.seat == seat and (by != seat or closing.start is not None):
                        count = count + 1 if by != seat else 0
    return count


# -- what is entered in it ---


class Ending(Struct, frozen=True, kw_only=True):
    """Who ends the time of questions, and how."""

    by: str
    witness: str = ""  # of an end by somebody else; "": the usual one
    written: bool = True  # by the player, not made of silence
    deputy: str = ""  # who wrote it in the place of the player
    lapsed: tuple[Lapsed, ...] = ()  # what was void of it, and what followed of itself
    why: str = ""  # of an end by hand
    filed: int | None = None  # when its answer was filed, where it binds later


def time_kept(session: Session, decisions: Sequence[Decision], at: int, ending: Ending) -> TimeKept | None:
    """What the move order sheet tells of these questions; None for what nobody awaited."""
    entered, at = since(at, session.position.at), at if ending.filed is None else ending.filed
    bots, timing, by = held(session.position.done), timing_of(session), ending.by
    slots = [slot for slot in session.record.slots() if slot.seat not in bots]  # no bot is late, even if it fails
    decisions = [each for each in decisions if each.seat != MODERATOR]  # who presides has all the time there is
    closings = tuple(_closing(timing, each, slot_of(slots, each), at, written=ending.written) for each in decisions)
    if not closings:
        return TimeKept(by=by, closings=(), deputy=ending.deputy) if ending.deputy else None
    closings = (replace(closings[0], lapsed=ending.lapsed), *closings[1:])
    late = decisions[0].seat
    witness = (ending.witness or usual_witness(session.seats, late, by)) if by not in (late, BOT) else ""
    end = at if at < entered else None
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
