"""What a position is worth to each seat: its bonds by the power that is to come, and its cash."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.core.seat import Seat
from pbem.games.imperial.rules.economy import revenue_of
from pbem.games.imperial.rules.places import Nation
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.state import State

if TYPE_CHECKING:
    from pbem.games.imperial.rules.game import Imperial

# Measured over 80 games of greedy bots: so the power at the end is foretold best, to 6 points in the fourth round and 4
# in the eighth.
PACE = 3.5  # rounds from one taxation to the next
GROWTH = 2  # millions by which the revenue will have risen till then
SLOWEST = 0.3  # power points a round of the leading nation, at least: every game ends
INVESTED = 0.5  # what a million of cash will bring beyond itself, at the beginning of the game


def lead(game: Imperial, state: State, seat: Seat) -> float:
    """By how many points a seat will be ahead of the best other one at the end, or behind (negative)."""
    points = prospects(game, state)
    return points[seat] - max(value for other, value in points.items() if other != seat)


def prospects(game: Imperial, state: State) -> Mapping[Seat, float]:
    """The points of each seat at the end; before it, as they will be if all goes on as it goes now."""
    if state.scores is not None:
        return {seat: float(points) for seat, points in state.scores.items()}
    edition = game.edition
    power = coming_power(game, state)
    worth = 1 + INVESTED * (1 - max(state.power.values()) / edition.power.end)
    points = {seat: cash * worth for seat, cash in state.cash.items()}
    for nation, bonds in state.bonds.items():
        factor = power[nation] / edition.power.step
        for price, holder in bonds.items():
            points[holder] += edition.bonds[price] * factor
    return points


def coming_power(game: Imperial, state: State) -> Mapping[Nation, float]:
    """The power of each nation when the first of them reaches the end of the track."""
    rates = {nation: _rate(game, state, nation) for nation in game.board.nations}
    end = game.edition.power.end
    rounds = min((end - state.power[nation]) / max(rate, SLOWEST) for nation, rate in rates.items())
    return {nation: min(end, state.power[nation] + rate * rounds) for nation, rate in rates.items()}


def _rate(game: Imperial, state: State, nation: Nation) -> float:
    """Power points a round."""
    if state.government[nation] is None:
        return 0.0
    taxes = game.edition.taxes
    revenue = revenue_of(Resolution(game.board, game.edition, state), nation) + GROWTH
    return game.edition.points(min(max(revenue, taxes.lowest), taxes.highest)) / PACE
