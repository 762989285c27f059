"""Set-up for experienced players: bonds are chosen nation by nation (new edition, Variant; R24)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.chance import Chance
from pbem.core.seat import Seat
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.board import Nation
from pbem.games.imperial.rules.edition import Edition
from pbem.games.imperial.rules.investor import settle_all
from pbem.games.imperial.rules.opening import first_turn, place_card
from pbem.games.imperial.rules.resolution import Course
from pbem.games.imperial.rules.state import AwaitBid


def open_bidding(course: Course, first: Seat | None, chance: Chance) -> None:
    """Hand out the money; who chooses first is drawn unless it is known."""
    seats = course.state.seats
    course.happen(ev.Seated(seats=seats, money=course.edition.experienced_money[len(seats)]))
    first = first or seats[chance.pick("who chooses first", len(seats))]
    begin_bidding(course, course.board.nations[0], first)


def check_money(edition: Edition, players: int) -> None:
    """Somebody could buy a bond, or the bidding would never end. Raises `ValueError`."""
    needs, has = min(edition.bonds), edition.experienced_money[players]
    if has < needs:
        raise ValueError(f"starting_money: the cheapest bond costs {needs}, and everybody has {has}")


def can_begin(course: Course) -> bool:
    """Has anybody lent to a nation, or can anybody still do so?"""
    richest = max(course.state.cash.values())
    return richest >= min(course.edition.bonds) or any(course.state.bonds.values())


def begin_bidding(course: Course, nation: Nation, first: Seat) -> None:
    """The first chooser moves one seat to the left with each nation."""
    seats, number = course.state.clockwise(first), course.board.nations.index(nation)
    shift = number % len(seats)
    order = seats[shift:] + seats[:shift]
    course.happen(ev.BiddingBegan(nation=nation, seats=order))
    course.first(AwaitBid(nation=nation, seats=order, first=first))


def end_bidding(course: Course, task: AwaitBid) -> None:
    """After the last nation the game can begin; where nobody lent anything, the bidding begins again."""
    nations = course.board.nations
    following = nations[nations.index(task.nation) + 1 :]
    if following:
        begin_bidding(course, following[0], task.first)
    elif not any(course.state.bonds.values()):
        begin_bidding(course, nations[0], task.first)
    else:
        settle_all(course, task.first)
        place_card(course, task.first)
        first_turn(course)


def read_first(seats: Sequence[Seat], lots: Sequence[tuple[str, str]]) -> Seat:
    """The seat that the header of a play file names. Raises `ValueError`."""
    named = [Seat(seat) for seat, rest in lots if not rest]
    if len(named) != 1 or named[0] not in seats:
        raise ValueError("first: it names one of the seats")
    return named[0]
