"""Positions by lot: countries in one corner of a small map, at war, at sea, in the air and in debt."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress

from msgspec.structs import replace

from pbem.core.chance import Lots
from pbem.core.refusal import Impossible
from pbem.core.seat import Seat, Setup
from pbem.games.empire.data.editions import empire, tables
from pbem.games.empire.geography.grid import distance
from pbem.games.empire.geography.model import Map
from pbem.games.empire.rules.combat.stopping import room
from pbem.games.empire.rules.game import Empire
from pbem.games.empire.rules.orders import Given
from pbem.games.empire.rules.state import State
from pbem.games.empire.rules.world import Setting
from tests.empire.random_maps import random_map

SEATS = tuple(map(Seat, ("anton", "bert", "carl", "dora", "emil")))
LAND = ("sac", "sac", "infantry_regiment", "infantry_regiment", "infantry_brigade", "armored_brigade", "recon_unit",
        "artillery_brigade", "mechanized_brigade", "airborne_regiment", "construction_brigade")  # fmt: skip
VEHICLES = ("cow", "truck", "locomotive", "rolling_stock", "automobile", "light_transport", "bicycle")
SHIPS = ("battleship", "cargo_ship", "cargo_ship", "carrier", "cruiser", "destroyer", "fishing_ship", "oil_tanker",
         "pirate_ship", "submarine", "submarine", "barge", "raft", "sailboat", "yacht", "luxury_liner")  # fmt: skip
MILITARY = ("fighter", "strategic_bomber", "tac")
AIRCRAFT = (*MILITARY, *MILITARY, "cargo_plane", "galaxy", "balloon", "passenger_liner", "sailplane", "spruce_goose")
GOODS = tuple(tables().goods)
FACTORIES = tuple(tables().factories)


def table(dice: random.Random, board: Map | None = None) -> Empire:
    """The rules of a bare table on a small map; half of the tables have a Pirate to come, half serpents."""
    options = {"pirate": dice.choice(("none", "bot")), "serpents": dice.choice(("yes", "no"))}
    rules = empire(
        Setup(game="empire", edition="third_1976", board="training", setup="bare", seats=SEATS, options=options)
    )
    setting, drawn = rules.setting, board or random_map(dice)
    used = Setting(board=lambda: drawn, tables=setting.tables, options=setting.options, setup="bare")
    return Empire(used, rules.notation, {"game": "empire", "edition": "third_1976", "board": "lots"})


def position(rules: Empire, dice: random.Random) -> State:
    """What can't be is left out."""
    seats = SEATS[: dice.randint(2, 5)]
    state = rules.blank(Setup(seats=seats))
    for event in rules.open(state, Lots("lots", "lots", 0), {}):
        state = rules.apply(state, event)
    for line in Position(rules, dice, seats).lines():
        with suppress(Impossible):
            for event in rules.given(state, [line]):
                new = rules.apply(state, event)
                state = new if stacked(rules, new) else state
    return replace(state, before=(), barred=None)


def stacked(rules: Empire, state: State) -> bool:
    """Is no part fuller of land units than it may be?"""
    w = rules.world(state)
    return all(
        room(w, u, u.at) > 0
        for u in w.units.values()
        if u.at in w.map.land and w.tables.kinds[u.kind].class_ in ("land", "people")
    )


class Position:
    def __init__(self, rules: Empire, dice: random.Random, seats: tuple[Seat, ...]) -> None:
        self.rules, self.dice, self.seats = rules, dice, seats
        found = rules.setting.map
        middle = dice.choice([*found.land])
        self.land = sorted(found.land, key=lambda part: distance(part, middle))[: dice.choice((12, 18, 26))]
        self.water = sorted(found.water, key=lambda part: distance(part, middle))[:8] or [*found.water]
        self.apart = dice.random() < 0.6  # do countries begin each around its capital?
        self.homes = [*found.land] if self.apart else [*self.land]
        dice.shuffle(self.homes)
        self.numbers: dict[str, int] = {}
        self.countries: list[str] = [*seats, *(("further",) if dice.random() < 0.5 else ())]

    def lines(self) -> Iterator[Given]:
        dice = self.dice
        yield Given(what="turn", amounts={"": str(dice.choice((1, 2, 3, 3, 5)))})
        yield Given(what="slot", who=dice.choice(self.seats))
        if "further" in self.countries:
            yield Given(what="country", who="further", other=dice.choice(self.seats))
        for _ in range(14):
            yield self._stands()
        for country in self.countries:
            yield from self._country(country)
        if dice.random() < 0.3 and self.water:
            yield Given(what="serpent", squares=(dice.choice(self.water),), state=dice.choice(("surfaced", "dived")))
        if dice.random() < 0.3 and self.water:
            yield Given(what="pirate", who=self.seats[-1], squares=(dice.choice(self.water),))

    def _stands(self) -> Given:
        """Something that nobody owns."""
        dice, here = self.dice, (self.dice.choice(self.land),)
        return dice.choice((
            lambda: Given(what="factory", kind=dice.choice(FACTORIES), squares=here),
            lambda: Given(what=dice.choice(("dock", "airport", "warehouse", "canal", "bridge", "mountain_road")), squares=here),
            lambda: Given(what=dice.choice(("fort", "pillbox")), squares=here, facing=dice.choice("NEQSWP")),
            lambda: Given(what=dice.choice(("city", "site")), squares=here),
            lambda: Given(what="work", kind=dice.choice(("NSY", "HAW", "SAW")), squares=here, amounts={"": "1"}),
        ))()  # fmt: skip

    def _country(self, id_: str) -> Iterator[Given]:
        dice, home = self.dice, (self.homes.pop() if self.homes else self.dice.choice(self.land),)
        near = sorted(self.rules.setting.map.land, key=lambda part: distance(part, home[0]))[:4]
        land = near if self.apart else self.land
        yield Given(what="capital", who=id_, squares=home)
        yield Given(what="airport", squares=home)
        yield Given(what="dock", squares=home)
        for _ in range(3):
            yield Given(what="factory", kind=dice.choice(FACTORIES), squares=home)
        yield Given(what="governor", who=id_, squares=home)
        for place in (home, *((dice.choice(land),) for _ in range(3))):
            yield Given(what="workers", who=id_, squares=place, amounts={"": str(dice.randint(1, 7))})
            yield Given(
                what="goods",
                who=id_,
                squares=place,
                items=tuple((good, str(dice.randint(1, 6))) for good in dice.sample(GOODS, 6)),
            )
            yield Given(
                what="used_workers", who=id_, squares=place, amounts={"count": "1", "": str(dice.randint(0, 12))}
            )
        stock = ("food", "oil", "chemicals", "building_material", "wood", "steel", "iron", "coal", "hmx", "td", "cmx",
                 "small_arms_unit", "heavy_arms_unit")  # fmt: skip
        yield Given(
            what="goods", who=id_, squares=home, items=tuple((good, str(dice.randint(0, 9) or 1)) for good in stock)
        )
        yield Given(what="ambassador", who=id_, squares=(dice.choice(land),))
        for kind, places in ((LAND, land), (VEHICLES, land), (SHIPS, self.water), (AIRCRAFT, home)):
            for _ in range(
                dice.randint(2, 5 if self.apart else 9) if kind is LAND or kind is SHIPS else dice.randint(0, 4)
            ):
                yield from self._unit(id_, dice.choice(kind), places)
        yield from self._about(id_, home, land)

    def _unit(self, country: str, kind: str, places: Sequence[str]) -> Iterator[Given]:
        if not places:
            return
        dice = self.dice
        self.numbers[kind] = self.numbers.get(kind, 0) + 1
        id_ = f"{tables().kinds[kind].code}{self.numbers[kind]}"
        state = dice.choice((None, "docked", "beached", "sea")) if kind in SHIPS else None
        state = dice.choice(("dived", "sea")) if kind == "submarine" else state
        state = "consumed" if tables().kinds[kind].consumer and dice.random() < 0.7 else state
        at = (dice.choice(places),)
        if state in ("docked", "beached") and at[0] not in self.shores:
            state = "sea"
        yield Given(what="unit", who=country, unit=id_, squares=at, state=state)
        if kind == "submarine":
            yield Given(what="aboard", unit=id_, items=(("torpedo", "2"),))
        if kind in ("cargo_ship", "pirate_ship"):
            yield Given(what="aboard", unit=id_, items=((dice.choice(GOODS), "1"), ("worker", "1")))
        if kind == "strategic_bomber":
            yield Given(what="aboard", unit=id_, items=(("bomb", "1"),))
        if kind == "tac":
            yield Given(what="aboard", unit=id_, items=(("light_bomb", "1"),))
        if dice.random() < 0.3:
            yield Given(what="used", unit=id_, amounts={"": str(dice.randint(0, 12))})

    @property
    def shores(self) -> set[str]:
        found = self.rules.setting.map
        return {part for square in found.squares.values() if square.is_land for part in square.water}

    def _about(self, id_: str, home: tuple[str, ...], land: Sequence[str]) -> Iterator[Given]:
        dice = self.dice
        number = lambda most: {"": str(dice.randint(0, most))}  # noqa: E731
        yield Given(what="confidence", who=id_, amounts={"": str(dice.randint(10, 90))})
        yield Given(what="fund", who=id_, amounts=number(40))
        yield Given(what="tax", who=id_, amounts=number(10))
        yield Given(what="edu", who=id_, amounts=number(60))
        for kind, good in (("oil", "oil"), ("chemicals", "chemicals"), ("pay", "food")):
            yield Given(what="debt", who=id_, kind=kind, amounts={"": f"{dice.randint(0, 19)}/20" if good else "0"})
        yield Given(what="farming", who=id_, squares=home)
        yield Given(what="installed", kind=dice.choice(("AA", "naval_gun")), squares=(dice.choice(land),), who=id_)
        other = dice.choice(self.seats)
        if dice.random() < 0.5:
            yield Given(what="friendly", who=id_, other=other)
        if dice.random() < 0.3 and other != id_:
            yield Given(what="exchange", who=id_, other=other, amounts={"": str(dice.randint(1, 9))})
        if dice.random() < 0.1:
            yield Given(what="inflation", who=id_)
        if dice.random() < 0.1:
            yield Given(what="capture", who=id_, amounts={"": "9.1"})
