"""What may be ordered: language.md, sections 2 to 5. Places are names of squares or parts (`C3`, `D8a`), units ids.

Where a unit may be called by its kind and square, it stands as the id of the kind. Nothing here is looked up: what a
word may mean in a position is the rules' to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct


class Item(Struct, frozen=True, array_like=True):
    """So many of a kind or a good, or one unit by its id (its count is 1). None: all of them, or one."""

    what: str
    count: int | None = None


class Act(Struct, frozen=True, kw_only=True):
    """What every order may have before it: the name of a country and a colon."""

    country: str | None = None


# -- the zero turn ---


class Capital(Act, frozen=True, kw_only=True, tag="Capital"):
    """`capital C3 else J3`: the first of them that may hold one."""

    squares: tuple[str, ...]


class Picks(Act, frozen=True, kw_only=True, tag="Picks"):
    """`picks truck, cargo ship`: two ids of the catalog."""

    items: tuple[str, ...]


# -- moving and carrying ---


class Move(Act, frozen=True, kw_only=True, tag="Move"):
    """`2 workers C3 - D4 with 3 steel hold`; `INF1, INF2 C3 - D4`; `CGO1 - E4 dock`; flights of aircraft.

    `CPL1 - E7 escort FTR1 home C3`: fighters that fly with unarmed aircraft, and where they land.
    """

    units: tuple[str, ...] = ()  # by id; otherwise …
    kind: str | None = None  # … a kind that stands at `start`
    count: int | None = None
    every: bool = False  # all of that kind there
    start: str | None = None
    way: tuple[str, ...]
    cargo: tuple[Item, ...] = ()
    hold: bool = False
    ending: Literal["", "dock", "beach"] = ""
    escort: tuple[str, ...] = ()
    home: str | None = None


class Posture(Act, frozen=True, kw_only=True, tag="Posture"):
    """`CGO1 dock`, `SUB1 dive`: without moving."""

    units: tuple[str, ...]
    posture: Literal["dock", "sea", "beach", "dive", "surface"]
    at: str | None = None  # where they are


class Load(Act, frozen=True, kw_only=True, tag="Load"):
    carrier: str
    items: tuple[Item, ...]
    source: str | None = None  # another ship


class Unload(Act, frozen=True, kw_only=True, tag="Unload"):
    carrier: str
    items: tuple[Item, ...]  # none: all that is aboard
    at: str | None = None


class Tow(Act, frozen=True, kw_only=True, tag="Tow"):
    carrier: str
    units: tuple[str, ...]


class Release(Act, frozen=True, kw_only=True, tag="Release"):
    carrier: str | None = None  # None: whatever pulls them, or what they pull themselves
    units: tuple[str, ...]


class Pipe(Act, frozen=True, kw_only=True, tag="Pipe"):
    """`pipe 3 oil C3 - E4`."""

    count: int
    way: tuple[str, ...]  # start first


# -- working ---


class Develop(Act, frozen=True, kw_only=True, tag="Develop"):
    mark: str
    at: str
    grade: int | None = None
    ship: str | None = None


class Farm(Act, frozen=True, kw_only=True, tag="Farm"):
    squares: tuple[str, ...]


class Stop(Act, frozen=True, kw_only=True, tag="Stop"):
    """`stop iron B2`, `stop farm C4`, `stop manning AA C3` (`what` is `manning`, `of` the thing manned)."""

    what: str
    at: str
    of: str | None = None


class Make(Act, frozen=True, kw_only=True, tag="Make"):
    """`make 2 steel at C3 from cmx, iron, coal in SM book first`; `item` may be `power` and `fresh_water`."""

    item: str
    count: int | None = None
    at: str
    inputs: tuple[str, ...] = ()
    factory: str | None = None
    book: Literal["", "first", "last", "spread"] = ""


class Consume(Act, frozen=True, kw_only=True, tag="Consume"):
    item: Item
    at: str | None = None


class Build(Act, frozen=True, kw_only=True, tag="Build"):
    """`build SM at C3 with 2 cmx`, `… road C3 - C4 with 3 workers`, `… fort D4 facing S`, `… bridge J6 with CGO1`."""

    item: str  # id of a factory or of an item: city dock … road power_line underwater_pipeline widening
    squares: tuple[str, ...]
    facing: str | None = None
    cmx: int | None = None
    workers: int | None = None
    ship: str | None = None
    book: Literal["", "first", "last", "spread"] = ""


class Lay(Act, frozen=True, kw_only=True, tag="Lay"):
    item: str
    squares: tuple[str, ...]


class Colony(Act, frozen=True, kw_only=True, tag="Colony"):
    at: str


class Install(Act, frozen=True, kw_only=True, tag="Install"):
    """`what`: AA or naval_gun."""

    what: str
    at: str


class Deinstall(Act, frozen=True, kw_only=True, tag="Deinstall"):
    what: str
    at: str


class Man(Act, frozen=True, kw_only=True, tag="Man"):
    """`what`: AA naval_gun canal fort."""

    what: str
    at: str


class Repair(Act, frozen=True, kw_only=True, tag="Repair"):
    what: str
    at: str | None = None
    to: str | None = None  # of a line: the second square


class Scrap(Act, frozen=True, kw_only=True, tag="Scrap"):
    what: str
    at: str


class Destroy(Act, frozen=True, kw_only=True, tag="Destroy"):
    what: str
    squares: tuple[str, ...]
    facing: str | None = None


class Burn(Act, frozen=True, kw_only=True, tag="Burn"):
    item: Item
    at: str


class Dump(Act, frozen=True, kw_only=True, tag="Dump"):
    item: Item
    at: str


class Births(Act, frozen=True, kw_only=True, tag="Births"):
    at: str
    on: bool


# -- arming ---


class Arm(Act, frozen=True, kw_only=True, tag="Arm"):
    """`arm 3 brigades at C3 from INF1, INF2, INF3`; `arm pirate ship from CGO1`; `arm 1 SAC aboard CGO1`."""

    kind: str
    count: int | None = None
    at: str | None = None
    aboard: str | None = None
    units: tuple[str, ...] = ()


class Disarm(Act, frozen=True, kw_only=True, tag="Disarm"):
    units: tuple[str, ...]


# -- fighting ---


class Overrun(Act, frozen=True, kw_only=True, tag="Overrun"):
    targets: tuple[str, ...] = ()  # none: all there
    at: str = ""  # nothing: where the targets are
    units: tuple[str, ...]
    support: tuple[str, ...] = ()


class Attack(Struct, frozen=True, kw_only=True, tag="Attack"):
    """On land or at sea. A naval gun that fires or is fired at stands as `naval_gun C3`."""

    targets: tuple[str, ...] = ()  # none: every hostile military unit there; at sea warships
    every: bool = False  # `all`
    at: str = ""  # nothing: where the targets are
    units: tuple[str, ...]
    support: tuple[str, ...] = ()
    lose: tuple[str, ...] = ()
    advance: bool = False


class Bomb(Struct, frozen=True, kw_only=True, tag="Bomb"):
    target: str  # unit, kind, factory, item, a line between two squares as `road C3 - C4`; none: the empty square
    at: str
    units: tuple[str, ...]
    escort: tuple[str, ...] = ()
    via: tuple[str, ...] = ()
    home: str | None = None


class Strike(Struct, frozen=True, kw_only=True, tag="Strike"):
    verb: Literal["torpedo", "bombard", "shell", "intercept"]
    target: str
    at: str | None = None
    units: tuple[str, ...]


Assault: TypeAlias = Attack | Bomb | Strike


class Battle(Act, frozen=True, kw_only=True, tag="Battle"):
    attacks: tuple[Assault, ...]


class Patrol(Act, frozen=True, kw_only=True, tag="Patrol"):
    at: str
    units: tuple[str, ...]


class Raid(Act, frozen=True, kw_only=True, tag="Raid"):
    target: str
    unit: str
    take: tuple[Item, ...] = ()


class Shoot(Act, frozen=True, kw_only=True, tag="Shoot"):
    target: str
    unit: str


class Kill(Act, frozen=True, kw_only=True, tag="Kill"):
    count: int | None = None
    at: str
    unit: str


class Capture(Act, frozen=True, kw_only=True, tag="Capture"):
    item: Item
    at: str | None = None
    units: tuple[str, ...]


class Seize(Act, frozen=True, kw_only=True, tag="Seize"):
    """`by`: a unit, or `worker`."""

    target: str
    at: str | None = None
    by: str


class Take(Act, frozen=True, kw_only=True, tag="Take"):
    items: tuple[Item, ...]
    at: str
    by: str


class Scuttle(Act, frozen=True, kw_only=True, tag="Scuttle"):
    unit: str


class Crash(Act, frozen=True, kw_only=True, tag="Crash"):
    unit: str


class Die(Act, frozen=True, kw_only=True, tag="Die"):
    item: Item
    at: str | None = None


# -- people and others ---


class Attitude(Act, frozen=True, kw_only=True, tag="Attitude"):
    player: str
    friendly: bool
    squares: tuple[str, ...] = ()  # none: everywhere


class Transfer(Act, frozen=True, kw_only=True, tag="Transfer"):
    unit: str  # or a country: all that it has, at the end of the game turn
    to: str  # a player or a country


class Give(Act, frozen=True, kw_only=True, tag="Give"):
    """Goods or people at a place."""

    item: Item
    at: str = ""  # nothing: where both are, if that is one place
    to: str


class Accept(Act, frozen=True, kw_only=True, tag="Accept"):
    offer: str


class Reject(Act, frozen=True, kw_only=True, tag="Reject"):
    offer: str


class Aid(Act, frozen=True, kw_only=True, tag="Aid"):
    to: str
    amount: int


class Part(Struct, frozen=True, array_like=True):
    """What passes to a founded country: so many of a kind or good at a place, a unit, or a `city` at a place."""

    what: str
    count: int | None = None
    at: str | None = None


class Found(Act, frozen=True, kw_only=True, tag="Found"):
    name: str
    fits: bool = True  # one word that means nothing else
    at: str
    parts: tuple[Part, ...] = ()


class Governor(Act, frozen=True, kw_only=True, tag="Governor"):
    at: str


class Ambassador(Act, frozen=True, kw_only=True, tag="Ambassador"):
    at: str


class Listing(Act, frozen=True, kw_only=True, tag="Listing"):
    countries: tuple[str, ...]


class Undo(Act, frozen=True, kw_only=True, tag="Undo"):
    """Written as the house's word `undo`."""


class Rollout(Act, frozen=True, kw_only=True, tag="Rollout"):
    """Written as the house's word `rollout`; `forced` when others end the slot (nobody can write that)."""

    forced: bool = False


# -- answers to what is asked while an order is carried out ---


class Ruling(Act, frozen=True, kw_only=True, tag="Ruling"):
    """Of the moderator, where an option says `referee`."""

    choice: str


# -- standing orders ---


class Standing(Act, frozen=True, kw_only=True, tag="Standing"):
    """Section 5. What is about a unit has `units`, about a square `at`, about everything neither.

    `what`      fields
    `retreat`   units or at, `to`
    `scramble`  at or nothing, `says`: a number, `all`, `none` or `always`
    `protect`   units or at, `to`: the player whose it is, `until`: a turn
    `fire`      at or nothing, `says`: `none` or `all`
    `ackack`    the same
    `raid`      `says`: `scuttle` or `yield`
    `lose`      at, units
    `feed`      at, `says`: `first` or `last`
    `accept`    `to`: a player, or `says`: `all` or `none`
    `births`    at, `says`: `on` or `off`
    """

    what: Literal["retreat", "scramble", "protect", "fire", "ackack", "raid", "lose", "feed", "accept", "births"]
    units: tuple[str, ...] = ()
    at: str | None = None
    to: str | None = None
    says: str | None = None
    until: int | None = None
    lapsed: bool = False  # does it answer because nobody did? Nobody writes that


class StandingNone(Act, frozen=True, kw_only=True, tag="StandingNone"):
    """Written as the house's `standing none`, `standing none retreat`."""

    what: str | None = None


# -- given positions: section 8 ---


class Given(Act, frozen=True, kw_only=True, tag="Given"):
    """One `given` line. `what` is its first word (`unit`, `goods`, `workers`, `dock`, `factory`, `booked` …)."""

    what: str
    who: str | None = None  # the country or player it names first, if any
    other: str | None = None  # the second one
    squares: tuple[str, ...] = ()  # in the order written; a chain, too
    unit: str | None = None
    kind: str | None = None  # what a word of it names: a factory, a mark, an installed gun
    facing: str | None = None
    items: tuple[tuple[str, str], ...] = ()  # what and how much ("5", "1/3"); units and people with "1"
    amounts: Mapping[str, str] = {}  # numbers by their word (cost edu investment oil); a single number is under ""
    state: str | None = None  # docked beached sea dived up consumed done off surfaced …


Order: TypeAlias = (
    Capital
    | Picks
    | Move
    | Posture
    | Load
    | Unload
    | Tow
    | Release
    | Pipe
    | Develop
    | Farm
    | Stop
    | Make
    | Consume
    | Build
    | Lay
    | Colony
    | Install
    | Deinstall
    | Man
    | Repair
    | Scrap
    | Destroy
    | Burn
    | Dump
    | Births
    | Arm
    | Disarm
    | Overrun
    | Battle
    | Patrol
    | Raid
    | Shoot
    | Kill
    | Capture
    | Seize
    | Take
    | Scuttle
    | Crash
    | Die
    | Attitude
    | Transfer
    | Give
    | Accept
    | Reject
    | Aid
    | Found
    | Governor
    | Ambassador
    | Listing
    | Undo
    | Rollout
    | Ruling
    | Standing
    | StandingNone
    | Given
)
