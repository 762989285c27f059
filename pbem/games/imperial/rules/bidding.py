"""Set-up for experienced players: bonds are chosen nation by nation (new edition, Variant; R24)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.core.chance import Chance
from pbem.core.seat import Seat
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.edition import Edition
from pbem.games.imperial.rules.investor import settle_all
from pbem.games.imperial.rules.opening import first_turn, place_card
from pbem.games.imperial.rules.places import Nation
from pbem.games.imperial.rules.position import clockwise
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.state import AwaitBid


def open_bidding(resolution: Resolution, first: Seat | None, chance: Chance) -> None:
    """Hand out the money; who chooses first is drawn unless it is known."""
    seats = resolution.state.seats
    resolution.emit(ev.Seated(seats=seats, money=resolution.edition.experienced_money[len(seats)]))
    first = first or seats[chance.pick("who chooses first", len(seats))]
    begin_bidding(resolution, resolution.board.nations[0], first)


def check_money(edition: Edition, players: int) -> None:
    """Somebody could buy a bond, or the bidding would never end. Raises `ValueError`."""
    needs, has = min(edition.bonds), edition.experienced_money[players]
    if has < needs:
        raise ValueError(f"starting_money: the cheapest bond costs {needs}, and everybody has {has}")


def can_begin(resolution: Resolution) -> bool:
    """Has anybody lent to a nation, or can anybody still do so?"""
    richest = max(resolution.state.cash.values())
    return richest >= min(resolution.edition.bonds) or any(resolution.state.bonds.values())


def begin_bidding(resolution: Resolution, nation: Nation, first: Seat) -> None:
    """The first chooser moves one seat to the left with each nation."""
    seats, number = clockwise(resolution.state, first), resolution.board.nations.index(nation)
    shift = number % len(seats)
    order = seats[shift:] + seats[:shift]
    resolution.emit(ev.BiddingBegan(nation=nation, seats=order))
    resolution.first(AwaitBid(nation=nation, seats=order, first=first))


def end_bidding(resolution: Resolution, task: AwaitBid) -> None:
    """After the last nation the game can begin; where nobody lent anything, the bidding begins again."""
    nations = resolution.board.nations
    following = nations[nations.index(task.nation) + 1 :]
    if following:
        begin_bidding(resolution, following[0], task.first)
    elif not any(resolution.state.bonds.values()):
        begin_bidding(resolution, nations[0], task.first)
    else:
        settle_all(resolution, task.first)
        place_card(resolution, task.first)
        first_turn(resolution)


def order_of_choosing(players: int) -> tuple[str, ...]:
    return tuple(str(place) for place in range(1, players + 1))


def seated(seats: Sequence[Seat], places: Mapping[Seat, str]) -> tuple[Seat, ...]:
    """The seats in the order in which they choose. Raises `ValueError` for places that can't be."""
    if {*places} != {*seats} or {*places.values()} != {*order_of_choosing(len(seats))}:
        raise ValueError(f"first: each seat has another one of the places 1 to {len(seats)}")
    return tuple(sorted(seats, key=lambda seat: int(places[seat])))


def read_first(seats: Sequence[Seat], lots: Sequence[tuple[str, str]]) -> Seat:
    """The seat that the header of a play file names. Raises `ValueError`."""
    named = [Seat(seat) for seat, rest in lots if not rest]
    if len(named) != 1 or named[0] not in seats:
        raise ValueError("first: it names one of the seats")
    return named[0]
