"""Land units that leave a ship (E12.20)."""

from __future__ import annotations

from fractions import Fraction

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.rules.accounts import debts
from pbem.games.empire.rules.combat.stopping import check_arrival, entered
from pbem.games.empire.rules.ground.sides import hostile_land_units, is_regular
from pbem.games.empire.rules.ground.terrain import by_terrain
from pbem.games.empire.rules.people.entering import may_enter
from pbem.games.empire.rules.pieces.losing import lose
from pbem.games.empire.rules.sea import sea_zones
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def price(w: World, unit: Unit, part: str) -> Fraction:
    """BTA, as if it entered the part. Raises `Illegal` (`terrain.barred`)."""
    found = by_terrain(w, unit.kind, w.map.land[part].terrain)
    if w.part(part).city:
        row = w.tables.land_movement[w.kind(unit).moves]
        found = row.road if row.road is not None else found
    if found is None:
        raise Illegal("terrain.barred", what=unit.id, terrain=w.map.land[part].terrain, square=w.map.shown(part))
    return found


def check(w: World, ship: Unit, unit: Unit, part: str) -> None:
    """Raises `Illegal` where it can't land."""
    if sea_zones.over(w, ship.at, unit.owner):
        raise Illegal("load.place", ship=ship.id, why="naval_zoc")
    check_arrival(w, unit, part)
    if is_regular(w, unit):
        debts.check(w, unit.owner, "oil", price(w, unit, part) * debts.rate(w, "transport_and_supply") / 3)


def landed(w: World, unit: Unit, part: str) -> None:
    """It has come ashore there."""
    if is_regular(w, unit):
        debts.owe(w, unit.owner, "oil", price(w, unit, part) * debts.rate(w, "transport_and_supply") / 3)
    entered(w, w.change(unit.id, landed=part))


def people(w: World, country: str, part: str) -> None:
    """Workers and officials go ashore. Raises `Illegal`."""
    may_enter(w, country, part)


def after_battle(w: World, player: Seat) -> None:
    """Who has landed where enemies still stand is eliminated; so it is where no battle was fought at all."""
    for country in w.countries_of(player):
        for unit in list(w.units_of(country)):
            if unit.id in w.units and unit.landed == unit.at and hostile_land_units(w, country, unit.at):
                w.note("landing_failed", country, unit=unit.id, at=unit.at)
                lose(w, unit, "eliminated")
