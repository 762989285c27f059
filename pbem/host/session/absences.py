"""Who is away when, how much of that time does not count for them, and who answers: a deputy, or a bot.

See docs/reference/procedure.md, section 8.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.host.calendar.counting import Pause
from pbem.host.calendar.zones import DAY
from pbem.host.ports import Game, Member, Person, Repository, Slot
from pbem.host.session.actors import DEPUTY
from pbem.host.session.acts import Away, Back, BotLeft, BotSeated, Consented, Done, Ejected, Seated
from pbem.host.session.effect import beside_time, dated, follows, steps


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


@follows
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
                found = [replace(one, agreed=yes) if (one.seat, one.deputy) == (seat, deputy) else one for one in found]
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


def _left(found: Sequence[Absence], seat: str, at: int) -> list[Absence]:
    """Who had been asked to write for others plays there no more."""
    return [replace(one, deputy="", agreed=False) if one.deputy == seat and at < one.end else one for one in found]


def _ended(found: Sequence[Absence], seat: str, at: int) -> list[Absence]:
    """What lies behind stays as it was."""
    return [replace(one, end=min(one.end, max(at, one.start))) if one.seat == seat else one for one in found]


# -- deputies ---


def deputised(done: Sequence[Done], by: str, person: int | None, seat: str, at: int) -> Absence:
    """The absence in which they may write for the seat now. Raises `Illegal`."""
    one = naming(done, by, person, seat, at)
    if not one.agreed:
        raise Illegal("deputy.not_agreed", seat=seat)
    if at < one.start:
        raise Illegal("deputy.early", seat=seat, start=one.start)
    return one


def naming(done: Sequence[Done], by: str, person: int | None, seat: str, at: int) -> Absence:
    """The absence, now or to come, for which somebody was named. Raises `Illegal`."""
    found = next((one for one in absences(done) if one.seat == seat and at < one.end and _names(one, by, person)), None)
    if found is None:
        raise Illegal("deputy.not", seat=seat, before=seat in deputised_for(done, by, person))
    return found


def acting(done: Sequence[Done], seat: str, at: int) -> Absence | None:
    """The absence of a seat for which somebody writes at that instant."""
    return next((one for one in absences(done) if one.seat == seat and one.covers(at) and one.agreed), None)


def deputised_for(done: Sequence[Done], by: str, person: int | None) -> frozenset[str]:
    """The seats for which somebody was ever named as a deputy."""
    return frozenset(each.act.by for each in done if isinstance(each.act, Away) and _names(each.act, by, person))


def stand_in(repository: Repository, game: Game, done: Sequence[Done], seat: str, at: int) -> Member | None:
    """Who writes for the seat at that instant."""
    one = acting(done, seat, at)
    person = person_of(repository, game, one.deputy, one.person) if one else None
    return Member(person=person, seat=seat, joined=at) if person else None


def person_of(repository: Repository, game: Game, deputy: str, person: int | None) -> Person | None:
    if person is not None:
        return repository.person(person)
    return next((member.person for member in game.members if member.seat == deputy), None)


def _names(said: Absence | Away, by: str, person: int | None) -> bool:
    return said.deputy == by and (by != DEPUTY or said.person == person)


# -- bots ---


@follows
def held(done: Sequence[Done]) -> Mapping[str, BotSeated]:
    """The seats for which a bot answers."""
    found: dict[str, BotSeated] = {}
    for each in beside_time(done):
        match each.act:
            case BotSeated() as act:
                found[act.seat] = act
            case BotLeft(seat=seat) | Seated(seat=seat):
                found.pop(seat, None)
            case _:
                pass
    return found


def is_bots(slot: Slot) -> bool:
    """Does a bot answer there? It has no deadline, but something to do."""
    return slot.due is not None and slot.deadline is None
