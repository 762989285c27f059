"""Who has come to a game that gathers, and who stays away: told to those who can begin it."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.host.messages.rows import ArrivalsJob, DeclinedJob, mark, post_once, to_member
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
        post_once(work.repository, [row])


def tell_declined(work: UnitOfWork, before: Game, member: Member, now: int) -> None:
    """Somebody stays away: that is told at once, for somebody else may have to be asked."""
    who = mark(f"{before.secret} {member.seat}")  # the row's name is in the letter: nobody is to know their seat by it
    for host in _others(work, before.id, member):
        row = to_member(before, host, f"declined.{who}.{now // GATHERED}", DeclinedJob(seat=member.seat), now)
        post_once(work.repository, [row])


def _others(work: UnitOfWork, game_id: str, member: Member) -> Iterator[Member]:
    game = work.game(game_id)
    if game.status != "inviting":
        return iter(())
    return (host for host in hosts(game, work.games.load(game).terms) if host.person.id != member.person.id)
