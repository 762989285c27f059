"""Naval guns: they fire by themselves at hostile ships that come near, and at those that stay (E14.11)."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import NamedTuple

from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import direction_to, map_order, square_of
from pbem.games.empire.rules.combat import wrecks
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.ground.sides import is_hostile
from pbem.games.empire.rules.held import NOTHING
from pbem.games.empire.rules.pieces import naval_table
from pbem.games.empire.rules.sea import unarmed
from pbem.games.empire.rules.state import Gun, Unit
from pbem.games.empire.rules.world import World

TASK = "naval_gun"


class Battery(NamedTuple):
    """A naval gun with a worker at it."""

    part: str
    place: int  # among all that is installed there
    owner: str  # of the worker


def gun(w: World, battery: Battery) -> Gun:
    return w.part(battery.part).guns[battery.place]


def installed(w: World, part: str) -> list[int]:
    return [n for n, found in enumerate(w.part(part).guns) if found.kind == TASK and not found.damaged]


def manned(w: World, part: str) -> list[Battery]:
    """As many as workers with no other task are at them."""
    held = w.part(part).held
    crews = [country for country in sorted(held) for crew in held[country].crews
             if crew.kind == "worker" and crew.tasks == (TASK,) for _ in range(crew.count)]  # fmt: skip
    return [Battery(part, index, owner) for index, owner in zip(installed(w, part), crews, strict=False)]


def factor(w: World, battery: Battery, square: str) -> Fraction:
    """6 in its own square, 3 in the next ones; less by each step."""
    same = square_of(battery.part) == square
    full = Fraction(w.tables.naval["factors"]["naval_gun_same" if same else "naval_gun_adjacent"])
    return max(NOTHING, full - gun(w, battery).steps)


def reaches(w: World, part: str, square: str) -> bool:
    """Its own square and the next ones; not across walls and full mountains."""
    own = square_of(part)
    if own == square:
        return True
    direction = direction_to(own, square)
    if direction is None or "full_mountain" in (w.map.squares[own].terrain, w.map.squares[square].terrain):
        return False
    walled = direction in w.map.land[part].walled
    return not walled or "mountain_road" in w.border(own, square).lines


def near(w: World, water: str) -> list[Battery]:
    """Manned guns that reach a water part, in map order."""
    square = square_of(water)
    parts = [part for each in (square, *w.map.around(square)) for part in w.map.squares[each].land]
    return [found for part in sorted(parts, key=map_order) if reaches(w, part, square) for found in manned(w, part)]


def fire_at(w: World, ship: Unit, part: str) -> None:
    """When a ship enters a water part every hostile gun beside it fires once."""
    for battery in near(w, part):
        now = w.units.get(ship.id)
        if now is None or now.state == "dived":
            return
        if is_target(w, battery, now) and not holds_fire(w, battery):
            with pirate.about(w, [now], battery.owner):
                fire(w, battery, now)


def at_rollout(w: World, player: Seat) -> None:
    """Ships of a player that are still there, and did not come there in this slot, are fired at."""
    if w.options["naval_gun_stay"] == "no":
        return
    ships = [unit for country in w.countries_of(player) for unit in w.units_of(country)]
    for ship in sorted(ships, key=w.unit_order):
        if naval_table.is_ship(w, ship) and ship.id in w.units and not ship.aboard and stays(ship):
            fire_at(w, ship, ship.at)


def stays(ship: Unit) -> bool:
    """In a part that it did not enter in this slot, also at a dock, but not dived."""
    return ship.state != "dived" and ship.at not in ship.came


def is_target(w: World, battery: Battery, ship: Unit) -> bool:
    return is_hostile(w, battery.owner, ship.owner, ship.at) and not pirate.is_unseen(w, ship, battery.owner)


def holds_fire(w: World, battery: Battery) -> bool:
    """By standing order; that of the square counts before that for all."""
    orders = list(w.standing(w.player(battery.owner), "fire"))
    here = [order for order in orders if order.at is not None and square_of(order.at) == square_of(battery.part)]
    found = (here or [order for order in orders if order.at is None])[:1]
    return any(order.says == "none" for order in found)


def fire(w: World, battery: Battery, ship: Unit) -> None:
    """One gun at one ship, as if it were alone. No result is against the gun."""
    purpose = f"gun {w.map.shown(battery.part)}"
    force, against = factor(w, battery, square_of(ship.at)), naval_table.defense(w, ship)
    if not force:
        return
    if not against:
        unarmed.strike(w, ship, floor(force), purpose)
        return
    odds = naval_table.odds(force, against)
    if not naval_table.is_legal(w, odds):
        return
    if naval_table.is_automatic(w, odds):
        w.note("gun_fired", battery.owner, at=battery.part, unit=ship.id, odds=odds)
        wrecks.sink(w, ship)
        return
    faces = {str(side): naval_table.result(w, odds, side) for side in range(1, int(w.tables.dice["faces"]) + 1)}
    w.note("odds", at=w.map.shown(ship.at), odds=odds, column=odds, faces=faces)
    face = w.die(purpose, faces, odds=odds, column=odds)
    cell = naval_table.result(w, odds, face)
    w.rolled(purpose, [face], f"{odds} {cell}")
    wrecks.damage(w, ship, naval_table.steps(cell, "D"))
