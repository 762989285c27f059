"""Submarines: diving, surfacing, torpedoes (E14.17 to E14.20)."""

from __future__ import annotations

from fractions import Fraction

from pbem.core.refusal import Illegal
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.sea import sea_zones
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def dive(w: World, ship: Unit) -> None:
    """Raises `Illegal` (`sub.state`, `water.barred`)."""
    _check_submarine(ship)
    if ship.state != "sea":
        raise Illegal("sub.state", unit=ship.id, state=ship.state)
    if ship.surfaced == w.now:
        raise Illegal("sub.state", unit=ship.id, state="surfaced")
    if is_too_narrow(w, ship.at):
        raise Illegal("water.barred", ship=ship.id, why="narrow")
    w.change(ship.id, state="dived", dived=w.now, used=ship.used + w.kind(ship).dive, sailed=True)


def surface(w: World, ship: Unit) -> None:
    """For 6 BTA. Raises `Illegal` (`sub.state`, `bta.short`)."""
    _check_submarine(ship)
    if ship.state != "dived":
        raise Illegal("sub.state", unit=ship.id, state=ship.state)
    needs, left = w.kind(ship).surface, w.tables.bta - ship.used
    if needs > left:
        raise Illegal("bta.short", what=ship.id, left=str(left), square=w.map.shown(ship.at), needs=str(needs))
    _come_up(w, ship, ship.used + needs)


def surface_by_itself(w: World, ship: Unit) -> None:
    """Where others end the slot (E14.20)."""
    _come_up(w, ship, min(Fraction(w.tables.bta), ship.used + w.kind(ship).surface))


def _come_up(w: World, ship: Unit, used: Fraction) -> None:
    w.change(ship.id, state="sea", dived="", surfaced=w.now, used=used, sailed=True)
    sea_zones.settled(w, w.units[ship.id], ship.at, ())


def must_surface(w: World, ship: Unit) -> bool:
    """It dived in an earlier slot."""
    return ship.kind == "submarine" and ship.state == "dived" and ship.dived != w.now


def could_surface(w: World, ship: Unit) -> bool:
    return ship.used + w.kind(ship).surface <= w.tables.bta


def is_too_narrow(w: World, part: str) -> bool:
    """Is it a single-line river, not widened, and no mouth of one?"""
    water = w.map.water[part]
    if water.kind != "single" or {"sea", "lake"} & set(water.links.values()):
        return False
    return not w.has_item(square_of(part), "widening")


def _check_submarine(ship: Unit) -> None:
    if ship.kind != "submarine":
        raise Illegal("sub.state", unit=ship.id, state=ship.state)
