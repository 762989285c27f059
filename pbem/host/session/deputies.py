"""Deputies: who may write for a player that is away (docs/reference/procedure.md, section 8.3)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.refusal import Illegal
from pbem.host.ports import Game, Member, Person, Repository
from pbem.host.session.absences import Absence, absences
from pbem.host.session.actors import DEPUTY
from pbem.host.session.acts import Away, Done


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
    mine = (one for one in absences(done) if one.seat == seat and at < one.end and one.deputy == by)
    found = next((one for one in mine if by != DEPUTY or one.person == person), None)
    if found is None:
        raise Illegal("deputy.not", seat=seat, before=seat in stead_of(done, by, person))
    return found


def acting(done: Sequence[Done], seat: str, at: int) -> Absence | None:
    """The absence of a seat for which somebody writes at that instant."""
    return next((one for one in absences(done) if one.seat == seat and one.covers(at) and one.agreed), None)


def stead_of(done: Sequence[Done], by: str, person: int | None) -> frozenset[str]:
    """The seats for which somebody was ever named as a deputy."""
    return frozenset(each.act.by for each in done if isinstance(each.act, Away) and _is_he(each.act, by, person))


def stand_in(repository: Repository, game: Game, done: Sequence[Done], seat: str, at: int) -> Member | None:
    """Who writes for the seat at that instant."""
    one = acting(done, seat, at)
    person = person_of(repository, game, one.deputy, one.person) if one else None
    return Member(person=person, seat=seat, joined=at) if person else None


def person_of(repository: Repository, game: Game, deputy: str, person: int | None) -> Person | None:
    if person is not None:
        return repository.person(person)
    return next((member.person for member in game.members if member.seat == deputy), None)


def _is_he(act: Away, by: str, person: int | None) -> bool:
    return act.deputy == by and (by != DEPUTY or act.person == person)
