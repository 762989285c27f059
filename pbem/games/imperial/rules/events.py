"""What happens at the table. Amounts are millions; every tag is for ever."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from pbem.core.seat import Seat
from pbem.games.imperial.rules.orders import Status
from pbem.games.imperial.rules.places import Nation, Region, Unit
from pbem.games.imperial.rules.state import State, Task

# -- the resolution of the game ---


class Seated(Struct, frozen=True, kw_only=True, gc=False, tag="Seated"):
    """The seats in order, and the money they begin with."""

    seats: tuple[Seat, ...]
    money: int


class FlagCardDealt(Struct, frozen=True, kw_only=True, gc=False, tag="FlagCardDealt"):
    seat: Seat
    nation: Nation


class TurnBegan(Struct, frozen=True, kw_only=True, gc=False, tag="TurnBegan"):
    nation: Nation
    round: int


class NationSkipped(Struct, frozen=True, kw_only=True, gc=False, tag="NationSkipped"):
    nation: Nation
    why: Literal["vacant", "lapse"]


class MarkerMoved(Struct, frozen=True, kw_only=True, gc=False, tag="MarkerMoved"):
    nation: Nation
    seat: Seat
    space: str
    before: str | None
    paid: int


class BiddingBegan(Struct, frozen=True, kw_only=True, gc=False, tag="BiddingBegan"):
    """The seats may lend to this nation, in this order (R24)."""

    nation: Nation
    seats: tuple[Seat, ...]


class StopForced(Struct, frozen=True, kw_only=True, gc=False, tag="StopForced"):
    """A Swiss Bank made the nation stop on Investor; what was written for another space is dropped."""

    seat: Seat
    nation: Nation
    meant: str


class PassAllowed(Struct, frozen=True, kw_only=True, gc=False, tag="PassAllowed"):
    seat: Seat
    nation: Nation


class GameEnded(Struct, frozen=True, kw_only=True, gc=False, tag="GameEnded"):
    nation: Nation | None  # which reached the end of the scoring track; None: the players have agreed on it
    scores: Mapping[Seat, int]
    winners: tuple[Seat, ...]


class Planned(Struct, frozen=True, kw_only=True, gc=False, tag="Planned"):
    """What is left to do; no news for anybody."""

    agenda: tuple[Task, ...]
    asked: int


class PositionSet(Struct, frozen=True, kw_only=True, gc=False, tag="PositionSet"):
    """A position was laid out by `given` lines."""

    state: State


class TurnDelayed(Struct, frozen=True, kw_only=True, gc=False, tag="TurnDelayed"):
    """The turn comes so many whole slots late, and its success bonus will be so much lower."""

    nation: Nation
    late: int


class LateFeePaid(Struct, frozen=True, kw_only=True, gc=False, tag="LateFeePaid"):
    """The government pays the bank for each whole slot by which its turn comes late, as far as it has cash."""

    nation: Nation
    seat: Seat
    late: int
    amount: int


# -- economy ---


class FactoryBuilt(Struct, frozen=True, kw_only=True, gc=False, tag="FactoryBuilt"):
    nation: Nation
    region: Region
    paid: int


class UnitProduced(Struct, frozen=True, kw_only=True, gc=False, tag="UnitProduced"):
    nation: Nation
    region: Region
    unit: Unit


class WorksIdle(Struct, frozen=True, kw_only=True, gc=False, tag="WorksIdle"):
    nation: Nation
    region: Region
    why: Literal["occupied", "supply", "choice"]


class UnitsImported(Struct, frozen=True, kw_only=True, gc=False, tag="UnitsImported"):
    nation: Nation
    region: Region
    unit: Unit
    count: int
    paid: int


class NothingDone(Struct, frozen=True, kw_only=True, gc=False, tag="NothingDone"):
    """The space was taken and nothing done on it."""

    nation: Nation
    space: str


class Taxed(Struct, frozen=True, kw_only=True, gc=False, tag="Taxed"):
    nation: Nation
    seat: Seat
    factories: int
    flags: int
    revenue: int
    before: int
    marker: int
    bonus: int
    cut: int = 0  # what of the bonus is lost, for the turn came late (docs/reference/procedure.md, section 3)


class PowerGained(Struct, frozen=True, kw_only=True, gc=False, tag="PowerGained"):
    nation: Nation
    points: int
    power: int


class TaxCollected(Struct, frozen=True, kw_only=True, gc=False, tag="TaxCollected"):
    nation: Nation
    units: int
    amount: int


class GiftGiven(Struct, frozen=True, kw_only=True, gc=False, tag="GiftGiven"):
    seat: Seat
    nation: Nation
    amount: int


# -- military ---


class FleetsMoved(Struct, frozen=True, kw_only=True, gc=False, tag="FleetsMoved"):
    nation: Nation
    count: int
    origin: Region
    target: Region


class ArmiesMoved(Struct, frozen=True, kw_only=True, gc=False, tag="ArmiesMoved"):
    nation: Nation
    count: int
    origin: Region
    left: Status | None
    target: Region
    status: Status | None
    laid_down: bool = False  # meant or not, friendly at a last free factory (R12)
    embarked: Region | None = None  # reached by rail before the own move; None: the origin
    seas: tuple[Region, ...] = ()
    landed: Region | None = None  # from where rail led on; None: the target
    rail: bool = False  # by rail alone


class StatusChanged(Struct, frozen=True, kw_only=True, gc=False, tag="StatusChanged"):
    nation: Nation
    count: int
    region: Region
    status: Status


class BattleFought(Struct, frozen=True, kw_only=True, gc=False, tag="BattleFought"):
    """So many of each side leave the board, one for one."""

    region: Region
    nation: Nation  # on the move
    unit: Unit
    status: Status | None
    foe: Nation
    foe_unit: Unit
    foe_friendly: int = 0  # of the foe's armies, those that lay on their side
    pairs: int
    by: Nation  # who wanted it


class BattleAnswered(Struct, frozen=True, kw_only=True, gc=False, tag="BattleAnswered"):
    """A government's answer; `fights` is secret until all have answered."""

    seat: Seat
    nation: Nation
    fights: bool


class LineDropped(Struct, frozen=True, kw_only=True, gc=False, tag="LineDropped"):
    """A written line became impossible when its time came; the unit has not moved."""

    nation: Nation
    text: str
    code: str


class FactoryDestroyed(Struct, frozen=True, kw_only=True, gc=False, tag="FactoryDestroyed"):
    nation: Nation
    region: Region
    owner: Nation
    armies: int


class FlagPlaced(Struct, frozen=True, kw_only=True, gc=False, tag="FlagPlaced"):
    nation: Nation
    region: Region
    replaced: Nation | None


class FlagRemoved(Struct, frozen=True, kw_only=True, gc=False, tag="FlagRemoved"):
    """A sole occupier without a flag left takes the other's away."""

    nation: Nation  # whose flag it was
    region: Region
    by: Nation


class FlagAwaited(Struct, frozen=True, kw_only=True, gc=False, tag="FlagAwaited"):
    nation: Nation
    region: Region


class ManeuverEnded(Struct, frozen=True, kw_only=True, gc=False, tag="ManeuverEnded"):
    nation: Nation


# -- investor ---


class InterestPaid(Struct, frozen=True, kw_only=True, gc=False, tag="InterestPaid"):
    nation: Nation
    seat: Seat
    due: int
    paid: int  # out of the treasury and the government's own cash together
    by_government: int = 0  # what of it came out of the government's own cash


class CardBonusPaid(Struct, frozen=True, kw_only=True, gc=False, tag="CardBonusPaid"):
    seat: Seat
    amount: int


class BondBought(Struct, frozen=True, kw_only=True, gc=False, tag="BondBought"):
    seat: Seat
    nation: Nation
    price: int
    back: int | None
    paid: int


class NothingBought(Struct, frozen=True, kw_only=True, gc=False, tag="NothingBought"):
    seat: Seat
    why: Literal["choice", "unaffordable"]


class GovernmentChanged(Struct, frozen=True, kw_only=True, gc=False, tag="GovernmentChanged"):
    nation: Nation
    seat: Seat | None
    before: Seat | None


class CompensationPaid(Struct, frozen=True, kw_only=True, gc=False, tag="CompensationPaid"):
    """For the last government of a seat, lost before it taxed."""

    seat: Seat  # who pays
    to: Seat
    nation: Nation
    amount: int


class SwissBankHanded(Struct, frozen=True, kw_only=True, gc=False, tag="SwissBankHanded"):
    seat: Seat


class SwissBankReturned(Struct, frozen=True, kw_only=True, gc=False, tag="SwissBankReturned"):
    seat: Seat


class CardMoved(Struct, frozen=True, kw_only=True, gc=False, tag="CardMoved"):
    """The investor card lies with this seat now."""

    seat: Seat


# What changes the same things stands together; `bookkeeping` has one function for each group.

Resolution = (
    TurnBegan
    | BiddingBegan
    | MarkerMoved
    | GovernmentChanged
    | CardMoved
    | SwissBankHanded
    | SwissBankReturned
    | Seated
    | Planned
    | TurnDelayed
    | PositionSet
    | GameEnded
)
Economy = (
    UnitProduced
    | UnitsImported
    | InterestPaid
    | CardBonusPaid
    | CompensationPaid
    | BondBought
    | Taxed
    | LateFeePaid
    | PowerGained
    | TaxCollected
    | FactoryBuilt
    | GiftGiven
)
Military = (
    ArmiesMoved
    | FleetsMoved
    | BattleFought
    | FlagPlaced
    | ManeuverEnded
    | StatusChanged
    | FactoryDestroyed
    | FlagRemoved
    | FlagAwaited
)
News = (  # moves nothing on the table
    NationSkipped
    | WorksIdle
    | NothingDone
    | NothingBought
    | BattleAnswered
    | LineDropped
    | FlagCardDealt
    | StopForced
    | PassAllowed
)
Event = Resolution | Economy | Military | News
