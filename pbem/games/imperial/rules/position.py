"""Questions about a position that many ask."""

from __future__ import annotations

from pbem.core.seat import Seat
from pbem.games.imperial.rules.places import Nation, Region, Unit
from pbem.games.imperial.rules.stacks import at, total
from pbem.games.imperial.rules.state import State

# -- seats ---


def governed_by(state: State, seat: Seat) -> tuple[Nation, ...]:
    return tuple(nation for nation, at in state.government.items() if at == seat)


def clockwise(state: State, start: Seat) -> tuple[Seat, ...]:
    """All seats, from this one on."""
    place = state.seats.index(start)
    return state.seats[place:] + state.seats[:place]


def left_of(state: State, seat: Seat) -> Seat:
    return clockwise(state, seat)[1]


def credit_of(state: State, nation: Nation, seat: Seat) -> int:
    """The sum of what a seat has lent a nation."""
    return sum(price for price, holder in state.bonds[nation].items() if holder == seat)


def credits_of(state: State, nation: Nation) -> dict[Seat, int]:
    """The sums of all who have lent a nation anything."""
    bonds = state.bonds[nation]
    sums = dict.fromkeys(bonds.values(), 0)
    for price, holder in bonds.items():
        sums[holder] += price
    return sums


# -- pieces ---


def units_of(state: State, nation: Nation, unit: Unit) -> int:
    """How many armies or fleets of a nation are on the board."""
    if unit == "fleet":
        return total(state.fleets, nation)
    return total(state.armies, nation) + (total(state.friendly, nation) if state.friendly else 0)


def armies_at(state: State, region: Region, nation: Nation) -> int:
    upright = at(state.armies, region, nation)
    return upright + at(state.friendly, region, nation) if state.friendly else upright


def units_at(state: State, region: Region, nation: Nation) -> int:
    return armies_at(state, region, nation) + at(state.fleets, region, nation)


def present_at(state: State, region: Region) -> set[Nation]:
    """The nations with units there; sort before you walk through."""
    return {*state.armies.get(region, ()), *state.friendly.get(region, ()), *state.fleets.get(region, ())}


def flags_of(state: State, nation: Nation) -> int:
    return [*state.flags.values()].count(nation)
