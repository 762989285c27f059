"""What the files of `games/imperial` may say: one sheet for each kind of file."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from pbem.files import StrictModel
from pbem.games.imperial.rules.places import Nation, Region

YesNo = Literal["yes", "no"]
City = Literal["armaments", "shipyard"]


class SupplySheet(StrictModel):
    armies: int = Field(ge=1)
    fleets: int = Field(ge=1)


class HomeSheet(StrictModel):
    nation: Nation
    city: City
    port: Region | None = None
    works: bool = False


class DoubtSheet(StrictModel):
    """Something a look at the printed board would settle: one of the first three, and why."""

    border: tuple[Region, Region] | None = None  # that there is
    no_border: tuple[Region, Region] | None = None  # that there is not
    port: Region | None = None
    reason: str = Field(min_length=1)


class BoardSheet(StrictModel):
    id: str
    nations: dict[Nation, SupplySheet]
    home_provinces: dict[Region, HomeSheet]
    land_regions: list[Region]
    sea_regions: list[Region]
    impassable: list[Region]
    borders: list[tuple[Region, Region]]
    doubts: tuple[DoubtSheet, ...] = ()


class FlagCardSheet(StrictModel):
    large: int
    small_bond_of: dict[Nation, Nation]


class RondelSheet(StrictModel):
    free: int = Field(ge=1)
    price: int = Field(ge=0)
    reach: int = Field(ge=1, le=7)


class ImportSheet(StrictModel):
    price: int = Field(ge=0)
    units: int = Field(ge=1)


class TaxSheet(StrictModel):
    factory: int
    flag: int
    pay: int
    marker: tuple[int, int]


class PowerSheet(StrictModel):
    end: int = Field(ge=1)
    step: int = Field(ge=1)


class OptionSheet(StrictModel):
    bonds_up_to: Literal[25, 30]
    small_bond: Literal[2, 4]
    flags: Literal[10, 15]
    investor_card: YesNo
    swiss_bank: YesNo
    force_stop: YesNo
    taxation: Literal["points_first", "money_first"]
    status_change: YesNo
    uncovered_investor: Literal["refuse", "allow"]
    card_fallback: Literal["italy", "russia"]
    challenger_tie: Literal["card_order", "first_buyer"]
    compensation: Literal[0, 1]
    cash: Literal["open", "secret"]
    finality: Literal["at_once", "on_rollout"]
    lapse: Literal["skip", "free_step"]
    lateness: Literal["ledger", "fee", "bonus"]


class EditionSheet(StrictModel):
    id: str
    bonds: dict[int, int] = Field(min_length=1)
    flag_card: FlagCardSheet
    starting_money: dict[int, int]
    starting_cards: dict[int, dict[Nation, tuple[Nation, ...]]]
    experienced_money: dict[int, int]
    rondel: RondelSheet
    factory_cost: int = Field(ge=0)
    import_: ImportSheet = Field(alias="import")
    destroyers: int = Field(ge=1)
    card_bonus: int = Field(ge=0)
    taxes: TaxSheet
    power: PowerSheet
    options: OptionSheet


class NameSheet(StrictModel):
    language: str
    nations: dict[Nation, tuple[str, ...]]
    regions: dict[Region, tuple[str, ...]]
    spaces: dict[str, tuple[str, ...]]
    units: dict[str, tuple[str, ...]]
    words: dict[str, tuple[str, ...]]
    spoken: dict[str, tuple[str, ...]]  # by space or word: what is said for it, and can't be read
