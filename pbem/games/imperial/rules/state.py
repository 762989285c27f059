"""The position: everything that lies on the table, and what is left to do."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pbem.core.seat import Seat
from pbem.games.imperial.rules.orders import Line, Status, Turn
from pbem.games.imperial.rules.places import Nation, Region, Unit
from pbem.games.imperial.rules.stacks import Stacks

# -- the agenda: what is left to do, the next thing first ---


class AwaitTurn(Struct, frozen=True, kw_only=True, gc=False, tag="await_turn"):
    nation: Nation
    serial: int = 0


class AwaitForce(Struct, frozen=True, kw_only=True, gc=False, tag="await_force"):
    """Swiss Banks are asked whether the nation must stop on Investor (R4)."""

    turn: Turn
    nation: Nation
    seats: tuple[Seat, ...]
    serial: int = 0


class Maneuver(Struct, frozen=True, kw_only=True, gc=False, tag="maneuver"):
    """A maneuver that goes on."""

    nation: Nation
    lines: tuple[Line, ...] = ()
    destroy: tuple[Region, ...] = ()
    moved: Mapping[str, int] = {}  # units that have taken their line, by `pool` and where they stand
    carried: Mapping[Region, int] = {}  # fleets that have carried an army, by sea
    every: Mapping[str, Unit | None] = {}  # who fights every mover: "nation@region" -> with what
    failed: bool = False  # a written line became impossible
    open: bool = False  # the government is awaited for what has not moved
    serial: int = 0


class Reply(Struct, frozen=True, kw_only=True, gc=False):
    """What a government answered to a battle question: no pairs is peace."""

    pairs: int
    unit: Unit | None = None


class AwaitBattle(Struct, frozen=True, kw_only=True, gc=False, tag="await_battle"):
    """Other governments are asked whether they fight those who came (R8)."""

    nation: Nation  # on the move
    unit: Unit
    region: Region
    status: Status | None  # of the movers, where armies have one
    movers: int
    asked: tuple[Nation, ...]  # in the order their answers are carried out
    replies: Mapping[Nation, Reply] = {}
    serial: int = 0


class InvestorSteps(Struct, frozen=True, kw_only=True, gc=False, tag="investor_steps"):
    """Steps two and three of Investor, not yet begun."""

    nation: Nation


class AwaitInvest(Struct, frozen=True, kw_only=True, gc=False, tag="await_invest"):
    nation: Nation
    seats: tuple[Seat, ...]  # the first is asked
    only: Nation | None = None  # where a seat with a government may invest; None: anywhere
    serial: int = 0


class InvestRound(Struct, frozen=True, kw_only=True, gc=False, tag="invest_round"):
    """Without the investor card: all may invest in one nation, not yet begun (R23)."""

    nation: Nation  # which moved
    only: Nation  # the nation itself, or a vacant one after it
    start: Seat  # the government the nation had when it moved


class SettleRound(Struct, frozen=True, kw_only=True, gc=False, tag="settle_round"):
    start: Seat


class AwaitBid(Struct, frozen=True, kw_only=True, gc=False, tag="await_bid"):
    """Set-up for experienced players: the seats may each lend to one nation after the other (R24)."""

    nation: Nation
    seats: tuple[Seat, ...]  # the first is asked
    first: Seat  # who chose first for Austria-Hungary
    serial: int = 0


class Settle(Struct, frozen=True, kw_only=True, gc=False, tag="settle"):
    """Governments change, Swiss Banks are handed out and returned, the investor card moves."""


class EndTurn(Struct, frozen=True, kw_only=True, gc=False, tag="end_turn"):
    """The next nation moves; without the investor card each vacant one on the way gets a round of its own."""

    nation: Nation
    start: Seat | None = None  # whose rounds they are; None: there are none
    reached: Nation | None = None  # the vacant nation whose round is over
    round: int = 0  # at the place that was reached


Task = (
    AwaitTurn
    | AwaitForce
    | Maneuver
    | AwaitBattle
    | InvestorSteps
    | AwaitInvest
    | Settle
    | InvestRound
    | SettleRound
    | AwaitBid
    | EndTurn
)


class State(Struct, frozen=True, kw_only=True, gc=False):
    """A position. Amounts are millions; mappings are replaced, never changed."""

    seats: tuple[Seat, ...]
    cash: Mapping[Seat, int]
    treasury: Mapping[Nation, int]
    bonds: Mapping[Nation, Mapping[int, Seat]]  # price -> who holds it; the others are in the pile
    lenders: Mapping[Nation, tuple[Seat, ...]] = {}  # by who first held a bond, without a break
    government: Mapping[Nation, Seat | None]
    rondel: Mapping[Nation, str | None]
    power: Mapping[Nation, int]
    tax: Mapping[Nation, int]  # the marker's space
    factories: frozenset[Region]
    flags: Mapping[Region, Nation]
    waiting: Mapping[Nation, tuple[tuple[int, Region], ...]] = {}  # regions for the next free flag (R17)
    armies: Stacks = {}  # upright: hostile in a foreign home province, else without status
    friendly: Stacks = {}  # laid on their side
    fleets: Stacks = {}  # under a home province: in harbour
    investor: Seat | None = None
    swiss: frozenset[Seat] = frozenset()
    round: int = 1
    nation: Nation | None = None
    agenda: tuple[Task, ...] = ()
    asked: int = 0  # questions put so far
    late: int = 0  # whole slots by which the turn under way came late, where that lowers its success bonus
    fee: int = 0  # what was paid for its coming late
    maneuvers: int = 0  # maneuvers ended so far: the age of waiting regions
    scores: Mapping[Seat, int] | None = None
    winners: tuple[Seat, ...] | None = None

    @property
    def finished(self) -> bool:
        return self.winners is not None
