"""Who is away when: what the log says of it, and how much of that time does not count for them (procedure.md, 8.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pbem.language.absences import Leave
from pbem.service.clock.counting import Pause
from pbem.service.clock.moments import parse_range
from pbem.service.play.acts import Away, Back, Done, Seated
from pbem.table.refusal import Illegal
from pbem.table.seat import Seat

if TYPE_CHECKING:
    from pbem.service.play.referee import Referee

DAY = 86_400


class Absence(Struct, frozen=True, kw_only=True):
    """One absence of whoever sits there."""

    seat: str
    start: int
    end: int  # the first second at which he is there again

    def covers(self, at: int) -> bool:
        return self.start <= at < self.end


def absences(done: Sequence[Done]) -> tuple[Absence, ...]:
    """All there have been and those to come; a newer one of a seat ends the older, and so does his return."""
    found: list[Absence] = []
    for each in done:
        match each.act:
            case Away(by=seat) as act:
                found = _ended(found, seat, each.at)
                found.append(Absence(seat=seat, start=max(act.start, each.at), end=act.end))
            case Back(by=seat) | Seated(seat=seat):
                found = _ended(found, seat, each.at)
            case _:
                pass
    return tuple(one for one in found if one.start < one.end)


def away_now(done: Sequence[Done], seat: str, at: int) -> Absence | None:
    """The absence that covers an instant, or the next one."""
    return next((one for one in absences(done) if one.seat == seat and at < one.end), None)


def allowed(done: Sequence[Done], seat: str, days: int) -> tuple[Pause, ...]:
    """The time of his absences that does not count for him: so many days of a game, those that come first."""
    left, found = days * DAY, []
    for one in absences(done):
        if one.seat == seat and left > 0:
            found.append(Pause(start=one.start, end=min(one.end, one.start + left)))
            left -= min(left, one.end - one.start)
    return tuple(found)


def declare(referee: Referee, seat: Seat, leave: Leave, at: int, zone: str) -> Away | Back | None:
    """He is away, or back; None for a word that only asks. Raises `Illegal`; then nothing has changed."""
    known = away_now(referee.position.done, seat, at)
    if leave.back:
        if known is None:
            raise Illegal("away.not")
        return _noted(referee, Back(by=seat), at)
    if not leave.span:
        return None
    start, end = parse_range(leave.span, zone, at)
    return _noted(referee, Away(by=seat, start=max(start, at), end=end), at)


def _noted(referee: Referee, act: Away | Back, at: int) -> Away | Back:
    referee.note(at, act)
    return act


def _ended(found: Sequence[Absence], seat: str, at: int) -> list[Absence]:
    """What lies behind stays as it was."""
    return [replace(one, end=min(one.end, max(at, one.start))) if one.seat == seat else one for one in found]
