"""Set-up: money, flag cards, bonds, governments, the investor card (new edition, Set-up; R1, R2, R27)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.core.chance import Chance
from pbem.core.seat import Seat
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.board import Board
from pbem.games.imperial.rules.edition import Edition
from pbem.games.imperial.rules.investor import settle_swiss_banks
from pbem.games.imperial.rules.places import Nation
from pbem.games.imperial.rules.position import left_of
from pbem.games.imperial.rules.resolution import Resolution
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
        tax=dict.fromkeys(nations, edition.taxes.lowest),
        factories=frozenset(place.id for place in board.places.values() if place.works),
        flags={},
    )


def open_standard(resolution: Resolution, deal: Deal | None, chance: Chance) -> None:
    """The flag cards decide who lends to whom first; `deal` when they are already dealt."""
    seats = resolution.state.seats
    resolution.emit(ev.Seated(seats=seats, money=resolution.edition.starting_money[len(seats)]))
    for seat, nations in (deal or draw_cards(resolution, chance)).items():
        for nation in nations:
            _take_card(resolution, seat, nation)
    _settle_undealt(resolution)
    settle_swiss_banks(resolution)
    place_card(resolution)
    first_turn(resolution)


def check_money(edition: Edition, players: int) -> None:
    """Everybody can pay for the bonds on the backs of their flag cards. Raises `ValueError`."""
    cards = 1 + max((len(more) for more in edition.starting_cards.get(players, {}).values()), default=0)
    needs, has = cards * (edition.flag_card.large + edition.options.small_bond), edition.starting_money[players]
    if has < needs:
        raise ValueError(f"starting_money: {players} players each pay {needs} for their flag cards, and have {has}")


def cards(board: Board, edition: Edition, players: int) -> tuple[Nation, ...]:
    """The flag cards to deal: with two or three players those that bring others along."""
    return tuple(edition.starting_cards.get(players, {})) or tuple(board.nations)


def draw_cards(resolution: Resolution, chance: Chance) -> Deal:
    """Deal the flag cards by lot; with two or three players each brings others along."""
    seats = resolution.state.seats
    bundles = resolution.edition.starting_cards.get(len(seats), {})
    left = [*cards(resolution.board, resolution.edition, len(seats))]
    dealt: dict[Seat, tuple[Nation, ...]] = {}
    for seat in seats:
        card = left.pop(chance.pick(f"flag card of {seat}", len(left)))
        dealt[seat] = (card, *bundles.get(card, ()))
    return dealt


def _take_card(resolution: Resolution, seat: Seat, nation: Nation) -> None:
    edition = resolution.edition
    resolution.emit(ev.FlagCardDealt(seat=seat, nation=nation))
    for lent_to, price in (
        (nation, edition.flag_card.large),
        (edition.flag_card.small_bond_of[nation], edition.options.small_bond),
    ):
        resolution.emit(ev.BondBought(seat=seat, nation=lent_to, price=price, back=None, paid=price))
    resolution.emit(ev.GovernmentChanged(nation=nation, seat=seat, before=None))


def _settle_undealt(resolution: Resolution) -> None:
    """A flag nobody was dealt goes to the owner of the nation's small bond, if anyone has it."""
    for nation in resolution.board.nations:
        owner = resolution.state.bonds[nation].get(resolution.edition.options.small_bond)
        if resolution.state.government[nation] is None and owner is not None:
            resolution.emit(ev.GovernmentChanged(nation=nation, seat=owner, before=None))


def place_card(resolution: Resolution, otherwise: Seat | None = None) -> None:
    """The investor card begins to the left of Austria-Hungary's government (new edition, Start of play).

    Where neither nation of the rule has a government it goes to the seat named `otherwise` (R24).
    """
    if not resolution.edition.options.investor_card:
        return
    nations = (resolution.board.nations[0], resolution.edition.options.card_fallback)
    governments = [resolution.state.government[nation] for nation in nations]
    left = [left_of(resolution.state, seat) for seat in governments if seat is not None]
    holder = left[0] if left else otherwise
    if holder is not None:
        resolution.emit(ev.CardMoved(seat=holder))


def first_turn(resolution: Resolution) -> None:
    """The first nation with a government begins."""
    nation = next(n for n in resolution.board.nations if resolution.state.government[n] is not None)
    resolution.emit(ev.TurnBegan(nation=nation, round=1))
    resolution.first(AwaitTurn(nation=nation))


def read_deal(board: Board, edition: Edition, seats: Sequence[Seat], dealt: Sequence[tuple[str, str]]) -> Deal:
    """The deal as the header of a play file tells it. Raises `ValueError` for one that can't be."""
    own = {Seat(seat): Nation(nation) for seat, nation in dealt}
    bundles, choice = edition.starting_cards.get(len(seats), {}), cards(board, edition, len(seats))
    if len(dealt) != len(seats) or set(own) != set(seats):
        raise ValueError("flags: every seat is dealt exactly one flag card")
    if len(set(own.values())) != len(seats) or not set(own.values()) <= set(choice):
        raise ValueError(f"flags: with {len(seats)} players each seat has another one of {', '.join(choice)}")
    return {seat: (own[seat], *bundles.get(own[seat], ())) for seat in seats}
