"""The Pirate where nobody plays him (play.md, section 6): he sails for the nearest cargo ship, raids, else shoots."""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.games.empire.geography.grid import distance, map_order
from pbem.games.empire.rules.combat import convoys
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.ground.sides import is_land_unit
from pbem.games.empire.rules.movement import sailing
from pbem.games.empire.rules.orders import Item, Move, Raid, Shoot
from pbem.games.empire.rules.sea import guns, raids, sea_zones, waters
from pbem.games.empire.rules.sea.waters import Channel
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def play(w: World) -> None:
    """His slot, between its start and its roll-out."""
    ship = pirate.ship(w)
    if ship is None:
        return
    target = _nearest(w, ship)
    if target is None:
        _roam(w, ship)
        return
    _sail(w, ship, target[1])
    now = w.units.get(ship.id)
    if now is not None and target[0].id in w.units and now.at == w.units[target[0].id].at:
        _strike(w, now, w.units[target[0].id])


class _Chart:
    """What is safe for him, and the ways there, as things stand."""

    def __init__(self, w: World, ship: Unit) -> None:
        self._w, self._ship = w, ship
        self._safe: dict[str, bool] = {}

    def is_safe(self, part: str) -> bool:
        """Is the water in no zone and before no gun that acts on him?"""
        if part not in self._safe:
            w, ship = self._w, self._ship
            fired_at = any(guns.is_target(w, battery, ship) for battery in guns.near(w, part))
            self._safe[part] = not fired_at and not sea_zones.over(w, part, ship.owner)
        return self._safe[part]

    def way(self, goal: str) -> list[waters.Leg] | None:
        def by_safety(_w: World, _ship: Unit, channel: Channel) -> bool:
            return self.is_safe(channel.part)

        return waters.course(self._w, self._ship, self._ship.at, goal, (*waters.RULES, by_safety))


def _nearest(w: World, ship: Unit) -> tuple[Unit, list[waters.Leg]] | None:
    """The cargo ship with the shortest safe way to it, ties by number, and the way."""
    chart, best = _Chart(w, ship), None
    preys = [other for other in w.units.values() if other.kind == "cargo_ship" and other.owner != ship.owner]
    for other in sorted(preys, key=lambda prey: (distance(ship.at, prey.at), w.unit_order(prey))):
        if best is not None and len(best[1]) < distance(ship.at, other.at):
            break
        if not convoys.escorts(w, ship.owner, other):
            way = chart.way(other.at)
            if way is not None and (best is None or len(way) < len(best[1])):
                best = (other, way)
    return best


def _roam(w: World, ship: Unit) -> None:
    """To open sea by lot."""
    reached = [part for part in sorted(w.map.water, key=map_order) if w.map.water[part].kind == "sea"]
    chart = _Chart(w, ship)
    reached = [part for part in reached if part != ship.at and chart.is_safe(part)]
    while reached:
        goal = reached.pop(w.pick(f"{w.now} pirate {len(reached)}", len(reached)))
        way = chart.way(goal)
        if way is not None:
            _sail(w, ship, way)
            return


def _sail(w: World, ship: Unit, way: list[waters.Leg]) -> None:
    """As far on the way as he comes in this slot."""
    left, parts = w.tables.bta - ship.used, []
    for leg in way:
        if leg.cost > left:
            break
        left -= leg.cost
        parts.append(leg.part)
    if not parts:
        return
    try:
        sailing.sail(w, ship, Move(units=(ship.id,), way=tuple(parts)))
    except Illegal:
        return  # he stays where he is


def _strike(w: World, ship: Unit, target: Unit) -> None:
    """A raid where there is something to take, food first; else a shot."""
    seat = pirate.player(w)
    if seat is None or raids.why_not(w, ship, target):
        return
    goods = [good for good in w.tables.goods if any(held.amount(good) for held in target.holds.values())]
    is_manned = any(is_land_unit(w, unit) for unit in w.aboard(target.id))
    try:
        if goods and not is_manned:
            take = tuple(Item(good) for good in sorted(goods, key=lambda good: good != "food"))
            raids.raid(w, seat, Raid(unit=ship.id, target=target.id, take=take))
        else:
            raids.shoot(w, seat, Shoot(unit=ship.id, target=target.id))
    except Illegal:
        return
