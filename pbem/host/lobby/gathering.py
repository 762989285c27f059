"""A game gathers: who has come and who stays away is told to those who can begin it, and then it begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from pbem.core.chance import Chance, Lots
from pbem.core.game import AnyRules, Deal
from pbem.core.seat import Seat, Setup
from pbem.host.governance.substitutes import seat_bot
from pbem.host.lobby.whereabouts import tell_game
from pbem.host.messages.rows import ArrivalsJob, DeclinedJob, mark, post_once, to_member
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.ports import Game, Member
from pbem.host.reporting.publish import publish
from pbem.host.session.actors import OPERATOR, moderator
from pbem.host.session.acts import Dealt
from pbem.host.session.terms import Terms, with_bots
from pbem.host.session.unit_of_work import UnitOfWork

GATHERED = 6 * 3_600  # seconds whose arrivals are told in one letter


def hosts(game: Game, terms: Terms) -> Iterator[Member]:
    """Those who can begin the game without the others: its moderators, and whoever has asked for it by mail."""
    opener = [member for member in game.members[:1] if terms.places and member.joined is not None]
    leading = {member.person.id for member in (*opener, *game.moderators)}
    return (reader for reader in game.readers if reader.person.id in leading)


def inviter(game: Game, terms: Terms, reader: Member) -> str:
    """Who asks the reader to come, as the log calls them: whoever has started the game, leads it, or runs the server.

    "" where nobody may know who that is, and to themselves.
    """
    if terms.anonymous != "no":
        return ""
    first = game.members[0] if terms.places else next(iter(game.moderators), None)
    if first is None:
        return OPERATOR
    if first.person.id == reader.person.id:
        return ""
    return first.seat or moderator(first.person.name)


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


# -- it begins ---


def begin(work: UnitOfWork, game: Game, now: int, dealt: Dealt | None = None) -> None:
    """Draw the seating and what the game draws, and open it; `dealt`: what a league has drawn for it."""
    loaded = work.games.load(game)
    lots = Lots(game.secret, game.id)
    people, terms = loaded.terms.setup.seats, with_bots(loaded.terms)
    deal = dealing(loaded.rules, terms.setup, lots, dealt)
    terms = replace(terms, setup=replace(terms.setup, seats=deal.seats))
    game = replace(game, status="running", setup=msgspec.json.encode(terms))
    work.repository.save_game(game)
    session = work.session(game)
    Adjudicator(session).open(now, lots, deal.lots, dealt)
    for seat in (seat for seat in deal.seats if seat not in people):
        seat_bot(session, seat, now, by=OPERATOR, agreed=True)
    tell_game(work, game, now)
    publish(work, game, now)


def dealing(rules: AnyRules, setup: Setup, chance: Chance, dealt: Dealt | None) -> Deal:
    """Who sits where, and the lots that were drawn before. Raises `ValueError` for a deal that can't be."""
    seats = seating(setup.seats, chance)
    if dealt is None or not dealt.positions:
        return Deal(seats=seats)
    return rules.deal(replace(setup, seats=seats), {Seat(seat): own for seat, own in dealt.positions.items()})


def seating(names: Sequence[str], chance: Chance) -> tuple[Seat, ...]:
    """The seating order by lot, clockwise."""
    left = sorted(names)
    return tuple(Seat(left.pop(chance.pick(f"seat {n}", len(left)))) for n in range(1, len(names) + 1))
