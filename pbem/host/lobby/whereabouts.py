"""When somebody is away, also while none of their games runs: a game that begins meanwhile knows of it from then on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pbem.core.refusal import Illegal
from pbem.host.calendar.moments import parse_range
from pbem.host.clock.slots import note
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import problem
from pbem.host.ports import Game, Person
from pbem.host.reporting.answers import refused
from pbem.host.session.absences import away_now
from pbem.host.session.acts import Away
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.absences import read_leave


class Span(NamedTuple):
    start: int
    end: int  # the first second at which they are there again


def say_away(work: UnitOfWork, person: int, span: Span | None) -> None:
    """Keep it for games that begin later; None: they are back."""
    start, end = _marks(person)
    work.repository.set_mark(start, span.start if span else None)
    work.repository.set_mark(end, span.end if span else None)


def away(work: UnitOfWork, person: int, now: int) -> Span | None:
    """An absence that runs or is to come, as they have said in any game or outside of all; of several the longest."""
    return max(_known(work, person, now), key=lambda span: span.end, default=None)


def tell_game(work: UnitOfWork, game: Game, now: int) -> None:
    """A game begins: who is away by then, or will be, is so in it, too."""
    session = work.session(game)
    for member in game.members:
        span = away(work, member.person.id, now)
        if span is not None and away_now(session.position.done, member.seat, now) is None:
            note(session, now, Away(by=member.seat, start=max(span.start, now), end=span.end))


def away_between_games(work: UnitOfWork, person: Person, said: str, now: int) -> Reply:
    """Somebody without a game that runs is away, or back: what begins meanwhile knows of it."""
    leave = read_leave(said)
    try:
        span = Span(*parse_range(leave.span, person.zone, now)) if leave.span else None
    except Illegal as refusal:
        return refused(refusal)
    if span or leave.back:
        say_away(work, person.id, span and Span(max(span.start, now), span.end))
    known = away(work, person.id, now)
    return problem("league.away", **known._asdict()) if known else problem("league.not_away")


def _known(work: UnitOfWork, person: int, now: int) -> Iterator[Span]:
    start, end = map(work.repository.mark, _marks(person))
    if start is not None and end is not None and now < end:
        yield Span(start, end)
    for game in work.repository.games_of(person):
        if game.status == "running":
            done = work.session(game).position.done
            found = (away_now(done, member.seat, now) for member in game.members if member.person.id == person)
            yield from (Span(one.start, one.end) for one in found if one is not None)


def _marks(person: int) -> tuple[str, str]:
    return f"away.from.{person}", f"away.till.{person}"
