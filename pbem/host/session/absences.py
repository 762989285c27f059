"""Who is away when: what the log says of it, and how much of that time does not count for them.

See docs/reference/procedure.md, section 8.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.host.calendar.counting import Pause
from pbem.host.calendar.zones import DAY
from pbem.host.session.actors import DEPUTY
from pbem.host.session.acts import Away, Back, Consented, Done, Ejected, Seated
from pbem.host.session.effect import dated, steps


class Absence(Struct, frozen=True, kw_only=True):
    """One absence of whoever sits there."""

    seat: str
    start: int
    end: int  # the first second at which they are there again
    deputy: str = ""  # who may write for them: a seat, or `DEPUTY`
    person: int | None = None  # the outsider's number
    agreed: bool = False  # are they willing? A fellow player is until they say otherwise

    def covers(self, at: int) -> bool:
        return self.start <= at < self.end


def absences(done: Sequence[Done]) -> tuple[Absence, ...]:
    """All there have been and those to come; a newer one of a seat ends the older, and so does a return."""
    found: list[Absence] = []
    for since, act in dated(done):
        match act:
            case Away(by=seat):
                found = [*_ended(found, seat, since), _absence(act, since)]
            case Back(by=seat):
                found = _ended(found, seat, since)
            case Seated(seat=seat) | Ejected(seat=seat):
                found = _left(_ended(found, seat, since), seat, since)
            case Consented(seat=seat, by=deputy, yes=yes):
                found = [_told(one, yes=yes) if (one.seat, one.deputy) == (seat, deputy) else one for one in found]
            case _:
                pass
    return tuple(one for one in found if one.start < one.end)


def away_now(done: Sequence[Done], seat: str, at: int) -> Absence | None:
    """The absence that covers an instant, or the next one."""
    return next((one for one in absences(done) if one.seat == seat and at < one.end), None)


def allowed(done: Sequence[Done], seat: str, days: int) -> tuple[Pause, ...]:
    """The time of a seat's absences that does not count for it: so many days of a game, those that come first.

    `days` are those agreed on now; each hour of an absence goes by what was agreed on then.
    """
    used, found = 0, []
    for one in absences(done):
        for start, end, most in _agreed(done, one, days) if one.seat == seat else ():
            free = min(end - start, most * DAY - used)
            if free > 0:
                found.append(Pause(start=start, end=start + free))
                used += free
    return tuple(found)


def _agreed(done: Sequence[Done], one: Absence, days: int) -> Iterator[tuple[int, int, int]]:
    """The parts of an absence: start, end, and how many days were allowed a game then."""
    values = steps(done, "away_days", str(days))
    ends = [at for at, _ in values[1:]] + [one.end]
    for (at, value), until in zip(values, ends, strict=True):
        start, end = max(at, one.start), min(until, one.end)
        if start < end:
            yield start, end, int(value)


def _absence(act: Away, at: int) -> Absence:
    """Nothing is retroactive; somebody who does not play is asked first."""
    agreed = act.deputy not in ("", DEPUTY)
    start = max(act.start, at)
    return Absence(seat=act.by, start=start, end=act.end, deputy=act.deputy, person=act.person, agreed=agreed)


def _told(one: Absence, *, yes: bool) -> Absence:
    return replace(one, agreed=yes)


def _left(found: Sequence[Absence], seat: str, at: int) -> list[Absence]:
    """Who had been asked to write for others plays there no more."""
    return [replace(one, deputy="", agreed=False) if one.deputy == seat and at < one.end else one for one in found]


def _ended(found: Sequence[Absence], seat: str, at: int) -> list[Absence]:
    """What lies behind stays as it was."""
    return [replace(one, end=min(one.end, max(at, one.start))) if one.seat == seat else one for one in found]
