"""The position: frozen, and whole in itself but for the map and the tables. Countries are called by their names."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct, field

from pbem.core.seat import Seat
from pbem.games.empire.rules.asked import Hanging
from pbem.games.empire.rules.held import NOTHING, Held
from pbem.games.empire.rules.orders import Standing


class Unit(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that moves by itself or on a tow, with a number."""

    id: str
    kind: str
    owner: str  # a country; empty: nobody's, hostile to all
    at: str  # a land or water part
    state: str = "ground"  # ground stored sea docked beached dived up
    used: Fraction = NOTHING  # BTA, in this game turn
    steps: int = 0  # lost
    aboard: str | None = None  # a unit that carries it, or pulls it: `towed`
    towed: bool = False
    holds: Mapping[str, Held] = {}  # goods and people aboard, by whose they are
    made: str = ""  # slot T.S in which it was made or armed
    consumed: bool = False
    tasks: tuple[str, ...] = ()  # over the end: of a ship a mark, of a construction brigade a work
    job: bool = False
    armed: Fraction = NOTHING  # of the BTA it has used, what arming in this slot took; chains count the largest alone
    fought: int = 0  # game turn of its attack
    attacked: str = ""  # slot in which it was attacked
    came: tuple[str, ...] = ()  # parts in whose hostile zone it has stopped in this slot
    landed: str | None = None  # the shore part onto which it came from a ship in this slot
    dived: str = ""  # slot of its dive, while it is down
    surfaced: str = ""  # slot
    base: str | None = None  # of aircraft in the air: where they come from
    retreated: bool = False  # into an overstack; until its owner's slot
    loaded: int = 0  # units loaded at a beach in this game turn
    unloaded: int = 0
    dock_loaded: Fraction = NOTHING  # of its capacity, at docks in this game turn
    dock_unloaded: Fraction = NOTHING
    hungry: int = 0
    thirsty: int = 0
    sailed: bool = False  # was at sea in this slot
    flew: str = ""  # slot of its last flight; oil is due once a slot
    done: str = ""  # what it did that it may do but once: a word of `battle.used`


class Mark(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A resource of a part that is or was developed."""

    grade: int = 0  # as it is run
    by: str | None = None  # a country
    ship: str | None = None  # the unit that does it or whose crew does
    opened: int = 0  # the highest grade whose EDU has counted
    due: int = 0  # grade that yields at the start of its developer's next slot


class Factory(Struct, frozen=True, kw_only=True, omit_defaults=True):
    kind: str
    state: str = "working"  # working damaged
    ran: int = 0  # game turn
    row: int | None = None  # place of the recipe of several turns that is under way
    turns: int = 0  # of it that are done
    book: str = ""
    booked: bool = False


class Work(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is built over the end."""

    id: int
    what: str  # build install deinstall repair scrap
    item: str
    needs: int = 1  # cmx-turns
    done: int = 0
    pairs: int = 0  # workers with a cmx at it in this slot …
    by: str = ""  # … of this country
    begun: bool = False  # materials are used
    book: str = ""
    facing: str = ""
    squares: tuple[str, ...] = ()  # of a line; of a canal or mountain road on a border
    tied: bool = False  # its pairs stay with it
    damaged: bool = False  # nobody goes on with it before it is repaired
    ship: str | None = None
    index: int = -1  # of the factory or gun that is repaired or scrapped


class Gun(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Installed: an ack-ack (`AA`) or a naval gun."""

    kind: str
    steps: int = 0
    damaged: bool = False
    attacked: str = ""
    fought: int = 0


class Fort(Struct, frozen=True, kw_only=True, omit_defaults=True):
    kind: str  # fort pillbox
    damaged: bool = False


class Part(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is in a land part or a water square."""

    held: Mapping[str, Held] = {}  # by country
    city: bool = False
    site: bool = False  # of a city, also of a destroyed one
    born: int = 0  # game turn of the last birth
    factories: tuple[Factory, ...] = ()
    works: tuple[Work, ...] = ()
    items: tuple[str, ...] = ()  # dock airport warehouse bridge canal mountain_road widening
    hurt: tuple[str, ...] = ()  # of them, those that are damaged
    guns: tuple[Gun, ...] = ()
    forts: Mapping[str, Fort] = {}  # by direction
    marks: Mapping[str, Mark] = {}
    farm: str | None = None
    farm_due: str | None = None  # whose next slot brings the yield
    farmed: bool = False  # its EDU has counted
    polluted: bool = False
    bombed: str = ""  # slot in which it was bombed while empty
    barred: Mapping[str, int] = {}  # tasks that nobody takes over in this slot, by country: game turn
    watered: Mapping[str, str] = {}  # slot in which its water distillery ran, by country
    traffic: Mapping[str, Fraction] = {}  # units that took off and landed, by slot and way: `5.1 out`
    returns: Mapping[str, Mapping[str, int]] = {}  # goods that come back at the owner's next slot


class Border(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Lines across a border."""

    lines: tuple[str, ...] = ()  # road railroad power_line pipeline underwater_… canal mountain_road
    hurt: tuple[str, ...] = ()  # those that are damaged: none of `lines` until they are repaired

    @property
    def standing(self) -> tuple[str, ...]:
        """Whole or damaged."""
        return (*self.lines, *self.hurt)


class Hup(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What of a good a country had, used and produced in a game turn."""

    had: Fraction = NOTHING
    used: Fraction = NOTHING
    produced: Fraction = NOTHING

    @property
    def closing(self) -> Fraction:
        return self.had + self.produced - self.used


class Row(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A turn of the economic record (E6.3)."""

    turn: int = 0
    investment: int = 0
    cost: int = 0
    fund: int = 0
    tax: int = 0
    confidence: int = 0
    edu: int = 0
    roll: str = ""
    inherited: bool = False
    exchange: int = 0  # received less given
    food_squares: int = 0  # farms and fish
    workers: int = 0
    population: int = 0
    land: int = 0  # units
    naval: int = 0
    air: int = 0
    at_sea: int = 0  # ships
    oil_turn: Fraction = NOTHING  # that became due in this turn
    oil: Fraction = NOTHING  # due after it, as the two below
    chemicals: Fraction = NOTHING
    pay: Fraction = NOTHING


class Country(Struct, frozen=True, kw_only=True, omit_defaults=True):
    player: Seat | None  # None: dead, without owner
    confidence: int = 10
    fund: int = 0
    tax: int = 0
    edu: int = 0  # of the last row
    last_edu: int = 0  # of the row before
    cost: int = 0
    investment: int = 0
    roll: str | None = None
    booked_edu: int = 0  # in the slot under way
    booked_cost: int = 0
    booked_investment: int = 0
    in_slot: bool = False  # has its slot begun, and not ended?
    debts: Mapping[str, Fraction] = field(
        default_factory=lambda: {"oil": NOTHING, "chemicals": NOTHING, "pay": NOTHING}
    )
    oil_turn: Fraction = NOTHING  # that became due since the last row
    exchange: tuple[tuple[str, int], ...] = ()  # pledges, oldest first
    inflation: bool = False
    capture: str | None = None  # until this slot begins
    heir: str | None = None  # where the next governor is
    abroad: bool = False  # its governor is on no part of the map
    capital: str | None = None
    friendly: Mapping[str, tuple[str, ...]] = {}  # by player: squares; none: everywhere
    rank: int = 0  # in its player's list
    next_rank: int | None = None  # from their next slot on
    giver: Seat | None = None  # who gave it to its player
    turns_held: int = 1
    parent: str | None = None
    founded: int = 0  # game turn
    tied: bool = False  # tests of inflation are made together with its parent
    births_off: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    picks: tuple[str, ...] = ()  # that are still to be laid: one for each border or work
    walked: tuple[str, ...] = ()  # borders that its workers crossed in turn 1
    ended: tuple[str, ...] = ()  # squares in which they ended it
    sites_used: int = 0
    sites_may: int | None = None  # how many may run in inflation
    power: Mapping[str, Mapping[str, int]] = {}  # by first part of a grid: `made`, in this slot
    water: Mapping[str, int] = {}  # water power by part, in this slot
    paid: tuple[str, ...] = ()  # land units that it had since its last roll-out


class Offer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    giver: str  # countries
    taker: str
    units: tuple[str, ...] = ()
    what: str = ""  # good or kind
    count: int = 0
    at: str = ""
    until: int = 0  # lapses at the end of the giver's slot of that game turn
    accepted: bool = False


class Overrun(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One with aircraft: it holds if they come through when their mission is flown (E12.10)."""

    at: str
    dead: tuple[Unit, ...]
    zone: tuple[str, ...]  # parts that their zones covered
    bombers: tuple[str, ...]
    most_air: Fraction  # BF that their bombs may add
    force: Fraction  # of the attackers without them
    defense: Fraction
    retreat: bool  # had the defenders one?
    entered: tuple[str, ...] = ()  # units that have come into the zone since …
    passed: tuple[str, ...] = ()  # … and where they could not have gone without it


class Passage(Struct, frozen=True, kw_only=True):
    """A canal that a ship of that country has passed in this slot."""

    country: str
    lands: tuple[str, ...]


class Kept(Struct, frozen=True, kw_only=True):
    """A standing order."""

    seat: Seat
    number: int  # of their own: the newest has the highest
    order: Standing


class State(Struct, frozen=True, kw_only=True):
    seats: tuple[Seat, ...]  # as they sit
    phase: str = "capital"  # capital picks turn over
    serial: int = 0  # of the question
    last: int = 0  # serial of the last question that was asked while an order was carried out
    turn: int = 0
    place: int = 0  # in the order, of the slot under way
    order: tuple[Seat, ...] = ()
    placing: tuple[Seat, ...] = ()  # who still place their capitals
    capitals: Mapping[Seat, str] = {}
    picked: Mapping[Seat, tuple[str, ...]] = {}
    beasts: Mapping[Seat, str] = {}  # drawn before
    drawn_order: tuple[Seat, ...] = ()
    parts: Mapping[str, Part] = {}
    borders: Mapping[str, Border] = {}
    units: Mapping[str, Unit] = {}
    countries: Mapping[str, Country] = {}
    numbers: Mapping[str, int] = {}  # the last unit of each kind
    works: int = 0  # numbers of works
    offers: Mapping[str, Offer] = {}
    offered: int = 0
    hup: Mapping[str, Hup] = {}  # by country, turn and good: `anton 4 steel`
    standing: Mapping[str, Kept] = {}  # by seat and number: `anton 2`
    wind: str | None = None
    battled: bool = False
    passages: tuple[Passage, ...] = ()
    overruns: tuple[Overrun, ...] = ()  # whose aircraft have still to fly
    births: Mapping[str, int] = {}  # of serpents, by ocean
    pirate: str | None = None  # his country
    sightings: Mapping[Seat, tuple[str, ...]] = {}
    scores: Mapping[Seat, int] | None = None
    before: tuple[Any, ...] = ()  # what `undo` puts back: patches
    barred: str | None = None  # why the last order can't be taken back
    hanging: Hanging | None = None  # an order that waits for answers
    resume: Any = None  # the position before it

    @property
    def active(self) -> Seat | None:
        return self.order[self.place] if self.phase == "turn" and self.order else None

    @property
    def slot(self) -> str:
        return f"{self.turn}.{self.place + 1}"
