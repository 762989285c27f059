"""Zones of control at sea (E14.3, E14.4)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pbem.core.refusal import Illegal
from pbem.games.empire.geography.grid import map_order, square_of
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.ground.sides import is_hostile
from pbem.games.empire.rules.pieces.losing import lose
from pbem.games.empire.rules.pieces.naval_table import factor
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def has_zone(w: World, ship: Unit) -> bool:
    """Every ship with BF that is at sea; a submarine with torpedoes when it is surfaced."""
    if w.kind(ship).class_ != "ship" or ship.state != "sea" or ship.aboard is not None:
        return False
    return factor(w, ship) > 0 or torpedoes(ship) > 0


def torpedoes(ship: Unit) -> int:
    return int(sum(held.amount("torpedo") for held in ship.holds.values())) if ship.kind == "submarine" else 0


def reaches(w: World, ship: Unit, part: str) -> bool:
    """Does the ship's zone, if it has one, cover that water?"""
    return part == ship.at or (ship.kind != "submarine" and part in w.map.water[ship.at].links)


def over(w: World, part: str, country: str, without: Collection[str] = ()) -> list[Unit]:
    """The hostile ships whose zones cover a water part. `without`: units by which the Pirate does not count as seen."""
    if part not in w.map.water:
        return []
    near = w.with_units((part, *w.map.water[part].links))
    return [
        ship
        for place in sorted(near, key=lambda each: (each != part, map_order(each)))
        for ship in w.at(place)
        if has_zone(w, ship)
        and is_hostile(w, ship.owner, country, part)
        and reaches(w, ship, part)
        and not pirate.is_unseen(w, ship, country, without)
    ]


def stops(w: World, ship: Unit, part: str) -> bool:
    """Must the ship stop in that part? Dived submarines need not."""
    return ship.state != "dived" and bool(over(w, part, ship.owner))


def may_go_on(w: World, ship: Unit, part: str, to: str) -> bool:
    """From a hostile zone a ship that can fight may go straight on into a square of those whose zone it is."""
    found = over(w, part, ship.owner)
    return factor(w, ship) > 0 and all(z.at != part for z in found) and any(z.at == to for z in found)


def check_leaving(w: World, ship: Unit, to: str) -> None:
    """Who has come into a hostile zone in this slot has stopped there. Raises `Illegal` (`way.zoc`)."""
    if ship.at in ship.came and stops(w, ship, ship.at) and not may_go_on(w, ship, ship.at, to):
        zone = over(w, ship.at, ship.owner)[0]
        raise Illegal("way.zoc", what=ship.id, unit=zone.id, square=w.map.shown(ship.at))


def check_entry(w: World, ship: Unit, part: str) -> None:
    """After the battle order no ship with BF enters a part with hostile ones (E12.7). Raises `Illegal`."""
    if not w.state.battled or w.options["battle_orders"] == "many" or not factor(w, ship):
        return
    if any(other.at == part and factor(w, other) for other in over(w, part, ship.owner)):
        raise Illegal("battle.once")


def entered(w: World, ship: Unit, part: str) -> bool:
    """It has come into that part: must it stop? Tankers and fishing ships sink there in a hostile zone."""
    w.change(ship.id, came=(*ship.came, part))
    if ship.kind != pirate.SHIP:
        pirate.looked_at(w, square_of(part), w.player(ship.owner))
    must = stops(w, ship, part)
    if over(w, part, ship.owner, without=(ship.id,)):
        sink_unarmed(w, w.units[ship.id])
    return must


def settled(w: World, ship: Unit, start: str, way: Sequence[str]) -> None:
    """Its move has ended: unarmed ships in its zone sink. The Pirate announces where he passed."""
    if ship.kind == pirate.SHIP:
        pirate.announce(w, start, way)
    if ship.id in w.units and has_zone(w, w.units[ship.id]):
        near = (w.units[ship.id].at, *sorted(w.map.water[w.units[ship.id].at].links, key=map_order))
        for other in [other for place in near for other in w.at(place)]:
            if other.state == "sea" and any(zone.id == ship.id for zone in over(w, other.at, other.owner)):
                sink_unarmed(w, other)


def sink_unarmed(w: World, ship: Unit) -> None:
    """A tanker or a fishing ship in a hostile zone is gone; other ships are not."""
    if ship.kind in w.tables.naval["sink_in_zoc"]:
        lose(w, ship, "sunk_in_zone")
