"""Ratings of people in one game: Bradley-Terry with full pairing (Weng and Lin 2011, algorithm 1), a seat a team.

In a formula, so that nobody needs a library to reckon them again; it never gives less for a better place when others
tie, and the order in which seats are handed over changes no more than the last bits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
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


How = Literal["whole", "upwards", "not"]  # a substitute only upwards, or not for too few answers


class RatedSeat(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who is rated for a seat at the end of a table; bots are left out."""

    person: int | None  # None: a bot
    place: int
    how: How = "whole"
    leaver: int | None = None  # who left this seat without leave


class RatedTable(Struct, frozen=True, kw_only=True):
    """A rated result; they count in the order of (end, game). Without seats it counts for nobody."""

    end: int
    game: str
    seats: tuple[RatedSeat, ...]  # in seating order

    @property
    def people(self) -> frozenset[int]:
        """Whose ratings it may move."""
        both = (each for seat in self.seats for each in (seat.person, seat.leaver))
        return frozenset(person for person in both if person is not None)


class Step(Struct, frozen=True, kw_only=True):
    """What a table made of somebody's rating."""

    person: int
    end: int
    game: str
    mu: float
    sigma: float
    games: int  # rated ones, with this

    @property
    def rating(self) -> Rating:
        return Rating(mu=self.mu, sigma=self.sigma, games=self.games, last=self.end)


Ratings = Mapping[int, Rating]  # by person


def counted(ratings: Ratings, tables: Iterable[RatedTable]) -> Ratings:
    """The ratings with these tables, which all ended after those that are in it.

    After a correction everything behind it is counted anew, from the ratings before it.
    """
    return {**ratings, **{step.person: step.rating for step in steps(ratings, tables)}}


def steps(ratings: Ratings, tables: Iterable[RatedTable]) -> Iterator[Step]:
    """The same one by one."""
    known = {**ratings}
    for table in sorted(tables, key=lambda table: (table.end, table.game)):
        made = _rated(known, table)
        known.update(made)
        for person, new in sorted(made.items()):
            yield Step(person=person, end=table.end, game=table.game, mu=new.mu, sigma=new.sigma, games=new.games)


def _rated(ratings: Ratings, table: RatedTable) -> Ratings:
    sat = [seat for seat in table.seats if seat.person is not None]
    if len(sat) < 2:
        return {}
    found: dict[int, Rating] = {}
    was = [_known(ratings, seat.person) for seat in sat]
    news = after([each.strength for each in was], [seat.place for seat in sat])
    for seat, old, new in zip(sat, was, news, strict=True):
        if seat.how == "whole" or (seat.how == "upwards" and new.shown > old.strength.shown):
            found[seat.person or 0] = _with(old, new, table.end)
    for seat in table.seats:
        if seat.leaver is not None:
            found[seat.leaver] = _with(_known(ratings, seat.leaver), _second_reading(ratings, table, seat), table.end)
    return found


def _known(ratings: Ratings, person: int | None) -> Rating:
    return ratings.get(person or 0, Rating())


def _second_reading(ratings: Ratings, table: RatedTable, left: RatedSeat) -> Strength:
    """The table with who left it in the last place, in their own seat; for them alone."""
    sat = [seat for seat in table.seats if seat.person is not None or seat is left]
    own, last = sat.index(left), max(seat.place for seat in sat) + 1
    people = [_known(ratings, left.leaver if seat is left else seat.person).strength for seat in sat]
    return after(people, [last if seat is left else seat.place for seat in sat])[own]


def _with(was: Rating, new: Strength, end: int) -> Rating:
    return replace(was, mu=new.mu, sigma=new.sigma, games=was.games + 1, last=end)


def listed(ratings: Ratings, now: int, provisional: int = PROVISIONAL) -> list[tuple[int, Rating]]:
    """Who has played in the last 365 days: settled ratings, the best first, then the provisional ones."""
    here = [(person, each) for person, each in ratings.items() if each.last is not None and now - each.last <= YEAR]
    return sorted(here, key=lambda each: (not each[1].settled(provisional), -each[1].strength.shown, each[0]))
