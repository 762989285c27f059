"""The end: points of every seat, and who wins a tie (new edition, End of the game; R25)."""

from __future__ import annotations

from pbem.core.seat import Seat
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.places import Nation
from pbem.games.imperial.rules.position import credit_of
from pbem.games.imperial.rules.resolution import Resolution


def end_game(resolution: Resolution, nation: Nation | None) -> None:
    """The nation has reached the end of the scoring track, or the players want no more: nothing more is done."""
    points = scores(resolution)
    resolution.agenda.clear()
    resolution.emit(ev.GameEnded(nation=nation, scores=points, winners=winners(resolution, points)))


def scores(resolution: Resolution) -> dict[Seat, int]:
    """Interest times power factor over all bonds, plus cash: final at the end, a running score before."""
    return {seat: resolution.state.cash[seat] + _worth(resolution, seat) for seat in resolution.state.seats}


def _worth(resolution: Resolution, seat: Seat) -> int:
    edition, state = resolution.edition, resolution.state
    return sum(
        edition.bonds[price] * edition.factor(state.power[nation])
        for nation, bonds in state.bonds.items()
        for price, holder in bonds.items()
        if holder == seat
    )


def winners(resolution: Resolution, points: dict[Seat, int]) -> tuple[Seat, ...]:
    """The best; of equals, who has lent more to the strongest nation, then to the second …"""
    state = resolution.state
    ranked: list[Nation] = sorted(resolution.board.nations, key=lambda n: -state.power[n])  # stable: turn order
    merit = {seat: (points[seat], *(credit_of(state, n, seat) for n in ranked)) for seat in state.seats}
    best = max(merit.values())
    return tuple(sorted(seat for seat in state.seats if merit[seat] == best))
