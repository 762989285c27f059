"""One of the rule books: its numbers and its named options, as its file describes them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pbem.games.imperial.rules.board import Nation

# What may be set while a game runs; the other options have done their work by then.
CHANGEABLE: Mapping[str, tuple[str, ...]] = {
    "force_stop": ("yes", "no"),
    "taxation": ("points_first", "money_first"),
    "status_change": ("yes", "no"),
    "uncovered_investor": ("refuse", "allow"),
    "challenger_tie": ("card_order", "first_buyer"),
    "compensation": ("0", "1"),
    "finality": ("at_once", "on_rollout"),
    "lapse": ("skip", "free_step"),
    "lateness": ("ledger", "fee", "bonus"),
}
COSTLY = ("lateness",)  # it takes money from players: all of them are asked


class Options(Struct, frozen=True, kw_only=True):
    """The choices of games/imperial/RULINGS.md; each rule book has its own values, a game may have others."""

    bonds_up_to: int  # the highest bond
    small_bond: int  # on the back of the flag cards (R2)
    flags: int  # for each nation (R17)
    investor_card: bool  # R23
    swiss_bank: bool
    force_stop: bool  # R4
    taxation: str  # points_first | money_first (R20)
    status_change: bool  # R11
    uncovered_investor: str  # refuse | allow (R3)
    card_fallback: Nation  # who is looked at when Austria-Hungary has no government
    challenger_tie: str  # card_order | first_buyer (R6)
    compensation: int  # millions to a player who loses his last government before it taxed
    cash: str  # open | secret (R26)
    finality: str  # at_once | on_rollout
    lapse: str  # skip | free_step
    lateness: str  # ledger | fee | bonus


class Edition(Struct, frozen=True, kw_only=True):
    """The numbers of one rule book. Amounts are millions."""

    id: str
    bonds: Mapping[int, int]  # price -> interest
    large_bond: int
    small_bond_of: Mapping[Nation, Nation]  # the flag card's nation -> whose small bond is on its back
    starting_money: Mapping[int, int]  # by number of players
    starting_cards: Mapping[int, Mapping[Nation, tuple[Nation, ...]]]
    experienced_money: Mapping[int, int]
    free_spaces: int
    space_price: int
    reach: int
    factory_cost: int
    import_price: int
    import_units: int
    destroyers: int
    card_bonus: int
    tax_per_factory: int
    tax_per_flag: int
    pay_per_unit: int
    lowest_tax: int
    highest_tax: int
    power_end: int
    power_step: int
    options: Options

    def factor(self, power: int) -> int:
        """The power factor printed above the scoring track."""
        return power // self.power_step

    def points(self, marker: int) -> int:
        """Power points for a space of the tax chart."""
        return marker - self.lowest_tax
