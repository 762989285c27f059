"""Ratings of people in one game: Bradley-Terry with full pairing (Weng and Lin 2011, algorithm 1), a seat a team.

In a formula, so that nobody needs a library to reckon them again; it never gives less for a better place when others
tie, and the order in which seats are handed over changes no more than the last bits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

BETA = 25 / 6
KAPPA = 1e-4
TAU = 25 / 300
PROVISIONAL = 8  # rated games, before which a rating is not settled
DIGITS = 9  # of figures in files
YEAR = 365 * 24 * 3600  # without a game, after which somebody leaves the list, not the books


class Strength(NamedTuple):
    """What is believed of somebody's strength: a mean, and how far off it may be."""

    mu: float = 25.0
    sigma: float = 25 / 3

    @property
    def shown(self) -> float:
        """What they have almost certainly."""
        return self.mu - 3 * self.sigma


NEW = Strength()


def after(before: Sequence[Strength], places: Sequence[int]) -> list[Strength]:
    """The strengths after a table, all from the values before it; seats in seating order, place 1 the best."""
    spread = [sigma * sigma + TAU * TAU for _, sigma in before]
    return [_moved(seat, before, spread, places) for seat in range(len(before))]


def _moved(seat: int, before: Sequence[Strength], spread: Sequence[float], places: Sequence[int]) -> Strength:
    mu, own, gain, loss = before[seat].mu, spread[seat], 0.0, 0.0
    for other, (theirs, _) in enumerate(before):
        if other != seat:
            c = math.sqrt(own + spread[other] + 2 * BETA * BETA)
            wins = 1 / (1 + math.exp((theirs - mu) / c))
            won = 0.5 if places[other] == places[seat] else float(places[other] > places[seat])
            gain += own / c * (won - wins)
            loss += math.sqrt(own) / c * own / (c * c) * wins * (1 - wins)
    return Strength(mu + gain, math.sqrt(own * max(1 - loss, KAPPA)))


# -- all games, one after the other ---


class Rating(Struct, frozen=True, kw_only=True):
    mu: float = NEW.mu
    sigma: float = NEW.sigma
    games: int = 0  # rated ones
    last: int | None = None  # when the latest of them ended

    @property
    def strength(self) -> Strength:
        return Strength(self.mu, self.sigma)

    def settled(self, least: int = PROVISIONAL) -> bool:
        return self.games >= least

    def rounded(self) -> Rating:
        """As files have it."""
        return replace(self, mu=round(self.mu, DIGITS), sigma=round(self.sigma, DIGITS))


class RatedSeat(Struct, frozen=True, kw_only=True):
    """Who is rated for a seat at the end of a table; bots are left out."""

    person: int
    place: int
    how: Literal["whole", "upwards", "not"] = "whole"  # a substitute only upwards, or not for too few answers
    leaver: int | None = None  # who left this seat without leave


class RatedTable(Struct, frozen=True, kw_only=True):
    """A rated result; they count in the order of (end, game)."""

    end: int
    game: str
    seats: tuple[RatedSeat, ...]  # in seating order


Ratings = Mapping[int, Rating]  # by person


def counted(ratings: Ratings, tables: Iterable[RatedTable]) -> Ratings:
    """The ratings with these tables, which all ended after those that are in it.

    After a correction everything behind it is counted anew, from the ratings before it.
    """
    for table in sorted(tables, key=lambda table: (table.end, table.game)):
        ratings = {**ratings, **_rated(ratings, table)}
    return ratings


def _rated(ratings: Ratings, table: RatedTable) -> Ratings:
    if len(table.seats) < 2:
        return {}
    was = [ratings.get(seat.person, Rating()) for seat in table.seats]
    places = [seat.place for seat in table.seats]
    strengths = [each.strength for each in was]
    found: dict[int, Rating] = {}
    for number, (seat, new) in enumerate(zip(table.seats, after(strengths, places), strict=True)):
        if seat.how == "whole" or (seat.how == "upwards" and new.shown > was[number].strength.shown):
            found[seat.person] = _with(was[number], new, table.end)
        if seat.leaver is not None:
            own = ratings.get(seat.leaver, Rating())
            found[seat.leaver] = _with(own, _second_reading(own.strength, number, strengths, places), table.end)
    return found


def _second_reading(own: Strength, seat: int, before: Sequence[Strength], places: Sequence[int]) -> Strength:
    """The table with who left it in the last place, in their own seat; for them alone."""
    people, last = [*before], [*places]
    people[seat], last[seat] = own, max(places) + 1
    return after(people, last)[seat]


def _with(was: Rating, new: Strength, end: int) -> Rating:
    return replace(was, mu=new.mu, sigma=new.sigma, games=was.games + 1, last=end)


def listed(ratings: Ratings, now: int, provisional: int = PROVISIONAL) -> list[tuple[int, Rating]]:
    """Who has played in the last 365 days: settled ratings, the best first, then the provisional ones."""
    here = [(person, each) for person, each in ratings.items() if each.last is not None and now - each.last <= YEAR]
    return sorted(here, key=lambda each: (not each[1].settled(provisional), -each[1].strength.shown, each[0]))
