"""Orders by lot that may be possible in a position: of one's own things mostly, to squares that are near."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.games.empire.geography.grid import DIRECTIONS, square_of
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.held import Held
from tests.empire.random_things import PEOPLE
from tests.empire.random_war import WarOrders

ITEMS = ("city", "dock", "airport", "warehouse", "pillbox", "fort", "bridge", "canal", "road", "railroad", "power_line",
         "pipeline", "mountain_road", "widening", "underwater_power_line")  # fmt: skip
LINEAR = ("road", "railroad", "power_line", "pipeline", "underwater_power_line")
MANNED = ("AA", "naval_gun", "canal", "fort")


class Orders(WarOrders):
    """What a seat may think of ordering."""

    def some(self) -> od.Order:
        """One in ten is wild: about anything anywhere."""
        makers = self._makers()
        for _ in range(20):
            try:
                order = self.battle() if self.dice.random() < 0.12 else self.pick(makers)()
            except (IndexError, ValueError):  # there is nothing of the kind
                continue
            return order
        return od.Rollout()

    def _makers(self) -> list[Callable[[], od.Order]]:
        often = [self.people, self.people, self.unit, self.unit, self.unit, self.unit, self.battle, self.battle, self.battle, self.overrun, self.make,
                 self.load, self.unload, self.arm, self.develop, self.build, self.posture]  # fmt: skip
        seldom = [self.tow, self.release, self.pipe, self.farm, self.stop, self.consume, self.colony, self.gun, self.man,
                  self.repair, self.scrap, self.destroy, self.burn, self.births, self.disarm, self.overrun, self.patrol,
                  self.raid, self.kill, self.capture, self.seize, self.take, self.scuttle, self.die, self.attitude,
                  self.transfer, self.give, self.answer, self.aid, self.found, self.govern, self.listing, self.undo,
                  self.standing, self.lay]  # fmt: skip
        return [*often, *often, *seldom]

    # -- moving and carrying ---

    def people(self) -> od.Order:
        part, country, held = self.pile()
        kind = self.pick(PEOPLE) if self.wild() else self.pick(held.crews).kind
        way = (self.near(part, 2), *((self.near(part, 3),) if self.wild() else ()))
        cargo = self.items(held) if self.dice.random() < 0.3 else ()
        return od.Move(country=country, kind=kind, count=self.pick((None, 1, 1, 2)), start=part, way=way,
                       cargo=cargo, hold=self.wild())  # fmt: skip

    def unit(self) -> od.Order:
        unit = self.own()
        held = self.w.held(unit.at, unit.owner) if unit.at in self.w.parts else Held()
        cargo = self.items(held) if self.dice.random() < 0.2 else ()
        far = 6 if self.w.kind(unit).class_ == "air" else 3 if self.w.kind(unit).class_ == "ship" else 2
        return od.Move(units=(unit.id,), way=(self.near(unit.at, far),), cargo=cargo, hold=self.pick((True, False)),
                       ending=self.pick(("", "", "dock", "beach")))  # fmt: skip

    def posture(self) -> od.Order:
        return od.Posture(units=(self.own("ship").id,), posture=self.pick(("dock", "sea", "beach", "dive", "surface")))

    def load(self) -> od.Order:
        ship = self.pick([u for u in self.units if self.w.kind(u).holds])
        square = self.w.map.squares[square_of(ship.at)]
        around = [u for u in self.w.in_square(square.name) if u.id != ship.id]
        things = [od.Item(u.id, 1) for u in around] + [od.Item(u.kind, None) for u in around]
        things += [self.item(self.w.held(p, ship.owner)) for p in square.land if self.w.held(p, ship.owner)]
        source = self.pick([u for u in around if u.holds]).id if self.wild() else None
        return od.Load(carrier=ship.id, items=(self.pick(things),), source=source)

    def unload(self) -> od.Order:
        ship = self.pick([u for u in self.units if u.holds or self.w.aboard(u.id)])
        things = [od.Item(u.id, 1) for u in self.w.aboard(ship.id)] + [self.item(h) for h in ship.holds.values() if h]
        land = self.w.map.squares[square_of(ship.at)].land
        return od.Unload(carrier=ship.id, items=(self.pick(things),), at=self.pick((None, *land)))

    def tow(self) -> od.Order:
        puller = self.pick([u for u in self.units if self.w.kind(u).tows])
        return od.Tow(
            carrier=puller.id, units=self.ids([u for u in self.w.in_square(square_of(puller.at)) if u != puller])
        )

    def release(self) -> od.Order:
        puller = self.pick([u for u in self.units if any(o.towed for o in self.w.aboard(u.id))])
        return od.Release(carrier=puller.id, units=self.ids(self.w.aboard(puller.id)))

    def pipe(self) -> od.Order:
        start = self.square()
        return od.Pipe(count=1, way=(start, self.near(start)))

    # -- working ---

    def develop(self) -> od.Order:
        squares = {square_of(place) for place in (self.square(), self.square(), *(u.at for u in self.units))}
        at = self.pick([p for p in self.w.map.marks if square_of(p) in squares])
        ship = self.pick([None, *(u.id for u in self.units if square_of(u.at) == square_of(at))])
        return od.Develop(
            mark=self.pick([*self.w.map.marks[at]]), at=at, grade=self.pick((None, None, 1, 2)), ship=ship
        )

    def farm(self) -> od.Order:
        return od.Farm(country=self.country(), squares=tuple({self.square() for _ in range(self.dice.randint(1, 2))}))

    def stop(self) -> od.Order:
        what = self.pick(("farm", "iron", "manning"))
        return od.Stop(what=what, at=self.square(), of=self.pick(MANNED) if what == "manning" else None)

    def make(self) -> od.Order:
        at = self.square()
        at = (
            at
            if at in self.w.map.land and self.w.part(at).factories
            else self.pick([p for p in self.places if self.w.part(p).factories])
        )
        kind = self.pick(self.w.part(at).factories).kind
        rows = [row for row in self.w.setting.recipes if kind in row.made_in]
        item = "power" if kind == "PS" else "fresh_water" if kind == "WAT" else self.pick(rows).item
        return od.Make(country=self.country(), item=item, count=self.pick((None, None, 1, 2, 3)), at=at,
                       factory=self.pick((None, kind)) if item != "power" else None, book=self.pick(("", "first", "spread")))  # fmt: skip

    def consume(self) -> od.Order:
        able = [od.Item(u.id, 1) for u in self.units if self.w.kind(u).consumer and not u.consumed]
        part, _, held = self.pile()
        return od.Consume(
            item=self.pick([*able, *(od.Item(g, 1) for g in held.goods if self.w.tables.goods[g].edu)]), at=part
        )

    def build(self) -> od.Order:
        at, item = self.square(), self.pick((*ITEMS, *ITEMS, *self.w.tables.factories))
        squares = (at, self.near(at)) if item in LINEAR or self.wild() else (at,)
        ship = self.own("ship").id if item in ("bridge", "underwater_power_line") else None
        return od.Build(country=self.country(), item=item, squares=squares, facing=self.pick((None, *DIRECTIONS)), ship=ship,
                        cmx=self.pick((None, 1, 2)), book=self.pick(("", "first", "spread")))  # fmt: skip

    def lay(self) -> od.Order:
        at = self.square()
        return od.Lay(item=self.pick(("road", "railroad", "power_line", "canal")), squares=(at, self.near(at)))

    def colony(self) -> od.Order:
        return od.Colony(country=self.country(), at=self.square())

    def gun(self) -> od.Order:
        kind = self.pick((od.Install, od.Deinstall))
        return kind(country=self.country(), what=self.pick(("AA", "naval_gun")), at=self.square())

    def man(self) -> od.Order:
        return od.Man(country=self.country(), what=self.pick(MANNED), at=self.square())

    def repair(self) -> od.Order:
        ships = [u.id for u in self.units if u.steps]
        at = self.square()
        return od.Repair(what=self.pick([*ships, *self._things(at)]), at=at)

    def scrap(self) -> od.Order:
        at = self.square()
        return od.Scrap(
            country=self.country(),
            what=self.pick([f.kind for p in self.w.map.parts(at) for f in self.w.part(p).factories]),
            at=at,
        )

    def destroy(self) -> od.Order:
        at = self.square()
        return od.Destroy(country=self.country(), what=self.pick(self._things(at)), squares=(at,))

    def burn(self) -> od.Order:
        part, country, held = self.pile()
        good = self.pick([*held.goods])
        kind = od.Burn if good in self.w.tables.burnable else od.Dump
        return kind(country=country, item=od.Item(good, self.pick((None, 1))), at=part)

    def births(self) -> od.Order:
        return od.Births(country=self.country(), at=self.square(), on=self.pick((True, False)))

    # -- state, people, others ---

    def seats(self) -> list[str]:
        return [*self.w.state.seats, *(each for each in self.w.countries if each != "pirate")]

    def attitude(self) -> od.Order:
        where = (square_of(self.square()),) if self.wild() else ()
        return od.Attitude(player=self.pick(self.w.state.seats), friendly=self.pick((True, False)), squares=where)

    def transfer(self) -> od.Order:
        return od.Transfer(
            unit=self.pick((self.own().id, self.own().id, self.pick(self.mine))), to=self.pick(self.seats())
        )

    def give(self) -> od.Order:
        part, country, held = self.pile()
        return od.Give(country=country, item=self.item(held), at=part, to=self.pick(self.seats()))

    def answer(self) -> od.Order:
        offer = self.pick([*self.w.offers])
        return self.pick((od.Accept, od.Accept, od.Reject))(offer=offer)

    def aid(self) -> od.Order:
        return od.Aid(country=self.country(), to=self.pick(self.seats()), amount=self.pick((0, 1, 5, 20)))

    def found(self) -> od.Order:
        part, country, held = self.pile()
        things = [od.Part(item.what, item.count, part) for item in self.items(held)]
        things += [od.Part(u.id) for u in self.units if u.owner == country and self.dice.random() < 0.1]
        return od.Found(country=country, name=self.pick(("corinth", "delos", "elis")), at=part, parts=tuple(things))

    def govern(self) -> od.Order:
        return self.pick((od.Governor, od.Ambassador))(country=self.country(), at=self.square())

    def listing(self) -> od.Order:
        listed = [each for each in self.mine if each != "pirate"]
        return od.Listing(countries=tuple(self.dice.sample(listed, max(1, len(listed)))))

    def undo(self) -> od.Order:
        return od.Undo()

    def standing(self) -> od.Order:
        says: dict[str, Any] = self.pick((
            {"what": "retreat", "to": self.square()},
            {"what": "scramble", "says": self.pick(("all", "none", "always", "2"))},
            {"what": "protect", "at": square_of(self.square()), "to": self.pick(self.w.state.seats)},
            {"what": "fire", "says": self.pick(("all", "none"))},
            {"what": "ackack", "says": self.pick(("all", "none"))},
            {"what": "raid", "says": self.pick(("scuttle", "yield"))},
            {"what": "feed", "at": self.square(), "says": self.pick(("first", "last"))},
            {"what": "accept", "says": self.pick(("all", "none"))},
        ))  # fmt: skip
        return od.Standing(**says)
