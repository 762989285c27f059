"""A person's absence in the books: it counts in all games they play, and every answer to them says so."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from pbem.host.clock.slots import note
from pbem.host.messages import sections
from pbem.host.ports import Game, Member
from pbem.host.reporting.publish import publish
from pbem.host.session.absences import away_now
from pbem.host.session.actors import DEPUTY
from pbem.host.session.acts import Away, Back
from pbem.host.session.unit_of_work import UnitOfWork


def spread(work: UnitOfWork, game: Game, member: Member, now: int) -> None:
    """What they have just said in one game is so in the others they play, too."""
    said = [step.act for step in work.session(game).steps]
    acts = [act for act in said if isinstance(act, Away | Back) and act.by == member.seat]
    for other, mine in _others(work, game, member.person.id) if acts else ():
        _note(work, other, _there(work, game, other, mine.seat, acts[-1]), now)
        publish(work, other, now)


def _others(work: UnitOfWork, game: Game, person: int) -> Iterator[tuple[Game, Member]]:
    """The other games that run in which they play, with their seats."""
    for each in work.repository.games_of(person):
        if each.status == "running" and each.id != game.id:
            yield from ((each, mine) for mine in each.members if mine.person.id == person)


def _there(work: UnitOfWork, game: Game, other: Game, seat: str, act: Away | Back) -> Away | Back:
    """The same in another game; their deputy sits elsewhere there, or not at all."""
    if isinstance(act, Back) or not act.deputy:
        return replace(act, by=seat)
    deputy, person = "", None
    if "no" == work.loaded(game).terms.anonymous == work.loaded(other).terms.anonymous:
        deputy, person = _deputy(game, other, act)
    return replace(act, by=seat, deputy=deputy, person=person)


def _deputy(game: Game, other: Game, act: Away) -> tuple[str, int | None]:
    """A fellow player writes where they play, too; somebody else wherever they do not lead the game."""
    sits = (member.person.id for member in game.members if member.seat == act.deputy)
    number = act.person if act.person is not None else next(sits, None)
    there = next((one.seat for one in other.readers if one.person.id == number), None)
    if there:
        return there, None
    return (DEPUTY, act.person) if there is None and act.person is not None else ("", None)


def _note(work: UnitOfWork, game: Game, act: Away | Back, now: int) -> None:
    session = work.session(game)
    if isinstance(act, Away) or away_now(session.position.done, act.by, now):
        note(session, now, act)


def on_leave(work: UnitOfWork, game: Game, seat: str, now: int) -> sections.Leave | None:
    """What there is of an absence that runs or is to come; None when there is none."""
    session = work.session(game)
    found = away_now(session.position.done, seat, now)
    if found is None:
        return None
    papers = [paper.text for paper in session.record.filed() if (paper.seat, paper.kind) == (seat, "standing")]
    return sections.Leave(
        start=found.start,
        end=found.end,
        days=session.terms.away_days,
        standing=tuple(papers),
        deputy=found.deputy,
        agreed=found.agreed,
        without=tuple(_without(work, game, seat, now)) if found.deputy else (),
    )


def _without(work: UnitOfWork, game: Game, seat: str, now: int) -> Iterator[str]:
    """The other games in which they are away, too, and nobody writes for them."""
    person = next(member.person.id for member in game.members if member.seat == seat)
    for other, mine in _others(work, game, person):
        found = away_now(work.session(other).position.done, mine.seat, now)
        if found is not None and not found.deputy:
            yield other.id
