"""Cards: who places a capital first, and who moves first (E3.1, E3.3). Ace high; spades, hearts, diamonds, clubs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.core.game import Lots
from pbem.core.seat import Seat
from pbem.games.empire.rules.course.deals import DECK
from pbem.games.empire.rules.world import World


def draw(w: World, deck: str, seats: Sequence[Seat]) -> dict[Seat, str]:
    """A card for each from a shuffled deck."""
    left, drawn = list(DECK), {}
    for seat in seats:
        drawn[seat] = left.pop(w.pick(f"{deck} place {seat}", len(left)))
    w.finality("die_drawn")
    return drawn


def first(w: World, seats: Sequence[Seat], lots: Lots) -> dict[Seat, str]:
    """Drawn before or now. Raises `ValueError`."""
    if "cards" not in lots:
        return draw(w, "deck 1", seats)
    drawn = {Seat(str(seat)): card.strip().upper() for seat, card in lots["cards"]}
    if {*drawn} != {*seats} or len({*drawn.values()}) != len(seats) or not {*drawn.values()} <= {*DECK}:
        raise ValueError("cards: each player has a card of his own, as AS or 10H")
    return {seat: drawn[seat] for seat in seats}


def in_order(drawn: Mapping[Seat, str]) -> tuple[Seat, ...]:
    """The highest card first."""
    return tuple(sorted(drawn, key=lambda seat: DECK.index(drawn[seat])))
