"""One of the rule books: its numbers and its named options, as its file describes them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise

from msgspec import Struct

from pbem.games.imperial.rules.places import Nation

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
    compensation: int  # millions to a player who loses their last government before it taxed
    cash: str  # open | secret (R26)
    finality: str  # at_once | on_rollout
    lapse: str  # skip | free_step
    lateness: str  # ledger | fee | bonus


class FlagCard(Struct, frozen=True, kw_only=True):
    large: int  # the bond on its front
    small_bond_of: Mapping[Nation, Nation]  # the card's nation -> whose small bond is on its back


class Rondel(Struct, frozen=True, kw_only=True):
    free: int  # spaces ahead that cost nothing
    price: int  # of each one more
    reach: int  # spaces ahead at most


class Import(Struct, frozen=True, kw_only=True):
    price: int  # of a unit
    units: int  # at most


class Taxes(Struct, frozen=True, kw_only=True):
    factory: int
    flag: int
    pay: int  # for each unit
    marker: tuple[int, int]  # the lowest and the highest space of the chart

    @property
    def lowest(self) -> int:
        return self.marker[0]

    @property
    def highest(self) -> int:
        return self.marker[1]


class Power(Struct, frozen=True, kw_only=True):
    end: int  # the points that end the game
    step: int  # from one factor to the next


class Edition(Struct, frozen=True, kw_only=True, dict=True):
    """The numbers of one rule book, as its file has them. Amounts are millions."""

    id: str
    bonds: Mapping[int, int]  # price -> interest
    flag_card: FlagCard
    starting_money: Mapping[int, int]  # by number of players
    starting_cards: Mapping[int, Mapping[Nation, tuple[Nation, ...]]]
    experienced_money: Mapping[int, int]
    rondel: Rondel
    factory_cost: int
    import_: Import
    destroyers: int
    card_bonus: int
    taxes: Taxes
    power: Power
    options: Options

    @cached_property
    def least(self) -> int:
        """What one must have to lend anything: a new bond, or what a higher one costs beyond the lower one."""
        return min(higher - lower for lower, higher in pairwise([0, *sorted(self.bonds)]))

    def factor(self, power: int) -> int:
        """The power factor printed above the scoring track."""
        return power // self.power.step

    def points(self, marker: int) -> int:
        """Power points for a space of the tax chart."""
        return marker - self.taxes.lowest
