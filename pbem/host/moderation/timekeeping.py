"""A moderator's powers over the clock: a pause, its end, and other deadlines.

See docs/reference/procedure.md, sections 2 and 6.

Each counts from when it was filed; one that is used as a command, from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.host.calendar.moments import parse_length, parse_moment, parse_range
from pbem.host.clock.slots import note
from pbem.host.clock.timing import timing_of
from pbem.host.moderation.moderation import Moderation, game_power, of_time
from pbem.host.ports import Slot
from pbem.host.session.absences import held
from pbem.host.session.actors import OPERATOR
from pbem.host.session.acts import DeadlineSet, PauseCause, Paused, Resumed
from pbem.host.session.effect import since
from pbem.host.session.pauses import Window, to_come
from pbem.language.moderators import Power


@game_power(
    "pause|pausa {length}",
    "pausiere {length}",
    "pause|pausiere|pausa {length} from|ab|von|da|dal|dalle {start}",
    "pause|pausiere|pausa from|von|vom|ab|da|dal|dalle {start} to|until|till|bis|a|al|alle {until}",
    "pause|pausiere until|till|bis {until}",
    "pausa fino a|al|alle {until}",
    "pause|pausiere|pausa",
    begins_prose=True,
)
def pause(m: Moderation, power: Power) -> None:
    """Stop the clock: for LENGTH, as in “2 days”, or till you let it go on."""
    length, start, until = (power.fields.get(field, "") for field in ("length", "start", "until"))
    now = _now(m)
    begins, end = _stretch(m, length, start, until)
    if end is not None and end <= now:
        raise Illegal("range.past", read=until or start, end=end)
    note(m.session, now, Paused(by=m.by, start=since(begins, now), end=end, why=power.why, cause="moderator"))


def _now(m: Moderation) -> int:
    """When it takes effect: when it was filed, but not before what has been played."""
    return since(m.now, m.session.position.at)


def _stretch(m: Moderation, length: str, start: str, until: str) -> tuple[int, int | None]:
    """From when to when, as it was written; of two days the whole of both."""
    now = _now(m)
    if start and until:
        return parse_range(f"{start} - {until}", m.zone, now)
    begins = parse_moment(start, m.zone, now) if start else now
    if until:
        return begins, parse_moment(until, m.zone, now)
    return begins, begins + parse_length(length) if length else None


@game_power("resume|weiter|riprendi", begins_prose=True)
def resume(m: Moderation, power: Power) -> None:
    """Let the clock go on."""
    # What the players have voted goes on: only another petition ends that (docs/reference/procedure.md, section 6).
    now = _now(m)
    open_ = [each for each in to_come(m.session.position.done, now) if not _is_told(each)]
    ends = [cause for cause in _ended_by(m.by) if any(window.cause == cause for window in open_)]
    if not ends:
        raise _nothing_to_end(open_)
    for cause in ends:
        note(m.session, now, Resumed(by=m.by, at=now, cause=cause, why=power.why))


@game_power(
    "extend {seat} {length}",
    "verlängere|verlaengere {seat} {length}",
    "prolunga {seat} {length}",
    parties=of_time,
)
def extend(m: Moderation, power: Power) -> None:
    """Give a player more time, as in “12h”, for all that is asked of them."""
    seats, seconds = m.seats(power), parse_length(power.fields["length"])
    _grant(m, seats, lambda slot: slot.granted + _over(m, slot) + seconds, power.why)


def _over(m: Moderation, slot: Slot) -> int:
    """Seconds that have counted since the deadline."""
    timing = timing_of(m.session)
    return max(0, timing.counted(slot, _now(m)) - timing.whole(slot) - slot.granted)


@game_power("deadline {seat} {time}", "Frist {seat} {time}", "scadenza {seat} {time}", parties=of_time)
def deadline(m: Moderation, power: Power) -> None:
    """Let the time of a player end at TIME (UTC), as in “Sun 18:00” or “2027-03-28 20:00”."""
    seats, now = m.seats(power), _now(m)
    until = parse_moment(power.fields["time"], m.zone, now)
    if until <= now:
        raise Illegal("deadline.past", until=until)
    _grant(m, seats, lambda slot: _up_to(m, slot, until), power.why)


def _up_to(m: Moderation, slot: Slot, until: int) -> int:
    """Seconds to grant to a slot that is to end then: an instant up to which time counts. Raises `Illegal`."""
    timing = timing_of(m.session)
    counted = timing.counted(slot, until)
    if counted == timing.counted(slot, until - 1):
        raise Illegal("deadline.idle", until=until, resumes=timing.resumes(slot, until))
    return counted - timing.whole(slot)


def _slots(m: Moderation, seat: str) -> list[Slot]:
    """Those whose time has begun: there is nothing to move before, nor where a bot answers."""
    if seat in held(m.session.position.done):
        raise Illegal("bot.answers", seat=seat)
    found = [slot for slot in m.session.record.slots() if slot.seat == seat and slot.started is not None]
    if not found:
        raise Illegal("deadline.not_awaited", seat=seat)
    return found


def _grant(m: Moderation, seats: Sequence[str], granted: Callable[[Slot], int], why: str) -> None:
    """Of all these seats, or of none. `granted`: the seconds that a slot is to have beside its own."""
    moved = {seat: [_moved(m, slot, granted(slot)) for slot in _slots(m, seat)] for seat in seats}
    now = _now(m)
    for seat, slots in moved.items():
        for slot, _ in slots:
            m.session.record.put_slot(slot)
        act = DeadlineSet(by=m.by, seat=seat, until=max(ends for _, ends in slots), why=why)
        note(m.session, now, act)


def _moved(m: Moderation, slot: Slot, granted: int) -> tuple[Slot, int]:
    """The slot as it is with so many seconds more, and when it ends. Raises `Illegal`."""
    reckoned = timing_of(m.session).reckoned(replace(slot, granted=granted))
    if reckoned.deadline is None:
        raise Illegal("deadline.paused")
    return reckoned, reckoned.deadline


def _is_told(window: Window) -> bool:
    """A hold for an outage that is over: nobody can take back what was so."""
    return window.cause == "outage" and window.pause.end is not None


def _ended_by(by: str) -> tuple[PauseCause, ...]:
    """Which pauses somebody may end: holds for an outage are the operator's."""
    return ("moderator", "outage") if by == OPERATOR else ("moderator",)


def _nothing_to_end(open_: Sequence[Window]) -> Illegal:
    """With what goes on, and how that is ended."""
    if not open_:
        return Illegal("resume.nothing")
    goes_on = [{"cause": each.cause, "start": each.pause.start, "end": each.pause.end} for each in open_]
    return Illegal("resume.not_yours", goes_on=goes_on)
