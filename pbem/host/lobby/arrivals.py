"""Who has come to a game that gathers, and who stays away: told to those who can begin it."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.host.messages.letters import Arrivals
from pbem.host.messages.rows import ArrivalsJob, DeclinedJob, mark, to_member
from pbem.host.ports import Game, Member
from pbem.host.session.terms import Terms
from pbem.host.session.unit_of_work import UnitOfWork

GATHERED = 6 * 3_600  # seconds whose arrivals are told in one letter


def hosts(game: Game, terms: Terms) -> Iterator[Member]:
    """Those who can begin the game without the others: its moderators, and whoever has asked for it by mail."""
    opener = [member for member in game.members[:1] if terms.places and member.joined is not None]
    leading = {member.person.id for member in (*opener, *game.moderators)}
    return (reader for reader in game.readers if reader.person.id in leading)


def tell_came(work: UnitOfWork, before: Game, member: Member, now: int) -> None:
    """Somebody has joined: all who do so in these hours are told in one letter, unless the game begins before it."""
    span = now // GATHERED
    here = tuple(one.seat for one in before.members if one.joined is not None)
    for host in _others(work, before.id, member):
        row = to_member(before, host, f"arrivals.{span}", ArrivalsJob(here=here), now, (span + 1) * GATHERED)
        if not work.repository.posted(row.id):
            work.repository.post([row])


def tell_declined(work: UnitOfWork, before: Game, member: Member, now: int) -> None:
    """Somebody stays away: that is told at once, for somebody else may have to be asked."""
    who = mark(f"{before.secret} {member.seat}")  # the row's name is in the letter: nobody is to know their seat by it
    for host in _others(work, before.id, member):
        row = to_member(before, host, f"declined.{who}.{now // GATHERED}", DeclinedJob(seat=member.seat), now)
        if not work.repository.posted(row.id):
            work.repository.post([row])


def _others(work: UnitOfWork, game_id: str, member: Member) -> Iterator[Member]:
    game = work.game(game_id)
    if game.status != "inviting":
        return iter(())
    return (host for host in hosts(game, work.games.load(game).terms) if host.person.id != member.person.id)


def arrivals(game: Game, terms: Terms, host: Member, job: ArrivalsJob | DeclinedJob) -> Arrivals | None:
    """What is true of it when it is told; None when there is nothing to tell any more.

    In an anonymous game it tells how many: whoever has invited somebody would know them by their seat.
    """
    here = tuple(one.seat for one in game.members if one.joined is not None)
    known = job.here if isinstance(job, ArrivalsJob) else here
    came = tuple(seat for seat in here if seat not in known)
    gone = job.seat if isinstance(job, DeclinedJob) and job.seat not in here else ""
    if game.status != "inviting" or not (came or gone):
        return None
    is_open = terms.anonymous == "no"
    return Arrivals(
        game=game.id,
        seat=host.seat or None,
        came=len(came),
        gone=bool(gone),
        names=(came or (gone,)) if is_open else (),
        here=here if is_open else (),
        count=len(here),
        silent=len(game.members) - len(here),
        free=max(0, terms.places - len(game.members)),
    )
