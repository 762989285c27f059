"""Orders of war by lot."""

from __future__ import annotations

from pbem.games.empire.geography.grid import distance, square_of
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.state import Unit
from tests.empire.random_things import PEOPLE, Things


class WarOrders(Things):
    """Against others, or against one's own."""

    def arm(self) -> od.Order:
        kinds = [*self.w.tables.arming]
        unit = self.own()
        after = [k for k, row in self.w.tables.arming.items() if unit.kind in row.inputs] or kinds
        named = (unit.id,) if self.dice.random() < 0.4 else ()
        aboard = unit.aboard if not named and self.dice.random() < 0.4 else None
        at = self.square() if self.wild() else unit.at
        return od.Arm(country=self.country(), kind=self.pick(("sac", *after)), count=self.pick((None, 1, 1, 2, 3)),
                      at=None if aboard else at, units=named, aboard=aboard)  # fmt: skip

    def disarm(self) -> od.Order:
        return od.Disarm(units=(self.own("land", "people").id,))

    def battle(self) -> od.Order:
        return od.Battle(attacks=tuple(self.attack() for _ in range(self.pick((1, 1, 1, 2, 3)))))

    def attack(self) -> od.Assault:
        """On land, at sea or from the air: somebody whom one's own units may reach, with those that may."""
        way = self.dice.random()
        if way < 0.4:
            return self._on_land()
        if way < 0.55:
            return self._at_sea()
        flying = [u for u in self.units if u.kind in ("strategic_bomber", "tac", "fighter")]
        foe = self.pick(self.theirs)
        if way < 0.9:
            target = self.pick([foe.id, foe.id, foe.kind, *self._things(foe.at), "empty", "worker"])
            escort = self.ids([u for u in flying if u.kind == "fighter"], 1) if self.wild() else ()
            return od.Bomb(
                target=target, at=self.name(foe.at), units=self.ids([u for u in flying if u.holds], 2), escort=escort
            )
        verb = self.pick(("bombard", "shell", "intercept"))
        return od.Strike(verb=verb, target=foe.id, units=self.ids(flying if verb == "intercept" else self.army(foe.at)))

    def _on_land(self) -> od.Assault:
        free = [u for u in self.units if u.aboard is None and u.fought < self.w.state.turn]
        army = [u for u in free if self.w.kind(u).class_ in ("land", "people") and u.at in self.w.map.land]
        foe = self.pick([u for u in self._soldiers() if any(distance(u.at, a.at) < 2 for a in army)])
        near = [u for u in army if distance(u.at, foe.at) < 2 or u.kind == "artillery_brigade"]
        help_ = [u for u in free if u.kind in ("battleship", "cruiser", "strategic_bomber", "tac")]
        support = self.ids(help_) if help_ and self.dice.random() < 0.2 else ()
        return od.Attack(targets=self.pick(((), (foe.id,))), at=foe.at, units=self.ids(near, 6), support=support,
                         lose=(self.pick(near).id,) if self.wild() else (), advance=self.pick((True, False)))  # fmt: skip

    def _soldiers(self) -> list[Unit]:
        """Land units of others in the open."""
        there = [u for u in self.theirs if u.at in self.w.map.land and u.aboard is None and u.state == "ground"]
        return [u for u in there if self.w.kind(u).class_ in ("land", "people")]

    def _at_sea(self) -> od.Assault:
        mine = [u for u in self.units if self.w.kind(u).class_ == "ship" and u.aboard is None]
        foe = self.pick([u for u in self.theirs if any(u.at == ship.at for ship in mine)])
        near = [u for u in mine if u.at == foe.at]
        if self.dice.random() < 0.3:
            return od.Strike(verb="torpedo", target=foe.id, units=self.ids([u for u in near if u.kind == "submarine"]))
        armed = [u for u in near if self.w.kind(u).nbf] or near
        return od.Attack(
            targets=self.pick(((), (foe.id,))), at=square_of(foe.at), units=self.ids(armed, 5), every=self.wild()
        )

    def overrun(self) -> od.Order:
        army = [u for u in self.units if self.w.kind(u).class_ == "land" and u.aboard is None]
        foe = self.pick([u for u in self._soldiers() if any(distance(u.at, a.at) < 2 for a in army)])
        near = [u for u in army if distance(u.at, foe.at) < 2]
        return od.Overrun(targets=self.pick(((), (foe.id,))), at=foe.at, units=self.ids(near, 6))

    def patrol(self) -> od.Order:
        return od.Patrol(at=self.square(), units=self.ids([u for u in self.units if u.kind in ("fighter", "tac")], 2))

    def raid(self) -> od.Order:
        raider = self.pick([u for u in self.units if u.kind in ("pirate_ship", "super_cargo_ship")])
        target = self.pick([u for u in self.w.at(raider.at) if u.id != raider.id])
        return self.pick((od.Raid, od.Shoot))(target=target.id, unit=raider.id)

    def kill(self) -> od.Order:
        unit = self.pick([u for u in self.units if u.kind in ("sac", "super_sac")])
        return od.Kill(count=self.pick((None, 1)), at=self.near(unit.at) if self.wild() else unit.at, unit=unit.id)

    def capture(self) -> od.Order:
        foe = self.pick(self.theirs)
        item = self.pick((od.Item(foe.id, 1), od.Item("worker", 1)))
        return od.Capture(item=item, at=foe.at, units=self.ids(self.army(foe.at)))

    def seize(self) -> od.Order:
        prey = self.pick(self.theirs)
        return od.Seize(
            target=prey.id, at=self.pick((None, prey.at)), by=self.pick(["worker", *(u.id for u in self.army(prey.at))])
        )

    def take(self) -> od.Order:
        unit = self.own("land", "people")
        held = [each for country, each in self.w.part(unit.at).held.items() if country not in self.mine and each.goods]
        good = self.pick([*self.pick(held).goods])
        return od.Take(items=(od.Item(good, self.pick((None, 1))),), at=unit.at, by=self.pick((unit.id, "worker")))

    def scuttle(self) -> od.Order:
        unit = self.own("ship", "air")
        return od.Scuttle(unit=unit.id) if self.w.kind(unit).class_ == "ship" else od.Crash(unit=unit.id)

    def die(self) -> od.Order:
        part, country, _ = self.pile()
        what = self.pick((self.own("land", "people").id, "worker", self.pick(PEOPLE)))
        return od.Die(country=country, item=od.Item(what, 1), at=part if what in PEOPLE else None)
