"""Set-up: money, flag cards, bonds, governments, the investor card (new edition, Set-up; R1, R2, R27)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.core.chance import Chance
from pbem.core.seat import Seat
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.board import Board, Nation
from pbem.games.imperial.rules.edition import Edition
from pbem.games.imperial.rules.investor import settle_swiss_banks
from pbem.games.imperial.rules.resolution import Course
from pbem.games.imperial.rules.state import AwaitTurn, State

Deal = Mapping[Seat, tuple[Nation, ...]]


def blank(board: Board, edition: Edition, seats: Sequence[Seat]) -> State:
    """The table with factories on the square cities and nothing else."""
    nations = board.nations
    return State(
        seats=tuple(seats),
        cash=dict.fromkeys(seats, 0),
        treasury=dict.fromkeys(nations, 0),
        bonds={nation: {} for nation in nations},
        government=dict.fromkeys(nations),
        rondel=dict.fromkeys(nations),
        power=dict.fromkeys(nations, 0),
        tax=dict.fromkeys(nations, edition.lowest_tax),
        factories=frozenset(place.id for place in board.places.values() if place.works),
        flags={},
    )


def open_standard(course: Course, deal: Deal | None, chance: Chance) -> None:
    """The flag cards decide who lends to whom first; `deal` when they are already dealt."""
    seats = course.state.seats
    course.happen(ev.Seated(seats=seats, money=course.edition.starting_money[len(seats)]))
    for seat, nations in (deal or draw_cards(course, chance)).items():
        for nation in nations:
            _take_card(course, seat, nation)
    _settle_undealt(course)
    settle_swiss_banks(course)
    place_card(course)
    first_turn(course)


def check_money(edition: Edition, players: int) -> None:
    """Everybody can pay for the bonds on the backs of his flag cards. Raises `ValueError`."""
    cards = 1 + max((len(more) for more in edition.starting_cards.get(players, {}).values()), default=0)
    needs, has = cards * (edition.large_bond + edition.options.small_bond), edition.starting_money[players]
    if has < needs:
        raise ValueError(f"starting_money: {players} players each pay {needs} for their flag cards, and have {has}")


def draw_cards(course: Course, chance: Chance) -> Deal:
    """Deal the flag cards by lot; with two or three players each brings others along."""
    seats = course.state.seats
    bundles = course.edition.starting_cards.get(len(seats), {})
    cards = [*bundles] if bundles else [*course.board.nations]
    dealt: dict[Seat, tuple[Nation, ...]] = {}
    for seat in seats:
        card = cards.pop(chance.pick(f"flag card of {seat}", len(cards)))
        dealt[seat] = (card, *bundles.get(card, ()))
    return dealt


def _take_card(course: Course, seat: Seat, nation: Nation) -> None:
    edition = course.edition
    course.happen(ev.FlagCardDealt(seat=seat, nation=nation))
    for lent_to, price in ((nation, edition.large_bond), (edition.small_bond_of[nation], edition.options.small_bond)):
        course.happen(ev.BondBought(seat=seat, nation=lent_to, price=price, back=None, paid=price))
    course.happen(ev.GovernmentChanged(nation=nation, seat=seat, before=None))


def _settle_undealt(course: Course) -> None:
    """A flag nobody was dealt goes to the owner of the nation's small bond, if anyone has it."""
    for nation in course.board.nations:
        owner = course.state.bonds[nation].get(course.edition.options.small_bond)
        if course.state.government[nation] is None and owner is not None:
            course.happen(ev.GovernmentChanged(nation=nation, seat=owner, before=None))


def place_card(course: Course, otherwise: Seat | None = None) -> None:
    """The investor card begins to the left of Austria-Hungary's government (new edition, Start of play).

    Where neither nation of the rule has a government it goes to the seat named `otherwise` (R24).
    """
    if not course.edition.options.investor_card:
        return
    nations = (course.board.nations[0], course.edition.options.card_fallback)
    governments = [course.state.government[nation] for nation in nations]
    left = [course.state.left_of(seat) for seat in governments if seat is not None]
    holder = left[0] if left else otherwise
    if holder is not None:
        course.happen(ev.CardMoved(seat=holder))


def first_turn(course: Course) -> None:
    """The first nation with a government begins."""
    nation = next(n for n in course.board.nations if course.state.government[n] is not None)
    course.happen(ev.TurnBegan(nation=nation, round=1))
    course.first(AwaitTurn(nation=nation))


def read_deal(board: Board, edition: Edition, seats: Sequence[Seat], dealt: Sequence[tuple[str, str]]) -> Deal:
    """The deal as the header of a play file tells it. Raises `ValueError` for one that can't be."""
    cards = {Seat(seat): Nation(nation) for seat, nation in dealt}
    bundles = edition.starting_cards.get(len(seats), {})
    choice = [*bundles] if bundles else [*board.nations]
    if len(dealt) != len(seats) or set(cards) != set(seats):
        raise ValueError("flags: every seat is dealt exactly one flag card")
    if len(set(cards.values())) != len(seats) or not set(cards.values()) <= set(choice):
        raise ValueError(f"flags: with {len(seats)} players each seat has another one of {', '.join(choice)}")
    return {seat: (cards[seat], *bundles.get(cards[seat], ())) for seat in seats}
