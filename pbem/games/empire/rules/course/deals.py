"""Lots that are drawn before a game, as play files and leagues write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.core.game import Deal
from pbem.core.seat import Seat
from pbem.games.empire.rules.events import Event, Noted

RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
SUITS = ("S", "H", "D", "C")
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)  # from the highest: spades of a rank before hearts


def places(seats: int) -> tuple[str, ...]:
    """Who places their capital first, second …"""
    return tuple(str(place) for place in range(1, seats + 1))


def deal(seats: Sequence[Seat], positions: Mapping[Seat, str]) -> Deal:
    """Cards that bring them into that order. Raises `ValueError`."""
    known = places(len(seats))
    if {*positions} != {*seats} or {*positions.values()} != {*known}:
        raise ValueError("cards: each seat has another place")
    cards = [(seat, DECK[int(positions[seat]) - 1]) for seat in seats]
    return Deal(seats=tuple(seats), lots={"cards": cards})


def lots_of(events: Sequence[Event]) -> dict[str, str]:
    """The header lines for what was drawn."""
    found: dict[str, str] = {}
    for event in events:
        if isinstance(event, Noted) and event.what == "cards_drawn":
            found["cards"] = ", ".join(f"{seat} {card}" for seat, card in event.facts["cards"].items())
    return found
