"""A position while orders are carried out: what the rules look at and change, and what they tell of it.

Everything in it is a frozen value; a change puts another value in its place. What was changed comes out as events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.chance import Chance
from pbem.core.refusal import DieNeeded, Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.board import Map
from pbem.games.empire.geography.grid import border, map_order, square_of
from pbem.games.empire.rules.asked import Heard
from pbem.games.empire.rules.events import Changed, Event, Noted, Rolled
from pbem.games.empire.rules.held import EMPTY, Crew, Held, both, joined, put, put_lots, taken, without
from pbem.games.empire.rules.orders import Standing
from pbem.games.empire.rules.reducer import difference, plain
from pbem.games.empire.rules.state import Border, Country, Part, State, Unit
from pbem.games.empire.rules.tables import Kind, Tables

NO_PART = Part()
NO_BORDER = Border()
BUILT = 8  # states of roads and cities of one map whose ways are remembered
BUT = "-"  # before each square where a declaration does not hold that holds everywhere else


Counted = tuple[Mapping[str, Part], Mapping[str, Unit]]  # parts and units of whose goods the HUP sheet knows


class Setting(Struct, frozen=True, kw_only=True, dict=True):
    """What stays the same: the map, the tables, the options."""

    board: Callable[[], Map]  # what tells which seats there are asks for no map, and one from a seed takes long
    tables: Tables
    options: Mapping[str, str]
    setup: str = "full"

    @cached_property
    def map(self) -> Map:
        return self.board()

    @cached_property
    def recipes(self) -> tuple[Any, ...]:
        """Without those of the project where the goods are those of the typescript."""
        if self.options["goods"] == "table":
            return self.tables.recipes
        last = next(place for place, row in enumerate(self.tables.recipes) if row.item == "sailplane")
        return self.tables.recipes[: last + 1]

    @cached_property
    def ways(self) -> Callable[[object], dict[Any, Any]]:
        """By what is built on the map: what was found out of ways over it, in whichever game."""
        return lru_cache(maxsize=BUILT)(lambda _built: {})


class Saved(Struct, frozen=True, kw_only=True):
    """How it stood in the middle of an order."""

    state: State
    counted: Counted
    told: int = 0  # events


class World:
    def __init__(
        self, setting: Setting, state: State, chance: Chance, *, before: State | None = None, drawn: Iterable[int] = ()
    ) -> None:
        """`before`: the position that the events lead on from; `drawn`: the first results, which are drawn already."""
        self.setting, self.map, self.tables, self.options = setting, setting.map, setting.tables, setting.options
        self.state = state  # its fields that are no tables are changed by `set`
        self.chance = chance
        self.parts: dict[str, Part] = dict(state.parts)
        self.borders: dict[str, Border] = dict(state.borders)
        self.units: dict[str, Unit] = dict(state.units)
        self.countries: dict[str, Country] = dict(state.countries)
        self.offers = dict(state.offers)
        self.hup = dict(state.hup)
        self.is_given = False  # is it told how things stand, not what happens?
        self.counted: Counted = (state.parts, state.units)
        self.events: list[Event] = []
        self.only: tuple[str, ...] | None = None  # who learns of what is noted now; None: everybody
        self.veiled: dict[tuple[str, ...], tuple[int, ...]] = {}  # places of lots that not all learn, by who does
        self.private: tuple[str, ...] | None = None  # who learns the order; None: everybody
        self.is_revealed = False  # has somebody seen the Pirate by it?
        self.lasting: str | None = None  # why what is done can't be taken back
        self.heard: list[Heard] = []  # what was said to the questions that come up, in their order
        self.asks_nobody = False  # do defaults answer them?
        self.speaks: str | None = None  # the country that an order names before a colon: only its units are meant
        self.before = before or state
        self.drawn: list[int] = []  # results of this order
        self._kept = list(drawn)
        self._at: dict[str, list[str]] | None = None
        self._ways: dict[Any, Any] | None = None
        self._dice: dict[str, int] = {}

    # -- what is told ---

    def note(self, what: str, /, country: str | None = None, only: tuple[str, ...] | None = None, **facts: Any) -> None:
        self.events.append(
            Noted(what=what, facts=plain(facts), country=country, only=self.only if only is None else only)
        )

    def die(self, what: str, faces: Mapping[Any, Any] | None = None, *, odds: str = "", column: str = "") -> int:
        """One die for a purpose.

        Raises `DieNeeded` where nothing may be drawn; with what each face would bring, which a preview tells.
        """
        number, is_new = self._dice.get(what, 0) + 1, not self._kept  # numbers are those of the entry
        try:
            face = self.pick(f"{self.state.slot} {what} {number}", int(self.tables.dice["faces"])) + 1
        except DieNeeded as needed:
            known = {
                "odds": odds,
                "column": column,
                "faces": {str(side): str(it) for side, it in (faces or {}).items()},
            }
            needed.facts.update({key: value for key, value in known.items() if value})
            raise
        if is_new:
            self._dice[what] = number
        self.lasting = "die_drawn"
        return face

    def pick(self, purpose: str, among: int) -> int:
        """One of 0 … among-1 by lot. Raises `DieNeeded` where nothing may be drawn."""
        found = self._kept.pop(0) if self._kept else self._draw(purpose, among)
        self.drawn.append(found)
        return found

    def _draw(self, purpose: str, among: int) -> int:
        found = self.chance.pick(purpose, among)
        if self.only is not None:
            self.veiled[self.only] = (*self.veiled.get(self.only, ()), len(self.chance.draws) - 1)
        return found

    def roll(self, what: str, count: int = 1) -> tuple[int, ...]:
        return tuple(self.die(what) for _ in range(count))

    def rolled(self, what: str, faces: Iterable[int], result: str = "") -> None:
        """Tell dice that were drawn, with what followed."""
        self.events.append(Rolled(purpose=what, faces=tuple(faces), result=result, only=self.only))

    def finality(self, why: str) -> None:
        """What is done now can't be taken back."""
        self.lasting = self.lasting or why

    def saved(self) -> Saved:
        tables = {name: dict(getattr(self, name)) for name in _TABLES}
        return Saved(state=replace(self.state, **tables), counted=self.counted, told=len(self.events))

    def go_back(self, to: Saved) -> None:
        """As it was, but for the dice that were drawn since, and the wind that they told."""
        self.events[to.told :] = [event for event in self.events[to.told :] if isinstance(event, Rolled)]
        self._lay_out(replace(to.state, wind=self.state.wind), to.counted)

    def close(self, *, can_undo: bool = False) -> list[Event]:
        """What happened, with the change of the position behind what is told of it."""
        fields = {name: getattr(self.state, name) for name in self.state.__struct_fields__ if name not in _KEPT_APART}
        to = difference(self.before, {**fields, **{name: getattr(self, name) for name in _TABLES}})
        undoable = can_undo and self.lasting is None
        change = Changed(to=to, can_undo=undoable, why=self.lasting or "nothing", only=self.only)
        return [*self.events, change]

    # -- what is there ---

    def set(self, **fields: Any) -> None:
        self.state = replace(self.state, **fields)

    def put_back(self, state: State) -> None:
        """All is as it was in that position; what has been told of it stands."""
        self._lay_out(state, (state.parts, state.units))

    def _lay_out(self, state: State, counted: Counted) -> None:
        self.state, self.counted = state, counted
        for name in _TABLES:
            setattr(self, name, dict(getattr(state, name)))
        self._at = self._ways = None

    def kind(self, unit: Unit | str) -> Kind:
        return self.tables.kinds[unit if isinstance(unit, str) else unit.kind]

    def part(self, name: str) -> Part:
        return self.parts.get(name, NO_PART)

    def has_item(self, square: str, item: str) -> bool:
        """Does it stand in any part of the square?"""
        return any(item in self.part(land).items for land in self.map.squares[square].land)

    def change_part(self, name: str, **fields: Any) -> Part:
        new = replace(self.part(name), **fields)
        if not fields.keys().isdisjoint(_PASSED):
            self._ways = None
        if new == NO_PART:
            self.parts.pop(name, None)
        else:
            self.parts[name] = new
        return new

    def border(self, one: str, other: str) -> Border:
        return self.borders.get(border(square_of(one), square_of(other)), NO_BORDER)

    def change_border(self, one: str, other: str, lines: Iterable[str], hurt: Iterable[str] | None = None) -> None:
        key = border(square_of(one), square_of(other))
        self._ways = None
        new = Border(lines=tuple(lines), hurt=self.border(one, other).hurt if hurt is None else tuple(hurt))
        if new == NO_BORDER:
            self.borders.pop(key, None)
        else:
            self.borders[key] = new

    @property
    def ways(self) -> dict[Any, Any]:
        """What was found out of ways over the land as it is built now; whoever finds more puts it there."""
        if self._ways is None:
            places = {(name, p.city, p.items, p.hurt) for name, p in self.parts.items() if p.city or p.items}
            self._ways = self.setting.ways((frozenset(places), frozenset(self.borders.items())))
        return self._ways

    def country(self, id_: str) -> Country:
        return self.countries[id_]

    def change_country(self, id_: str, **fields: Any) -> Country:
        self.countries[id_] = replace(self.countries[id_], **fields)
        return self.countries[id_]

    # -- units ---

    def unit(self, id_: str) -> Unit:
        return self.units[id_]

    def put_unit(self, unit: Unit) -> Unit:
        old = self.units.get(unit.id)
        self.units[unit.id] = unit
        if self._at is not None and (old is None or old.at != unit.at):
            if old is not None:
                self._at[old.at].remove(old.id)
            self._at.setdefault(unit.at, []).append(unit.id)
        return unit

    def change(self, id_: str, **fields: Any) -> Unit:
        return self.put_unit(replace(self.units[id_], **fields))

    def remove(self, id_: str) -> Unit:
        """It is gone, with all aboard it."""
        for other in self.aboard(id_):
            self.remove(other.id)
        unit = self.units.pop(id_)
        if self._at is not None:
            self._at[unit.at].remove(id_)
        return unit

    def new_unit(self, kind: str, owner: str, at: str, **fields: Any) -> Unit:
        """A unit with the next number of its kind."""
        number = self.state.numbers.get(kind, 0) + 1
        self.set(numbers={**self.state.numbers, kind: number})
        return self.put_unit(Unit(id=f"{self.kind(kind).code}{number}", kind=kind, owner=owner, at=at, **fields))

    def at(self, place: str) -> list[Unit]:
        """The units in a part, also those aboard others, in order of kinds and numbers."""
        there = self._by_place().get(place)
        return sorted((self.units[id_] for id_ in there), key=self.unit_order) if there else []

    def with_units(self, places: Iterable[str]) -> list[str]:
        """Those of the parts where units are."""
        by_place = self._by_place()
        return [place for place in places if by_place.get(place)]

    def _by_place(self) -> dict[str, list[str]]:
        if self._at is None:
            self._at = {}
            for unit in self.units.values():
                self._at.setdefault(unit.at, []).append(unit.id)
        return self._at

    def in_square(self, square: str) -> list[Unit]:
        """The units in all parts of a square, land and water."""
        return [unit for part in self.map.squares[square].places for unit in self.at(part)]

    def aboard(self, id_: str) -> list[Unit]:
        """What it carries and tows."""
        unit = self.units[id_]
        return [other for other in self.at(unit.at) if other.aboard == id_]

    def unit_order(self, unit: Unit) -> tuple[int, int]:
        """Kinds as in the tables, then numbers."""
        return self.tables.places[unit.kind], int(unit.id[3:])

    def units_of(self, country: str) -> Iterator[Unit]:
        return (unit for unit in list(self.units.values()) if unit.owner == country)

    # -- goods and people ---

    def held(self, place: str, country: str) -> Held:
        """What a country has in a part, or aboard a unit."""
        if place in self.units:
            return self.units[place].holds.get(country, EMPTY)
        return self.part(place).held.get(country, EMPTY)

    def set_held(self, place: str, country: str, held: Held) -> None:
        old = self.units[place].holds if place in self.units else self.part(place).held
        new = {**old, country: held}
        if not held:
            del new[country]
        if place in self.units:
            self.change(place, holds=new)
        else:
            self.change_part(place, held=new)

    def put_goods(
        self, place: str, country: str, good: str, amount: Fraction | int, used: Fraction = Fraction(0)
    ) -> None:
        self.set_held(place, country, put(self.held(place, country), good, amount, used))

    def put_lots(self, place: str, country: str, good: str, lots: list[tuple[Fraction, Fraction]]) -> None:
        self.set_held(place, country, put_lots(self.held(place, country), good, lots))

    def take_goods(
        self, place: str, country: str, good: str, amount: Fraction | int
    ) -> list[tuple[Fraction, Fraction]]:
        held, lots = taken(self.held(place, country), good, amount)
        self.set_held(place, country, held)
        return lots

    def join(self, place: str, country: str, crew: Crew) -> None:
        self.set_held(place, country, joined(self.held(place, country), crew))

    def leave(self, place: str, country: str, crew: Crew) -> None:
        self.set_held(place, country, without(self.held(place, country), crew))

    def merge(self, place: str, country: str, held: Held) -> None:
        self.set_held(place, country, both(self.held(place, country), held))

    def places_of(self, country: str) -> list[str]:
        """Parts where it has goods or people, in map order."""
        return sorted((name for name, part in self.parts.items() if country in part.held), key=map_order)

    def owned(self, country: str, good: str) -> Fraction:
        """Everywhere, also aboard."""
        on_map = sum(self.held(place, country).amount(good) for place in self.places_of(country))
        aboard = sum(unit.holds[country].amount(good) for unit in self.units.values() if country in unit.holds)
        return Fraction(on_map + aboard)

    # -- countries and players ---

    def player(self, country: str) -> Seat | None:
        found = self.countries.get(country)
        return found.player if found else None

    def countries_of(self, player: Seat) -> list[str]:
        """In the order of their list."""
        mine = [id_ for id_, country in self.countries.items() if country.player == player]
        return sorted(mine, key=lambda id_: self.countries[id_].rank)

    def friendly(self, one: str, other: str, place: str) -> bool:
        """Does the first country let the second one be in that square? One's own always (E13.1)."""
        if one == other:
            return True
        mine, theirs = self.player(one), self.player(other)
        if mine is None or theirs is None:
            return False
        if mine == theirs:
            return True
        squares = self.countries[one].friendly.get(theirs)
        if squares and squares[0].startswith(BUT):
            return f"{BUT}{square_of(place)}" not in squares
        return squares is not None and (not squares or square_of(place) in squares)

    def standing(self, player: Seat | None, what: str) -> Iterator[Standing]:
        """Their standing orders of that kind, the newest first."""
        mine = (kept for kept in self.state.standing.values() if kept.seat == player and kept.order.what == what)
        return (kept.order for kept in sorted(mine, key=lambda kept: -kept.number))

    @property
    def now(self) -> str:
        return self.state.slot


_PASSED = ("city", "items", "hurt")  # fields of a part on which ways rest
_TABLES = ("parts", "borders", "units", "countries", "offers", "hup")
_KEPT_APART = (*_TABLES, "before", "barred", "resume")


def refuse(code: str, **facts: object) -> None:
    """Raise `Illegal`."""
    raise Illegal(code, **facts)
