"""What players may order; `pbem.games.imperial.notation.grammar` says how it is written."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.games.imperial.rules.places import Nation, Region, Unit

Status = Literal["hostile", "friendly"]


# -- what a nation does on the space it takes ---


class Build(Struct, frozen=True, kw_only=True, gc=False, tag="build"):
    region: Region | None  # None: the space is taken, nothing is built


class Produce(Struct, frozen=True, kw_only=True, gc=False, tag="produce"):
    works: tuple[Region, ...]  # just these


class Units(Struct, frozen=True, kw_only=True, gc=False):
    count: int = 1
    unit: Unit
    region: Region


class Buy(Struct, frozen=True, kw_only=True, gc=False, tag="buy"):
    units: tuple[Units, ...]  # empty: nothing is imported


class Line(Struct, frozen=True, kw_only=True, gc=False, tag="line"):
    """One line of a maneuver: units that move, change their status, or fight where they stand."""

    count: int = 1
    unit: Unit
    region: Region
    leaving: Status | None = None  # which of the armies there
    target: Region | None = None  # None: they stay
    via: tuple[Region, ...] | None = None
    status: Status | None = None
    attack: Nation | None = None
    attack_unit: Unit | None = None
    ask: tuple[Nation, ...] = ()


class Destroy(Struct, frozen=True, kw_only=True, gc=False, tag="destroy"):
    region: Region


class Move(Struct, frozen=True, kw_only=True, gc=False, tag="move"):
    lines: tuple[Line | Destroy, ...]  # empty: nothing moves


Work = Build | Produce | Buy | Move


# -- orders ---


class Turn(Struct, frozen=True, kw_only=True, gc=False, tag="turn"):
    """A nation's whole turn."""

    nation: Nation | None = None  # None: the only one the writer has to move
    space: str  # an id of the rondel, or "production" / "maneuver": the next one ahead
    work: Work | None = None  # None: nothing was written after the space


# -- what a turn that is written ahead may depend on ---


class Did(Struct, frozen=True, kw_only=True, gc=False, tag="did"):
    """The nation's marker stands on the space: that is the last thing it did."""

    nation: Nation
    space: str  # an id of the rondel, or "production" / "maneuver": either of the two
    negated: bool = False


class Has(Struct, frozen=True, kw_only=True, gc=False, tag="has"):
    """The nation's treasury holds so many millions or more."""

    nation: Nation
    amount: int
    negated: bool = False


class Stands(Struct, frozen=True, kw_only=True, gc=False, tag="stands"):
    """An army or a fleet of the nation stands there."""

    nation: Nation
    region: Region
    negated: bool = False


Condition = Did | Has | Stands


class Plan(Struct, frozen=True, kw_only=True, gc=False, tag="plan"):
    """A turn written ahead that depends on what is then: only for the file, it is never played itself.

    With a condition the first turn is meant when it holds, and the others when it does not. Of those that are meant
    the first that is possible is played.
    """

    nation: Nation | None = None
    condition: Condition | None = None
    turns: tuple[Turn, ...]


class Skip(Struct, frozen=True, kw_only=True, gc=False, tag="skip"):
    """The nation's turn passes; only the clock says so."""


class Purchase(Struct, frozen=True, kw_only=True, gc=False):
    nation: Nation
    price: int
    back: int | None = None  # the lower bond that is given back

    @property
    def cost(self) -> int:
        return self.price - (self.back or 0)


class Invest(Struct, frozen=True, kw_only=True, gc=False, tag="invest"):
    choices: tuple[Purchase, ...]  # the first that is possible; empty: none
    else_none: bool = False  # written at the end: nothing is bought when none of them is possible


class Fight(Struct, frozen=True, kw_only=True, gc=False, tag="fight"):
    """A battle is demanded."""

    pairs: int | None = 1  # None: all, every mover there this maneuver
    unit: Unit | None = None
    nation: Nation | None = None  # which of the writer's own nations


class Peace(Struct, frozen=True, kw_only=True, gc=False, tag="peace"):
    pass


class Force(Struct, frozen=True, kw_only=True, gc=False, tag="force"):
    """A Swiss Bank makes the nation stop on Investor."""


class LetPass(Struct, frozen=True, kw_only=True, gc=False, tag="let_pass"):
    pass


class Give(Struct, frozen=True, kw_only=True, gc=False, tag="give"):
    nation: Nation
    amount: int


class Bid(Struct, frozen=True, kw_only=True, gc=False, tag="bid"):
    """Set-up for experienced players: a bond of the nation that is bid for, or none."""

    nation: Nation | None = None
    price: int | None = None


# -- orders that wait for a question ---


class StandingFight(Struct, frozen=True, kw_only=True, gc=False, tag="standing_fight"):
    pairs: int | None = 1
    unit: Unit | None = None
    nation: Nation | None = None  # whenever this nation enters
    region: Region | None = None


class StandingPeace(Struct, frozen=True, kw_only=True, gc=False, tag="standing_peace"):
    nation: Nation | None = None
    region: Region | None = None


class StandingForce(Struct, frozen=True, kw_only=True, gc=False, tag="standing_force"):
    nation: Nation | None = None


# -- positions (play files and corrections) ---


class Given(Struct, frozen=True, kw_only=True, gc=False, tag="given"):
    """One `given` line: it sets what it names. Which fields are used depends on `what`."""

    what: str
    nation: Nation | None = None
    seat: str | None = None
    region: Region | None = None
    space: str | None = None
    number: int | None = None
    status: Status | None = None


Order = (
    Turn
    | Plan
    | Skip
    | Invest
    | Fight
    | Peace
    | Force
    | LetPass
    | Give
    | Bid
    | StandingFight
    | StandingPeace
    | StandingForce
    | Given
)
