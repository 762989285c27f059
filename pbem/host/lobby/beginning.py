"""A game begins: lots are drawn, and everybody gets the opening report."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from pbem.core.chance import Chance, Lots
from pbem.core.seat import Seat
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.ports import Game
from pbem.host.reporting.publish import publish
from pbem.host.session.unit_of_work import UnitOfWork


def begin(work: UnitOfWork, game: Game, now: int) -> None:
    """Draw the seating and what the game draws, and open it."""
    loaded = work.games.load(game)
    lots = Lots(game.secret, game.id)
    seats = seating([m.seat for m in game.members], lots)
    terms = replace(loaded.terms, setup=replace(loaded.terms.setup, seats=seats))
    game = replace(game, status="running", setup=msgspec.json.encode(terms))
    work.repository.save_game(game)
    Adjudicator(work.session(game)).open(now, lots, {})
    publish(work, game, now)


def seating(names: Sequence[str], chance: Chance) -> tuple[Seat, ...]:
    """The seating order by lot, clockwise."""
    left = sorted(names)
    return tuple(Seat(left.pop(chance.pick(f"seat {n}", len(left)))) for n in range(1, len(names) + 1))
