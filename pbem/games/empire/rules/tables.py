"""Every table of an edition, as `tables.yaml` has it. Amounts are exact; lists keep the order of the file."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import msgspec
from msgspec import Struct

Ladder = Mapping[str, tuple[str, ...]]  # of a results table: cells by die, `odds` or `columns` for the head


class Good(Struct, frozen=True, kw_only=True):
    symbol: str = ""
    size: Fraction  # in objects
    edu: int | None = None  # of a consumer good that does not move


class Kind(Struct, frozen=True, kw_only=True):
    """Something that moves by itself, or on something's tow."""

    code: str | None = None
    class_: str = msgspec.field(name="class")  # people land vehicle ship air towed
    moves: str = ""  # row of `land_movement`
    bta: Fraction = Fraction(0)  # a border, of ships and aircraft
    bta_wind: tuple[Fraction | None, ...] = ()  # the same, by the angle to the wind
    holds: Mapping[str, Any] = {}
    tows: Mapping[str, int] = {}
    af: int = 0
    df: int = 0
    hau: Fraction = Fraction(0)
    range: int = 1
    regular: bool = False
    brigade: bool = False
    waters: frozenset[str] = frozenset()
    units: Fraction = Fraction(1)  # of space in docks and airports
    nbf: Fraction = Fraction(0)
    steps: int = 1
    surface: int = 0
    dive: int = 0
    strength: Fraction = Fraction(0)
    military: bool = False
    military_only: str = ""
    no_military: bool = False
    airport_only: bool = False
    stays_up: bool = False
    no_mountains: bool = False
    must_be_towed: bool = False
    consumer: int | None = None  # its EDU


class Development(Struct, frozen=True, kw_only=True):
    investment: int
    edu: int
    yield_: int = msgspec.field(name="yield")
    gives: str = ""
    site: int
    seed: Mapping[str, int] = {}


class FactoryKind(Struct, frozen=True, kw_only=True):
    name: str
    power: int
    tier: int
    target: str
    runs: int = 1
    work: int = 1  # cmx-turns
    minor_squares: int = 1
    workers: int = 1
    pollutes: bool = True
    city_only: bool = False
    coast: bool = False


class Recipe(Struct, frozen=True, kw_only=True):
    item: str
    qty: int
    inputs: Mapping[str, int] = msgspec.field(name="from")
    cost: int
    edu: int
    made_in: tuple[str, ...] = msgspec.field(name="in")
    turns: int = 1
    stored: int = 0  # EDU of a consumer good


class Construction(Struct, frozen=True, kw_only=True):
    inputs: Mapping[str, int] = msgspec.field(name="from")
    cost: int
    edu: int
    work: int = 1
    borders: int = 0  # of a line, in one cmx-turn
    slow_borders: int = 0


class Arming(Struct, frozen=True, kw_only=True):
    makes: int
    inputs: Mapping[str, int] = msgspec.field(name="from")
    bta: int
    cost: int = 0
    edu: int = 0
    disarm: int | str = 0


class Movement(Struct, frozen=True, kw_only=True):
    """BTA to enter a square; None: it may not."""

    open: Fraction | None
    forest: Fraction | None
    desert: Fraction | None
    swamp: Fraction | None
    road: Fraction | None
    rail: Fraction | None


class Tables(Struct, frozen=True, kw_only=True, dict=True):
    format: int
    edition: str
    dice: Mapping[str, Any]
    directions: tuple[str, ...]
    goods: Mapping[str, Good]
    burnable: tuple[str, ...]
    arms: tuple[str, ...]
    land_unit_size: Fraction
    development: Mapping[str, Development]
    marks: tuple[str, ...]
    farm_terrain: tuple[str, ...]
    factories: Mapping[str, FactoryKind]
    power_per_station_run: int
    recipes: tuple[Recipe, ...]
    power_recipes: tuple[Mapping[str, Mapping[str, int]], ...]
    economy: Mapping[str, Any]
    oil_due: Mapping[str, Fraction]
    chemicals_due: Mapping[str, Fraction]
    construction: Mapping[str, Construction]
    slow_terrain: tuple[str, ...]
    swamp_surcharge: Mapping[str, int]
    kit: Mapping[str, int]
    kit_people: Mapping[str, int]
    picks: int
    catalog: Mapping[str, int]
    pirate_kit: Mapping[str, int]
    bta: int
    land_movement: Mapping[str, Movement]
    pipeline_oil: Fraction
    joined_parts: Fraction
    kinds: Mapping[str, Kind]
    loading: Mapping[str, Any]
    supply: Mapping[str, int]
    city: Mapping[str, Any]
    colony: Mapping[str, int]
    arming: Mapping[str, Arming]
    land: Mapping[str, Any]
    land_crt: Ladder
    naval: Mapping[str, Any]
    naval_crt: Ladder
    bomber_fighter: Ladder
    fighter_fighter: Ladder
    air: Mapping[str, Any]
    non_combat: Mapping[str, Any]
    ack_ack: Mapping[str, Mapping[str, str]]
    bombing_targets: Mapping[str, tuple[int, str, str]]
    bombing_modifiers: Mapping[str, Any]
    bombing_results: Mapping[str, tuple[str | int, ...]]
    bombing_results_monotone: Mapping[str, tuple[str | int, ...]]
    starred_targets: tuple[str, ...]
    capture: Mapping[str, Any]
    serpents: Mapping[str, Any]
    end: Mapping[str, Mapping[str, int]]
    scores: Mapping[str, int]

    @cached_property
    def codes(self) -> Mapping[str, str]:
        """The kind of each code."""
        return {kind.code: id_ for id_, kind in self.kinds.items() if kind.code}

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The place of each kind and good in their lists."""
        return {id_: place for place, id_ in enumerate((*self.kinds, *self.goods))}

    @cached_property
    def parts_of_bta(self) -> int:
        """Into how many parts a BTA falls, so that every step over land is a whole number of them."""
        rows = (msgspec.structs.astuple(row) for row in self.land_movement.values())
        steps = [price for row in rows for price in row if price is not None]
        return lcm(self.joined_parts.denominator, *(price.denominator for price in steps))


def tables_from(raw: Mapping[str, Any]) -> Tables:
    """The tables of a file that has been read. Raises `msgspec.ValidationError` for what has another shape."""
    tables: Tables = converted(raw, Tables)
    return tables


def converted(raw: Any, kind: Any) -> Any:
    """A part of such a file. Raises `msgspec.ValidationError`."""
    return msgspec.convert(_by_text(raw), kind, dec_hook=_amount, strict=False)


def _amount(kind: type, value: object) -> Fraction:
    if kind is Fraction and isinstance(value, int | str):
        with suppress(ValueError, ZeroDivisionError):
            return Fraction(value)
    raise ValueError(f"{value!r} is no amount")


def _by_text(raw: Any) -> Any:
    """Dice as keys are text, so that all keys are; yes and no stay what YAML makes of them."""
    if isinstance(raw, Mapping):
        return {str(key): _by_text(value) for key, value in raw.items()}
    return [_by_text(each) for each in raw] if isinstance(raw, list) else raw
