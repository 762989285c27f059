"""What a seat may put into orders by lot: its own things mostly, and squares that are near."""

from __future__ import annotations

import random
from collections.abc import Sequence

from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.ground.sides import controls
from pbem.games.empire.rules.held import Held
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

PEOPLE = ("worker", "worker", "worker", "governor", "ambassador")


class Things:
    """What a seat has, and what is near it."""

    def __init__(self, w: World, seat: Seat, dice: random.Random) -> None:
        self.w, self.seat, self.dice, self.pick = w, seat, dice, dice.choice
        self.mine = w.countries_of(seat)
        self.units = [unit for unit in w.units.values() if unit.owner in self.mine]
        self.theirs = [unit for unit in w.units.values() if unit.owner not in self.mine]
        places = {part for country in self.mine for part in w.places_of(country)}
        self.places = sorted(places | {u.at for u in self.units if u.at in w.map.land})
        self.squares = [*w.map.squares]

    def wild(self) -> bool:
        return self.dice.random() < 0.08

    def country(self) -> str | None:
        named = [each for each in self.mine if each != "pirate"]
        return self.pick(named) if self.dice.random() < 0.6 else None

    def square(self) -> str:
        if self.wild() or not self.places:
            return self.pick(self.squares)
        held = [part for part in self.places if any(controls(self.w, country, part) for country in self.mine)]
        return self.name(self.pick(held if held and self.dice.random() < 0.8 else self.places))

    def near(self, place: str, most: int = 1) -> str:
        if self.wild():
            return self.pick(self.squares)
        for _ in range(self.dice.randint(1, most)):
            place = self.pick(self.w.map.around(square_of(place)))
        return self.name(self.pick([*self.w.map.squares[square_of(place)].land, square_of(place)]))

    def name(self, part: str) -> str:
        return part if self.dice.random() < 0.7 else square_of(part)

    def own(self, *classes: str) -> Unit:
        if self.wild():
            return self.pick([*self.w.units.values()])
        return self.pick([u for u in self.units if not classes or self.w.kind(u).class_ in classes])

    def ids(self, units: Sequence[Unit], most: int = 3) -> tuple[str, ...]:
        """At least one; where there is none, nothing is ordered."""
        names = [unit.id for unit in self.dice.sample(list(units), min(len(units), self.dice.randint(1, most)))]
        return (names.pop(), *names)

    def army(self, at: str) -> list[Unit]:
        """Those of one's own in the square and around it, but for what is carried."""
        near = (square_of(at), *self.w.map.around(square_of(at)))
        return [u for u in self.units if square_of(u.at) in near and (u.aboard is None or self.wild())]

    def pile(self) -> tuple[str, str, Held]:
        """A place with a country that has something there."""
        piles = [(part, c, self.w.held(part, c)) for c in self.mine for part in self.w.places_of(c)]
        return self.pick([pile for pile in piles if pile[2]])

    def item(self, held: Held, most: int = 3) -> od.Item:
        return od.Item(self.pick([*held.goods, *(c.kind for c in held.crews)]), self.pick((None, *range(1, most + 1))))

    def items(self, held: Held) -> tuple[od.Item, ...]:
        if not held:
            return ()
        return tuple({(item := self.item(held)).what: item for _ in range(self.dice.randint(1, 2))}.values())

    def _things(self, at: str) -> list[str]:
        found = [self.w.part(part) for part in self.w.map.parts(at)]
        words = [
            [*(f.kind for f in p.factories), *p.items, *(g.kind for g in p.guns), *(f.kind for f in p.forts.values())]
            for p in found
        ]
        return ["city", *(word for each in words for word in each)]
