"""What a moderator's powers would do: they are used on books that nobody keeps, and whoever asked is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from pbem.core.chance import Withheld
from pbem.core.seat import Seat
from pbem.host.lobby.seats import conclude
from pbem.host.messages import sections
from pbem.host.play.executor import is_secret
from pbem.host.play.results import Result, tried
from pbem.host.ports import Game, Member, OutboxRow
from pbem.host.reporting.answers import awaited
from pbem.host.reporting.chapters import seen
from pbem.host.reporting.notices import deeds
from pbem.host.session.position import Position
from pbem.host.session.session import Session
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.host.session.veils import shown

MOST = 100_000  # rows of the outbox


Use = Callable[[UnitOfWork], list[Result]]  # of powers over a game


def try_powers(
    work: UnitOfWork, game: Game, use: Use, now: int, seat: str | None = None
) -> tuple[list[Result], tuple[sections.Trial, ...]]:
    """What would become of each power, and what would follow. `seat`: whoever asks plays there.

    What the others have on file is sealed, so it stays away.
    """
    with work.repository.trial() as repository:
        copy = UnitOfWork(work.games, repository, lambda _: Withheld)
        waited = {row.id for row in repository.due(now, MOST)}
        before = _without_papers(copy.session(game), seat) if game.status == "running" else None
        heard = use(copy)
        if all(verdict.outcome not in ("done", "asked") for verdict in heard):
            return heard, ()
        told = _course(copy, game, before, seat, now) if before else sections.Trial()
        told = _told_to(game, told, (row for row in repository.due(now, MOST) if row.id not in waited))
    return [tried(verdict) for verdict in heard], (told,)


def _without_papers(session: Session, seat: str | None) -> Position:
    """Where the game stands, when nothing is on file but one's own."""
    for paper in session.record.filed():
        if paper.seat != seat:
            session.record.discard(paper)
    return session.position


def _course(work: UnitOfWork, game: Game, before: Position, seat: str | None, now: int) -> sections.Trial:
    """What would have been done, what would have happened, and where the game would stand."""
    session = work.session(game)
    steps = [*session.steps]
    conclude(work, work.game(game.id), now)
    rules, after = session.rules, session.position
    viewer = Seat(seat) if seat else None
    hidden = is_secret(session, before, viewer)
    entries = (shown(rules, after.state, step.entry, viewer) for step in steps if step.entry.answers)
    happened = (event for entry in entries for event in entry.events)
    fresh = after.done[len(before.done) :]
    return sections.Trial(
        deeds=deeds(seen(rules, after.state, each) for each in fresh),
        events=() if hidden else tuple(msgspec.to_builtins(event) for event in happened),
        before=None if hidden else rules.view(before.state, viewer),
        after=None if hidden else rules.view(after.state, viewer),
        awaited=() if session.has_ended else awaited(work.repository, game, session),
        sealed=any(step.entry.cause.kind == "lapse" for step in steps),
    )


def _told_to(game: Game, told: sections.Trial, rows: Iterable[OutboxRow]) -> sections.Trial:
    """Who would get a letter: those of the game by the names they have in it, all others as a number.

    A letter to an address that somebody wrote is to one of the others, whoever has it.
    """
    sent = {(row.to, row.seat) for row in rows}
    names = {(each.person.address, each.seat or None): _name(each) for each in game.readers}
    here = {address for address, _ in names}
    others = {to for to, seat in sent - names.keys() if seat is None or to not in here}
    known = tuple(name for reader, name in names.items() if reader in sent)
    return msgspec.structs.replace(told, told=known, others=len(others))


def _name(reader: Member) -> str:
    return reader.seat or reader.person.name or f"no. {reader.person.id}"
